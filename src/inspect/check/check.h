/* Holding a backend against a golden file: start weights, inputs, and what the study's own script computed from them.
 */
#ifndef SB_INSPECT_CHECK_H
#define SB_INSPECT_CHECK_H

#include "train/setup.h"

#include <stdio.h>

/* Train as the golden file says and compare losses, activations, gradients, weights and moments after each update. One
 * line per kind of tensor and arm on out: the largest deviation, as a share of the tensor's largest element. Tolerance
 * 0: what rounding explains, by arithmetic, precision and the longest sum (check_tolerance.c).
 * SB_E_DIFFERS beyond the tolerance; SB_E_INTEGRITY if the file is no golden file, or of another network. */
sb_status sb_check_golden(const char *path, sb_settings options, double tolerance, FILE *out);

#endif
