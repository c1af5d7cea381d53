/* The tables as csv, for people and other programs. Rows in the order of arms.h, numbers with %.6g, a number that does
 * not exist (the deviation of one seed) is an empty field.
 *
 *   arms.csv    study, data, backend, arithmetic, hardware, evidence, threads, blas_kernel, batch, updates, target, n,
 *               then for loss_last and loss_mean: _mean, _sd, _se, _low, _high (95 % interval of the mean), _min, _max
 *   pairs.csv   the same settings, n, then for loss_last and loss_mean: _ratio (shared over copy, geometric mean),
 * _low, _high (95 % interval), _p (sign flips)
 */
#ifndef SB_PAPER_EFFECTS_TABLES_H
#define SB_PAPER_EFFECTS_TABLES_H

#include "core/status.h"
#include "paper/effects/arms.h"

/* Write both into a folder, which is made. */
sb_status sb_tables_write(const sb_arms *arms, const char *folder);

#endif
