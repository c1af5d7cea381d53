/* What the shared target does to a gradient: on the same weights and the same window, the gradient with each frame's
 * own target (copy, the true one) next to that with the window's last one (shared), and what one update with each does
 * to the loss.
 *
 *     SB_TRY(sb_gradients_open(&gradients, setup, NULL, 10));
 *     SB_TRY(sb_gradients_compare(gradients, &window, update, &point));   before that update
 *     printf("%g\n", sb_gradients_cosine(&point.tensor[0]));
 *     sb_gradients_close(gradients);
 *
 * Whatever it tries it undoes: the training goes on with the bits that it would have without.
 */
#ifndef SB_INSPECT_GRADIENTS_H
#define SB_INSPECT_GRADIENTS_H

#include "train/setup.h"

/* One tensor's gradients, or those of all; [target]. */
typedef struct sb_gradient_pair {
    double norm[SB_N_TARGETS];
    double dot; /* scalar product of both */
} sb_gradient_pair;

/* The weights before an update and its window. Losses are means over frames, against each frame's own target; `after`
 * is after that one update with the gradient of the target, by the optimizer in its present state. */
typedef struct sb_gradient_point {
    const sb_gradient_pair *all, *tensor;          /* tensor[net->params.n]; sb_gradients's, until its next call */
    double loss, loss_after[SB_N_TARGETS];         /* of the window */
    double hold_out, hold_out_after[SB_N_TARGETS]; /* of the last windows (curvature/hold_out.h); NaN: none */
    long hold_out_learned;                         /* how many of these training has learned from before */
} sb_gradient_point;

/* NaN where a gradient is zero. */
double sb_gradients_cosine(const sb_gradient_pair *pair);
double sb_gradients_ratio(const sb_gradient_pair *pair); /* norm of shared over that of copy */

typedef struct sb_gradients sb_gradients;

/* n_hold_out: windows at the end of the data, or of the other data set hold_out (NULL: none). SB_E_USAGE: the
 * network does not learn from video, where alone a window has several targets; or the data has too few windows.
 * The setup must outlive it. */
sb_status sb_gradients_open(sb_gradients **gradients, sb_setup *setup, const char *hold_out, long n_hold_out);
void sb_gradients_close(sb_gradients *gradients); /* NULL is fine */

/* On the weights and the carried state before update number `update` = 1, 2, ..., which learns from the window. */
sb_status sb_gradients_compare(sb_gradients *gradients, const sb_window *window, long update, sb_gradient_point *point);

#endif
