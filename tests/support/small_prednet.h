/* A small PredNet and frames for it, opened without a data set. */
#pragma once

#include "fill.h"
#include "support.h"

#include "backend/backend.h"
#include "net/prednet/prednet.h"

#include <stdio.h>
#include <stdlib.h>

/* Frames of moving, overlapping waves with some noise: [n][h][w][3], the caller's. */
static inline uint8_t *waves(int n, int w, int h, uint64_t seed)
{
    uint8_t *bytes = malloc((size_t)n * h * w * 3);
    assert_non_null(bytes);
    size_t i = 0;
    for (int t = 0; t < n; t++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                for (int c = 0; c < 3; c++, i++) {
                    int phase = (5 * x + (3 + c) * y + 7 * t) % 64, rise = phase < 32 ? phase : 63 - phase;
                    uint32_t noise = sb_random_words(seed, 77, i).word[0] % 32;
                    bytes[i] = (uint8_t)(20 + 5 * rise + (int)noise + 10 * c);
                }
    return bytes;
}
