#include "paper/judge/time_to_accuracy.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"
#include "paper/files/json_tree.h"
#include "paper/files/output.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run ---- */

static sb_status read_texts(sb_time_run *run, sb_h5 *file)
{
    const struct {
        const char *group, *name;
        char *text;
        size_t size;
    } texts[] = {
        {"config", "model", run->model, sizeof run->model},
        {"config", "rung", run->rung, sizeof run->rung},
        {"config", "precision", run->precision, sizeof run->precision},
        {"config", "schedule", run->schedule, sizeof run->schedule},
        {"config", "optimizer", run->optimizer, sizeof run->optimizer},
        {"config", "data_name", run->data, sizeof run->data},
        {"validation", "images", run->images, sizeof run->images},
        {"env", "cpu", run->hardware, sizeof run->hardware},
        {"env", "version", run->version, sizeof run->version},
        {"env", "revision", run->revision, sizeof run->revision},
        {"meta", "written", run->date, sizeof run->date},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        SB_TRY(sb_h5_attribute_text(file, texts[i].group, texts[i].name, texts[i].text, texts[i].size));
    if (sb_h5_has(file, "env", "gpu"))
        SB_TRY(sb_h5_attribute_text(file, "env", "gpu", run->hardware, sizeof run->hardware));
    SB_TRY(sb_h5_get_int(file, "config", "seed", &run->seed));
    SB_TRY(sb_h5_get_int(file, "config", "threads", &run->threads));
    return sb_h5_get_int(file, "validation", "n", &run->n_images);
}

static sb_status read_epochs(sb_time_run *run, sb_h5 *file, bool flips)
{
    const size_t n = run->n;
    int64_t *epoch = sb_size_allocate(n, sizeof *epoch), *correct = sb_size_allocate(n, sizeof *correct);
    double *seconds = sb_size_allocate(n, sizeof *seconds);
    run->epoch = sb_size_allocate(n, sizeof *run->epoch);
    sb_status status =
        epoch && correct && seconds && run->epoch ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", run->path);
    if (status == SB_OK) status = sb_h5_read(file, "validation/epoch", SB_I64, n, epoch);
    if (status == SB_OK)
        status = sb_h5_read(file, flips ? "validation/correct_flipped" : "validation/correct", SB_I64, n, correct);
    if (status == SB_OK) status = sb_h5_read(file, "validation/seconds", SB_F64, n, seconds);
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        run->epoch[i] = (sb_time_epoch){seconds[i], 100.0 * (double)correct[i] / (double)run->n_images};
        if (epoch[i] != (int64_t)i + 1)
            status =
                sb_fail(SB_E_USAGE, "%s: was not validated after each epoch; train with --validate-every 1", run->path);
    }
    free(epoch);
    free(correct);
    free(seconds);
    return status;
}

static sb_status read_run(sb_time_run *run, sb_h5 *file, double threshold)
{
    char flip[16];
    sb_h5_shape shape;
    SB_TRY(sb_runfile_check(file));
    if (!sb_h5_exists(file, "validation/epoch"))
        return sb_fail(SB_E_USAGE, "%s: was not validated while it trained; train with --validate-every 1", run->path);
    SB_TRY(sb_h5_shape_of(file, "validation/epoch", &shape));
    run->n = shape.n;
    SB_TRY(read_texts(run, file));
    SB_TRY(sb_h5_attribute_text(file, "config", "test_flip", flip, sizeof flip));
    if (run->n_images < 1) return sb_fail(SB_E_INTEGRITY, "%s: was validated with no images", run->path);
    SB_TRY(read_epochs(run, file, strcmp(flip, "on") == 0));
    for (size_t i = 0; !run->at && i < run->n; i++)
        if (run->epoch[i].percent >= threshold) run->at = i + 1;
    return SB_OK;
}

sb_status sb_time_read(sb_time_run *run, const char *path, double threshold)
{
    sb_h5 *file;
    *run = (sb_time_run){.path = path};
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    sb_status status = read_run(run, file, threshold);
    if (status == SB_E_EMPTY) status = sb_fail(SB_E_USAGE, "%s: is not finished", path);
    sb_h5_close(file);
    if (status != SB_OK) sb_time_free(run);
    return status;
}

void sb_time_free(sb_time_run *run)
{
    free(run->epoch);
    *run = (sb_time_run){0};
}

sb_share sb_share_of(size_t k, size_t n)
{
    const double z = 1.959963984540054, share = (double)k / (double)n, zz = z * z / (double)n;
    const double middle = (share + zz / 2) / (1 + zz);
    const double half = z * sqrt(share * (1 - share) / (double)n + zz / (4 * (double)n)) / (1 + zz);
    return (sb_share){share, k ? middle - half : 0, k < n ? middle + half : 1};
}

/* ---- two files of one run ---- */

/* Letters, digits, '.' and '-' alone, for '_' stands between the parts of the name. */
static void add_part(char name[SB_PATH_MAX], const char *part)
{
    size_t used = strlen(name);
    if (used) name[used++] = '_';
    const size_t begin = used;
    for (size_t i = 0; part[i] && i < 100; i++) {
        const char c = part[i];
        const bool stays = isalnum((unsigned char)c) || c == '.' || c == '-';
        if (!stays && (used == begin || name[used - 1] == '-')) continue;
        name[used++] = stays ? c : '-';
    }
    while (used > begin && name[used - 1] == '-') used--;
    name[used] = 0;
}

static json_t *misc_of(const sb_time_run *run)
{
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "rung",
                     sb_json_tree_text("%s", run->rung), "seed", (json_int_t)run->seed, "precision",
                     sb_json_tree_text("%s", run->precision), "schedule", sb_json_tree_text("%s", run->schedule),
                     "optimizer", sb_json_tree_text("%s", run->optimizer), "data", sb_json_tree_text("%s", run->data),
                     "images", sb_json_tree_text("%s", run->images), "n_images", (json_int_t)run->n_images, "threads",
                     (json_int_t)run->threads, "version", sb_json_tree_text("%s", run->version), "revision",
                     sb_json_tree_text("%s", run->revision));
}

static sb_status write_json(const sb_time_run *run, const sb_time_entry *entry, const char *folder, const char *name,
                            const char *model, const char *hardware)
{
    sb_output output;
    char file[SB_PATH_MAX];
    snprintf(file, sizeof file, "%.*s.json", SB_PATH_MAX - 8, name);
    SB_TRY(sb_output_begin(&output, folder, file, &sb_json_tree));
    json_t *tree = json_pack("{s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "version", "v1.0", "author",
                             sb_json_tree_text("%s", entry->author), "authorEmail",
                             sb_json_tree_text("%s", entry->email), "framework", "samebits", "model",
                             sb_json_tree_text("%s", model), "hardware", sb_json_tree_text("%s", hardware), "timestamp",
                             sb_json_tree_text("%.10s", run->date), "misc", misc_of(run));
    if (tree && entry->code) json_object_set_new(tree, "codeURL", sb_json_tree_text("%s", entry->code));
    if (tree && entry->dollars_an_hour > 0) json_object_set_new(tree, "costPerHour", json_real(entry->dollars_an_hour));
    sb_json_tree_write(output.out, tree);
    return sb_output_end(&output, SB_OK);
}

static sb_status write_tsv(const sb_time_run *run, const char *folder, const char *name)
{
    sb_output output;
    char file[SB_PATH_MAX];
    snprintf(file, sizeof file, "%.*s.tsv", SB_PATH_MAX - 8, name);
    SB_TRY(sb_output_begin(&output, folder, file, &sb_plain));
    sb_write(output.out, "epoch\thours\ttop1Accuracy\n");
    for (size_t i = 0; i < run->n; i++)
        sb_write(output.out, "%zu\t%.8f\t%.2f\n", i + 1, run->epoch[i].seconds / 3600, run->epoch[i].percent);
    return sb_output_end(&output, SB_OK);
}

sb_status sb_time_write(const sb_time_run *run, const sb_time_entry *entry, const char *folder, char name[SB_PATH_MAX])
{
    char model[160], hardware[200];
    snprintf(model, sizeof model, "%s%s%s", run->model, *run->rung ? " rung " : "", run->rung);
    snprintf(hardware, sizeof hardware, "%s, %lld threads", run->hardware, (long long)run->threads);
    const char *named = entry->model ? entry->model : model, *on = entry->hardware ? entry->hardware : hardware;
    *name = 0;
    add_part(name, entry->author);
    add_part(name, named);
    add_part(name, on);
    add_part(name, "samebits");
    SB_TRY(write_json(run, entry, folder, name, named, on));
    return write_tsv(run, folder, name);
}
