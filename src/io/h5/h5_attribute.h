/* Attributes of an HDF5 file's data sets and groups: `object` is a path, "" the root.
 *
 *     SB_TRY(sb_h5_set_int(file, "config", "seed", 1));             the group is made if it is missing
 *     SB_TRY(sb_h5_get_int(file, "config", "seed", &seed));
 */
#pragma once

#include "io/h5/h5.h"

/* An attribute that is there already is replaced. SB_E_IO when it cannot be written. */
sb_status sb_h5_set_text(sb_h5 *file, const char *object, const char *name, const char *value);
sb_status sb_h5_set_int(sb_h5 *file, const char *object, const char *name, int64_t value);
sb_status sb_h5_set_real(sb_h5 *file, const char *object, const char *name, double value);
sb_status sb_h5_set_ints(sb_h5 *file, const char *object, const char *name, size_t n, const int *value); /* n > 0 */

/* SB_E_INTEGRITY when absent or of another kind. Text is cut to size-1 characters. */
sb_status sb_h5_get_text(sb_h5 *file, const char *object, const char *name, char *value, size_t size);
sb_status sb_h5_get_int(sb_h5 *file, const char *object, const char *name, int64_t *value);
sb_status sb_h5_get_real(sb_h5 *file, const char *object, const char *name, double *value);
bool sb_h5_has(sb_h5 *file, const char *object, const char *name);

/* The value of an attribute of any kind as text, for people and for comparisons. */
sb_status sb_h5_attribute_text(sb_h5 *file, const char *object, const char *name, char *value, size_t size);
