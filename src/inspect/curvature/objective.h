/* What a training minimises, as a function of the weights alone: the sum of a window's losses, as mean over some
 * windows that stay fixed, and its gradient.
 *
 *     SB_TRY(sb_objective_open(&objective, setup, 16, 250));
 *     SB_TRY(sb_objective_at(objective, SB_TARGET_SHARED, weight, gradient, &value));
 *     sb_objective_close(objective);
 *
 * The windows lie evenly among those of the first updates. Each begins with the state in which the network comes to it
 * from the beginning of its sequence with the weights that it has when this is opened; that state is a constant, but
 * for P_n, n > 0, of its last step, which the weights of the moment make from R_n, as the gradient of training wants it
 * (sb_window.predict_again). So the gradient is that of training, and exact, with either target: with `copy` of the
 * loss against each frame's own target, with `shared` of the loss against the window's last frame.
 */
#ifndef SB_INSPECT_OBJECTIVE_H
#define SB_INSPECT_OBJECTIVE_H

#include "train/setup.h"

typedef struct sb_objective_value {
    double loss;        /* mean over windows of the sum over the window's steps */
    double norm;        /* of the gradient */
    double window_norm; /* root mean square of the norms of the single windows' gradients */
} sb_objective_value;

typedef struct sb_objective sb_objective;

/* Of a network that learns from video, else SB_E_USAGE; the same if there are no n_windows windows in the first
 * n_updates updates. The setup must outlive it. */
sb_status sb_objective_open(sb_objective **objective, sb_setup *setup, long n_windows, long n_updates);
void sb_objective_close(sb_objective *objective); /* NULL is fine */

/* At weight[total], the numbers of all parameters in their order; gradient[total] of the same order. The network has
 * these weights from here on. */
sb_status sb_objective_at(sb_objective *objective, sb_target target, const double *weight, double *gradient,
                          sb_objective_value *value);

#endif
