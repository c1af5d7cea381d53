/* Of networks that classify the predictions of several runs, compared with each other: accuracy of each setting, and
 * churn, the share of test images whose class differs between two runs.
 *
 *     sb_churn churn;
 *     SB_TRY(sb_churn_read(&churn, path, n));
 *     sb_churn_print(&churn, stdout);
 *     sb_churn_free(&churn);
 */
#ifndef SB_PAPER_JUDGE_CHURN_H
#define SB_PAPER_JUDGE_CHURN_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What two runs of one recipe and one data set have in common. */
typedef enum sb_churn_kind {
    SB_CHURN_SETTINGS, /* one start, two settings: library, kernel type, threads */
    SB_CHURN_ULP,      /* one setting and seed, initial weights that differ by one unit in the last place */
    SB_CHURN_SEEDS,    /* one setting, two seeds */
    SB_N_CHURN_KINDS,
} sb_churn_kind;

typedef struct sb_churn_run {
    const char *path;
    char *recipe;      /* what was trained, with the data; without seed and ulp */
    char setting[192]; /* "openblas Haswell, 2 threads" */
    int64_t seed, ulp;
    size_t n, n_right;  /* test images */
    uint8_t *predicted; /* [n] */
} sb_churn_run;

typedef struct sb_churn {
    size_t n;
    sb_churn_run *run;
} sb_churn;

/* Finished runs of networks that classify, with test images; SB_E_USAGE if one is not. The paths
 * stay the caller's. */
sb_status sb_churn_read(sb_churn *churn, const char *const *path, size_t n);
void sb_churn_free(sb_churn *churn);

/* Accuracy of each setting over its runs that have no ulp, then each kind of pairs, for each recipe. */
sb_status sb_churn_print(const sb_churn *churn, FILE *out);

#endif
