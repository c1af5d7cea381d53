#include "paper/page/page.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

#include <stdio.h>

/* -- machines -- */

void sb_page_machines(sb_writer *page, const sb_machine_facts *facts, sb_page_count *count)
{
    static const char *const heading[] = {"what", "value", NULL};
    if (facts->n == 0) {
        sb_write(page, "<p>There are no run files next to these results, so the machines are unknown.</p>\n");
        return;
    }
    sb_page_caption(page, count);
    sb_write(page,
             "What %zu run file%s about their machines. Where runs differ, each value has the number of its runs.",
             facts->n_runs, facts->n_runs == 1 ? " says" : "s say");
    sb_page_table(page, "facts", count, heading);
    for (size_t i = 0; i < facts->n; i++) {
        const sb_machine_fact *fact = &facts->fact[i];
        sb_write(page, "<tr><th scope=\"row\">%s</th><td>%s", fact->name, fact->value);
        if (fact->n_cells < facts->n_runs) sb_write(page, " <span class=\"quiet\">(%zu)</span>", fact->n_cells);
        sb_write(page, "</td></tr>\n");
    }
    sb_page_table_end(page);
}

/* -- what is missing -- */

/* One line for each reason, not for each cell: a machine without a GPU lacks it for hundreds of cells alike. */
static void write_missing(sb_writer *page, const sb_missing *first, size_t n_missing)
{
    for (const sb_missing *missing = first; missing < first + n_missing; missing++) {
        const size_t n = missing->n_alike;
        if (n == 0) continue;
        sb_write(page, "<li>%zu cell%s, %s", n, sb_plural(n), missing->state);
        sb_write(page, *missing->why ? ": " : "");
        sb_write(page, "%s", missing->why);
        sb_write(page, n == 1 ? "; " : "; the first of them ");
        sb_write(page, "<code>%s</code></li>\n", missing->cell);
    }
}

static void write_notes(sb_writer *page, const sb_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) sb_write(page, "<li>%s</li>\n", notes->text[i]);
}

void sb_page_gaps(sb_writer *page, const sb_condition *condition, const sb_notes *notes)
{
    sb_write(page, "<section id=\"gaps\">\n<h2>Left out</h2>\n");
    if (condition->matrix)
        sb_write(page, "<p><code>%s</code> defines %ld runs (cells). %ld were selected, and %ld of these are complete.",
                 condition->matrix, condition->n_cells, condition->n_selected, condition->n_complete);
    if (condition->matrix && condition->n_diverged)
        sb_write(page, " %ld of these diverged: they are results without a %s.", condition->n_diverged,
                 condition->custom ? "value" : "loss");
    if (condition->matrix) sb_write(page, "</p>\n");
    size_t n = condition->n_missing + condition->n_left_out + condition->changed.n + condition->incomplete.n;
    if (n + notes->n == 0)
        sb_write(page, "<p>Nothing was left out%s.</p>\n",
                 condition->custom ? "" : ": every condition has its partner, and every run file is here");
    if (n) {
        sb_write(page, "<ul>\n");
        write_notes(page, &condition->changed);
        write_notes(page, &condition->incomplete);
        write_missing(page, condition->missing, condition->n_missing);
        write_missing(page, condition->left_out, condition->n_left_out);
        sb_write(page, "</ul>\n");
    }
    if (notes->n) {
        sb_write(page, "<details><summary>%zu note%s of what could not be shown</summary>\n<ul>\n", notes->n,
                 sb_plural(notes->n));
        write_notes(page, notes);
        sb_write(page, "</ul>\n</details>\n");
    }
    sb_write(page, "</section>\n");
}

/* -- every run -- */

static void write_loss(sb_writer *page, const sb_result *cell, double loss)
{
    if (!cell->diverged)
        sb_page_cell(page, loss);
    else if (cell->diverged_at)
        sb_write(page, "<td>diverged at update %ld</td>", cell->diverged_at);
    else
        sb_write(page, "<td>diverged</td>");
}

/* Where a cell comes from stands under its name: the hash that names it and the file of its run. */
static void write_cell(sb_writer *page, const sb_result *cell)
{
    char short_hash[10];
    snprintf(short_hash, sizeof short_hash, "/%.8s", cell->hash);
    sb_write(page,
             "<tr id=\"c-%s\" data-network=\"%s %s\" data-arm=\"%s\"><td><code>%s</code><br/><span "
             "class=\"quiet\"><code>%s</code> <code>%s</code></span></td>",
             cell->hash, cell->model, sb_recipe_units(cell), sb_target_name[cell->target], cell->name, short_hash,
             cell->run);
    sb_page_evidence(page, cell);
    for (int m = 0; m < SB_N_METRICS; m++) write_loss(page, cell, cell->loss[m]);
    sb_write(page, "<td><code>%s</code></td>", cell->weights);
    sb_page_cell(page, cell->seconds);
    sb_page_cell(page, cell->frames_per_second);
    sb_page_cell(page, cell->peak_mib);
    sb_write(page, "</tr>\n");
}

void sb_page_cells(sb_writer *page, const sb_report *report, sb_page_count *count)
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
    sb_page_caption(page, count);
    sb_write(page,
             "Every cell: final losses, hash of the final weights (equal hashes are equal bits), beginning of the "
             "hash that names it, and run file.");
    sb_page_table(page, "cells", count, column);
    for (size_t i = 0; i < report->results.n_cells; i++) write_cell(page, &report->results.cell[i]);
    sb_page_table_end(page);
}
