#define _POSIX_C_SOURCE 200809L
#include "paper/html.h"

#include "core/plural.h"
#include "paper/html_parts.h"
#include "paper/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the margin of every printed page; a stamp is made of our own words, without a quote. */
static void write_print_stamp(FILE *page, const char *stamp)
{
    if (*stamp)
        fprintf(page, "@page{@top-center{content:\"%s\";font:600 8pt Helvetica,Arial,'Liberation Sans',sans-serif}}\n",
                stamp);
}

static void write_head(FILE *page, const char *stamp)
{
    fprintf(page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>samebits: does the hardware you train on change what the network learns?</title>\n"
            "<style>\n%s",
            sb_html_css);
    write_print_stamp(page, stamp);
    fputs("</style>\n</head>\n<body>\n", page);
}

/* What is wrong with the results stays in sight. */
static void write_stamp(FILE *page, const sb_condition *condition)
{
    if (!*condition->stamp) return;
    fputs("<p class=\"stamp\">This report was ", page);
    sb_html_text(page, condition->stamp);
    fputs(": <a href=\"#gaps\">what is wrong</a></p>\n", page);
}

static void write_contents(FILE *page, const sb_report *report)
{
    const sb_arms *arms = &report->arms;
    fputs("<nav aria-label=\"Contents\">\n<a href=\"#studies\">Studies</a>", page);
    if (report->claims.n) fputs(" <a href=\"#claims\">Claims</a>", page);
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        fprintf(page, " <a class=\"study\" href=\"#study-%s\">", group->part);
        sb_html_group(page, group);
        fputs("</a>", page);
    }
    fputs(" <a href=\"#all\">All studies together</a>", page);
    if (report->published.n) fputs(" <a href=\"#published\">Published by others</a>", page);
    fputs(" <a href=\"#machines\">Machines</a> <a href=\"#gaps\">Left out</a> <a href=\"#methods\">How numbers are "
          "made</a> <a href=\"#numbers\">Where every number comes from</a> <a href=\"#runs\">Every run</a>\n</nav>\n",
          page);
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
    sb_html_answer(page, report);
    write_contents(page, report);
    fputs("</header>\n<main>\n", page);
}

static void write_methods(FILE *page)
{
    fprintf(
        page,
        "<section id=\"methods\">\n<h2>How numbers are made</h2>\n<ul>\n"
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
        "of threads of another machine. No arm mixes the two; a number made from both, such as a spread, is called "
        "emulated.</li>\n"
        "<li>Claims: an arm held against another of the same recipe by a rule that was fixed beforehand: same bits, "
        "equivalent "
        "within the margin of an ensemble of runs whose start weights differ by one rounding, different, or "
        "undetermined. Where a "
        "side could only come from hardware that was not there, nothing is guessed.</li>\n</ul>\n</section>\n",
        SB_STATS_RESAMPLES, SB_STATS_EXACT_PAIRS);
}

/* Folded: every number and every run are many rows that few readers want at once. */
static void write_behind(FILE *page, const sb_report *report, sb_html_count *count)
{
    fputs("<section id=\"numbers\">\n<h2>Where every number comes from</h2>\n<p>Every number in a table or sentence "
          "above "
          "has a label, which shows when the pointer rests on it; a click leads here. "
          "<code>samebits-report trace LABEL</code> prints the same, with what each run contributes.</p>\n",
          page);
    sb_html_register(page, &report->numbers);
    fputs("</section>\n<section id=\"runs\">\n<h2>Every run</h2>\n", page);
    fprintf(page, "<details class=\"runs\"><summary>%zu run%s</summary>\n", report->results.n_cells,
            sb_plural(report->results.n_cells));
    sb_html_cells(page, report, count);
    fputs("</details>\n</section>\n", page);
}

static sb_status write_page(FILE *page, const sb_report *report, const char *figures)
{
    sb_html_count count = {0};
    const sb_arms *arms = &report->arms;
    write_head(page, report->condition.stamp);
    write_stamp(page, &report->condition);
    write_header(page, report);
    fputs("<section id=\"studies\">\n<h2>Studies</h2>\n", page);
    sb_html_studies(page, report, &count);
    fputs("</section>\n", page);
    sb_html_claims(page, report, &count);
    for (size_t i = 0; i < arms->n_groups; i++) SB_TRY(sb_html_study(page, report, &arms->group[i], figures, &count));
    fputs("<section id=\"all\">\n<h2>All studies together</h2>\n", page);
    SB_TRY(sb_html_figures(page, report, NULL, figures, &count));
    sb_html_spread(page, report, &count);
    fputs("</section>\n", page);
    sb_html_published(page, report, &count);
    fputs("<section id=\"machines\">\n<h2>Machines</h2>\n", page);
    sb_html_machines(page, &report->facts, &count);
    fputs("</section>\n", page);
    sb_html_gaps(page, report);
    write_methods(page);
    write_behind(page, report, &count);
    fprintf(page, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", sb_html_script);
    return SB_OK;
}

sb_status sb_html_write(sb_report *report, const char *folder)
{
    char figures[SB_PATH_MAX], path[SB_PATH_MAX], *text = NULL;
    size_t n_bytes;
    SB_TRY(sb_path_join(figures, folder, "figures"));
    SB_TRY(sb_path_join(path, folder, "index.html"));
    SB_TRY(sb_run_facts(&report->facts, &report->results, report->folder, &report->notes));
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
