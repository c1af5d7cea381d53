/* Compares a backend with a golden file: initial weights, inputs, and the results of the study's own script. */
#pragma once

#include "train/setup.h"

#include <stdio.h>

/* Train as the golden file says and compare losses, activations, gradients, weights and moments after each update.
 * Prints a line for each kind of tensor and condition to out: the largest deviation, as a share of the tensor's largest
 * element. Tolerance 0: the size that rounding explains, by arithmetic, precision and the longest sum
 * (check_tolerance.c). SB_E_DIFFERS: a deviation exceeds the tolerance. SB_E_INTEGRITY: not a golden file, or one of
 * another network. */
sb_status sb_check_golden(const char *path, sb_settings options, double tolerance, FILE *out);
