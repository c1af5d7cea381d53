/* From one HDF5 file into another, bit for bit.
 *
 *     SB_TRY(sb_h5_copy_attributes(from, to, "config"));
 *     SB_TRY(sb_h5_copy_group(from, to, "train"));
 */
#pragma once

#include "io/h5/h5.h"

/* The attributes of a group or data set, which the other file has, or of a group that it gets; not the lists of
 * dimension scales (h5_scale.h), which name places in the one file. None if it is absent in `from`. */
sb_status sb_h5_copy_attributes(sb_h5 *from, sb_h5 *to, const char *object);

/* A data set with its stored type and its numbers, without attributes. */
sb_status sb_h5_copy_dataset(sb_h5 *from, sb_h5 *to, const char *name, sb_h5_storage storage);

/* The same for all data sets below a group, PACKED, and the group's own attributes. */
sb_status sb_h5_copy_group(sb_h5 *from, sb_h5 *to, const char *group);
