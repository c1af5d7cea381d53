#include "inspect/bench/bench_case.h"

#include "core/machine/clock.h"
#include "core/random.h"
#include "core/size.h"
#include "data/augment.h"

#include <stdio.h>
#include <stdlib.h>

enum { LATTICE = 32 }; /* random values at the corners of squares; repeats beyond */

typedef struct lattice {
    uint8_t value[LATTICE][LATTICE];
} lattice;

static void draw_lattice(lattice *l, uint32_t stream)
{
    for (int i = 0; i < LATTICE * LATTICE; i++)
        l->value[i / LATTICE][i % LATTICE] = (uint8_t)sb_random_words(1, stream, (uint64_t)i).word[0];
}

/* Linear between the corners of squares of `cell` pixels, 0 to 255. */
static int smooth(const lattice *l, int cell, int x, int y)
{
    const int left = x / cell % LATTICE, top = y / cell % LATTICE;
    const int right = (left + 1) % LATTICE, bottom = (top + 1) % LATTICE;
    const int fx = x % cell, fy = y % cell;
    const int above = l->value[top][left] * (cell - fx) + l->value[top][right] * fx;
    const int below = l->value[bottom][left] * (cell - fx) + l->value[bottom][right] * fx;
    return (above * (cell - fy) + below * fy) / (cell * cell);
}

uint8_t *sb_bench_frames(int n, int w, int h)
{
    enum { CELL = 16, DX = 3, DY = 1 }; /* pixels, and pixels a frame */
    lattice colour[3];
    for (uint32_t c = 0; c < 3; c++) draw_lattice(&colour[c], c);
    uint8_t *frames = malloc((size_t)n * h * w * 3), *pixel = frames;
    if (!frames) return NULL;
    for (int t = 0; t < n; t++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                for (int c = 0; c < 3; c++) *pixel++ = (uint8_t)smooth(&colour[c], CELL, x + DX * t, y + DY * t);
    return frames;
}

uint8_t *sb_bench_digits(int n, int w, int h)
{
    enum { CELL = 6, DARK = 175, CONTRAST = 5 };
    lattice l;
    draw_lattice(&l, 3);
    uint8_t *images = malloc((size_t)n * h * w), *pixel = images;
    if (!images) return NULL;
    for (int k = 0; k < n; k++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                int ink = (smooth(&l, CELL, x + 37 * k, y + 53 * k) - DARK) * CONTRAST;
                *pixel++ = (uint8_t)(ink < 0 ? 0 : ink > 255 ? 255 : ink);
            }
    return images;
}

/* ---- batches ---- */

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
