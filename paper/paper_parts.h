/* The rooms of the paper: paper.c calls them. */
#ifndef SB_PAPER_PAPER_PARTS_H
#define SB_PAPER_PAPER_PARTS_H

#include "core/status.h"
#include "paper/report.h"

/* -- paper_tables.c -- */

/* Every table as \sb@table@NAME, and \sbhasgpu. */
void sb_paper_tables(sb_writer *tex, const sb_report *report);

#endif
