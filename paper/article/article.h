/* The paper: a text by hand, paper.tex, in which no number is typed, and what it takes from the results.
 *
 *     paper.tex            the text
 *     numbers.tex, .csv    every number by its label (numbers.h)
 *     tables.tex           a macro for each table: \sbtable{effects}; \sbhastable{effects}{YES}{NO}; \sbhasgpu{YES}{NO}
 *     front.tex            \sbauthor, \sbdate, \sbversion, \sbrevision, ...; of the answer \sbanswer, \sbhardware,
 *                          \sbgaps
 *     supplement.tex       every claim: \sbeveryclaim, \sbclaimcounts, \sbnclaims
 *     figures.tex          the captions of the figures that there are, for \sbfigure
 *     figures/             every figure of the report, and its PDF
 *     paper.pdf
 *
 * The text asks for what a set of results may lack with \sbhas..., so that the same text serves the demo and the study.
 */
#pragma once

#include "core/status.h"
#include "paper/report/report.h"

/* Everything into a folder, which is made; `text` is the file of paper.tex. SB_E_MISSING: gnuplot, rsvg-convert or
 * LaTeX is not installed. SB_E_USAGE: the text is not there or has an error. */
sb_status sb_article_write(sb_report *report, const char *text, const char *folder);

/* Every table as \sb@table@NAME, and \sbhasgpu (article_tables.c). */
void sb_article_tables(sb_writer *tex, const sb_report *report);
