/* What surrounds the comparison of a golden check: whether the file is of this network at all (check_network.c), and
 * how far rounding may lead (check_tolerance.c). */
#ifndef SB_INSPECT_CHECK_PARTS_H
#define SB_INSPECT_CHECK_PARTS_H

#include "io/h5.h"
#include "net/autoencoder.h"
#include "train/setup.h"

/* SB_E_INTEGRITY unless the start weights of the file are exactly the parameters of net: none more, none less, and each
 * with as many elements. */
sb_status sb_check_parameters(sb_h5 *file, const sb_net *net);

/* SB_E_INTEGRITY if the losses of the file are not those of relu after both layers, but of another pair of activations.
 * inputs: the first batch [batch][inputs]. Neither may be a network of the file's at all: then SB_OK, and the
 * comparison tells how far it is. */
sb_status sb_check_activations(sb_h5 *file, const sb_autoencoder_shape *shape, const sb_real *inputs);

/* How far two right programs may be from each other, as a share of a tensor's largest element, when they add in another
 * order and only rounding differs. terms: of the longest sum in the network. */
double sb_check_tolerance(const sb_settings *options, bool file_is_double, double terms);

/* The longest sum of PredNet: over the channels of a gradient with its 9 taps, or over the pixels of a window. */
double sb_check_terms_prednet(const sb_list *channels, int w, int h, long window);

#endif
