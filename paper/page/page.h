/* The report as one page that needs nothing else: figures and grids stand inside it, nothing is fetched from elsewhere;
 * a few lines of script sort tables, and it reads well without. Light and dark by the reader's setting, wide, narrow
 * and on paper. Every number in a table or sentence leads to its entry of the register. The same results give the same
 * bytes. */
#ifndef SB_PAPER_PAGE_PAGE_H
#define SB_PAPER_PAGE_PAGE_H

#include "core/status.h"
#include "paper/report/report.h"

/* FOLDER/index.html, and the figures it holds as files in FOLDER/figures: script, data, SVG, and PDF where rsvg-convert
 * is installed. */
sb_status sb_page_write(sb_report *report, const char *folder);

#endif
