/* Where two runs part, from their run files alone. */
#ifndef SB_INSPECT_DIFF_H
#define SB_INSPECT_DIFF_H

#include "core/status.h"
#include "io/h5.h"

#include <stdio.h>

/* Compare two run files (finished or not) link by link: on out, "same bits" or the first update and tensor that differ,
 * then what differs in configuration and environment, then how far the weights are apart, at the end and, from their
 * sketches, on the way. SB_OK: the same bits over the updates both have; SB_E_DIFFERS; SB_E_EMPTY if they have no
 * update in common. */
sb_status sb_diff_runs(const char *path_a, const char *path_b, FILE *out);

/* What differs between the attributes of a group ("config", "env") of two open run files, a line each. */
sb_status sb_diff_group(sb_h5 *a, sb_h5 *b, const char *group, FILE *out);

#endif
