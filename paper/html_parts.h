/* The rooms of the page: html.c calls them in the order in which they stand on it. `page` collects the text. */
#ifndef SB_PAPER_HTML_PARTS_H
#define SB_PAPER_HTML_PARTS_H

#include "core/status.h"
#include "paper/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* -- html_css.c, html_script.c -- */
extern const char sb_html_css[];
extern const char sb_html_script[]; /* sorts tables, opens what a link leads into; the page reads well without */

/* -- html_text.c: small pieces -- */

/* Text of others, with the characters that HTML reads itself replaced. */
void sb_html_text(FILE *page, const char *text);
void sb_html_code(FILE *page, const char *text);

/* A number with 4 digits, a dash if there is none; in a table cell of its own with sb_html_cell. */
void sb_html_number(FILE *page, double number);
void sb_html_cell(FILE *page, double number);

/* "study on data". */
void sb_html_group(FILE *page, const sb_group *group);

/* A picture of gnuplot as an element of the page: its ids get `prefix`, so that several pictures can stand on one page;
 * `label` is what a screen reader says. */
sb_status sb_html_svg(FILE *page, const char *path, const char *prefix, const char *class, const char *label);

/* A file as "data:TYPE;base64,...". */
sb_status sb_html_data(FILE *page, const char *path, const char *type);

/* -- html_table.c: the form of all tables -- */

typedef struct sb_html_count { /* figures and tables through the page */
    int figure, table;
} sb_html_count;

/* A table: sb_html_caption, its words, sb_html_table with the headings, rows of cells, sb_html_table_end. A heading
 * that begins with '#' stands over numbers. The caption keeps its width while a wide table scrolls below it. */
void sb_html_caption(FILE *page, sb_html_count *count);
void sb_html_table(FILE *page, const char *class, const sb_html_count *count, const char *const heading[]);

/* The same with two lines of headings: between those on the left and on the right (NULL: none) the two losses, and
 * below each the same columns. */
void sb_html_table_losses(FILE *page, const char *class, const sb_html_count *count, const char *const left[],
                          const char *const heading[], const char *const right[]);
void sb_html_table_end(FILE *page);

void sb_html_word(FILE *page, const char *word);
void sb_html_whole(FILE *page, long number);
void sb_html_evidence(FILE *page, const sb_cell *cell);

/* -- html_numbers.c: numbers of the register -- */

typedef enum sb_html_part { SB_HTML_VALUE, SB_HTML_INTERVAL, SB_HTML_P, SB_HTML_PRINTED } sb_html_part;

/* One part of the number of that label as a link to its entry; a dash if there is no such number or part. */
void sb_html_entry(FILE *page, const sb_numbers *numbers, sb_html_part part, const char *label, ...)
    __attribute__((format(printf, 4, 5)));

/* The same in a table cell of its own. */
void sb_html_entry_cell(FILE *page, const sb_numbers *numbers, sb_html_part part, const char *label, ...)
    __attribute__((format(printf, 4, 5)));

/* The entry of every number: label, text, formula, evidence, the cells behind it. */
void sb_html_register(FILE *page, const sb_numbers *numbers);

/* -- html_summary.c: what a reader came for -- */

/* Settings up to which the words name every one; above, they give a study's range and leave the rest to its tables. */
enum { SB_HTML_NAMED = 4 };
void sb_html_answer(FILE *page, const sb_report *report);
void sb_html_studies(FILE *page, const sb_report *report, sb_html_count *count);

/* -- html_study.c: a section for each study -- */
sb_status sb_html_study(FILE *page, const sb_report *report, const sb_group *group, const char *folder,
                        sb_html_count *count);

/* -- html_figures.c -- */

/* The figures of a group, or of all results for NULL, from the files in `folder`, each with its caption. */
sb_status sb_html_figures(FILE *page, const sb_report *report, const sb_group *group, const char *folder,
                          sb_html_count *count);

/* -- html_claims.c: claims, spread by source, and published numbers -- */
void sb_html_claims(FILE *page, const sb_report *report, sb_html_count *count);
void sb_html_spread(FILE *page, const sb_report *report, sb_html_count *count);
void sb_html_published(FILE *page, const sb_report *report, sb_html_count *count);

/* -- html_runs.c: machines, what is missing, every run -- */
void sb_html_machines(FILE *page, const sb_facts *facts, sb_html_count *count);
void sb_html_gaps(FILE *page, const sb_report *report);
void sb_html_cells(FILE *page, const sb_report *report, sb_html_count *count);

#endif
