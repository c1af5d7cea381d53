/* The parts of a golden check: comparison and verdict (check_compare.c), the networks (check_prednet.c,
 * check_autoencoder.c, check_gpt.c, check_lenet.c, check_resnet9.c, check_classes.c), whether the file is of this network
 * (check_network.c), and the tolerance that rounding explains (check_tolerance.c). */
#pragma once

#include "io/h5/h5.h"
#include "train/setup.h"

#include <stdio.h>

enum { SB_CHECK_SIDE_MOST = 1 << 14, SB_CHECK_INPUTS_MOST = 1 << 28 }; /* as in a data set (io/dataset.c) */

/* Kinds of tensors. STEP: the weights after the optimizer's step with the file's own gradients. The weights of a free
 * run may deviate more than its gradients: Adam divides by the root of the gradient's square, so where a gradient is a
 * millionth of the largest, the rounding of one sum changes the fifth digit of the weight. (Exact arithmetic deviates
 * from the library's float by 1.5e-5 in the autoencoder's file.) STEP and GRADIENT together check every part of the
 * update; for WEIGHT, of the free run, the tolerance is SB_CHECK_FREE_RUN times larger. STATE: states of the optimizer.
 * RUNNING: running values of batch norm. AVERAGE: average of weights and running values. EVALUATION: logits of the
 * trained network. */
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

/* The largest deviation in one kind of tensor, and its place. */
typedef struct sb_check_worst {
    char kind[32];
    double deviation;
    char where[160];
} sb_check_worst;

typedef struct sb_check {
    sb_h5 *file;
    sb_setup setup;
    double tolerance; /* the given one, or 0 until the network is known */
    sb_check_worst worst[SB_N_CHECKS];
    double *known, *got; /* memory for the largest tensor */
    sb_real *host;       /* memory for all parameters, and for the state of STEP: */
    sb_real *weight, *state[SB_STATES_MAX_OF_ELEMENT];
} sb_check;

/* ---- check_compare.c ---- */

/* Compare c->got with c->known, n numbers of a kind. */
void sb_check_compare(sb_check *c, int kind, size_t n, const char *where);

/* Compare n numbers of the host with the file's data set from `first` on. */
sb_status sb_check_numbers(sb_check *c, int kind, const char *name, size_t first, size_t n, const double *numbers);

/* Compare a block of parameters with the group of the file, if the file has it. */
sb_status sb_check_block(sb_check *c, int kind, const char *group, const sb_real *block);

/* Compare a state of the network with a data set of the file, if the file has it. */
sb_status sb_check_state(sb_check *c, int kind, const char *name, const sb_state *state);

/* After an update: compare the optimizer's step on the file's gradient, the gradient, the weights and the optimizer's
 * states with the groups below prefix. */
sb_status sb_check_update(sb_check *c, const char *prefix, long update);

/* Learn from n batches, and compare the losses and each update, "updateK" from 1 on. The batches lie one after the
 * other, n_elements values or tokens each; window is the first. */
sb_status sb_check_updates(sb_check *c, size_t n, sb_window window, size_t n_elements);

/* Set an option from an attribute of the file. */
sb_status sb_check_option(sb_check *c, const char *group, const char *attribute, sb_setting_id id,
                          sb_settings *options);

/* Check that the file is of this network, set the tolerance unless one was given, and allocate memory. */
sb_status sb_check_settle(sb_check *c, double tolerance);

/* Set the initial weights from the file, and the states of the optimizer to zero. */
sb_status sb_check_start(sb_check *c);

/* forget: name the kinds and clear all deviations. report: print a line for each kind compared. judge: SB_E_DIFFERS if
 * a deviation is too large. */
void sb_check_forget(sb_check *c);
void sb_check_report(const sb_check *c, const char *arm, FILE *out);
sb_status sb_check_judge(const sb_check *c, const char *arm);

/* ---- the networks: the whole check of a file ---- */

sb_status sb_check_prednet(sb_check *c, sb_settings *options, FILE *out);
sb_status sb_check_autoencoder(sb_check *c, sb_settings *options, FILE *out);
sb_status sb_check_lenet(sb_check *c, sb_settings *options, FILE *out);
sb_status sb_check_gpt(sb_check *c, sb_settings *options, FILE *out);
sb_status sb_check_resnet9(sb_check *c, sb_settings *options, FILE *out);

/* ---- check_network.c, check_tolerance.c ---- */

/* SB_E_INTEGRITY unless the initial weights of the file are exactly the parameters of net, each with the same number of
 * elements. */
sb_status sb_check_parameters(sb_h5 *file, const sb_net *net);

/* The largest difference between two correct programs that add in different orders, as a share of a tensor's largest
 * element. terms: number of terms of the longest sum in the network. */
double sb_check_tolerance(const sb_settings *options, bool file_is_double, double terms);

/* Is the file of a computation in double? */
sb_status sb_check_is_double(sb_h5 *file, bool *is_double);

/* The tolerance for a network that classifies, as in docs/specification.md. */
double sb_check_tolerance_classes(bool file_is_double);

/* Number of terms of PredNet's longest sum: channels of a gradient times 9 taps, or pixels of a window. */
double sb_check_terms_prednet(const sb_list *channels, int w, int h, long window);

/* Shared by the checks of networks that classify: the images and labels of a golden file, and an update on a batch of
 * them. */

enum { SB_CHECK_CLASSES = 10, SB_CHECK_UPDATES_MOST = 64 };

/* The images of a file [n][c][h][w], and memory for a batch in the form of the network's input. */
typedef struct sb_check_pictures {
    size_t n, c, h, w, size; /* size: numbers of one image */
    long batch;
    uint8_t *bytes, *labels; /* labels NULL: none */
    uint8_t *batch_labels;
    sb_real *values, *mirrored;
} sb_check_pictures;

/* Read the data set `images` of the file, and allocate memory for batches. SB_E_INTEGRITY: it has another form. Call
 * sb_check_free_pictures also after a failure. */
sb_status sb_check_take_pictures(sb_check *c, sb_check_pictures *p, const char *images, long batch);
void sb_check_free_pictures(sb_check_pictures *p);

/* Read /labels, one for each image. SB_E_INTEGRITY: a label is not a class. */
sb_status sb_check_read_labels(sb_check *c, sb_check_pictures *p);

/* Read the learning rates of the n updates, at most SB_CHECK_UPDATES_MOST. */
sb_status sb_check_read_rates(sb_check *c, const char *name, size_t *n, double lr[SB_CHECK_UPDATES_MOST]);

/* sb_check_settle, with the tolerance for a network that classifies. */
sb_status sb_check_settle_classes(sb_check *c);

/* Compare the logits of the last pass, n samples, with a data set of the file from row `first` on. */
sb_status sb_check_logits(sb_check *c, int kind, const char *name, size_t first, size_t n);

/* Learn from the batch, and compare logits, gradient, weights and optimizer state with the groups below prefix. */
sb_status sb_check_update_on_batch(sb_check *c, const sb_check_pictures *p, const char *prefix, long update,
                                   sb_step_result *result);
