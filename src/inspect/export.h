/* One table of a run as csv, for spreadsheets and for trackers of experiments. */
#ifndef SB_INSPECT_EXPORT_H
#define SB_INSPECT_EXPORT_H

#include "core/status.h"

#include <stddef.h>

/* The table `group`, such as "train", of a run file, a checkpoint, a chain or a recording: a line of headings, then a line
 * for each row; the column `update` or `epoch` first, then the others by name. Columns are the group's data sets of one
 * number a row; NaN is an empty field, and each number is written so that reading it gives the same bits. *text is the
 * caller's, from malloc. SB_E_EMPTY: the file has no such table; the sentence names those it has.
 * SB_E_USAGE: more than 64 columns. SB_E_INTEGRITY: a name of more than 63 characters. */
sb_status sb_export_table(const char *path, const char *group, char **text, size_t *n_bytes);

#endif
