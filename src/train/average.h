/* The moving average of the weights: a second copy e of every parameter and of the running values of batch norm. At the
 * start of training e equals them. After the update of the first batch and then of every K-th batch, e = fma(1 - rho^K,
 * v - e, e), where v is the current value; rho is --ema-momentum, K is --ema-every. Training continues with the
 * weights; evaluation uses e.
 *
 * The average is stored as states of the network, "average/NAME", so that checkpoints and hashes contain it.
 *
 *     SB_TRY(sb_average_open(&average, net, settings));
 *     sb_average_start(&average);
 *     ... in a team, after an update: sb_average_update(&average, update);
 *     sb_average_exchange(&average); ... evaluate ...; sb_average_exchange(&average);
 *     sb_average_close(&average);
 */
#pragma once

#include "core/rows/setting.h"
#include "net/net.h"

typedef struct sb_average {
    sb_net *net;
    double share; /* weight of the current value, 1 - rho^K; 0: there is no average */
    long every;
    int n;
    struct {
        sb_real *value, *mean; /* device */
        size_t n;
    } block[1 + SB_STATES_MAX]; /* all parameters, then running values */
    sb_real *spare;             /* device: room for the largest block */
    void *memory;
} sb_average;

/* Open the average that the settings ask for, if any. The network stays the caller's and must outlive it. SB_E_USAGE:
 * the network has more tensors than it can have states. On failure nothing stays open. */
sb_status sb_average_open(sb_average *average, sb_net *net, const sb_settings *settings);
void sb_average_close(sb_average *average); /* one of zeros, too */

/* Set the average to the current weights and running values. */
void sb_average_start(const sb_average *average);

/* By a team, after update number `update` = 1, 2, ...: update the average if this is a K-th batch. */
void sb_average_update(const sb_average *average, long update);

/* Exchange the weights and running values with their averages. A second call restores them bit for bit. */
void sb_average_exchange(const sb_average *average);
