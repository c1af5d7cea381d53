/* The layers of a network, as its forward pass runs them.
 *
 * A list of layers says itself what it is made of. Nothing here says what PredNet looks like: the network is given a table of operations that compute nothing but write
 * down what they are called with, and does one forward step. Names and numbers of parameters come from the list of
 * parameters, found by where the weights lie; inputs by who wrote the memory that an operation reads; activations from
 * what the operations are (ops/ops.h). A network of other shape or wiring gives another list.
 */
#ifndef SB_INSPECT_LAYERS_H
#define SB_INSPECT_LAYERS_H

#include "net/net.h"

#include <stdio.h>

/* As csv on out, one row per layer in the order of the pass: name, kind (input, convolution, convlstm gate, convlstm
 * cell, error, pooling, upsampling, dense), inputs (names, a space between; "@t-1" after one of the step before),
 * in_channels, out_channels, height and width of the output, kernel (3x3; empty: none), activation (relu, clip,
 * sigmoid, tanh; empty: none), parameters. A dense layer has its inputs and outputs as channels. *n_parameters: the sum
 * of the last column, which is that of the network. window: any of one step; what is in it does not matter. The network
 * computes nothing. */
sb_status sb_layers_print(sb_net *net, const sb_window *window, FILE *out, size_t *n_parameters);

#endif
