/* The verbs of samebits-report, each beside its option table and what it does. */
#ifndef SB_PAPER_VERBS_VERBS_H
#define SB_PAPER_VERBS_VERBS_H

#include "core/command/options.h"

/* verb_write.c: read the results, write one kind of file */
extern const sb_command sb_verb_tables, sb_verb_numbers, sb_verb_figures, sb_verb_html;

/* verb_exchange.c: results as one file, and back */
extern const sb_command sb_verb_export, sb_verb_import;

extern const sb_command sb_verb_answer, sb_verb_claims, sb_verb_trace, sb_verb_compare, sb_verb_paper, sb_verb_time,
    sb_verb_churn, sb_verb_judge;

#endif
