/* What a command wrote: the last value of each metric that its study promises, from a table, from lines of JSON or from a
 * recording (record/external_file.h). Nothing of it is trusted. */
#pragma once

#include "matrix/cells/command.h"

#include "core/hash.h"

typedef struct sb_measured {
    int64_t n;                     /* rows, lines or updates */
    double value[SB_MEASURES_MAX]; /* of each metric; not finite: the training diverged */
    char weights[SB_HASH_TEXT];    /* of a recording: the hash of its last weights; "": none */
    char sha256[SB_SHA256_TEXT];   /* of all its bytes */
} sb_measured;

/* In a process of its own. SB_E_INTEGRITY with a sentence: the file is not there, is no such file, or lacks a metric. */
sb_status sb_measured_read(sb_measured *measured, const sb_study *study, const char *path);

/* Is a metric not finite? */
bool sb_measured_diverged(const sb_measured *measured, const sb_study *study);
