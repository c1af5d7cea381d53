/* Dimension scales: which data set holds the coordinates of a dimension of another, as h5py, xarray and netCDF look for
 * it.
 *
 *     SB_TRY(sb_h5_attach_scale(file, "train/loss_last", 0, "train/update"));
 */
#pragma once

#include "io/h5/h5.h"

/* Say that `scale`, a data set of rank 1, goes along dimension `dim` of `set`; both are there and have data. The
 * library keeps that in attributes of both: CLASS, NAME and REFERENCE_LIST of the scale, DIMENSION_LIST of the set. */
sb_status sb_h5_attach_scale(sb_h5 *file, const char *set, unsigned dim, const char *scale);

/* Is it the name of an attribute that the library keeps for scales? Their values are places in the file: they are no
 * content, and this program reads none of them. */
bool sb_h5_is_of_scale(const char *attribute);
