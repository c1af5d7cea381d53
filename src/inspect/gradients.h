/* The effect of the shared target on a gradient. With the same weights and window: the gradient with each frame's own
 * target (copy, the correct one), the gradient with the window's last target (shared), and the effect of one update
 * with each on the loss.
 *
 *     SB_TRY(sb_gradients_open(&gradients, setup, NULL, 10));
 *     SB_TRY(sb_gradients_compare(gradients, &window, update, &point));   before that update
 *     printf("%g\n", sb_gradients_cosine(&point.tensor[0]));
 *     sb_gradients_close(gradients);
 *
 * All trials are undone: the training continues with the same bits as without them.
 */
#pragma once

#include "train/setup.h"

/* The two gradients of one tensor, or of all; index: target. */
typedef struct sb_gradient_pair {
    double norm[SB_N_TARGETS];
    double dot; /* scalar product of both */
} sb_gradient_pair;

/* The result for the weights before an update and its window. Losses are means over frames, with each frame's own
 * target. *_after: after one update with the gradient of that target, by the optimizer in its current state. */
typedef struct sb_gradient_point {
    const sb_gradient_pair *all, *tensor;          /* tensor[net->params.n]; memory of sb_gradients, valid until its
                                                    * next call */
    double loss, loss_after[SB_N_TARGETS];         /* of the window */
    double hold_out, hold_out_after[SB_N_TARGETS]; /* of the last windows (gradients.c); NaN: none */
    long hold_out_learned;                         /* number of these windows that training has already learned from */
} sb_gradient_point;

/* NaN if a gradient is zero. */
double sb_gradients_cosine(const sb_gradient_pair *pair);
double sb_gradients_ratio(const sb_gradient_pair *pair); /* norm of shared / norm of copy */

typedef struct sb_gradients sb_gradients;

/* n_hold_out: windows at the end of the data, or of the other data set hold_out (NULL: none). The setup must outlive
 * it. SB_E_USAGE: the network does not learn from video (only a video's window has several targets), or the data has
 * too few windows. */
sb_status sb_gradients_open(sb_gradients **gradients, sb_setup *setup, const char *hold_out, long n_hold_out);
void sb_gradients_close(sb_gradients *gradients); /* NULL does nothing */

/* Call with the weights and the carried state before update number `update` = 1, 2, ..., which learns from the
 * window. */
sb_status sb_gradients_compare(sb_gradients *gradients, const sb_window *window, long update, sb_gradient_point *point);
