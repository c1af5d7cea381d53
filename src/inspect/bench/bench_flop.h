/* Floating-point operations of a window, counted as direct convolution: two for each multiplication and addition of a
 * kernel at every output pixel, those that meet the zero padding included, as libraries count. Only convolutions
 * and dense layers count; what is elementwise is below one per cent. */
#ifndef SB_INSPECT_BENCH_FLOP_H
#define SB_INSPECT_BENCH_FLOP_H

#include "net/prednet/prednet.h"
#include "net/sequential/sequential.h"

typedef struct sb_flop {
    double forward, data_gradient, weight_gradient;
} sb_flop;

static inline double sb_flop_total(sb_flop flop)
{
    return flop.forward + flop.data_gradient + flop.weight_gradient;
}

/* One window of shape->window frames at the start of a sequence. Left out, because nothing needs them: the gradients of
 * what the window began with (R and the lowest E), and those of the last frame's P_1, P_2, ..., which only the next
 * window reads. */
sb_flop sb_flop_prednet(const sb_prednet_shape *shape);

/* One update of a network of layers on a batch. Nothing needs the gradient of what the first layer that learns reads.
 * SB_E_USAGE: a layer does not fit. */
sb_status sb_flop_layers(const sb_layer_list *list, int batch, sb_flop *flop);

#endif
