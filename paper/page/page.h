/* The report as one page that needs nothing else: figures and grids stand inside it, nothing is fetched from elsewhere;
 * a few lines of script sort tables, and it reads well without. Light and dark by the reader's setting, wide, narrow
 * and on paper. Every number in a table or sentence leads to its entry of the register. The same results give the same
 * bytes. */
#pragma once

#include "core/status.h"
#include "core/text/html.h"
#include "core/text/writer.h"
#include "paper/claims/question.h"
#include "paper/report/report.h"

#include <stddef.h>

/* FOLDER/index.html, and the figures it holds as files in FOLDER/figures: script, data, SVG, and PDF where rsvg-convert
 * is installed. */
sb_status sb_page_write(sb_report *report, const char *folder);

/* The files of the page: page.c calls them in the order in which they stand on it. `page` collects the text. */

/* -- page.c: what stands before and after the text of a page. stamp: what is wrong with the results; "": nothing -- */

void sb_page_begin(sb_writer *page, const char *title, const char *stamp);
void sb_page_stamp(sb_writer *page, const char *stamp);
void sb_page_end(sb_writer *page);

/* -- page_text.c: small pieces -- */

/* The page is written by a writer of this language: what a %s stands for is text of others, in a text or between the
 * double quotes of an attribute. */

/* A number with 4 digits, a dash if there is none; in a table cell of its own with sb_page_cell. */
void sb_page_number(sb_writer *page, double number);
void sb_page_cell(sb_writer *page, double number);

/* "study on data". */
void sb_page_group(sb_writer *page, const sb_group *group);

/* Bytes in base64; a file as "data:TYPE;base64,...". */
void sb_page_base64(sb_writer *page, const void *bytes, size_t n);
sb_status sb_page_data(sb_writer *page, const char *path, const char *type);

/* -- page_svg.c -- */

/* A picture of gnuplot as an element of the page: its ids get `prefix`, so that several pictures can stand on one page;
 * `label` is what a screen reader says; points with words are images of their own in it, named by them. SB_E_INTEGRITY:
 * the file holds something that a drawing does not need, such as a script, a style, or a link that leaves the picture.
 */
sb_status sb_page_svg(sb_writer *page, const char *path, const char *prefix, const char *class, const char *label);

/* -- page_text.c: the form of all tables -- */

typedef struct sb_page_count { /* figures and tables through the page; of a study "A1", as it folds */
    char study[8];
    int figure, table;
} sb_page_count;

/* A table: sb_page_caption, its words, sb_page_table with the headings, rows of cells, sb_page_table_end. A heading
 * that begins with '#' stands over numbers. On a narrow screen each row is a card, and the headings stand next to its
 * values. */
void sb_page_caption(sb_writer *page, sb_page_count *count);
void sb_page_table(sb_writer *page, const char *class, const sb_page_count *count, const char *const heading[]);
void sb_page_table_end(sb_writer *page);

void sb_page_word(sb_writer *page, const char *word);
void sb_page_whole(sb_writer *page, long number);
void sb_page_evidence(sb_writer *page, const sb_result *cell);

/* -- page_numbers.c: numbers of the register -- */

typedef enum sb_page_part { SB_HTML_VALUE, SB_HTML_INTERVAL, SB_HTML_P, SB_HTML_PRINTED } sb_page_part;

/* One part of the number of that label as a link to its entry; a dash if there is no such number or part. */
void sb_page_entry(sb_writer *page, const sb_numbers *numbers, sb_page_part part, const char *label, ...)
    __attribute__((format(printf, 4, 5)));

/* The same in a table cell of its own. */
void sb_page_entry_cell(sb_writer *page, const sb_numbers *numbers, sb_page_part part, const char *label, ...)
    __attribute__((format(printf, 4, 5)));

/* The entry of every number: label, text, formula, evidence, its cells, the command that says the same. */
void sb_page_register(sb_writer *page, const sb_report *report);

/* -- page_answer.c: the first screen, and the tables that it rests on -- */
sb_status sb_page_first_screen(sb_writer *page, const sb_report *report, const sb_question *question,
                               const char *folder, sb_page_count *count);
sb_status sb_page_compared(sb_writer *page, const sb_report *report, const sb_question *question, const char *folder,
                           sb_page_count *count);

/* -- page_study.c: the studies by their rank -- */
sb_status sb_page_studies(sb_writer *page, const sb_report *report, const char *folder);

/* -- page_figures.c -- */

/* The figures of a section and group (NULL: of all results) from the files in `folder`, each with its caption and links to
 * what lies next to the page; none, where there is none. */
sb_status sb_page_figures(sb_writer *page, const sb_report *report, sb_figure_section section, const sb_group *group,
                          const char *folder, sb_page_count *count);

/* The predicted frames of a group. */
sb_status sb_page_frames(sb_writer *page, const sb_report *report, const sb_group *group, const char *folder,
                         sb_page_count *count);

/* -- page_claims.c: claims, spread by source, batches, and published numbers -- */
void sb_page_claims(sb_writer *page, const sb_report *report, sb_page_count *count);
void sb_page_spread(sb_writer *page, const sb_report *report, sb_page_count *count);
void sb_page_batches(sb_writer *page, const sb_report *report, sb_page_count *count);
void sb_page_published(sb_writer *page, const sb_report *report, sb_page_count *count);

/* -- page_runs.c: machines, what is missing, every run -- */
void sb_page_machines(sb_writer *page, const sb_machine_facts *facts, sb_page_count *count);
void sb_page_gaps(sb_writer *page, const sb_condition *condition, const sb_notes *notes);
void sb_page_cells(sb_writer *page, const sb_report *report, sb_page_count *count);
