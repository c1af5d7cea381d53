/* The networks that classify images, and the one that predicts tokens, and what the benchmark measures of them: learning,
 * evaluation, evolution (not of tokens), and peak memory.
 *
 *     ROW(name, channels, side, classes, optimizer, has_arithmetic, batch, other_batch)
 *
 * name            the network, and the study that learns. NAME-evaluation predicts, NAME-evolution evaluates a
 *                 generation of individuals, each on the batch, NAME-memory learns once, NAME-path models a GPU
 * channels, side  of the images; of text 1
 * classes         of the images; of text, its vocabulary: 65 as in the works of Shakespeare
 * has_arithmetic  are there layers that `winograd` and `direct` compute differently?
 * batch, other    images or windows of an update, and a second size; 0: no second size
 */
#pragma once

#include "core/rows/setting.h"
#include "inspect/bench/bench_flop.h"
#include "net/models.h"

/* clang-format off */
#define SB_BENCH_NETWORKS(ROW)                                                                                         \
    ROW(resnet9, 3, 32, 10, "nesterov-buffer", true,  512, 0)                                                          \
    ROW(lenet,   1, 28, 10, "momentum-buffer", false, 32,  4096)                                                       \
    ROW(mlp,     1, 14, 10, "momentum-buffer", false, 256, 0)                                                          \
    ROW(gpt,     1, 1,  65, "adamw",           false, 8,   0)
/* clang-format on */

/* "|resnet9|resnet9-evaluation|...": the words for --only. */
#define SB_BENCH_NETWORK_PARTS(name, ...)                                                                              \
    "|" #name "|" #name "-evaluation|" #name "-evolution|" #name "-memory|" #name "-path"

typedef struct sb_bench_network {
    const char *model, *evaluation, *evolution, *memory, *path;
    sb_data_shape data;
    const char *optimizer;
    bool has_arithmetic;
    int n_batches;
    long batch[2];
} sb_bench_network;

#define SB_BENCH_NETWORK_ID(name, ...) SB_BENCH_##name,
enum { SB_BENCH_NETWORKS(SB_BENCH_NETWORK_ID) SB_N_BENCH_NETWORKS };
extern const sb_bench_network sb_bench_networks[SB_N_BENCH_NETWORKS];

/* The row of a model; NULL: there is none. */
const sb_bench_network *sb_bench_network_find(const char *model);

/* Set model and optimizer in settings. For resnet9 the network is the one usual in PyTorch (batch norm after pools,
 * celu), without ghost batch norm and whitening. */
void sb_bench_network_settings(const sb_bench_network *network, sb_settings *settings);

/* Floating-point operations of one update. SB_E_USAGE: the widths do not fit the network. */
sb_status sb_bench_network_flop(const sb_bench_network *network, const sb_settings *settings, sb_flop *flop);
