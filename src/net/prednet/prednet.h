/* PredNet (Lotter, Kreiman, Cox 2017) as the study trained it, with any number of layers and any channel list.
 *
 * Layer n works on maps of channels[n], (w >> n) x (h >> n) pixels. One step with the frame x:
 *
 *   bottom-up   A_0 = x; A_n = maxpool2x2(relu(ConvA_n(E_{n-1})))
 *               E_n = [relu(A_n - P_n), relu(P_n - A_n)]                  P_n: the prediction made one step earlier
 *   top-down    R_n, c_n = cell(E_n, upsampled R_{n+1}, R_n, c_n)         the convolutional LSTM of order.h
 *               P_n = relu(ConvP_n(R_n)); P_0 = clip(ConvP_0(R_0), 0, 1)
 *
 * A network may learn from several sequences at once, one lane for each. All tensors have a sample for each lane, each
 * lane has its own state, and all lanes share weights and peepholes. Only the sums of the gradients combine lanes:
 * within each step they add them in ascending order (ops/order.h).
 *
 * The loss of a step is the mean squared difference of P_0 and the next frame, over all lanes. Truncation between
 * windows is incomplete: the gradient of P_n, n > 0, of the step before the window still flows through its relu into
 * ConvP_n. A lane whose sequence starts with the window has no such step: its P_n is zero and no gradient flows.
 */
#pragma once

#include "net/net.h"

enum { SB_LAYERS_MAX = 8, SB_WINDOW_MAX = SB_LOSS_MAX - 1 };

typedef struct sb_prednet_shape {
    int n_layers;
    int channels[SB_LAYERS_MAX]; /* channels[0] is 3, the colors */
    int w, h;                    /* divisible by 2^(n_layers - 1) */
    int window;                  /* most loss terms of one window */
    int n_lanes;                 /* sequences at once; 0: one */
    int n_shards;                /* shards of a batch, each of n_lanes lanes with their own states; 0: one */
} sb_prednet_shape;

/* The shape is copied; the caller closes the network. SB_E_USAGE: w or h is not divisible as above. SB_E_MEMORY: the
 * message gives the number of bytes asked for. */
sb_status sb_prednet_open(sb_net **net, sb_ops *ops, const sb_prednet_shape *shape);
