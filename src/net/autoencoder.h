/* The study's MNIST autoencoder: inputs - hidden - inputs, an activation after each layer, which the study does not tell
 * and relu stands for where nothing else is said, mean squared error over all elements of the batch. Parameters encoder/w [hidden][inputs], encoder/b, decoder/w [inputs][hidden], decoder/b. */
#ifndef SB_NET_AUTOENCODER_H
#define SB_NET_AUTOENCODER_H

#include "core/activations.h"
#include "net/net.h"

typedef struct sb_autoencoder_shape {
    int inputs, hidden;
    int batch;                           /* most samples of one update */
    sb_activation of_hidden, of_outputs; /* behind the two layers; celu's alpha is 1 */
} sb_autoencoder_shape;

sb_status sb_autoencoder_open(sb_net **net, sb_ops *ops, const sb_autoencoder_shape *shape);

#endif
