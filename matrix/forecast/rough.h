/* How long cells take where nothing near them has run here: timings of collected studies (RESULTS/NAME/timing.csv,
 * those that ship with the package among them), scaled by how fast this machine does one small window. It is a rough
 * figure, for people: the size of a day or of an hour.
 *
 *     sb_rough *rough;
 *     SB_TRY(sb_rough_open(&rough, "results", &host));
 *     sb_prediction p = sb_rough_predict(rough, cell, &scale);
 *
 * A study's timings count for the cells of the matrix file that its coverage.csv names, as that file is now. The speed
 * is that of `samebits bench --quick` compared with RESULTS/bench/bench.csv, both per frame of the published network on
 * one thread; it is measured once, by the first prediction, and kept in the cache for this CPU.
 */
#ifndef SB_MATRIX_FORECAST_ROUGH_H
#define SB_MATRIX_FORECAST_ROUGH_H

#include "matrix/forecast/speeds.h"
#include "matrix/hardware/host.h"

#include "core/status.h"

typedef struct sb_rough sb_rough;

/* Studies that cannot be read are done without. */
sb_status sb_rough_open(sb_rough **rough, const char *results, const sb_host *host);
void sb_rough_close(sb_rough *rough); /* NULL is fine */

/* basis is SB_BASIS_SHIPPED or, with negative seconds, SB_BASIS_NONE. *scale: how many times as long this machine
 * takes, applied already; 0: unknown, and not applied. */
sb_prediction sb_rough_predict(sb_rough *rough, const sb_cell *cell, double *scale);

#endif
