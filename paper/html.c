#define _POSIX_C_SOURCE 200809L
#include "paper/html.h"

#include "paper/html_parts.h"
#include "paper/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_head(FILE *page)
{
    fprintf(page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>samebits: does the hardware you train on change what the network learns?</title>\n"
            "<style>\n%s</style>\n</head>\n<body>\n",
            sb_html_css);
}

static void answer_setting(FILE *page, const sb_group *group, const sb_setting *setting)
{
    fputs("<p>", page);
    sb_html_group(page, group);
    fputs(", ", page);
    sb_html_text(page, setting->label);
    fputs(setting->cell->emulated ? " (emulated)" : "", page);
    fputs(": sharing the target buffer multiplies the last-frame loss by <strong>", page);
    sb_html_ratio(page, &setting->effect[SB_METRIC_LAST]);
    fputs("</strong> and the window-mean loss by <strong>", page);
    sb_html_ratio(page, &setting->effect[SB_METRIC_MEAN]);
    fprintf(page, "</strong>; %zu pair%s of runs.</p>\n", setting->n_pairs, setting->n_pairs == 1 ? "" : "s");
}

static void answer_group(FILE *page, const sb_group *group)
{
    fputs("<p>", page);
    sb_html_group(page, group);
    fprintf(page, ", %zu settings: sharing the target buffer multiplies the last-frame loss by <strong>",
            group->n_settings);
    sb_html_ratio_range(page, group, SB_METRIC_LAST);
    fputs("</strong> and the window-mean loss by <strong>", page);
    sb_html_ratio_range(page, group, SB_METRIC_MEAN);
    fprintf(page, "</strong>; %zu pairs of runs.</p>\n", group->n_pairs);
}

/* What a reader came for. */
static void write_answer(FILE *page, const sb_arms *arms)
{
    size_t n_pairs = 0;
    fputs("<div class=\"answer\">\n", page);
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        n_pairs += group->n_pairs;
        if (group->n_pairs && group->n_settings > SB_HTML_NAMED) answer_group(page, group);
        for (size_t i = 0; i < group->n_settings && group->n_settings <= SB_HTML_NAMED; i++)
            if (group->setting[i].n_pairs) answer_setting(page, group, &group->setting[i]);
    }
    if (n_pairs == 0)
        fputs("<p>These results hold no two runs that differ in the target buffer alone, so they do not answer the "
              "question yet.</p>\n",
              page);
    fputs("</div>\n", page);
}

static void write_header(FILE *page, const sb_report *report)
{
    fputs("<header>\n<h1>Does the hardware you train on change what the network learns?</h1>\n"
          "<p>A published, later retracted study found that PredNet trained on CPUs ends worse than on GPUs. The "
          "probable cause "
          "is no hardware: its script handed one and the same target array to the library again and again, which a GPU "
          "copies (<em>copy</em>) and a CPU keeps by reference (<em>shared</em>), so that on a CPU every step of a "
          "window "
          "was trained towards the window's last frame. Here both are trained on every backend, from the same start "
          "weights.</p>\n",
          page);
    write_answer(page, &report->arms);
    fputs("<nav aria-label=\"Sections\"><a href=\"#run\">What was run</a><a href=\"#figures\">Figures</a>"
          "<a href=\"#tables\">Tables</a><a href=\"#machines\">Machines</a><a href=\"#gaps\">Left out</a>"
          "<a href=\"#behind\">What stands behind each number</a><a href=\"#methods\">How numbers are made</a></nav>\n"
          "</header>\n<main>\n",
          page);
}

/* "n cells in k settings; seeds 1 to 5; 20 measured, 0 emulated" of one group. */
static void write_run(FILE *page, const sb_group *group)
{
    size_t n_cells[2] = {0};
    long low = 0, high = 0;
    bool any = false;
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &group->setting[i].arm[t];
            if (arm->n == 0) continue;
            n_cells[group->setting[i].cell->emulated] += arm->n;
            if (!any || arm->cell[0]->seed < low) low = arm->cell[0]->seed;
            if (!any || arm->cell[arm->n - 1]->seed > high) high = arm->cell[arm->n - 1]->seed;
            any = true;
        }
    const sb_cell *cell = group->setting[0].cell;
    fputs("<dt>", page);
    sb_html_group(page, group);
    fprintf(page, "</dt><dd>%zu cells: %zu measured, %zu emulated; %zu setting%s; ", n_cells[0] + n_cells[1],
            n_cells[0], n_cells[1], group->n_settings, group->n_settings == 1 ? "" : "s");
    fprintf(page, low == high ? "seed %ld" : "seeds %ld to %ld", low, high);
    fprintf(page, "; %zu pairs of copy and shared; batch %ld, %ld updates", group->n_pairs, cell->batch, cell->updates);
    for (size_t i = 1; i < group->n_settings; i++)
        if (group->setting[i].cell->batch != cell->batch || group->setting[i].cell->updates != cell->updates) {
            fputs(" (others for some settings)", page);
            break;
        }
    fputs("</dd>\n", page);
}

static void write_gaps(FILE *page, const sb_notes *notes)
{
    fputs("<h2 id=\"gaps\">Left out</h2>\n", page);
    fputs(notes->n ? "<ul>\n" : "<p>Nothing: every arm has its partner, every run file was there.</p>\n", page);
    for (size_t i = 0; i < notes->n; i++) {
        fputs("<li>", page);
        sb_html_text(page, notes->text[i]);
        fputs("</li>\n", page);
    }
    if (notes->n) fputs("</ul>\n", page);
}

static void write_methods(FILE *page)
{
    fprintf(
        page,
        "<h2 id=\"methods\">How numbers are made</h2>\n<ul>\n"
        "<li>The final loss of a run is the mean of its logged losses over the last fifth of the updates: mean squared "
        "error of pixels in [0, 1], before the update. One run is one sample, whatever its length.</li>\n"
        "<li>Standard errors and intervals: percentile bootstrap over seeds, %d resamples, one fixed seed. With few "
        "seeds "
        "such intervals are too narrow: of 5 normal values a nominal 95 %% interval holds the mean in about 84 %% of "
        "cases.</li>\n"
        "<li>Pairs: two runs that differ in the target buffer alone and share their start weights. The ratio is the "
        "geometric mean over pairs, its interval resamples whole pairs.</li>\n"
        "<li>p: sign-flip permutation of the log ratios, two-sided, all choices of signs up to %d pairs. It is not "
        "corrected for the number of settings.</li>\n"
        "<li>Measured: computed by the hardware that the cell names. Emulated: computed with the kernel type and the "
        "number "
        "of threads of another machine. The two never share a number.</li>\n</ul>\n",
        SB_STATS_RESAMPLES, SB_STATS_EXACT_PAIRS);
}

static sb_status write_page(FILE *page, const sb_report *report, const char *figures)
{
    sb_html_count count = {0};
    const sb_arms *arms = &report->arms;
    write_head(page);
    write_header(page, report);
    fputs("<h2 id=\"run\">What was run</h2>\n<dl>\n", page);
    for (size_t i = 0; i < arms->n_groups; i++) write_run(page, &arms->group[i]);
    fputs("</dl>\n", page);
    for (size_t i = 0; i < arms->n_groups; i++) sb_html_settings(page, &arms->group[i], &count);
    fputs("<h2 id=\"figures\">Figures</h2>\n", page);
    SB_TRY(sb_html_figures(page, report, NULL, figures, &count));
    for (size_t i = 0; i < arms->n_groups; i++) SB_TRY(sb_html_figures(page, report, &arms->group[i], figures, &count));
    fputs("<h2 id=\"tables\">Tables</h2>\n", page);
    for (size_t i = 0; i < arms->n_groups; i++) {
        sb_html_pairs(page, &arms->group[i], &count);
        sb_html_arms(page, &arms->group[i], &count);
    }
    fputs("<h2 id=\"machines\">Machines</h2>\n", page);
    sb_html_machines(page, &report->facts, &count);
    write_gaps(page, &report->notes);
    fputs("<h2 id=\"behind\">What stands behind each number</h2>\n", page);
    sb_html_cells(page, report, &count);
    write_methods(page);
    fputs("</main>\n</body>\n</html>\n", page);
    return SB_OK;
}

sb_status sb_html_write(sb_report *report, const char *folder)
{
    char figures[SB_PATH_MAX], path[SB_PATH_MAX], *text = NULL;
    size_t n_bytes;
    SB_TRY(sb_path_join(figures, folder, "figures"));
    SB_TRY(sb_path_join(path, folder, "index.html"));
    SB_TRY(sb_run_facts(&report->facts, &report->results, &report->notes));
    SB_TRY(sb_report_draw(report, figures));
    FILE *page = open_memstream(&text, &n_bytes);
    if (!page) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    sb_status status = write_page(page, report, figures);
    bool whole = !ferror(page);
    whole = fclose(page) == 0 && whole;
    if (status == SB_OK && !whole) status = sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK) status = sb_file_write(path, text, n_bytes);
    free(text);
    return status;
}
