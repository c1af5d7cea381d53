/* The parts of a golden check: what is compared and how it is judged (check_compare.c), the networks (check_prednet.c,
 * check_autoencoder.c, check_lenet.c, check_resnet9.c; check_classes.h), whether the file is of this network at all
 * (check_network.c), and how far rounding may lead (check_tolerance.c). */
#ifndef SB_INSPECT_CHECK_PARTS_H
#define SB_INSPECT_CHECK_PARTS_H

#include "io/h5/h5.h"
#include "train/setup.h"

#include <stdio.h>

enum { SB_CHECK_SIDE_MOST = 1 << 14, SB_CHECK_INPUTS_MOST = 1 << 28 }; /* as in a data set (io/dataset.c) */

/* Kinds of tensors. STEP: the weights that the optimizer makes of the file's own gradients. The weights of a free run
 * may deviate more than its gradients: Adam divides by the root of the gradient's square, so where a gradient is a
 * millionth of the largest, the rounding of one sum is seen in the fifth digit of the weight. (Exact arithmetic deviates
 * from the library's float by 1.5e-5 in the autoencoder's file.) STEP and GRADIENT together pin down every part of the
 * update; WEIGHT, of the free run, is held to SB_CHECK_FREE_RUN times the tolerance. STATE: of the optimizer. RUNNING: of
 * batch norm. AVERAGE: of weights and running values. EVALUATION: logits of what was learned. */
enum {
    SB_CHECK_LOSS,
    SB_CHECK_LOGITS,
    SB_CHECK_GRADIENT,
    SB_CHECK_RATIO,
    SB_CHECK_STEP,
    SB_CHECK_WEIGHT,
    SB_CHECK_STATE,
    SB_CHECK_ACTIVATION = SB_CHECK_STATE + SB_STATES_MAX_OF_ELEMENT,
    SB_CHECK_RUNNING,
    SB_CHECK_AVERAGE,
    SB_CHECK_EVALUATION,
    SB_N_CHECKS
};
enum { SB_CHECK_FREE_RUN = 10 };

/* The largest deviation seen in one kind of tensor, and where. */
typedef struct sb_check_worst {
    char kind[32];
    double deviation;
    char where[160];
} sb_check_worst;

typedef struct sb_check {
    sb_h5 *file;
    sb_setup setup;
    double tolerance; /* 0 until the network is known, unless it was given */
    sb_check_worst worst[SB_N_CHECKS];
    double *known, *got; /* room for the largest tensor */
    sb_real *host;       /* room for all parameters, and for the state of STEP: */
    sb_real *weight, *state[SB_STATES_MAX_OF_ELEMENT];
} sb_check;

/* ---- check_compare.c ---- */

/* c->got against c->known, n numbers of a kind. */
void sb_check_compare(sb_check *c, int kind, size_t n, const char *where);

/* n numbers of the host against those of the file's data set from `first` on. */
sb_status sb_check_numbers(sb_check *c, int kind, const char *name, size_t first, size_t n, const double *numbers);

/* One block of parameters against the group of the file, if the file has it. */
sb_status sb_check_block(sb_check *c, int kind, const char *group, const sb_real *block);

/* A state of the network against a data set of the file, if the file has it. */
sb_status sb_check_state(sb_check *c, int kind, const char *name, const sb_state *state);

/* After an update: the optimizer's step on the file's gradient, gradient, weights and what the optimizer keeps, against
 * the groups below prefix. */
sb_status sb_check_update(sb_check *c, const char *prefix, long update);

/* An attribute as the option that it could be. */
sb_status sb_check_option(sb_check *c, const char *group, const char *attribute, sb_setting_id id,
                          sb_settings *options);

/* The file is of this network; tolerance: how far it may be from it where none was given. Takes room. */
sb_status sb_check_settle(sb_check *c, double tolerance);

/* Start weights of the file, states of the optimizer zero. */
sb_status sb_check_start(sb_check *c);

/* Names the kinds, and forgets deviations; a line for each that was seen; SB_E_DIFFERS where one is too large. */
void sb_check_forget(sb_check *c);
void sb_check_report(const sb_check *c, const char *arm, FILE *out);
sb_status sb_check_judge(const sb_check *c, const char *arm);

/* ---- the networks: the whole check of a file ---- */

sb_status sb_check_prednet(sb_check *c, sb_settings *options, FILE *out);
sb_status sb_check_autoencoder(sb_check *c, sb_settings *options, FILE *out);
sb_status sb_check_lenet(sb_check *c, sb_settings *options, FILE *out);
sb_status sb_check_resnet9(sb_check *c, sb_settings *options, FILE *out);

/* ---- check_network.c, check_tolerance.c ---- */

/* SB_E_INTEGRITY unless the start weights of the file are exactly the parameters of net: none more, none less, and each
 * with as many elements. */
sb_status sb_check_parameters(sb_h5 *file, const sb_net *net);

typedef struct sb_check_autoencoder_shape {
    int inputs, hidden, batch;
} sb_check_autoencoder_shape;

/* SB_E_INTEGRITY if the losses of the file are not those of relu after both layers, but of another pair of activations.
 * inputs: the first batch [batch][inputs]. Neither may be a network of the file's at all: then SB_OK, and the
 * comparison tells how far it is. */
sb_status sb_check_activations(sb_h5 *file, const sb_check_autoencoder_shape *shape, const sb_real *inputs);

/* How far two right programs may be from each other, as a share of a tensor's largest element, when they add in another
 * order and only rounding differs. terms: of the longest sum in the network. */
double sb_check_tolerance(const sb_settings *options, bool file_is_double, double terms);

/* Is the file in double? */
sb_status sb_check_is_double(sb_h5 *file, bool *is_double);

/* The same of a network that classifies: what docs/specification.md says of its golden files. */
double sb_check_tolerance_classes(bool file_is_double);

/* The longest sum of PredNet: over the channels of a gradient with its 9 taps, or over the pixels of a window. */
double sb_check_terms_prednet(const sb_list *channels, int w, int h, long window);

#endif
