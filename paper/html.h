/* The report as one page that needs nothing else: figures and grids stand inside it, no script, no address elsewhere.
 * Light and dark by the reader's setting, wide, narrow and on paper. The same results give the same bytes. */
#ifndef SB_PAPER_HTML_H
#define SB_PAPER_HTML_H

#include "core/status.h"
#include "paper/report.h"

/* FOLDER/index.html, and the figures it holds as files in FOLDER/figures. */
sb_status sb_html_write(sb_report *report, const char *folder);

#endif
