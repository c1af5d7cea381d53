/* Aligns the operations of two traces by the longest common subsequence of their keys, so that lists of different
 * length can be compared. A key is the class of the operation, its phase, its module and the shape of its first result;
 * in the optimizer also the names that it reads and writes. The key of a mark is its name. */
#pragma once

#include "core/status.h"
#include "record/traced.h"

enum { SB_ALIGN_NONE = -1, SB_ALIGN_COPY = -2 }; /* no partner; a copy, which is skipped and has no partner */

typedef struct sb_alignment { /* {0} is empty */
    int64_t *of_a, *of_b;     /* the row of the other side, or one of the above */
    size_t n_pairs;
} sb_alignment;

/* SB_E_MEMORY leaves nothing to free. */
sb_status sb_align(const sb_traced_update *a, const sb_traced_update *b, sb_alignment *alignment);
void sb_alignment_free(sb_alignment *alignment);

/* The first tensor that a row writes, except states of generators; NULL: none. */
const sb_traced_tensor *sb_traced_result(const sb_traced_update *t, const sb_traced_op *row);

/* Is that row a copy whose result has the same bits as its input? */
bool sb_traced_is_copy(const sb_traced_update *t, const sb_traced_op *row);

/* Is that tensor the state of a random number generator? */
bool sb_traced_is_generator(const sb_traced_update *t, const sb_traced_tensor *x);
