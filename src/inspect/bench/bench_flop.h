/* Floating-point operations of a window, counted as direct convolution: two for each weight of a kernel at every output
 * pixel, also where it meets zero padding, as libraries count. Only convolutions and dense layers count; elementwise
 * operations are below one percent. */
#pragma once

#include "net/prednet/prednet.h"
#include "net/sequential/sequential.h"

typedef struct sb_flop {
    double forward, data_gradient, weight_gradient;
} sb_flop;

static inline double sb_flop_total(sb_flop flop)
{
    return flop.forward + flop.data_gradient + flop.weight_gradient;
}

/* One window of shape->window frames at the start of a sequence. Leaves out gradients that are not computed: of the
 * window's first inputs (R and the lowest E), and of the last frame's P_1, P_2, ..., which only the next window
 * reads. */
sb_flop sb_flop_prednet(const sb_prednet_shape *shape);

/* One update of a network of layers on a batch. Leaves out the gradient of the first learning layer's input, which is
 * not computed. SB_E_USAGE: a layer does not fit. */
sb_status sb_flop_layers(const sb_layer_list *list, int batch, sb_flop *flop);
