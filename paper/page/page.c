#include "paper/page/page.h"

#include "core/hash.h"
#include "core/text/plural.h"
#include "paper/figures/style.h"
#include "paper/files/latex.h"
#include "paper/files/output.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One column of text; figures and tables may be wider. Above 68rem the figure of the first screen is next to the
 * answer; below 46rem a row of a table is a card with each value next to its heading (page_text.c), and figures are
 * the narrow ones. The colours of figures come from style.c. */
static const sb_raw css = {
#include "page.css.h"
};

/* A click on a heading sorts by its column, a second one the other way round; numbers as numbers, the rest as text,
 * equal ones as they stood. A link into something folded unfolds it, printing unfolds the studies. Filters show the
 * studies, arms and runs of a network, setting or target. A point says its value and run at once, and a click on it
 * leads to the run. For the keyboard a picture is one stop: arrows, Home and End lead from point to point, Enter leads
 * to the run, Escape closes what is said. Without '<' and '&', so that the page stays XML. */
static const sb_raw script = {
#include "page.js.h"
};

/* In the margin of every printed page; a stamp is made of our own words, none of which CSS reads otherwise. */
static void write_print_stamp(sb_writer *page, const char *stamp)
{
    if (*stamp)
        sb_write(page, "@page{@top-center{content:\"%s\";font:600 8pt Helvetica,Arial,'Liberation Sans',sans-serif}}\n",
                 stamp);
}

/* A second protection, in addition to the writer: the browser loads nothing from other places, and runs only this
 * page's own script, whose SHA-256 is given. */
static void write_policy(sb_writer *page)
{
    uint8_t digest[SB_SHA256_SIZE];
    sb_sha256_digest(script.markup, strlen(script.markup), digest);
    sb_write(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                   "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src 'sha256-");
    sb_page_base64(page, digest, sizeof digest);
    sb_write(page, "'\"/>\n");
}

void sb_page_begin(sb_writer *page, const char *title, const char *stamp)
{
    sb_write(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    write_policy(page);
    sb_write(page, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    sb_write(page, "<title>samebits: %s</title>\n", title);
    sb_write(page, "<style>\n/*<![CDATA[*/\n");
    sb_write_raw(page, css);
    sb_write(page, "@media screen and (prefers-color-scheme:dark){\n");
    sb_style_dark(page, SB_RAW(".card "));
    sb_write(page, "}\n");
    write_print_stamp(page, stamp);
    sb_write(page, "/*]]>*/\n</style>\n</head>\n<body>\n");
}

/* What is wrong with the results stays in sight. */
void sb_page_stamp(sb_writer *page, const char *stamp)
{
    if (!*stamp) return;
    sb_write(
        page,
        "<aside class=\"stamp\" aria-label=\"State of these results\">This report was %s: <a href=\"#gaps\">what is "
        "wrong</a></aside>\n",
        stamp);
}

void sb_page_end(sb_writer *page)
{
    sb_write(page, "</main>\n<script>");
    sb_write_raw(page, script);
    sb_write(page, "</script>\n</body>\n</html>\n");
}

/* In the middle of a line; a question of others may begin with a name. */
static void begin(sb_writer *page, const sb_question *question, const char *stamp)
{
    char title[sizeof question->text];
    snprintf(title, sizeof title, "%s", question->text);
    if (question->kind == SB_QUESTION_HARDWARE) *title = (char)tolower((unsigned char)*title);
    sb_page_begin(page, title, stamp);
    sb_page_stamp(page, stamp);
}

/* Whether any two runs differ in one thing alone. */
static bool has_spread(const sb_report *report)
{
    for (size_t i = 0; i < report->spreads.n; i++)
        for (int source = 0; source < SB_N_SOURCES; source++)
            if (report->spreads.spread[i].row[source].n_pairs) return true;
    return report->distances.n > 0;
}

static bool has_generations(const sb_report *report)
{
    return report->generations.n > 0;
}

static bool has_batches(const sb_report *report)
{
    return report->batches.n > 0;
}

static bool has_layer_rates(const sb_report *report)
{
    return sb_trust_ratios_vary(&report->trust);
}

/* Sections that some results have: figures, and after them a table. */
static const struct section {
    const char *id, *entry, *title; /* entry: of the contents */
    sb_figure_section figures;
    bool (*is_there)(const sb_report *report);
    void (*table)(sb_writer *page, const sb_report *report, sb_page_count *count); /* NULL: none */
} sections[] = {
    {"spread-by-source", "Where differences come from", "Where differences come from", SB_SECTION_SPREAD, has_spread,
     sb_page_spread},
    {"generations", "Generations", "Generations without gradients", SB_SECTION_GENERATIONS, has_generations, NULL},
    {"batch-sizes", "Batches", "Batches and optimizers", SB_SECTION_BATCHES, has_batches, sb_page_batches},
    {"layer-rates", "Ratios of layers", "Learning rates of the layers", SB_SECTION_LAYERS, has_layer_rates, NULL},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* Buffers and hardware: what another question compares, its claims say. */
static bool has_compared(const sb_report *report, const sb_question *question)
{
    return question->kind == SB_QUESTION_HARDWARE || sb_claims_parts(&report->hardware) > 0;
}

static void write_contents(sb_writer *page, const sb_report *report, const sb_question *question)
{
    sb_write(page, "<nav aria-label=\"Contents\">\n");
    if (question->kind == SB_QUESTION_HARDWARE) sb_write(page, "<a href=\"#question\">Question</a> ");
    if (has_compared(report, question)) sb_write(page, "<a href=\"#compared\">What was compared</a> ");
    if (report->claims.n) sb_write(page, "<a href=\"#claims\">Claims</a> ");
    sb_write(page, "<a href=\"#studies\">Studies</a> ");
    for (const struct section *section = sections; section < sections + N_SECTIONS; section++)
        if (section->is_there(report)) sb_write(page, "<a href=\"#%s\">%s</a> ", section->id, section->entry);
    sb_write(page, "<a href=\"#gaps\">Left out</a> <a href=\"#methods\">How numbers are made</a> "
                   "<a href=\"#numbers\">Where every number comes from</a> <a href=\"#runs\">Every run</a>\n</nav>\n");
}

/* Where the question of the hardware comes from. */
static void write_question(sb_writer *page)
{
    sb_write(
        page,
        "<section id=\"question\">\n"
        "<h2>The question</h2>\n"
        "<p>A published and later retracted study reported that PredNet ends with a higher loss on CPUs than on "
        "GPUs. The retraction suspects a bug and does not name it. We found a candidate in the published scripts and "
        "checked it with their library, Chainer: all frames of a window (20) share one target buffer. On a GPU the "
        "library copies the target (<em>copy</em>). On a CPU it keeps a reference (<em>shared</em>), so the gradient "
        "of every step is for the last frame of the window. Every loss is computed "
        "with the right frame; the gradients alone change. Here each setting trains both, from the same initial "
        "weights.</p>\n"
        "</section>\n");
}

static void write_methods(sb_writer *page)
{
    sb_write(
        page,
        "<details id=\"methods\"><summary>How numbers are made</summary>\n"
        "<ul>\n"
        "<li>The final loss of a run is the mean of its losses over the last fifth of the updates, each "
        "before its update: of predicted images the mean squared error of pixels in [0, 1], of classes and tokens "
        "the cross-entropy. One run is one sample.</li>\n"
        "<li>Intervals: 95 %%, Student's t over seeds, wider for skewed values (Hall 1992). In simulations of 5 "
        "to 10 normal, skewed and heavy-tailed values they contain the mean in 93 to 98 %% of the cases. With "
        "fewer than %d values there is no interval.</li>\n"
        "<li>Pairs: two runs with the same initial weights that differ only in the target buffer. The ratio is "
        "the geometric mean over the pairs. Its interval is computed from the logarithms.</li>\n"
        "<li>p: two-sided sign-flip permutation test of the log ratios, exact up to %d pairs. It is not adjusted "
        "for the number of settings.</li>\n"
        "<li>Measured: computed by the hardware that the cell names. Emulated: computed with the kernel type and "
        "the number of threads of another machine. Imitated: computed on a CPU with rules of a GPU, such as sums "
        "in a random order. A group of runs has one kind of evidence. A comparison of two groups has the later kind "
        "in this order.</li>\n"
        "<li>Claims: a rule compares two conditions of the same recipe. Each claim says whether it was "
        "registered before its runs. The verdict is same bits, equivalent, different or undetermined. The margin "
        "of equivalence comes from runs in which one initial weight is one rounding larger (a one-ulp ensemble). A "
        "claim whose hardware was "
        "missing is not judged.</li>\n"
        "</ul>\n"
        "</details>\n",
        SB_STATS_INTERVAL_RUNS, SB_STATS_EXACT_PAIRS);
}

/* Folded: many rows that few readers want at once. */
static sb_status write_behind(sb_writer *page, const sb_report *report, const char *figures, sb_page_count *count)
{
    sb_write(page,
             "<section id=\"behind\">\n"
             "<h2>Details</h2>\n"
             "<p>This file holds all text, tables and figures; it needs no network. The links to data, scripts, "
             "SVG and PDF lead to the folder <code>figures</code> next to it.</p>\n"
             "<details id=\"numbers\"><summary>Where every number comes from: %zu numbers with formula, runs and "
             "command</summary>\n"
             "<p>Every number above has a label. The label appears under the pointer, and a click leads "
             "here.</p>\n",
             report->numbers.n);
    sb_page_register(page, report);
    sb_write(page, "</details>\n");
    write_methods(page);
    sb_write(page, "<details id=\"runs\"><summary>Every run: %zu</summary>\n", report->results.n_cells);
    sb_page_cells(page, report, count);
    sb_write(page, "</details>\n<details id=\"machines\"><summary>");
    if (report->facts.n_runs)
        sb_write(page, "The machines, as %zu run file%s describe%s them", report->facts.n_runs,
                 sb_plural(report->facts.n_runs), report->facts.n_runs == 1 ? "s" : "");
    else
        sb_write(page, "The machines: there are no run files to describe them");
    sb_write(page, "</summary>\n");
    sb_page_machines(page, &report->facts, count);
    sb_write(page, "</details>\n<details id=\"networks\"><summary>The networks</summary>\n");
    SB_TRY(sb_page_figures(page, report, SB_SECTION_NETWORKS, NULL, figures, count));
    sb_write(page, "</details>\n");
    sb_page_published(page, report, count);
    sb_write(page, "</section>\n");
    return SB_OK;
}

static sb_status write_main(sb_writer *page, const sb_report *report, const sb_question *question, const char *figures,
                            sb_page_count *count)
{
    if (question->kind == SB_QUESTION_HARDWARE) write_question(page);
    if (has_compared(report, question)) SB_TRY(sb_page_compared(page, report, question, figures, count));
    sb_page_claims(page, report, count);
    SB_TRY(sb_page_studies(page, report, figures));
    for (const struct section *section = sections; section < sections + N_SECTIONS; section++) {
        if (!section->is_there(report)) continue;
        sb_write(page, "<section id=\"%s\">\n<h2>%s</h2>\n", section->id, section->title);
        SB_TRY(sb_page_figures(page, report, section->figures, NULL, figures, count));
        if (section->table) section->table(page, report, count);
        sb_write(page, "</section>\n");
    }
    sb_page_gaps(page, &report->condition, &report->notes);
    return write_behind(page, report, figures, count);
}

static sb_status write_page(sb_writer *page, const sb_report *report, const char *figures)
{
    const sb_question question = sb_question_of(&report->claims, &report->hardware, &report->arms);
    sb_page_count count = {0};
    begin(page, &question, report->condition.stamp);
    SB_TRY(sb_page_first_screen(page, report, &question, figures, &count));
    write_contents(page, report, &question);
    sb_write(page, "<main>\n");
    SB_TRY(write_main(page, report, &question, figures, &count));
    sb_page_end(page);
    return SB_OK;
}

/* Each figure as PDF too, where the program for it is; where it is not, the page has no such links and a note. */
static sb_status print_figures(sb_report *report, const char *folder)
{
    for (size_t i = 0; i < report->figures.n; i++) {
        sb_status status = sb_latex_picture(folder, report->figures.figure[i].name);
        if (status == SB_E_MISSING) return sb_notes_add(&report->notes, "the figures as PDF: %s", sb_message());
        SB_TRY(status);
    }
    return SB_OK;
}

sb_status sb_page_write(sb_report *report, const char *folder)
{
    char figures[SB_PATH_MAX];
    sb_output output;
    SB_TRY(sb_path_join(figures, folder, "figures"));
    SB_TRY(sb_report_read_facts(report));
    SB_TRY(sb_report_draw(report, figures));
    SB_TRY(print_figures(report, figures));
    SB_TRY(sb_output_begin(&output, folder, "index.html", &sb_html));
    return sb_output_end(&output, write_page(output.out, report, figures));
}
