/* The training objective as a function of the weights alone, and its gradient: the sum of a window's losses, as mean
 * over some fixed windows.
 *
 *     SB_TRY(sb_objective_open(&objective, setup, 16, 250));
 *     SB_TRY(sb_objective_at(objective, SB_TARGET_SHARED, weight, gradient, &value));
 *     sb_objective_close(objective);
 *
 * The windows are evenly spaced among the first updates. Each begins with the state that the network reaches
 * from the beginning of the sequence with the weights at the time of the open. That state is constant, except P_n, n >
 * 0, of its last step: these are computed from R_n with the current weights, as training's gradient requires
 * (sb_window.predict_again). So the gradient equals the one of training, and is exact for both targets: with `copy` for
 * losses by each frame's own target, with `shared` for losses by the window's last frame.
 */
#pragma once

#include "train/setup.h"

typedef struct sb_objective_value {
    double loss;        /* mean over windows of the sum over the window's steps */
    double norm;        /* of the gradient */
    double window_norm; /* root mean square of the norms of the single windows' gradients */
} sb_objective_value;

typedef struct sb_objective sb_objective;

/* The setup must outlive it. SB_E_USAGE: the network does not learn from video, or the first n_updates updates have
 * fewer than n_windows windows. */
sb_status sb_objective_open(sb_objective **objective, sb_setup *setup, long n_windows, long n_updates);
void sb_objective_close(sb_objective *objective); /* NULL does nothing */

/* Value and gradient[total] at weight[total], both in the order of the parameters. The network has these weights
 * afterwards. */
sb_status sb_objective_at(sb_objective *objective, sb_target target, const double *weight, double *gradient,
                          sb_objective_value *value);
