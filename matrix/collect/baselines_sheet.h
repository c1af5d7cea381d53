/* baselines.csv: next to the losses of the collected runs, how well their video is predicted without learning
 * (io/baselines.h); three rows for each data set, window and number of updates. */
#pragma once

#include "matrix/schema/matrix_schema.h"

#include "core/hash.h"
#include "core/status.h"
#include "core/text/writer.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_baseline_request { /* what some of the runs need */
    const sb_data_source *data;
    char digest[SB_HASH_TEXT]; /* of the data that they learned from */
    long window, updates;
} sb_baseline_request;

typedef struct sb_baseline_requests { /* {0} holds none */
    size_t n;
    sb_baseline_request *item;
} sb_baseline_requests;

/* Note what a run needs, once for all that need the same. window and digest are its columns: one that has none ("")
 * learned from images, or from a program before digests, and needs nothing. */
sb_status sb_baseline_requests_add(sb_baseline_requests *requests, const sb_data_source *data, const char *digest,
                                   const char *window, long updates);
void sb_baseline_requests_free(sb_baseline_requests *requests);

/* Does some run need the rows of that data set for this window and that number of updates? window and updates: as in a
 * table. */
bool sb_baseline_requests_hold(const sb_baseline_requests *requests, const char *digest, const char *window,
                               const char *updates);

/* Write the table. folder: of the data sets. A data set that is not there, or not that one, has the rows that it has in
 * OUTPUT/baselines.csv, if that is as it was collected; else a sentence on stderr. */
sb_status sb_baselines_sheet_write(sb_writer *csv, const sb_baseline_requests *requests, const char *folder,
                                   const char *output);
