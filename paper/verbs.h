/* The verbs of samebits-report: parse argv (which starts behind the verb), call, print. */
#ifndef SB_PAPER_VERBS_H
#define SB_PAPER_VERBS_H

#include "core/status.h"

/* verbs_write.c: read the results, write one kind of file */
sb_status sb_verb_tables(int argc, char **argv);
sb_status sb_verb_numbers(int argc, char **argv);
sb_status sb_verb_figures(int argc, char **argv);
sb_status sb_verb_html(int argc, char **argv);

sb_status sb_verb_claims(int argc, char **argv);
sb_status sb_verb_trace(int argc, char **argv);
sb_status sb_verb_compare(int argc, char **argv);

/* verb_exchange.c: results as one file, and back */
sb_status sb_verb_export(int argc, char **argv);
sb_status sb_verb_import(int argc, char **argv);

/* verb_paper.c */
sb_status sb_verb_paper(int argc, char **argv);

#endif
