/* The files of the paper: article.c calls them. */
#ifndef SB_PAPER_ARTICLE_ARTICLE_PARTS_H
#define SB_PAPER_ARTICLE_ARTICLE_PARTS_H

#include "core/status.h"
#include "paper/report/report.h"

/* -- article_front.c: authors, licence and date of CITATION.cff, revisions, machine, and the sentences of the answer --
 */
sb_status sb_article_front(sb_writer *tex, const sb_report *report);

/* -- article_supplement.c: \sbeveryclaim, the rows of a table of all claims; \sbclaimcounts, \sbnclaims -- */
void sb_article_supplement(sb_writer *tex, const sb_report *report);

/* -- article_tables.c -- */

/* Every table as \sb@table@NAME, and \sbhasgpu. */
void sb_article_tables(sb_writer *tex, const sb_report *report);

#endif
