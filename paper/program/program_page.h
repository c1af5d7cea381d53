/* Results of another program as one page: the question and its answer, each metric with its conditions, the claims, what was
 * left out, every run. It has the style of the other page (page/page.h) and needs no other file. */
#ifndef SB_PAPER_PROGRAM_PROGRAM_PAGE_H
#define SB_PAPER_PROGRAM_PROGRAM_PAGE_H

#include "paper/program/program_claims.h"
#include "paper/program/program_results.h"

/* FOLDER/index.html. claims NULL: there are none. */
sb_status sb_program_page_write(const sb_program_results *results, const sb_program_claims *claims, const char *folder);

#endif
