#include "templates.h"

#include "data_files.h"
#include "target.h"

#include "core/file.h"
#include "inspect/trace/trace_file.h"
#include "io/h5/h5_attribute.h"
#include "record/external_file.h"
#include "record/traced.h"
#include "train/run/run.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4, UPDATES = 4 };

sb_settings sb_template_settings(void)
{
    sb_settings settings;
    sb_settings_default(&settings);
    settings.model = "autoencoder", settings.arithmetic = "direct", settings.isa = "plain", settings.threads = 1;
    settings.window = 2, settings.hidden = (sb_list){1, {2}}, settings.channels = (sb_list){2, {3, 2}};
    return settings;
}

sb_settings sb_template_evolution(void)
{
    sb_settings settings = sb_template_settings();
    settings.model = "mlp", settings.batch = 4, settings.widths = (sb_list){1, {2}};
    settings.search = "deep-ga", settings.population = 4, settings.truncation = 2, settings.noise_table = 64;
    return settings;
}

#define NAMES(kind, ...)                                                                                               \
    static const char *const kind##_names[] = {__VA_ARGS__};                                                           \
    enum { N_##kind = sizeof kind##_names / sizeof *kind##_names }

NAMES(video, "frames", "sequence", "@name", "@format", "more");
NAMES(images, "images", "labels", "test_images", "test_labels", "@name", "@format", "frames");
NAMES(text, "tokens", "test_tokens", "characters", "characters@as", "@name", "@format", "images");
NAMES(run, "train/update", "train/loss_last", "train/loss_mean", "train/grad_norm", "train/seconds", "chain/update",
      "chain/batch", "chain/weights", "chain/optimiser", "chain/gradient", "sketch/update", "sketch/row",
      "sketch/weights", "prediction/frame", "prediction/true", "prediction/predicted", "param/encoder/w",
      "param/decoder/b", "adam/m/encoder/w", "adam/v/decoder/b", "state/c0", "meta@schema", "meta@cell", "meta@hash",
      "meta@record", "config@model", "config@hidden", "config@batch", "config@channels", "config@window",
      "config@data_digest", "config@seed", "config@updates", "env@cpu", "events@000", "train@seconds_total",
      "train@loss_terms", "final@updates", "final@loss_last", "final@weights", "final@digest", "eval@test_loss");
NAMES(evolution, "evolution/best", "evolution/chosen", "evolution/gap", "evolution/elite", "evolution/individual",
      "evolution/parent", "evolution/place", "evolution/genome", "evolution/elite_result", "param/dense1/w",
      "train/update", "train/correct", "chain/weights", "config@search", "config@population", "config@optimizer");
NAMES(trace, "row/operation", "tensor/row", "tensor/shape", "tensor/role", "tensor/name", "tensor/written",
      "tensor/hash", "kept/0", "kept/1", "meta@trace", "meta@update", "meta@backend", "meta@kernel", "meta@gradient",
      "meta@weights");
NAMES(recording, "chain/update", "chain/absent", "chain/batch", "chain/gradient", "chain/optimiser", "chain/weights", "chain/state",
      "chain/generator", "train/update", "train/seconds", "train/loss", "tensor/batch/names", "tensor/batch/update",
      "tensor/batch/hash", "tensor/weights/names", "tensor/weights/update", "tensor/weights/hash", "batch/canonical",
      "batch/samples", "settings/update", "settings/text", "found/update", "found/kind", "found/text", "meta@schema",
      "meta@program", "meta@records", "config@lr", "env@cpu", "events@000", "head@update", "head@digest", "final@update",
      "final@weights", "final@digest");
NAMES(other_trace, "text", "settings", "row/operation", "row/module", "row/site", "row/arguments", "row/node", "row/phase",
      "row/mark", "row/forward_row", "row/error", "row/executions", "row/other_results", "tensor/row", "tensor/role",
      "tensor/name", "tensor/dtype", "tensor/shape", "tensor/layout", "tensor/device", "tensor/writer", "tensor/flags",
      "tensor/hash", "sketch/tensor", "sketch/numbers", "kept/2", "meta@trace", "meta@update", "meta@framework");
NAMES(prednet, "frames", "@frames", "@width", "@height", "@bprop", "@channels", "@model", "@format", "@dtype",
      "copy/step_loss", "shared/step_loss", "copy/window1/grad", "copy/activation/step1/c0", "init/conv_a1/w");
NAMES(autoencoder, "inputs", "losses", "init/encoder/w", "init/encoder/b", "init/decoder/w", "init/decoder/b",
      "update1/grad/encoder/w", "update1/param/encoder/w", "@model", "@format", "@dtype");

static void must(sb_status status)
{
    if (status == SB_OK) return;
    fprintf(stderr, "%s\n", sb_message());
    abort();
}

/* ---- runs ---- */

static void train(sb_settings options, const char *data, const char *output, long updates)
{
    sb_setup setup;
    sb_run_outcome outcome;
    const sb_run_options run = {.output = output, .cell = "", .record = "", .updates = updates, .quiet = true};
    options.data = data;
    must(sb_setup_open(&setup, &options));
    must(sb_run_train(&setup, &run, &outcome));
    sb_setup_close(&setup);
}

static void make_run(const char *path, long updates)
{
    const char *data = sb_fuzz_path("images.h5");
    must(data_write_images(data, 8, 4, SIDE, 1));
    train(sb_template_settings(), data, path, updates);
}

static void cut_end(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "final", H5P_DEFAULT);
    H5Fclose(file);
    must(sb_seal_write(path, SB_SEAL_CHECKPOINT));
}

/* A finished run without its end: what the trainer left in the middle. */
static void make_checkpoint(const char *path)
{
    make_run(path, UPDATES / 2);
    cut_end(path);
}

static void make_text(const char *path)
{
    must(data_write_text(path, 40, 10, 5, 1));
}

static void make_labelled(const char *path)
{
    static const uint8_t labels[8] = {0, 1, 2, 0, 1, 2, 0, 1};
    must(data_write_images_of(path, 8, 0, SIDE, 1, labels));
}

static void make_evolution(const char *path)
{
    const char *data = sb_fuzz_path("labelled.h5");
    make_labelled(data);
    train(sb_template_evolution(), data, path, UPDATES / 2);
    cut_end(path);
}

/* ---- traces ---- */

static void make_trace(const char *path)
{
    static sb_real numbers[6] = {1, 2, 3, 4, 5, 6};
    static const sb_trace_row rows[] = {
        {.operation = "conv_forward",
         .n = 2,
         .tensor = {{.role = "x", .name = "E of layer 0", .c = 1, .h = 2, .w = 3, .numbers = numbers},
                    {.role = "y", .name = "A of layer 1", .c = 1, .h = 2, .w = 3, .written = true}}},
        {.operation = "adam", .n = 1, .tensor = {{.role = "w", .c = 1, .h = 1, .w = 8, .written = true}}},
    };
    sb_traced traced = {.update = 1, .backend = "native", .kernel = "plain", .n = 2, .row = (sb_trace_row *)rows};
    must(sb_trace_write(&traced, path));
}

/* ---- of other programs ---- */

static void change(sb_external *e, sb_change kind, sb_bytes *b)
{
    if (b->failed || !sb_external_apply(e, kind, b->at, b->n)) abort();
    e->n_records++;
    sb_bytes_free(b);
}

static void change_texts(sb_external *e, sb_change kind, int64_t number, int n, const char *const *texts)
{
    sb_bytes b = {0};
    if (number >= 0) sb_bytes_add_integer(&b, number);
    if (kind == SB_CHANGE_NAMES) sb_bytes_add_integer(&b, n);
    for (int i = 0; i < n; i++) sb_bytes_add_text(&b, texts[i]);
    change(e, kind, &b);
}

static void add_link(sb_external *e, int64_t update)
{
    sb_hash hash[2] = {{{1}}, {{(uint8_t)(2 + update)}}};
    double loss = 0.5;
    sb_bytes b = {0};
    sb_chain_link link = {.update = update, .absent = 63u & ~(1u << SB_PART_WEIGHTS | (update ? 1u : 0)), .n_values = 1, .value = &loss};
    link.tensor[SB_PART_WEIGHTS] = hash, link.n[SB_PART_WEIGHTS] = 2;
    if (update) link.tensor[SB_PART_BATCH] = link.canonical = link.samples = hash, link.n[SB_PART_BATCH] = 1;
    sb_external_put_link(&b, &link);
    change(e, SB_CHANGE_LINK, &b);
}

static void make_recording(const char *path)
{
    sb_external e = {.complete = true};
    change_texts(&e, SB_CHANGE_CONFIG, -1, 2, (const char *const[]){"lr", "0.1"});
    change_texts(&e, SB_CHANGE_ENV, -1, 2, (const char *const[]){"cpu", "one"});
    change_texts(&e, SB_CHANGE_EVENT, -1, 1, (const char *const[]){"started"});
    change_texts(&e, SB_CHANGE_COLUMN, -1, 1, (const char *const[]){"loss"});
    change_texts(&e, SB_CHANGE_NAMES, SB_PART_WEIGHTS, 2, (const char *const[]){"w", "b"});
    change_texts(&e, SB_CHANGE_NAMES, SB_PART_BATCH, 1, (const char *const[]){"batch 0"});
    for (int64_t update = 0; update < UPDATES; update++) add_link(&e, update);
    change_texts(&e, SB_CHANGE_SETTINGS, 1, 1, (const char *const[]){"group 0 lr = 0.1"});
    change_texts(&e, SB_CHANGE_FOUND, 2, SB_FOUND_TEXTS,
                 (const char *const[]){"changed while saved", "mul", "a.py:3", "w", "0", "words"});
    must(sb_external_write(&e, path));
    sb_external_free(&e);
}

static double *some_numbers(size_t n)
{
    double *number = calloc(n, sizeof *number);
    if (!number) abort();
    for (size_t i = 0; i < n; i++) number[i] = 0.5 * (double)i;
    return number;
}

static void make_other_trace(const char *path)
{
    sb_traced_update t = {.update = 1, .settings = strdup("group 0 lr = 0.1")};
    const int64_t none = sb_traced_text(&t, ""), self = sb_traced_text(&t, "self"), type = sb_traced_text(&t, "float32"),
                  shape = sb_traced_text(&t, "[2]"), mul = sb_traced_text(&t, "mul"), w = sb_traced_text(&t, "w");
    for (int64_t i = 0; i < 3; i++) {
        const sb_traced_op row = {mul, w, none, none, none, (int)i, i == 2, -1, 5, i == 1, 0.5, 0, 0};
        sb_traced_tensor tensors[] = {{0, self, w, type, shape, none, none, i - 1, 0, {{(uint8_t)(i + 1)}}},
                                      {0, self, none, type, shape, none, none, i, SB_TRACED_WRITTEN, {{(uint8_t)(i + 2)}}}};
        if (row.mark) tensors[0].sketch = some_numbers(SB_TRACED_SKETCH);
        if (row.mark) tensors[0].kept = some_numbers(tensors[0].n_kept = 2);
        if (!sb_traced_add(&t, &row, tensors, 2)) abort();
    }
    must(sb_traced_write(&t, path));
    sb_traced_update_free(&t);
}

/* ---- golden files ---- */

static void put_reals(sb_h5 *file, const char *name, int rank, const size_t *dim)
{
    float value[4096];
    size_t n = 1;
    for (int i = 0; i < rank; i++) n *= dim[i];
    for (size_t i = 0; i < n; i++) value[i] = 0.01f * (float)(i % 7);
    must(sb_h5_write(file, name, SB_F32, rank, dim, value, SB_H5_PLAIN));
}

static sb_h5 *begin_golden(const char *path, const char *model)
{
    sb_h5 *file;
    must(sb_h5_create(&file, path, SB_SEAL_FOREIGN));
    must(sb_h5_set_text(file, "", "format", "samebits-golden"));
    must(sb_h5_set_text(file, "", "model", model));
    must(sb_h5_set_text(file, "", "dtype", "f4"));
    return file;
}

/* Every parameter of a network of that model, under a group. */
static void put_params(sb_h5 *file, const char *group, const char *model, int w, int h)
{
    sb_setup setup;
    sb_settings options = sb_template_settings();
    options.model = model;
    must(sb_setup_open_net(&setup, &options, &(sb_data_shape){strcmp(model, "prednet") == 0 ? 3 : 1, h, w, 0}));
    for (int p = 0; p < setup.learner.net->params.n; p++) {
        const sb_param *param = &setup.learner.net->params.list[p];
        char name[128];
        snprintf(name, sizeof name, "%s/%s", group, param->name);
        put_reals(file, name, param->rank, param->dim);
    }
    sb_setup_close(&setup);
}

static void make_autoencoder(const char *path)
{
    sb_h5 *file = begin_golden(path, "autoencoder");
    put_reals(file, "inputs", 3, (size_t[]){2, 1, 4});
    put_reals(file, "losses", 1, (size_t[]){2});
    static const char *const groups[] = {"init", "update1/grad", "update1/param", "update2/grad", "update2/param"};
    for (int i = 0; i < 5; i++) put_params(file, groups[i], "autoencoder", 4, 1);
    must(sb_h5_finish(file, SB_OK));
}

static void make_prednet(const char *path)
{
    static const uint8_t frames[4 * 2 * 2 * 3];
    sb_h5 *file = begin_golden(path, "prednet");
    must(sb_h5_write(file, "frames", SB_U8, 4, (size_t[]){4, 2, 2, 3}, frames, SB_H5_PLAIN));
    must(sb_h5_set_int(file, "", "frames", 4));
    must(sb_h5_set_int(file, "", "width", 2));
    must(sb_h5_set_int(file, "", "height", 2));
    must(sb_h5_set_int(file, "", "bprop", 2));
    must(sb_h5_set_text(file, "", "channels", "3,2"));
    put_reals(file, "copy/step_loss", 1, (size_t[]){3});
    static const char *const groups[] = {"init", "copy/window1/grad", "copy/window1/param", "copy/window2/grad",
                                         "copy/window2/param"};
    for (int i = 0; i < 5; i++) put_params(file, groups[i], "prednet", 2, 2);
    put_reals(file, "copy/activation/step1/c0", 3, (size_t[]){3, 2, 2});
    must(sb_h5_finish(file, SB_OK));
}

/* ---- all ---- */

static void make_video(const char *path)
{
    must(data_write_video(path, 4, 6, 8, 2, (int64_t[]){0, 2}, 1));
}

static void make_images(const char *path)
{
    must(data_write_images(path, 8, 4, SIDE, 1));
}

static void make_finished(const char *path)
{
    make_run(path, UPDATES);
}

static const struct row {
    sb_seal_kind kind;
    void (*make)(const char *path);
    const char *const *names;
    size_t n_names;
} rows[SB_N_TEMPLATES] = {
    [SB_TEMPLATE_VIDEO] = {SB_SEAL_DATA, make_video, video_names, N_video},
    [SB_TEMPLATE_IMAGES] = {SB_SEAL_DATA, make_images, images_names, N_images},
    [SB_TEMPLATE_TEXT] = {SB_SEAL_DATA, make_text, text_names, N_text},
    [SB_TEMPLATE_RUN] = {SB_SEAL_RUN, make_finished, run_names, N_run},
    [SB_TEMPLATE_CHECKPOINT] = {SB_SEAL_CHECKPOINT, make_checkpoint, run_names, N_run},
    [SB_TEMPLATE_TRACE] = {SB_SEAL_TRACE, make_trace, trace_names, N_trace},
    [SB_TEMPLATE_PREDNET] = {SB_SEAL_FOREIGN, make_prednet, prednet_names, N_prednet},
    [SB_TEMPLATE_AUTOENCODER] = {SB_SEAL_FOREIGN, make_autoencoder, autoencoder_names, N_autoencoder},
    [SB_TEMPLATE_LABELLED] = {SB_SEAL_DATA, make_labelled, images_names, N_images},
    [SB_TEMPLATE_RECORDING] = {SB_SEAL_RECORDING, make_recording, recording_names, N_recording},
    [SB_TEMPLATE_OTHER_TRACE] = {SB_SEAL_TRACE, make_other_trace, other_trace_names, N_other_trace},
    [SB_TEMPLATE_EVOLUTION] = {SB_SEAL_CHECKPOINT, make_evolution, evolution_names, N_evolution},
};

const sb_template *sb_template_of(sb_template_kind kind)
{
    static sb_template templates[SB_N_TEMPLATES];
    sb_template *t = &templates[kind];
    char name[32];
    if (t->content) return t;
    *t = (sb_template){.names = rows[kind].names, .n_names = rows[kind].n_names, .kind = rows[kind].kind};
    snprintf(name, sizeof name, "template%d.h5", (int)kind);
    const char *path = sb_fuzz_path(name);
    rows[kind].make(path);
    must(sb_file_read(path, &t->content, &t->n_bytes));
    return t;
}
