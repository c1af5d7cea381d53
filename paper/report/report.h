/* Everything a verb of samebits-report works on, and the order in which it is made. */
#pragma once

#include "core/status.h"
#include "paper/claims/claims.h"
#include "paper/compare/compare.h"
#include "paper/effects/arms.h"
#include "paper/effects/measures.h"
#include "paper/exchange/exchange.h"
#include "paper/figures/figures.h"
#include "paper/figures/grid.h"
#include "paper/numbers/numbers.h"
#include "paper/results/condition.h"
#include "paper/results/machine_facts.h"
#include "paper/results/results.h"

typedef struct sb_report {
    sb_results results;
    sb_condition condition;   /* of the results */
    sb_exchange exchange;     /* the folder, unpacked where it is a bundle */
    char folder[SB_PATH_MAX]; /* of the collected results */
    sb_arms arms;
    sb_spreads spreads;
    sb_curves distances;    /* none where there is no such table */
    sb_curves generations;  /* the same */
    sb_families families;   /* the same */
    sb_turns turns;         /* the same */
    sb_trust_ratios trust;  /* the same */
    sb_batches batches;     /* none where no optimiser has two batches */
    sb_published published; /* none where there is no such folder */
    sb_claims claims;       /* none where no file of claims was named or carried */
    sb_ranking ranking;     /* of the groups */
    sb_claims hardware;     /* what is asked of every study (question.h) */
    sb_numbers numbers;     /* every number that is shown */
    sb_machine_facts facts; /* once read */
    bool has_facts;
    sb_figures figures;  /* once drawn */
    sb_frame_grid *grid; /* [arms.n_groups], once drawn */
    sb_notes notes;
} sb_report;

/* Where a report comes from. */
typedef struct sb_report_sources {
    const char *folder;    /* of collected results, or a bundle of them (exchange.h) */
    const char *runs;      /* what the column run is relative to; NULL: folder */
    const char *published; /* folder of published records; NULL: the one next to folder, if there is one; "": none */
    const char *claims;    /* file of claims; NULL: those that the results carry (SB_COLLECTED_CLAIMS), or */
    const char *usual;     /* where they carry none, this file; NULL: none */
    sb_allowed allowed;    /* what may be wrong with the results all the same */
} sb_report_sources;

/* Read, group, compare; every number is in the register then. Results that are changed or incomplete, and not allowed
 * to be, fail as sb_condition_accept says. The caller closes, also after a failure. */
sb_status sb_report_open(sb_report *report, const sb_report_sources *sources);
void sb_report_close(sb_report *report);

/* What the run files say about the machines; once for a report. */
sb_status sb_report_read_facts(sb_report *report);

/* All figures and grids into a folder, which is made; once for a report. */
sb_status sb_report_draw(sb_report *report, const char *folder);

/* "grid-prednet-walk": the file of a group's grid without folder and ending. */
void sb_report_grid_name(const sb_group *group, char *name, size_t size);
