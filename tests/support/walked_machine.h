/* A machine of backend/gpu.h that walks the kernels on the CPU and can save all device memory, restore it and compare
 * it; and small networks that learn on it. Tests put their own functions into `launch` and `repeat`.
 *
 *     walked *w = walked_open("winograd");
 *     w->launch = look_at_it;
 *     walked_learn(w, &walked_networks[0], 3);
 *     walked_close(w);
 */
#pragma once

#include "fill.h"
#include "host_machine.h"

#include "net/models.h"
#include "ops/kernels/kernels_host.h"
#include "train/learner.h"

enum { WALKED_BLOCKS = 512, WALKED_SCRATCH = 1 << 16 /* bytes of the backend's scratch that small networks use */ };

typedef struct walked walked;
struct walked {
    sb_gpu_backend backend;
    bool records;                                                          /* a graph is being made: nothing runs */
    void (*launch)(walked *w, int kernel, sb_grid grid, const void *args); /* NULL: walk the kernel */
    void (*repeat)(walked *w, const sb_command_list *list);                /* NULL: run it in its order */
    int n_repeats, n_blocks;
    long update, last_update; /* of walked_learn */
    struct {
        char *at;
        size_t n_bytes;
    } block[WALKED_BLOCKS];
    void *test; /* what the test's own functions need */
};

static inline walked *walked_of(sb_gpu *gpu)
{
    return (walked *)gpu;
}

/* ---- memory ---- */

static inline void *walked_allocate(sb_gpu *gpu, size_t n_bytes)
{
    walked *w = walked_of(gpu);
    assert_true(w->n_blocks < WALKED_BLOCKS);
    char *memory = aligned_alloc(64, (n_bytes + 64) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0, n_bytes);
    w->block[w->n_blocks].at = memory, w->block[w->n_blocks++].n_bytes = n_bytes;
    return memory;
}

static inline void walked_release(sb_gpu *gpu, void *memory)
{
    walked *w = walked_of(gpu);
    for (int i = 0; i < w->n_blocks; i++)
        if (w->block[i].at == memory) w->block[i] = w->block[--w->n_blocks];
    free(memory);
}

/* Bytes of a block that are in use: of the stage and of the scratch only the beginning. */
static inline size_t walked_size(const walked *w, int i)
{
    const sb_gpu_backend *b = &w->backend;
    if (w->block[i].at == b->stage) return b->stage_used;
    return b->n_scratches && w->block[i].at == b->scratch[0] ? WALKED_SCRATCH : w->block[i].n_bytes;
}

static inline size_t walked_bytes(const walked *w)
{
    size_t n_bytes = 0;
    for (int i = 0; i < w->n_blocks; i++) n_bytes += walked_size(w, i);
    return n_bytes;
}

/* All device memory, one block after the other: walked_bytes bytes, the caller's. */
static inline void walked_save(const walked *w, char *image)
{
    for (int i = 0; i < w->n_blocks; image += walked_size(w, i++)) memcpy(image, w->block[i].at, walked_size(w, i));
}

static inline void walked_restore(walked *w, const char *image)
{
    for (int i = 0; i < w->n_blocks; image += walked_size(w, i++)) memcpy(w->block[i].at, image, walked_size(w, i));
}

static inline bool walked_is(const walked *w, const char *image)
{
    for (int i = 0; i < w->n_blocks; image += walked_size(w, i++))
        if (memcmp(w->block[i].at, image, walked_size(w, i)) != 0) return false;
    return true;
}

static inline char *walked_image(const walked *w)
{
    char *image = malloc(walked_bytes(w) + 1);
    assert_non_null(image);
    walked_save(w, image);
    return image;
}

/* ---- work ---- */

static inline void walked_launch(sb_gpu *gpu, int kernel, sb_grid grid, const void *args)
{
    walked *w = walked_of(gpu);
    if (w->records) return;
    if (w->launch)
        w->launch(w, kernel, grid, args);
    else
        assert_true(sb_kernels_walk(kernel, grid, args, SB_WALK_UP));
}

static inline void walked_copy(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    if (!walked_of(gpu)->records) host_copy(gpu, to, from, n_bytes);
}

static inline void walked_zero(sb_gpu *gpu, void *memory, size_t n_bytes)
{
    if (!walked_of(gpu)->records) host_zero(gpu, memory, n_bytes);
}

static inline void walked_record(sb_gpu *gpu)
{
    walked_of(gpu)->records = true;
}

static inline void *walked_record_end(sb_gpu *gpu)
{
    walked_of(gpu)->records = false;
    return gpu;
}

static inline void walked_repeat(sb_gpu *gpu, const sb_graph *graph)
{
    walked *w = walked_of(gpu);
    w->n_repeats++;
    if (w->repeat)
        w->repeat(w, &graph->list);
    else
        sb_command_list_run(&graph->list, gpu, NULL);
}

static inline walked *walked_open(const char *arithmetic)
{
    static sb_machine machine;
    machine = host_machine();
    machine.allocate = walked_allocate, machine.release = walked_release, machine.launch = walked_launch;
    machine.copy = walked_copy, machine.zero = walked_zero;
    machine.record = walked_record, machine.record_end = walked_record_end, machine.repeat = walked_repeat;
    walked *w = calloc(1, sizeof *w);
    assert_non_null(w);
    sb_gpu_open(&w->backend, &machine, &(sb_backend_options){.arithmetic = arithmetic, .winograd_channels = 4});
    w->backend.gpu.processors = 2; /* so that small networks have large tiles, too */
    snprintf(w->backend.gpu.context.variant, sizeof w->backend.gpu.context.variant, "walked");
    return w;
}

static inline sb_ops *walked_ops(walked *w)
{
    return &w->backend.gpu.context.ops;
}

/* Newer forms of lists of layers (sb_gpu_forms): chunks of two samples, several of them for one weight product, and
 * batch norm by rows. */
static inline void walked_cut(walked *w)
{
    sb_ops *ops = walked_ops(w);
    ops->samples_least = 2, ops->operand_bytes = 1, ops->kept_bytes = (size_t)1 << 30;
    w->backend.gpu.forms.norms = true;
}

static inline void walked_close(walked *w)
{
    sb_backend_close(walked_ops(w));
}

/* ---- networks ---- */

typedef struct walked_network {
    const char *name, *model, *arithmetic, *layers, *optimizer;
    sb_data_shape data;
    int batch;      /* of a video: frames of a window */
    sb_list widths; /* of a video: channels; of an autoencoder: units */
} walked_network;

static const walked_network walked_networks[] = {
    {"prednet direct", "prednet", "direct", NULL, "adam", {3, 8, 12, 0}, 3, {3, {3, 4, 6}}},
    {"prednet winograd", "prednet", "winograd", NULL, "adam", {3, 8, 12, 0}, 3, {3, {3, 4, 6}}},
    {"resnet9 direct", "resnet9", "direct", NULL, "nesterov", {3, 16, 16, 10}, 4, {4, {4, 6, 8, 8}}},
    {"resnet9 winograd", "resnet9", "winograd", NULL, "nesterov", {3, 16, 16, 10}, 4, {4, {4, 6, 8, 8}}},
    {"lenet", "lenet", "direct", NULL, "momentum-buffer", {1, 28, 28, 10}, 3, {3, {3, 4, 12}}},
    {"gpt", "gpt", "direct", NULL, "adamw", {0, 0, 0, 11}, 3, {0}},
};
enum { WALKED_NETWORKS = sizeof walked_networks / sizeof *walked_networks };
enum { WALKED_RESNETS = 2, WALKED_RESNET = 2 }; /* number and first of those that walked_cut changes */
enum { WALKED_PREDNETS = 2 }; /* the first ones, whose lists are different where operations overlap (ops.h) */

static inline sb_settings walked_settings(const walked_network *of)
{
    sb_settings s;
    sb_settings_default(&s);
    s.model = of->model, s.optimizer = of->optimizer, s.arithmetic = of->arithmetic;
    s.rung = "4"; /* resnet9: without groups of batch norm, which would want larger batches */
    s.batch = of->batch, s.blocks = 2, s.heads = 3, s.width = 12, s.context = 7;
    if (of->layers) s.layers = of->layers;
    if (of->data.n_classes == 0 && of->data.c == 3)
        s.channels = of->widths, s.window = of->batch, s.batch = 1;
    else if (strcmp(of->model, "autoencoder") == 0)
        s.hidden = of->widths;
    else
        s.widths = of->widths;
    return sb_settings_resolved(&s);
}

/* Bytes of a window: pixels, values, labels and tokens are taken from them. */
typedef struct walked_data {
    uint8_t *bytes, *labels;
    sb_real *values;
} walked_data;

static inline walked_data walked_data_of(const walked_network *of, long update, int context)
{
    const sb_data_shape *d = &of->data;
    const size_t n_samples = (size_t)of->batch + 1;
    const size_t n = d->c ? n_samples * (size_t)d->c * d->h * d->w : n_samples * ((size_t)context + 1);
    walked_data data = {malloc(n), malloc(n_samples), malloc(n * sizeof(sb_real))};
    assert_true(data.bytes && data.labels && data.values);
    for (size_t i = 0; i < n; i++) {
        const uint32_t word = sb_random_words(11, (uint32_t)update, i).word[0];
        data.bytes[i] = (uint8_t)(d->c ? word >> 24 : word % (uint32_t)d->n_classes);
        data.values[i] = (sb_real)(word >> 8) * (sb_real)0x1p-22 - 2;
    }
    for (size_t i = 0; i < n_samples; i++)
        data.labels[i] = d->n_classes ? (uint8_t)((i + (size_t)update) % d->n_classes) : 0;
    return data;
}

static inline sb_window walked_window(const walked_network *of, const walked_data *data, long update)
{
    sb_window window = {.n = of->batch, .reset = update == 1};
    if (of->data.n_classes == 0)
        window.bytes = data->bytes;
    else if (of->data.c)
        window.values = data->values, window.labels = data->labels;
    else
        window.tokens = data->bytes;
    return window;
}

/* Updates 1 to n of a network. */
static inline void walked_learn(walked *w, const walked_network *of, int n)
{
    const sb_settings settings = walked_settings(of);
    sb_net *net;
    sb_learner learner;
    if (sb_model_find(of->model)->open(&net, walked_ops(w), &settings, &of->data) != SB_OK ||
        sb_learner_open(&learner, net, &settings, NULL) != SB_OK || sb_learner_start(&learner, 5, 0) != SB_OK)
        fail_msg("%s: %s", of->name, sb_message());
    w->last_update = n;
    for (long update = w->update = 1; update <= n; w->update = ++update) {
        const walked_data data = walked_data_of(of, update, (int)settings.context);
        const sb_window window = walked_window(of, &data, update);
        sb_step_result result;
        if (sb_learner_update(&learner, &window, update, SB_GRADIENT_DROPPED, &result) != SB_OK)
            fail_msg("%s, update %ld: %s", of->name, update, sb_message());
        free(data.bytes), free(data.labels), free(data.values);
    }
    sb_learner_close(&learner);
}
