#include "paper/html_parts.h"

#include "core/plural.h"

#include <string.h>

/* -- machines -- */

void sb_html_machines(FILE *page, const sb_facts *facts, sb_html_count *count)
{
    static const char *const heading[] = {"what", "value", NULL};
    if (facts->n == 0) {
        fputs("<p>No run file is beside these results, so nothing is known here about the machines.</p>\n", page);
        return;
    }
    sb_html_caption(page, count);
    fprintf(
        page,
        "What %zu run file%s about where they ran. Where runs differ, each value stands with the number of runs that "
        "have it.",
        facts->n_runs, facts->n_runs == 1 ? " says" : "s say");
    sb_html_table(page, "facts", count, heading);
    for (size_t i = 0; i < facts->n; i++) {
        const sb_fact *fact = &facts->fact[i];
        fputs("<tr><th scope=\"row\">", page);
        sb_html_text(page, fact->name);
        fputs("</th><td>", page);
        sb_html_text(page, fact->value);
        if (fact->n_cells < facts->n_runs) fprintf(page, " <span class=\"quiet\">(%zu)</span>", fact->n_cells);
        fputs("</td></tr>\n", page);
    }
    sb_html_table_end(page);
}

/* -- what is missing -- */

/* One line for each reason, not for each cell: a machine without a GPU lacks it for hundreds of cells alike. */
static void write_missing(FILE *page, const sb_condition *condition)
{
    for (size_t i = 0; i < condition->n_missing; i++) {
        const sb_missing *missing = &condition->missing[i];
        size_t n = 0, n_before = 0;
        for (size_t k = 0; k < condition->n_missing; k++) {
            const sb_missing *other = &condition->missing[k];
            bool same = strcmp(missing->state, other->state) == 0 && strcmp(missing->why, other->why) == 0;
            n += same;
            n_before += same && k < i;
        }
        if (n_before) continue;
        fprintf(page, "<li>%zu cell%s, %s", n, sb_plural(n), missing->state);
        fputs(*missing->why ? ": " : "", page);
        sb_html_text(page, missing->why);
        fputs(n == 1 ? "; " : "; the first of them ", page);
        sb_html_code(page, missing->cell);
        fputs("</li>\n", page);
    }
}

static void write_notes(FILE *page, const sb_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        fputs("<li>", page);
        sb_html_text(page, notes->text[i]);
        fputs("</li>\n", page);
    }
}

void sb_html_gaps(FILE *page, const sb_report *report)
{
    const sb_condition *condition = &report->condition;
    fputs("<section id=\"gaps\">\n<h2>Left out</h2>\n", page);
    if (condition->matrix) {
        fputs("<p>", page);
        sb_html_code(page, condition->matrix);
        fprintf(page, " has %ld cells, %ld of them were asked for, and %ld are complete.</p>\n", condition->n_cells,
                condition->n_selected, condition->n_complete);
    }
    size_t n = report->notes.n + condition->n_missing + condition->changed.n + condition->incomplete.n;
    fputs(n ? "<ul>\n" : "<p>Nothing: every arm has its partner, every run file was there.</p>\n", page);
    write_notes(page, &condition->changed);
    write_notes(page, &condition->incomplete);
    write_missing(page, condition);
    write_notes(page, &report->notes);
    fputs(n ? "</ul>\n</section>\n" : "</section>\n", page);
}

/* -- every run -- */

/* Where a cell comes from stands under its name: the hash that names it and the file of its run. */
static void write_cell(FILE *page, const sb_cell *cell)
{
    char short_hash[10];
    snprintf(short_hash, sizeof short_hash, "/%.8s", cell->hash);
    fprintf(page, "<tr id=\"c-%s\"><td>", cell->hash);
    sb_html_code(page, cell->name);
    fputs("<br><span class=\"quiet\">", page);
    sb_html_code(page, short_hash);
    fputs(" ", page);
    sb_html_code(page, cell->run);
    fputs("</span></td>", page);
    sb_html_evidence(page, cell);
    for (int m = 0; m < SB_N_METRICS; m++) sb_html_cell(page, cell->loss[m]);
    fputs("<td>", page);
    sb_html_code(page, cell->weights);
    fputs("</td>", page);
    sb_html_cell(page, cell->seconds);
    sb_html_cell(page, cell->frames_per_second);
    sb_html_cell(page, cell->peak_mib);
    fputs("</tr>\n", page);
}

void sb_html_cells(FILE *page, const sb_report *report, sb_html_count *count)
{
    static const char *const column[] = {"cell, hash, run file",
                                         "evidence",
                                         "#last-frame loss",
                                         "#window-mean loss",
                                         "weights",
                                         "#seconds",
                                         "#frames/s",
                                         "#peak MiB",
                                         NULL};
    sb_html_caption(page, count);
    fputs("Every cell: its final losses, the hash of its final weights (equal hashes are equal bits), the beginning of "
          "the "
          "hash that names it, and the file of its run.",
          page);
    sb_html_table(page, "cells", count, column);
    for (size_t i = 0; i < report->results.n_cells; i++) write_cell(page, &report->results.cell[i]);
    sb_html_table_end(page);
}
