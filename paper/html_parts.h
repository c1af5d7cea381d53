/* The rooms of the page: html.c calls them in the order in which they stand on it. `page` collects the text. */
#ifndef SB_PAPER_HTML_PARTS_H
#define SB_PAPER_HTML_PARTS_H

#include "core/status.h"
#include "paper/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* -- html_css.c -- */
extern const char sb_html_css[];

/* -- html_text.c: small pieces -- */

/* Text of others, with the characters that HTML reads itself replaced. */
void sb_html_text(FILE *page, const char *text);

/* A number with 4 digits, a dash if there is none; in a table cell of its own with sb_html_cell. */
void sb_html_number(FILE *page, double number);
void sb_html_cell(FILE *page, double number);

/* "1.45 [1.27, 1.61]" and "p = 0.0625", as far as there are pairs enough. */
void sb_html_ratio(FILE *page, const sb_ratio *ratio);

/* Settings up to which the words name every one; above, they give the range and leave the rest to the tables. */
enum { SB_HTML_NAMED = 4 };

/* "1.34 (cudnn) to 1.5 (cublas)": the smallest and the largest ratio of a group with pairs. */
void sb_html_ratio_range(FILE *page, const sb_group *group, sb_metric metric);

/* "study on data". */
void sb_html_group(FILE *page, const sb_group *group);

/* A picture of gnuplot as an element of the page: its ids get `prefix`, so that several pictures can stand on one page;
 * `label` is what a screen reader says. */
sb_status sb_html_svg(FILE *page, const char *path, const char *prefix, const char *class, const char *label);

/* A file as "data:TYPE;base64,...". */
sb_status sb_html_data(FILE *page, const char *path, const char *type);

/* -- html_figures.c -- */

/* Number figures through the page. */
typedef struct sb_html_count {
    int figure, table;
} sb_html_count;

/* The figures of a group, or of all results for NULL, from the files in `folder`, each with its caption. */
sb_status sb_html_figures(FILE *page, const sb_report *report, const sb_group *group, const char *folder,
                          sb_html_count *count);

/* -- html_tables.c -- */
void sb_html_settings(FILE *page, const sb_group *group, sb_html_count *count);
void sb_html_arms(FILE *page, const sb_group *group, sb_html_count *count);
void sb_html_pairs(FILE *page, const sb_group *group, sb_html_count *count);
void sb_html_machines(FILE *page, const sb_facts *facts, sb_html_count *count);
void sb_html_cells(FILE *page, const sb_report *report, sb_html_count *count);

#endif
