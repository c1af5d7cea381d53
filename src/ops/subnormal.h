/* Subnormal numbers, in float32 those below 2^-126: some CPUs need a hundred times the time for them. This counts the
 * operations that met one, and applies the rule of an arithmetic that has none.
 *
 *     sb_subnormal_watch(ops, SB_SUBNORMAL_KEEP);      after all slots are filled
 *     ... train ...
 *     sb_context_of(ops)->subnormal.met, .operations
 */
#pragma once

#include "ops/context.h"

/* Can this CPU make subnormal numbers zero by a mode? */
bool sb_subnormal_has_mode(void);

/* Wrap every slot of a CPU's backend. A thread of the team that has met a subnormal number in an operation, read or
 * written, adds 1 to `met`, as the CPU's flags say; AArch64 has a flag for written ones alone. Flags that were raised
 * before an operation do not count for it, and are the same after it.
 *
 * SB_SUBNORMAL_TINY: after each operation of the passes forward and backward the elements of the tensors that it wrote
 * (`writes` in ops/slots.h, without vectors) are 0 where they are between -2^-63 and 2^-63. */
void sb_subnormal_watch(sb_ops *ops, sb_subnormal_rule rule);
