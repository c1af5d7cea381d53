/* The moving average of the weights: a second copy e of every parameter and of the running values of batch norm, equal
 * to them as training begins. After the update of every K-th batch, the first one among them, e = fma(1 - rho^K, v - e,
 * e), v the value then; rho is --ema-momentum, K --ema-every. Training goes on with the weights; what is evaluated is e.
 *
 * It is kept as states of the network, "average/NAME", so that checkpoints and hashes have it.
 *
 *     SB_TRY(sb_average_open(&average, net, settings));
 *     sb_average_start(&average);
 *     ... in a team, after an update: sb_average_update(&average, update);
 *     sb_average_exchange(&average); ... evaluate ...; sb_average_exchange(&average);
 *     sb_average_close(&average);
 */
#ifndef SB_TRAIN_AVERAGE_H
#define SB_TRAIN_AVERAGE_H

#include "core/rows/setting.h"
#include "net/net.h"

typedef struct sb_average {
    sb_net *net;
    double share; /* of the value in the average; 0: there is no average */
    long every;
    int n;
    struct {
        sb_real *value, *mean; /* device */
        size_t n;
    } block[1 + SB_STATES_MAX]; /* all parameters, then running values */
    sb_real *spare;             /* device: room for the largest block */
    void *memory;
} sb_average;

/* The average that the settings name, or none. The network stays the caller's and must outlive it. SB_E_USAGE: it has
 * more tensors than states may be. On failure nothing stays open. */
sb_status sb_average_open(sb_average *average, sb_net *net, const sb_settings *settings);
void sb_average_close(sb_average *average); /* one of zeros, too */

/* The average becomes the weights and running values of now. */
void sb_average_start(const sb_average *average);

/* By a team, after update number `update` = 1, 2, ...: takes the weights in if it is their turn. */
void sb_average_update(const sb_average *average, long update);

/* Weights and running values change places with their averages; the second time they are back, bit for bit. */
void sb_average_exchange(const sb_average *average);

#endif
