#include "paper/html_parts.h"

#include <string.h>

/* A caption keeps its width while a wide table scrolls below it: begin_caption, the words, begin_table. */
static void begin_caption(FILE *page, sb_html_count *count)
{
    ++count->table;
    fprintf(page, "<p class=\"caption\" id=\"table-%d\"><b>Table %d.</b>", count->table, count->table);
}

static void begin_table(FILE *page, const char *class, const sb_html_count *count)
{
    fprintf(page,
            "</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"table-%d\">\n"
            "<table class=\"%s\">\n",
            count->table, class);
}

static void end_table(FILE *page)
{
    fputs("</tbody>\n</table>\n</div>\n", page);
}

static void write_word(FILE *page, const char *word)
{
    fputs("<td class=\"word\">", page);
    sb_html_text(page, word);
    fputs("</td>", page);
}

static void write_whole(FILE *page, long number)
{
    fprintf(page, "<td class=\"number\">%ld</td>", number);
}

/* A heading that begins with '#' stands over numbers. */
static void write_heading(FILE *page, const char *heading)
{
    bool number = *heading == '#';
    fprintf(page, "<th scope=\"col\"%s>%s</th>", number ? " class=\"number\"" : "", heading + number);
}

static void write_header(FILE *page, const char *const column[])
{
    fputs("<thead>\n<tr>", page);
    for (int i = 0; column[i]; i++) write_heading(page, column[i]);
    fputs("</tr>\n</thead>\n<tbody>\n", page);
}

/* Two lines of headings: the two losses, and below each the same columns. */
static void write_losses_header(FILE *page, const char *const left[], const char *const column[])
{
    int n_columns = 0;
    while (column[n_columns]) n_columns++;
    fputs("<thead>\n<tr>", page);
    for (int i = 0; left[i]; i++) fprintf(page, "<th rowspan=\"2\" scope=\"col\">%s</th>", left[i]);
    for (int m = 0; m < SB_N_METRICS; m++)
        fprintf(page, "<th class=\"span\" colspan=\"%d\" scope=\"colgroup\">%s</th>", n_columns, sb_metric_title[m]);
    fputs("</tr>\n<tr>", page);
    for (int m = 0; m < SB_N_METRICS; m++)
        for (int i = 0; i < n_columns; i++) write_heading(page, column[i]);
    fputs("</tr>\n</thead>\n<tbody>\n", page);
}

static const char *evidence_name(const sb_cell *cell)
{
    return cell->emulated ? "emulated" : "measured";
}

void sb_html_settings(FILE *page, const sb_group *group, sb_html_count *count)
{
    static const char *const column[] = {"setting",  "backend", "arithmetic", "hardware",    "evidence", "kernel type",
                                         "#threads", "#batch",  "#updates",   "#cells copy", "#shared",  NULL};
    begin_caption(page, count);
    sb_html_group(page, group);
    fputs(": the settings, what they are called in the figures, and how many cells each has.", page);
    begin_table(page, "settings", count);
    write_header(page, column);
    for (const sb_setting *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        const sb_cell *cell = setting->cell;
        fputs("<tr>", page);
        write_word(page, setting->label);
        write_word(page, cell->backend);
        write_word(page, cell->arithmetic);
        write_word(page, cell->hardware);
        write_word(page, evidence_name(cell));
        write_word(page, *cell->blas_kernel ? cell->blas_kernel : "–");
        write_whole(page, cell->threads);
        write_whole(page, cell->batch);
        write_whole(page, cell->updates);
        for (int t = 0; t < SB_N_TARGETS; t++) write_whole(page, (long)setting->arm[t].n);
        fputs("</tr>\n", page);
    }
    end_table(page);
}

static void write_arm(FILE *page, const sb_setting *setting, int t, bool begins)
{
    const sb_arm *arm = &setting->arm[t];
    fputs(begins ? "<tr class=\"begins\">" : "<tr>", page);
    write_word(page, setting->label);
    write_word(page, evidence_name(setting->cell));
    write_word(page, sb_target_name[t]);
    write_whole(page, (long)arm->n);
    for (int m = 0; m < SB_N_METRICS; m++) {
        const sb_summary *s = &arm->summary[m];
        const double numbers[] = {s->mean, s->sd, s->se, s->min, s->max};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) sb_html_cell(page, numbers[k]);
    }
    fputs("</tr>\n", page);
}

void sb_html_arms(FILE *page, const sb_group *group, sb_html_count *count)
{
    static const char *const left[] = {"setting", "evidence", "target", "n", NULL};
    static const char *const column[] = {"#mean", "#sd", "#se", "#min", "#max", NULL};
    begin_caption(page, count);
    sb_html_group(page, group);
    fputs(": final loss of each arm over its seeds (mean squared error; sd: standard deviation, se: bootstrap standard "
          "error of the mean).",
          page);
    begin_table(page, "arms", count);
    write_losses_header(page, left, column);
    for (size_t i = 0; i < group->n_settings; i++) {
        bool begins = i > 0;
        for (int t = 0; t < SB_N_TARGETS; t++) {
            if (group->setting[i].arm[t].n == 0) continue;
            write_arm(page, &group->setting[i], t, begins);
            begins = false;
        }
    }
    end_table(page);
}

static void write_effect(FILE *page, const sb_ratio *effect)
{
    sb_html_cell(page, effect->ratio);
    fputs("<td class=\"number\">", page);
    sb_html_number(page, effect->low);
    if (effect->n > 1) fputs(" to ", page);
    if (effect->n > 1) sb_html_number(page, effect->high);
    fputs("</td>", page);
    sb_html_cell(page, effect->p);
}

void sb_html_pairs(FILE *page, const sb_group *group, sb_html_count *count)
{
    static const char *const left[] = {"setting", "evidence", "pairs", NULL};
    static const char *const column[] = {"#shared / copy", "#95 % interval", "#p", NULL};
    if (group->n_pairs == 0) return;
    begin_caption(page, count);
    sb_html_group(page, group);
    fputs(": shared over copied target, paired by start weights (geometric mean of the ratios, its paired bootstrap "
          "interval, p of the sign flips, two-sided).",
          page);
    begin_table(page, "pairs", count);
    write_losses_header(page, left, column);
    for (const sb_setting *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        if (setting->n_pairs == 0) continue;
        fputs("<tr>", page);
        write_word(page, setting->label);
        write_word(page, evidence_name(setting->cell));
        write_whole(page, (long)setting->n_pairs);
        for (int m = 0; m < SB_N_METRICS; m++) write_effect(page, &setting->effect[m]);
        fputs("</tr>\n", page);
    }
    end_table(page);
}

void sb_html_machines(FILE *page, const sb_facts *facts, sb_html_count *count)
{
    if (facts->n == 0) {
        fputs("<p>No run file is beside these results, so nothing is known here about the machines.</p>\n", page);
        return;
    }
    begin_caption(page, count);
    fprintf(
        page,
        "What %zu run file%s about where they ran. Where runs differ, each value stands with the number of runs that "
        "have it.",
        facts->n_runs, facts->n_runs == 1 ? " says" : "s say");
    begin_table(page, "facts", count);
    fputs("<tbody>\n", page);
    for (size_t i = 0; i < facts->n; i++) {
        const sb_fact *fact = &facts->fact[i];
        bool again = i > 0 && strcmp(fact->name, facts->fact[i - 1].name) == 0;
        fputs("<tr><th scope=\"row\">", page);
        if (!again) sb_html_text(page, fact->name);
        fputs("</th><td>", page);
        sb_html_text(page, fact->value);
        if (fact->n_cells < facts->n_runs) fprintf(page, " <span class=\"quiet\">(%zu)</span>", fact->n_cells);
        fputs("</td></tr>\n", page);
    }
    end_table(page);
}

static void write_code(FILE *page, const char *text)
{
    fputs("<code>", page);
    sb_html_text(page, text);
    fputs("</code>", page);
}

/* Where a cell comes from stands under its name: the hash that names it and the file of its run. */
static void write_cell(FILE *page, const sb_cell *cell)
{
    char short_hash[10];
    snprintf(short_hash, sizeof short_hash, "/%.8s", cell->hash);
    fputs("<tr><td>", page);
    write_code(page, cell->name);
    fputs("<br><span class=\"quiet\">", page);
    write_code(page, short_hash);
    fputs(" ", page);
    write_code(page, cell->run);
    fputs("</span></td>", page);
    write_word(page, evidence_name(cell));
    for (int m = 0; m < SB_N_METRICS; m++) sb_html_cell(page, cell->loss[m]);
    fputs("<td>", page);
    write_code(page, cell->weights);
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
    begin_caption(page, count);
    fputs("Every cell: its final losses, the hash of its final weights (equal hashes are equal bits), the beginning of "
          "the "
          "hash that names it, and the file of its run.",
          page);
    begin_table(page, "cells", count);
    write_header(page, column);
    for (size_t i = 0; i < report->results.n_cells; i++) write_cell(page, report->arms.sorted[i]);
    end_table(page);
}
