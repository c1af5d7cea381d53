/* How well the video of a run is predicted without learning: baselines.csv, looked up for a run.
 *
 *     SB_TRY(sb_baseline_losses_read(&losses, folder));
 *     double loss = sb_baseline_loss(&losses, cell, SB_BASELINE_REPEAT, SB_METRIC_LAST);
 */
#ifndef SB_PAPER_RESULTS_BASELINE_LOSSES_H
#define SB_PAPER_RESULTS_BASELINE_LOSSES_H

#include "core/status.h"
#include "io/baselines.h"

#include <stddef.h>

struct sb_result;

typedef struct sb_baseline_row {
    char digest[SB_SHA256_TEXT]; /* of the data, as cells.csv has it */
    long window, updates;
    sb_baseline_id id;
    double loss[SB_N_METRICS];
} sb_baseline_row;

typedef struct sb_baseline_losses { /* {0}: none */
    size_t n;
    sb_baseline_row *row;
} sb_baseline_losses;

/* A folder without the table has none; a baseline that this program does not know is passed over. SB_E_INTEGRITY: a row
 * makes no sense. A failed call leaves nothing to free. */
sb_status sb_baseline_losses_read(sb_baseline_losses *losses, const char *folder);
void sb_baseline_losses_free(sb_baseline_losses *losses);

/* NAN: none of the run's data, window and number of updates. */
double sb_baseline_loss(const sb_baseline_losses *losses, const struct sb_result *cell, sb_baseline_id id,
                        sb_metric metric);

#endif
