/* The live view of a run on a terminal: a line for each running cell, one for all. */
#pragma once

#include "matrix/run/attempt.h"
#include "matrix/watch/watch.h"

#include <stddef.h>

typedef struct sb_live_table_sum {
    size_t done, failed, total; /* cells; failed ones count as done */
    double left;                /* seconds, negative: unknown */
} sb_live_table_sum;

/* Draw the n slots of attempts (those without a cell are left out) and the sum. */
void sb_live_table_draw(const sb_attempt *attempts, const sb_watch *watches, int n, sb_live_table_sum sum);
