/* The study's MNIST autoencoder: inputs - hidden - inputs, and deeper ones of that family, whose encoder has a layer for
 * each number of hidden units and whose decoder is its mirror image: hidden 128, 64, 32 is inputs - 128 - 64 - 32 - 64 -
 * 128 - inputs. An activation stands behind each layer, relu in the study's; the loss is the mean squared error over all
 * elements of the batch. Parameters encoder/w [hidden][inputs], encoder/b, decoder/w [inputs][hidden], decoder/b; of
 * several layers encoder1/w, encoder1/b, encoder2/w, ..., decoder1/w, ..., in the order of a pass forward. */
#ifndef SB_NET_AUTOENCODER_H
#define SB_NET_AUTOENCODER_H

#include "core/command/options.h"
#include "core/rows/activations.h"
#include "net/net.h"

typedef struct sb_autoencoder_shape {
    int inputs;
    sb_list hidden; /* units of the encoder's layers, one or more */
    int batch;      /* most samples of one update */
    sb_activation of_hidden,
        of_outputs; /* of_outputs behind the last layer, of_hidden behind all others; celu's alpha is 1 */
} sb_autoencoder_shape;

/* SB_E_USAGE: a layer has more weights than can be counted. */
sb_status sb_autoencoder_open(sb_net **net, sb_ops *ops, const sb_autoencoder_shape *shape);

#endif
