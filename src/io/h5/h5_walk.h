/* What an HDF5 file holds, name after name, in the order of the names. */
#pragma once

#include "io/h5/h5.h"

/* A status other than SB_OK ends the walk and is returned. */
typedef sb_status sb_h5_visit(void *context, const char *name);

/* Each attribute of a data set or group; none if it is absent. */
sb_status sb_h5_each_attribute(sb_h5 *file, const char *object, sb_h5_visit *visit, void *context);

/* Each data set below a group, by its path relative to the group; none if that is absent. */
sb_status sb_h5_each_dataset(sb_h5 *file, const char *group, sb_h5_visit *visit, void *context);
