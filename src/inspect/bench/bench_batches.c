#include "inspect/bench/bench_batches.h"

#include "core/machine/clock.h"
#include "core/size.h"
#include "data/augment.h"
#include "inspect/bench/bench_input.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 512, SIDE = 32, CHANNELS = 3, IMAGE = CHANNELS * SIDE * SIDE };

static const struct {
    const char *what;
    sb_augment_plan plan;
} kinds[SB_BENCH_BATCHES] = {
    {"normalised", {0}},
    {"crop flip cutout sample", {.form = SB_AUGMENT_SAMPLE, .crop = 4, .flip = true, .cutout = 8}},
    {"crop flip cutout group", {.form = SB_AUGMENT_GROUP, .crop = 4, .flip = true, .cutout = 8}},
    {"noise", {.noise = 0.1}},
};

sb_status sb_bench_batches_make(sb_bench_case *c, int k)
{
    sb_settings settings;
    sb_settings_default(&settings);
    settings.model = "autoencoder"; /* images, and no channels of layers */
    settings.threads = 1;
    *c = (sb_bench_case){.study = "input", .setup = settings, .size = {SIDE, SIDE}, .samples = BATCH};
    snprintf(c->variant, sizeof c->variant, "%s", kinds[k].what);
    return SB_OK;
}

/* What the worker of one kind of batches has. */
typedef struct maker {
    sb_augment augment;
    sb_normal normal;
    uint8_t *images; /* [BATCH][CHANNELS][SIDE][SIDE] */
    sb_real *x;
} maker;

static void close_maker(maker *m)
{
    sb_augment_close(&m->augment);
    sb_normal_close(&m->normal);
    free(m->images);
    free(m->x);
}

static sb_status open_maker(maker *m, int k)
{
    *m = (maker){.images = sb_bench_frames(BATCH, SIDE, SIDE), .x = sb_size_allocate(BATCH, IMAGE * sizeof *m->x)};
    sb_status status = m->images && m->x ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for %d images", BATCH);
    if (status == SB_OK)
        status = sb_augment_open(&m->augment, &kinds[k].plan, (sb_image_shape){CHANNELS, SIDE, SIDE}, 1, BATCH);
    if (status == SB_OK) status = sb_normal_open(&m->normal, SB_NORMAL_CIFAR10, CHANNELS, SIDE * SIDE, NULL, 0);
    if (status != SB_OK) close_maker(m);
    return status;
}

/* An epoch of one batch: what is drawn for an epoch is part of the time. */
static void make_batch(maker *m, long epoch)
{
    sb_augment_begin(&m->augment, epoch);
    for (size_t i = 0; i < BATCH; i++) {
        const sb_choice choice = sb_augment_choose(&m->augment, i, i);
        sb_augment_apply(&m->augment, &choice, i, m->images + i * IMAGE, &m->normal, m->x + i * IMAGE);
    }
}

sb_status sb_bench_batches_time(sb_bench_case *c, int k, double at_least)
{
    maker m;
    SB_TRY(open_maker(&m, k));
    make_batch(&m, 0);
    const double began = sb_clock_seconds(), cpu = sb_clock_cpu_seconds();
    double seconds = 0;
    long n = 0;
    while (n == 0 || seconds < at_least) {
        make_batch(&m, ++n);
        seconds = sb_clock_seconds() - began;
    }
    sb_series_add(&c->seconds, seconds / (double)n);
    sb_series_add(&c->cpu_share, (sb_clock_cpu_seconds() - cpu) / seconds);
    close_maker(&m);
    return SB_OK;
}
