/* A plan in figures: per group of cells and in all, how many there are, how long they will take and on what that rests,
 * and the disk they will need. A group is what a name says before target and seed. */
#pragma once

#include "matrix/run/plan.h"

#include "core/status.h"

#include <stdio.h>

typedef struct sb_forecast_group {
    const sb_cell *cell; /* one of the group; the first prefix characters of its name are the group's */
    int prefix;
    size_t n, complete, to_run, absent; /* cells; complete ones may be to be run once more */
    size_t lacking;                     /* cells without their data */
    size_t unknown;                     /* of those to run: nothing near them has run */
    double seconds;                     /* all others to run, one after the other */
    sb_prediction prediction;           /* of a cell to run */
} sb_forecast_group;

typedef struct sb_forecast {
    sb_forecast_group *group; /* in the order of the selection */
    size_t n_groups;
    sb_forecast_group all;
    double wall_seconds;    /* with that number of cells at a time, each as fast as it was; of those that are known */
    double n_bytes;         /* of the run files to come; of those that are known */
    size_t unknown_n_bytes; /* cells */
} sb_forecast;

/* The selection must be the one the plan was made of. The caller frees. */
sb_status sb_forecast_make(sb_forecast *forecast, sb_plan *plan, const sb_selection *selection, int jobs);
void sb_forecast_free(sb_forecast *forecast);

/* The table and the sums, for people; results: where the run files will go. */
void sb_forecast_print(const sb_forecast *forecast, int jobs, const char *results, FILE *out);
