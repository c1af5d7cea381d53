/* What a claim that pools its data sets is judged by: the effects of its parts, one for each data set, crossed by the
 * starts that they have, each pair of which counts (paper/statistics/crossed.h). A data set is a video in an order. Where the claim names
 * studies that are one video in several orders (`orders`), the variance of the data sets divides into a variance of
 * videos and a variance of orders; the orders decide nothing. */
#ifndef SB_PAPER_CLAIMS_CLAIM_POOL_H
#define SB_PAPER_CLAIMS_CLAIM_POOL_H

#include "core/status.h"
#include "paper/numbers/numbers.h"
#include "paper/results/results.h"
#include "paper/statistics/crossed.h"

#include <stdbool.h>
#include <stddef.h>

struct sb_finding;

typedef struct sb_claim_pool {
    size_t n;                 /* data sets; 0: the claim pools none */
    double ratio, low, high;  /* geometric mean of their ratios, 95 % interval of that mean */
    double new_low, new_high; /* where the ratio of a new data set lies, with 95 % */
    size_t n_above;           /* data sets whose mean ratio over their starts is above 1 */
    sb_crossed effects;       /* their logarithms */
    sb_crossed orders;        /* the same of the orders of one video; n_data 0: none are named or there */
} sb_claim_pool;

/* SB_E_MEMORY only. NANs where too few starts are in several parts. */
sb_status sb_claim_pool_judge(sb_claim_pool *pool, const struct sb_finding *part, size_t n, sb_metric metric);
sb_status sb_claim_pool_orders(sb_claim_pool *pool, const struct sb_finding *part, size_t n, sb_metric metric);

/* What varies the effect: start, data set, where orders are known video and order, rest. */
typedef struct sb_pool_row {
    const char *name;
    size_t n;      /* draws; 0: a difference of two others */
    double df, sd; /* degrees of freedom (NAN of a difference), standard deviation of the log ratio */
    double share;  /* of the variance of one pair of runs */
    const char *formula;
} sb_pool_row;
enum { SB_POOL_ROWS = 5 };
size_t sb_claim_pool_rows(const sb_claim_pool *pool, sb_pool_row row[SB_POOL_ROWS]);

/* "start 0.000, video 0.151, order 0.071, rest 0.140"; false: the claim pools none, or nothing can be said. */
enum { SB_POOL_TEXT = 128 };
bool sb_claim_pool_text(const sb_claim_pool *pool, char text[SB_POOL_TEXT]);

/* claim.NAME.pool, the mean over its data sets; claim.NAME.pool.new, the interval for a new one;
 * claim.NAME.pool.sd-start and so on; with the runs of the n parts. */
sb_status sb_claim_pool_add(sb_numbers *numbers, const sb_claim_pool *pool, const char *name,
                            const struct sb_finding *part, size_t n);

#endif
