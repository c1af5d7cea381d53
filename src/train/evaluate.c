#include "train/evaluate.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"
#include "net/models.h"
#include "train/readback.h"
#include "train/run/run_parts.h"

#include <math.h>
#include <stdio.h>

/* A file that is older than the setting has its default. */
static sb_status read_setting(sb_h5 *file, sb_setting_id id, const sb_setting_names *names, sb_settings *settings)
{
    char text[SB_SETTING_TEXT];
    const char *key = sb_settings_table[id].key;
    if (sb_settings_table[id].since > 1 && !sb_h5_has(file, "config", key))
        snprintf(text, sizeof text, "%s", sb_setting_absent(id, names));
    else
        SB_TRY(sb_h5_attribute_text(file, "config", key, text, sizeof text));
    if (sb_setting_set(settings, id, text)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: /config has %s '%s'", sb_h5_path(file), key, text);
}

/* The network and its form: the settings that it has and others may not. */
static sb_status read_config(sb_h5 *file, bool holds_out, sb_settings *settings)
{
    char name[32];
    SB_TRY(sb_h5_get_text(file, "config", "model", name, sizeof name));
    const sb_model *model = sb_model_find(name);
    if (!model) return sb_fail(SB_E_INTEGRITY, "%s: /config has model '%s'", sb_h5_path(file), name);
    settings->model = model->name;
    const sb_setting_names names = {.of = {[SB_OF_NETWORK] = model->name}};
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        if (sb_settings_table[id].of == SB_OF_NETWORK && sb_setting_applies(id, &names))
            SB_TRY(read_setting(file, id, &names, settings));
    if (holds_out) SB_TRY(read_setting(file, SB_SETTING_HOLD_OUT, &names, settings));
    if (model->data == SB_LEARNS_FROM_VIDEO) settings->batch = 1; /* whatever was side by side in training */
    return SB_OK;
}

static sb_status read_learned(sb_net *net, sb_h5 *file)
{
    SB_TRY(sb_run_read_block(net, file, "param", net->weight));
    return sb_run_read_kept(net, file);
}

static sb_status open_run(sb_h5 **file, sb_settings *options, const char *run_path, bool holds_out)
{
    sb_settings_default_group(options, SB_GROUP_LEARN); /* forward only: nothing but the form below matters */
    SB_TRY(sb_h5_open(file, run_path, SB_SEAL_RUNS));
    const sb_status status = sb_runfile_check(*file);
    if (status != SB_E_EMPTY) SB_TRY(status); /* a checkpoint has weights too */
    return read_config(*file, holds_out, options);
}

/* Another text than the run's is named, never taken because nothing was named. */
static sb_status check_default(const sb_setup *setup, sb_h5 *file)
{
    char digest[SB_HASH_TEXT];
    if (strcmp(setup->options->data, SB_MADE_TEXT) != 0) return SB_OK;
    SB_TRY(sb_dataset_digest_file(SB_MADE_TEXT, digest));
    return sb_readback_check_data(file, SB_MADE_TEXT, digest);
}

/* The tokens of the data mean what they meant in the run. */
static sb_status check_characters(const sb_setup *setup, sb_h5 *file)
{
    sb_characters table;
    SB_TRY(sb_characters_read(&table, file));
    if (sb_characters_equal(&table, &sb_dataset_about(setup->dataset)->characters)) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: has other characters than the run; convert the text with --table, which names the run's data set",
                   setup->options->data);
}

sb_status sb_evaluate_open(sb_setup *setup, sb_settings *options, const char *run_path, bool holds_out)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    *setup = (sb_setup){0};
    SB_TRY(open_run(&file, options, run_path, holds_out));
    SB_TRY(sb_setup_open_read_only(setup, options));
    SB_TRY(check_default(setup, file));
    SB_TRY(check_characters(setup, file));
    return read_learned(setup->learner.net, file);
}

sb_status sb_evaluate_open_text(sb_setup *setup, sb_settings *options, const char *run_path, sb_characters *characters)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    *setup = (sb_setup){0};
    SB_TRY(open_run(&file, options, run_path, false));
    SB_TRY(sb_characters_read(characters, file));
    if (!characters->n) return sb_fail(SB_E_USAGE, "%s: %s learned from no text", run_path, options->model);
    options->batch = 1, options->sync_every = 0; /* no updates */
    SB_TRY(sb_setup_open_net(setup, options, &(sb_data_shape){.n_classes = characters->n}));
    return read_learned(setup->learner.net, file);
}

/* ---- losses ---- */

typedef struct sums {
    size_t n;
    double sum, squares, weight;
} sums;

static void add_loss(sums *s, double loss, double samples)
{
    s->n++;
    s->sum += loss * samples;
    s->squares += loss * loss;
    s->weight += samples;
}

/* Reads samples first .. first + n - 1. */
typedef sb_status read_images(sb_dataset *dataset, size_t first, size_t n, uint8_t *bytes);

/* Windows of at most `window` frames through every sequence, the last one however short. */
static sb_status video_losses(sb_setup *setup, sums *s)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    size_t size = facts->h * facts->w * facts->c, window = (size_t)setup->options->window;
    SB_FREED uint8_t *bytes = sb_size_allocate(window + 1, size);
    if (!bytes) return sb_fail(SB_E_MEMORY, "not enough memory for a window");
    for (size_t k = 0; k < facts->n_sequences; k++) {
        size_t start = (size_t)facts->sequence[k];
        size_t end = k + 1 < facts->n_sequences ? (size_t)facts->sequence[k + 1] : facts->n;
        for (size_t at = start; at + 1 < end; at += window) {
            size_t n = end - 1 - at < window ? end - 1 - at : window;
            sb_window w = {.bytes = bytes, .n = (int)n, .reset = at == start};
            double loss[SB_LOSS_MAX];
            SB_TRY(sb_dataset_read(setup->dataset, at, n + 1, bytes));
            SB_TRY(sb_learner_infer(&setup->learner, &w));
            SB_TRY(sb_learner_losses(&setup->learner, loss));
            for (size_t i = 0; i < n; i++) add_loss(s, loss[i], 1);
        }
    }
    return SB_OK;
}

static sb_status image_losses(sb_setup *setup, sums *s)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    size_t size = facts->h * facts->w * facts->c, batch = (size_t)sb_settings_samples(setup->options);
    size_t total = facts->n_test ? facts->n_test : facts->n;
    read_images *read = facts->n_test ? sb_dataset_read_test : sb_dataset_read;
    SB_FREED uint8_t *bytes = sb_size_allocate(batch, size);
    if (!bytes) return sb_fail(SB_E_MEMORY, "not enough memory for a batch");
    for (size_t first = 0; first < total; first += batch) {
        size_t n = total - first < batch ? total - first : batch;
        sb_window w = {.bytes = bytes, .n = (int)n};
        double loss[SB_LOSS_MAX];
        SB_TRY(read(setup->dataset, first, n, bytes));
        SB_TRY(sb_learner_infer(&setup->learner, &w));
        SB_TRY(sb_learner_losses(&setup->learner, loss));
        add_loss(s, loss[0], (double)n);
    }
    return SB_OK;
}

sb_status sb_evaluate_loss(sb_setup *setup, sb_evaluation *evaluation)
{
    sums s = {0};
    bool video = sb_dataset_about(setup->dataset)->kind == SB_DATASET_VIDEO;
    SB_TRY(video ? video_losses(setup, &s) : image_losses(setup, &s));
    double mean = s.sum / s.weight, n = (double)s.n;
    double variance = s.n > 1 ? (s.squares - n * mean * mean) / (n - 1) : 0;
    *evaluation = (sb_evaluation){(size_t)s.weight, mean, sqrt(variance > 0 ? variance : 0)};
    return SB_OK;
}

/* ---- frames ---- */

static size_t sequence_of(const sb_dataset_facts *facts, size_t frame)
{
    size_t k = 0;
    while (k + 1 < facts->n_sequences && (size_t)facts->sequence[k + 1] <= frame) k++;
    return k;
}

/* One frame at a time, so that any stretch costs memory for two. */
static sb_status video_frames(sb_setup *setup, size_t first, size_t n, uint8_t *bytes, sb_evaluate_visit *visit,
                              void *context)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    size_t size = facts->h * facts->w * facts->c;
    for (size_t frame = (size_t)facts->sequence[sequence_of(facts, first)] + 1; frame < first + n; frame++) {
        size_t start = (size_t)facts->sequence[sequence_of(facts, frame)];
        if (frame == start) continue;
        sb_window w = {.bytes = bytes, .n = 1, .reset = frame == start + 1};
        SB_TRY(sb_dataset_read(setup->dataset, frame - 1, 2, bytes));
        SB_TRY(sb_learner_infer(&setup->learner, &w));
        if (frame < first) continue;
        SB_TRY(setup->learner.net->outputs(setup->learner.net, 0, 1, bytes));
        SB_TRY(visit(context, frame, bytes + size, bytes));
    }
    return SB_OK;
}

static sb_status image_frames(sb_setup *setup, read_images *read, size_t first, size_t n, uint8_t *bytes,
                              sb_evaluate_visit *visit, void *context)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    size_t size = facts->h * facts->w * facts->c;
    for (size_t i = first; i < first + n; i++) {
        sb_window w = {.bytes = bytes, .n = 1};
        SB_TRY(read(setup->dataset, i, 1, bytes));
        SB_TRY(sb_learner_infer(&setup->learner, &w));
        SB_TRY(setup->learner.net->outputs(setup->learner.net, 0, 1, bytes + size));
        SB_TRY(visit(context, i, bytes, bytes + size));
    }
    return SB_OK;
}

static sb_status visit_frames(sb_setup *setup, read_images *read, size_t first, size_t n, sb_evaluate_visit *visit,
                              void *context)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    if (!setup->learner.net->outputs)
        return sb_fail(SB_E_USAGE,
                       "%s: makes no images; 'samebits eval' without --frames and --quality prints how many "
                       "images it classifies right",
                       setup->learner.net->model);
    SB_FREED uint8_t *bytes = sb_size_allocate(2, facts->h * facts->w * facts->c);
    if (!bytes) return sb_fail(SB_E_MEMORY, "not enough memory for two frames");
    bool video = facts->kind == SB_DATASET_VIDEO;
    return video ? video_frames(setup, first, n, bytes, visit, context)
                 : image_frames(setup, read, first, n, bytes, visit, context);
}

sb_status sb_evaluate_frames(sb_setup *setup, size_t first, size_t n, sb_evaluate_visit *visit, void *context)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    if (n == 0 || first >= facts->n || n > facts->n - first)
        return sb_fail(SB_E_USAGE, "%s: has frames 0 to %zu, not %zu to %zu", setup->options->data, facts->n - 1, first,
                       first + n - 1);
    return visit_frames(setup, sb_dataset_read, first, n, visit, context);
}

sb_status sb_evaluate_all(sb_setup *setup, sb_evaluate_visit *visit, void *context)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    if (facts->n_test) return visit_frames(setup, sb_dataset_read_test, 0, facts->n_test, visit, context);
    return visit_frames(setup, sb_dataset_read, 0, facts->n, visit, context);
}
