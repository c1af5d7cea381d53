/* Where a number comes from: its formula, and its runs with the contribution of each. */
#ifndef SB_PAPER_REPORT_NUMBER_TRACE_H
#define SB_PAPER_REPORT_NUMBER_TRACE_H

#include "core/status.h"
#include "paper/report/report.h"

#include <stddef.h>
#include <stdio.h>

/* Print label and text of every number whose label holds `part` ("": all of them), and return how many. */
size_t sb_number_trace_list(FILE *out, const sb_numbers *numbers, const char *part);

/* What a reader asked for: the number of that label, or the only one whose label holds it; else the list of those that
 * do. SB_E_EMPTY: none does; the sentence names the nearest labels. */
sb_status sb_trace(FILE *out, const sb_report *report, const char *label);

#endif
