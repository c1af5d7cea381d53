#include "inspect/bench/bench_input.h"

#include "core/random.h"

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
