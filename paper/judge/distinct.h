/* Run files that are named twice would be counted twice, so that a mean has more runs than were trained.
 *
 *     SB_TRY(sb_distinct_check(path, n));
 *     -> "run1.h5 and copy.h5: the same run, named twice; name it once"
 */
#ifndef SB_PAPER_JUDGE_DISTINCT_H
#define SB_PAPER_JUDGE_DISTINCT_H

#include "core/status.h"

#include <stddef.h>

/* SB_E_USAGE if the seals of two of these files hold the same digest; SB_E_MEMORY. A file without a seal is not checked
 * here. */
sb_status sb_distinct_check(const char *const *path, size_t n);

#endif
