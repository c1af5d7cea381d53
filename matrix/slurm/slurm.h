/* The cluster: job arrays as Slurm's scripts. Slurm's programs are called here and nowhere else.
 *
 *     sb_slurm_settings settings = {.results = "results", .run = &argv, ...};
 *     char job[SB_SLURM_JOB];
 *     SB_TRY(sb_slurm_submit(job, &array, &settings));
 *
 * A task is `samebits-matrix run` for one cell, so that locks, checkpoints and notes of failures are the same as in a
 * local run. A minute before its time limit, or when it is preempted, it makes a checkpoint and is queued again.
 */
#pragma once

#include "matrix/process/process.h"
#include "matrix/slurm/job_array.h"

#include "core/hash.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_SLURM_JOB = 64 };

typedef struct sb_slurm_settings {
    const char *results; /* folder of the runs, of the scripts and of their logs */
    const sb_argv *run;  /* what a task does; it gets -n /HASH after it */
    const char *time;    /* limit per task, as sbatch takes it; NULL: twice what is expected of the longest, or a day */
    const char *partition, *account, *memory; /* the same; NULL: the site's own choice */
    long max_parallel;                        /* tasks of an array at a time, 0: no limit */
} sb_slurm_settings;

/* The job script of an array; the caller frees. Equal arrays and settings give equal scripts. SB_E_USAGE: a path or a
 * setting with a line end or another control character in it. */
sb_status sb_slurm_script(char **script, const sb_array *array, const sb_slurm_settings *settings);

/* Write the array's folder and submit it; job: its number. SB_E_DIFFERS when sbatch refuses, with its words. */
sb_status sb_slurm_submit(char job[SB_SLURM_JOB], const sb_array *array, const sb_slurm_settings *settings);

/* SB_E_MISSING with a sentence where sbatch is not on PATH. */
sb_status sb_slurm_check(void);

/* How many tasks an array may have here: the cluster's MaxArraySize, SB_ARRAY_TASKS at most, or where no Slurm answers.
 * SB_E_MISSING: the cluster takes no arrays. */
sb_status sb_slurm_tasks_most(size_t *tasks_most);

/* -- what waits and runs -- */

typedef struct sb_slurm_task {
    char hash[SB_SHA256_TEXT]; /* of its cell */
    bool running;
} sb_slurm_task;

typedef struct sb_slurm_queue { /* start with {0} */
    sb_slurm_task *item;        /* ordered by hash */
    size_t n;
} sb_slurm_queue;

/* This user's tasks of arrays in results. Empty where Slurm is not; SB_E_DIFFERS when squeue fails, with its words. */
sb_status sb_slurm_queue_read(sb_slurm_queue *queue, const char *results);
/* The task of that cell or NULL. */
const sb_slurm_task *sb_slurm_queue_find(const sb_slurm_queue *queue, const sb_cell *cell);
void sb_slurm_queue_free(sb_slurm_queue *queue);
