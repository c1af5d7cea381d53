/* Exports a table of a run as csv, for spreadsheets and experiment trackers. */
#pragma once

#include "core/status.h"

#include <stddef.h>

/* The table `group`, such as "train", of a run file, a checkpoint, a chain or a recording: a line of headings, then a line
 * for each row; the column `update` or `epoch` first, then the others by name. Columns are the group's data sets with
 * one number for each row. NaN is an empty field; reading a number back gives the same bits. The caller frees *text.
 * SB_E_EMPTY: the file has no such table; the message names its tables. SB_E_USAGE: more than 64 columns.
 * SB_E_INTEGRITY: a name of more than 63 characters. */
sb_status sb_export_table(const char *path, const char *group, char **text, size_t *n_bytes);
