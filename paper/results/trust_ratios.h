/* By which ratios layer-wise optimisers multiplied the learning rates of the tensors: trust.csv as a row for each arm and
 * tensor. An arm is the runs of a study that differ in their seeds alone (recipe.h). */
#pragma once

#include "core/status.h"
#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_TRUST_NAME = 64 };

typedef struct sb_trust_tensor {
    char name[SB_TRUST_NAME]; /* "conv1/w" */
    double first, last;       /* ratio at the end of the first and of the last epoch: median over the runs */
    double low, high;         /* of all epochs and runs */
} sb_trust_tensor;

typedef struct sb_trust_arm {
    const sb_result *cell; /* the first of the arm in cells.csv */
    size_t n_runs, n_epochs;
    size_t n;                /* tensors that ever had a ratio, */
    sb_trust_tensor *tensor; /* in the order of the network */
} sb_trust_arm;

typedef struct sb_trust_ratios { /* {0} holds none */
    size_t n;
    sb_trust_arm *arm; /* in the order of cells.csv */
} sb_trust_ratios;

/* Was its ratio always 1, as for vectors in most of these rules? */
static inline bool sb_trust_is_fixed(const sb_trust_tensor *tensor)
{
    return tensor->low == 1 && tensor->high == 1;
}

/* The arm's tensor of that name; NULL if it has none. */
const sb_trust_tensor *sb_trust_find(const sb_trust_arm *arm, const char *name);

/* Has any arm a tensor whose ratio was not 1 all the time? */
bool sb_trust_ratios_vary(const sb_trust_ratios *ratios);

/* FOLDER/trust.csv; no such file is no ratios. SB_E_INTEGRITY: a row makes no sense, runs of one arm have other tensors,
 * or a row names a cell that is none of the results. A failed call leaves nothing to free. */
sb_status sb_trust_ratios_read(sb_trust_ratios *ratios, const char *folder, const sb_results *results);
void sb_trust_ratios_free(sb_trust_ratios *ratios);
