/* The networks that classify images, as the benchmark times them: learning, evaluating, evolving, and the peak of
 * memory.
 *
 *     ROW(name, channels, side, optimizer, has_arithmetic, batch, other_batch)
 *
 * name            of the network; also the study that learns. NAME-evaluation predicts, NAME-evolution judges a
 *                 generation of individuals, each of them on the batch, NAME-memory learns once
 * channels, side  of the images
 * has_arithmetic  are there layers that `winograd` and `direct` compute differently?
 * batch, other    images of an update; 0: there is no other
 */
#ifndef SB_INSPECT_BENCH_NETWORKS_H
#define SB_INSPECT_BENCH_NETWORKS_H

#include "core/rows/setting.h"
#include "inspect/bench/bench_flop.h"
#include "net/models.h"

/* clang-format off */
#define SB_BENCH_NETWORKS(ROW)                                                                                         \
    ROW(resnet9, 3, 32, "nesterov-buffer", true,  512, 0)                                                              \
    ROW(lenet,   1, 28, "momentum-buffer", false, 32,  4096)                                                           \
    ROW(mlp,     1, 14, "momentum-buffer", false, 256, 0)
/* clang-format on */

/* "|resnet9|resnet9-evaluation|...": what --only takes of them. */
#define SB_BENCH_NETWORK_PARTS(name, ...) "|" #name "|" #name "-evaluation|" #name "-evolution|" #name "-memory"

typedef struct sb_bench_network {
    const char *model, *evaluation, *evolution, *memory;
    sb_data_shape data;
    const char *optimizer;
    bool has_arithmetic;
    int n_batches;
    long batch[2];
} sb_bench_network;

#define SB_BENCH_NETWORK_ID(name, ...) SB_BENCH_##name,
enum { SB_BENCH_NETWORKS(SB_BENCH_NETWORK_ID) SB_N_BENCH_NETWORKS };
extern const sb_bench_network sb_bench_networks[SB_N_BENCH_NETWORKS];

/* The row of a model; NULL: it has none. */
const sb_bench_network *sb_bench_network_find(const char *model);

/* The row's model and optimizer into settings; of resnet9 the rung whose network PyTorch's users write (batch norm
 * after pools, celu), without ghost batch norm and whitening. */
void sb_bench_network_settings(const sb_bench_network *network, sb_settings *settings);

/* Floating-point operations of one update. SB_E_USAGE: its widths are none of the network. */
sb_status sb_bench_network_flop(const sb_bench_network *network, const sb_settings *settings, sb_flop *flop);

#endif
