#include "inspect/engines.h"

#include "backend/gpu.h"
#include "core/text/csv.h"
#include "inspect/bench/bench_case.h"
#include "ops/library/cudnn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 16, ROUNDS = 5, CONVOLUTIONS_MAX = 64, KERNEL = 3 };

typedef struct convolution {
    char name[32];
    sb_cudnn_shape shape;
} convolution;

typedef struct convolutions {
    int n;
    convolution item[CONVOLUTIONS_MAX];
} convolutions;

/* ---- what is asked for ---- */

static void add(convolutions *to, const char *name, int layer, int in, int out, int h, int w)
{
    convolution *c = &to->item[to->n++];
    snprintf(c->name, sizeof c->name, "%s %d", name, layer);
    c->shape = (sb_cudnn_shape){1, in, out, h, w, KERNEL, KERNEL / 2};
}

/* Of one frame (net/prednet/prednet.h): the terms of the gates, A and P of each layer. */
static void add_prednet(convolutions *to)
{
    static const int channels[] = {3, 48, 96, 192};
    enum { LAYERS = sizeof channels / sizeof *channels, W = 160, H = 120 };
    for (int n = 0; n < LAYERS; n++) {
        const int c = channels[n], h = H >> n, w = W >> n;
        add(to, "gates of E", n, 2 * c, 4 * c, h, w);
        if (n + 1 < LAYERS) add(to, "gates of up", n, channels[n + 1], 4 * c, h, w);
        add(to, "gates of R", n, c, 4 * c, h, w);
        if (n) add(to, "A", n, 2 * channels[n - 1], c, 2 * h, 2 * w);
        add(to, "P", n, c, c, h, w);
    }
}

static double products(const sb_cudnn_shape *s)
{
    return (double)s->n * s->in * s->out * s->h * s->w * s->kernel * s->kernel;
}

static int most_first(const void *a, const void *b)
{
    const double x = products(&((const convolution *)a)->shape), y = products(&((const convolution *)b)->shape);
    return (x < y) - (x > y);
}

static sb_status parse(const char *text, convolutions *to)
{
    enum { LARGEST = 65536 };
    int v[6], end = 0;
    bool is_right =
        sscanf(text, "%dx%dx%dx%dx%dx%d%n", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &end) == 6 && !text[end];
    for (int i = 0; is_right && i < 6; i++) is_right = v[i] >= 1 && v[i] <= LARGEST;
    if (!is_right || v[5] % 2 == 0 || to->n == CONVOLUTIONS_MAX)
        return sb_fail(SB_E_USAGE,
                       "samebits info: --convolution wants NxINxOUTxHxWxKERNEL with an odd kernel, not '%.64s'", text);
    convolution *c = &to->item[to->n++];
    snprintf(c->name, sizeof c->name, "%d", to->n);
    c->shape = (sb_cudnn_shape){v[0], v[1], v[2], v[3], v[4], v[5], v[5] / 2};
    return SB_OK;
}

/* ---- one work on one shape ---- */

typedef struct tour {
    sb_ops *ops;
    sb_writer *csv;
    const convolution *of;
    sb_cudnn_work work;
    int rank;
} tour;

static void run_trial(sb_gpu *gpu, const void *args)
{
    const sb_cudnn_trial *const *trial = args;
    const char *words = sb_cudnn_try(*trial);
    if (words) gpu->failed(gpu, words);
}

/* Microseconds; negative: sb_message says why there is no time. It runs once before it is recorded, so that code that it
 * needs is loaded. */
static double time_trial(const tour *t, const sb_cudnn_trial *trial)
{
    static const sb_gpu_label label = {.operation = "convolution"};
    const sb_list_entry entry = {.work = run_trial, .label = &label, .args = &trial};
    double seconds[ROUNDS];
    sb_series us = {0};
    sb_list_entry_run(&entry, sb_gpu_of(t->ops));
    if (t->ops->error(t->ops) != SB_OK) return -1;
    if (sb_gpu_time_entry(t->ops, &entry, TIMES, ROUNDS, seconds) != SB_OK) return -1;
    for (int r = 0; r < ROUNDS; r++) sb_series_add(&us, 1e6 * seconds[r]);
    if (sb_series_spread(&us).min >= 0) return sb_series_spread(&us).median;
    sb_fail(SB_E_MISSING, "the GPU's clock cannot be read");
    return -1;
}

static void write_notes(sb_writer *csv, unsigned set, const char *const *names)
{
    char text[256] = "";
    for (unsigned note = 0, n_names = 0; note < 32; note++) {
        n_names += names[n_names] != NULL;
        if (!(set >> note & 1)) continue;
        const size_t used = strlen(text);
        if (note < n_names)
            snprintf(text + used, sizeof text - used, "%s%s", used ? "+" : "", names[note]);
        else
            snprintf(text + used, sizeof text - used, "%snote %u", used ? "+" : "", note);
    }
    sb_write(csv, ",%s", text);
}

static void write_engine(void *context, const sb_cudnn_engine *engine, const sb_cudnn_trial *trial)
{
    static const char *const works[SB_N_CUDNN_WORKS] = {"forward", "data", "filter"};
    tour *t = context;
    const sb_cudnn_shape *s = &t->of->shape;
    const double us = trial ? time_trial(t, trial) : -1;
    sb_write(t->csv, "%s,%dx%dx%dx%dx%dx%d,%s,%d,%s,%ld,%d", t->of->name, s->n, s->in, s->out, s->h, s->w, s->kernel,
             works[t->work], ++t->rank, engine->is_fallback ? "fallback" : "A", engine->number, engine->is_allowed);
    sb_csv_real(t->csv, us >= 0 ? us : NAN, 5);
    sb_write(t->csv, ",%ld", engine->n_bytes);
    write_notes(t->csv, engine->numerical, sb_cudnn_numerical_notes);
    write_notes(t->csv, engine->behavior, sb_cudnn_behavior_notes);
    sb_write(t->csv, ",%s\n", us >= 0 ? "" : trial ? sb_message() : engine->refusal);
    fflush(stdout);
}

/* memory: for x, w and y, one after the other. */
static sb_status visit(tour *t, char *memory)
{
    const sb_cudnn_shape *s = &t->of->shape;
    const size_t x = (size_t)s->n * s->in * s->h * s->w, w = (size_t)s->out * s->in * s->kernel * s->kernel;
    float *at_x = (float *)memory, *at_w = at_x + (x + 63) / 64 * 64, *at_y = at_w + (w + 63) / 64 * 64;
    const float *const a[SB_N_CUDNN_WORKS] = {at_x, at_w, at_x}, *const b[SB_N_CUDNN_WORKS] = {at_w, at_y, at_y};
    float *const result[SB_N_CUDNN_WORKS] = {at_y, at_x, at_w};
    for (t->work = 0; t->work < SB_N_CUDNN_WORKS; t->work++) {
        t->rank = 0;
        const char *words = sb_cudnn_engines(sb_gpu_of(t->ops)->cudnn, t->work, s, a[t->work], b[t->work], 0,
                                             result[t->work], write_engine, t);
        if (words) return sb_fail(SB_E_IO, "%s", words);
    }
    return SB_OK;
}

static sb_status print_convolution(tour *t)
{
    const sb_cudnn_shape *s = &t->of->shape;
    const double n =
        (double)s->n * (s->in + s->out) * s->h * s->w + (double)s->in * s->out * s->kernel * s->kernel + 192;
    char *memory = n < 0x1p40 ? t->ops->allocate(t->ops, (size_t)n * sizeof(float)) : NULL;
    if (!memory) return sb_fail(SB_E_MEMORY, "not enough memory on the GPU for the convolution %s", t->of->name);
    const sb_status status = visit(t, memory);
    t->ops->release(t->ops, memory);
    return status;
}

sb_status sb_engines_print(const sb_texts *texts)
{
    static convolutions all;
    tour t = {0};
    all.n = 0;
    for (int i = 0; i < texts->n; i++) SB_TRY(parse(texts->item[i], &all));
    if (all.n == 0) {
        add_prednet(&all);
        qsort(all.item, (size_t)all.n, sizeof *all.item, most_first);
    }
    SB_TRY(sb_backend_open(&t.ops, "cudnn", &(sb_backend_options){.threads = 1, .cudnn_algorithm = "graph-heuristic"}));
    t.csv = sb_writer_on(stdout, &sb_csv);
    sb_write_raw(t.csv,
                 SB_RAW("convolution,shape,work,rank,list,engine,allowed,us,workspace,numerical,behavior,refusal\n"));
    sb_status status = SB_OK;
    for (t.of = all.item; status == SB_OK && t.of < all.item + all.n; t.of++) status = print_convolution(&t);
    const sb_status ended = sb_writer_end(t.csv, "the table of engines");
    sb_backend_close(t.ops);
    return status == SB_OK ? ended : status;
}
