/* Cells whose truth is known: log losses that are normal around a seed's own level, plus a shift and noise. */
#pragma once

#include "core/random.h"
#include "paper/results/results.h"

#include <math.h>

/* What every made cell has; loss, seed, ulp and weights are the caller's to change. */
static inline sb_result made_cell(long seed, double log_loss)
{
    sb_result cell = {.name = "cell",
                      .hash = "0",
                      .study = "made",
                      .data = "walk",
                      .backend = "native",
                      .arithmetic = "direct",
                      .hardware = "any",
                      .blas_kernel = "",
                      .weights = "w",
                      .registration = "",
                      .model = "prednet",
                      .channels = "3 8",
                      .hidden_text = "0",
                      .window_text = "20",
                      .lr = "0.001",
                      .data_digest = "d",
                      .threads = 1,
                      .seed = seed,
                      .batch = 1,
                      .updates = 10,
                      .loss = {exp(log_loss), exp(log_loss)}};
    for (int id = 0; id < SB_N_SETTINGS; id++)
        if (!cell.setting[id]) cell.setting[id] = "";
    return cell;
}

static inline void made_target(sb_result *cell, sb_target target)
{
    cell->target = target;
    cell->target_text = sb_target_name[target];
}

/* N(0, 1): deviate `index` of the trial. */
static inline double made_noise(uint64_t trial, uint32_t stream, long index)
{
    return sb_random_normal(trial, stream, (uint64_t)index);
}

/* Log loss of a seed: start weights move it by 0.35, what the arm adds (stream) by `noise`. */
static inline double made_log_loss(uint64_t trial, uint32_t stream, long seed, double noise)
{
    return -6 + 0.35 * made_noise(trial, 0, seed) + noise * made_noise(trial, stream, seed);
}

/* Results of three runs, of which two, aaaaaaaa and bbbbbbbb, are seeds of one arm, and cccccccc is of another. They hold
 * until the next call. */
static inline sb_results made_arms(void)
{
    static sb_result cells[3], *by_hash[3];
    static const char *const hash[3] = {"aaaaaaaa", "bbbbbbbb", "cccccccc"};
    for (int i = 0; i < 3; i++) {
        cells[i] = made_cell(1 + i % 2, -6);
        cells[i].hash = hash[i];
        cells[i].line = (size_t)i + 2;
        by_hash[i] = &cells[i];
    }
    cells[2].updates = 20;
    return (sb_results){.n_cells = 3, .cell = cells, .by_hash = by_hash};
}
