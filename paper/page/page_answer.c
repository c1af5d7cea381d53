/* The first screen, and the two tables that it rests on. */
#include "paper/page/page.h"

#include "paper/effects/measures.h"
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <stdio.h>
#include <string.h>

/* -- the first screen -- */

/* A number of a sentence leads to its entry. */
static void write_number(sb_writer *page, const char *label, const char *words)
{
    sb_write(page, "<a class=\"n\" href=\"#n-%s\" title=\"%s\">%s</a>", label, label, words);
}

/* How good the networks are: their loss divided by the loss of repeating the last frame, if it is known. */
static void write_learned(sb_writer *page, const sb_report *report)
{
    char label[SB_NUMBER_LABEL];
    const sb_claim_result *buffer = sb_claims_next_asked(&report->hardware, SB_ASKS_BUFFER, NULL);
    if (!buffer) return;
    snprintf(label, sizeof label, "%s.over-repeat-last.loss-last", buffer->part->of->group->part);
    const sb_number *number = sb_numbers_find(&report->numbers, label);
    if (!number) return;
    sb_write(page,
             "<p class=\"missing\">%s better than repeating the last frame. The networks of the first sentence have ",
             number->low > 1    ? "No compared network predicts"
             : number->high < 1 ? "All compared networks predict"
                                : "Not all compared networks predict");
    sb_page_entry(page, &report->numbers, SB_HTML_PRINTED, "%s", label);
    sb_write(page, " times the loss of that baseline (mean, smallest and largest)%s.</p>\n",
             number->low > 1 ? ": the results are of the beginning of a training" : "");
}

static bool has_setting(const sb_arms *arms, const char *label)
{
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++)
        for (size_t i = 0; i < group->n_settings; i++)
            if (strcmp(group->setting[i].label, label) == 0) return true;
    return false;
}

static bool has_registered(const sb_claims *claims)
{
    for (size_t i = 0; i < claims->n; i++)
        if (claims->result[i].n_registered) return true;
    return false;
}

/* The words of the first screen that a reader does not know yet. */
static void write_terms(sb_writer *page, const sb_report *report, const sb_question *question)
{
    const sb_claim_result *hardware = sb_claims_next_asked(&report->hardware, SB_ASKS_GPU, NULL);
    if (!hardware) hardware = sb_claims_next_asked(&report->hardware, SB_ASKS_CPU, NULL);
    sb_write(page, "<p class=\"terms quiet\">");
    if (has_setting(&report->arms, "native"))
        sb_write(
            page,
            "<b>native</b>: the arithmetic of our program, samebits: the same sums in the same order on every CPU. ");
    if (has_setting(&report->arms, "native-cuda")) sb_write(page, "<b>native-cuda</b>: the same arithmetic on a GPU. ");
    if (hardware && question->kind != SB_QUESTION_CLAIMS)
        sb_write(page, "<b>reference</b>: the setting that the other settings are compared with, here %s. ",
                 hardware->part->over->setting->label);
    if (sb_claims_next_asked(&report->hardware, SB_ASKS_BUFFER, NULL))
        sb_write(page,
                 "<b>target buffer</b>: the array of the frame to be predicted. Shared: one array for all frames of "
                 "a window, overwritten before the backward pass reads it. Copied: an array for each frame. ");
    sb_write(page, "<b>pair</b>: two runs with the same initial weights (the same seed). If a condition has several "
                   "runs of a seed, "
                   "which differ in a random order or by one rounding of one initial weight, their mean counts.");
    if (question->kind == SB_QUESTION_CLAIMS && question->n_judged)
        sb_write(page,
                 " <b>registered</b>: the claim was recorded in the run files before the training. Other claims are "
                 "weaker evidence, because the results could be known.%s",
                 has_registered(&report->claims) ? "" : " Here no claim was registered.");
    sb_write(page, "</p>\n");
}

/* More would push the figure off the first screen; they fold. */
enum { CLAIMS_OPEN = 8 };

static void write_claims(sb_writer *page, const sb_question *question)
{
    size_t i = 0;
    const bool folds = question->n_judged > CLAIMS_OPEN + 1;
    sb_write(page, "<div class=\"verdicts\">\n<ul>\n");
    for (const sb_claim_result *r = NULL; (r = sb_question_next(question, r)); i++) {
        if (folds && i == CLAIMS_OPEN)
            sb_write(page, "</ul>\n<details><summary>%zu more claims</summary>\n<ul>\n", question->n_judged - i);
        sb_write(page, "<li>");
        sb_question_write_claim(page, r, write_number);
        sb_write(page, "</li>\n");
    }
    sb_write(page, folds ? "</ul>\n</details>\n</div>\n" : "</ul>\n</div>\n");
}

sb_status sb_page_first_screen(sb_writer *page, const sb_report *report, const sb_question *question,
                               const char *folder, sb_page_count *count)
{
    const bool claims = question->kind == SB_QUESTION_CLAIMS;
    sb_write(page, "<header class=\"first\">\n<h1>%s</h1>\n<p class=\"answer\">", question->text);
    sb_question_write_answer(page, question, write_number);
    sb_write(page, "</p>\n");
    write_learned(page, report);
    write_terms(page, report, question);
    if (question->n_judged) write_claims(page, question);
    if (sb_question_has_gaps(question)) {
        sb_write(page, "<p class=\"missing\">");
        sb_question_write_gaps(page, question);
        sb_write(page, "</p>\n");
    }
    SB_TRY(sb_page_figures(page, report, claims ? SB_SECTION_VERDICTS : SB_SECTION_ANSWER, NULL, folder, count));
    sb_write(page, "</header>\n");
    return SB_OK;
}

/* -- the tables -- */

static void write_study(sb_writer *page, const sb_group *group, bool begins)
{
    sb_write(page, begins ? "<tr class=\"begins\" data-study=\"%s\">" : "<tr data-study=\"%s\">", group->part);
    sb_write(page, "<td class=\"word\"><a href=\"#study-%s\">", group->part);
    sb_page_group(page, group);
    sb_write(page, "</a></td>");
}

/* A row for each loss. */
static void write_pair_rows(sb_writer *page, const sb_numbers *numbers, const sb_finding *c)
{
    static const struct {
        sb_page_part part;
        const char *suffix;
    } cells[] = {
        {SB_HTML_PRINTED, ""}, {SB_HTML_PRINTED, ".median"}, {SB_HTML_PRINTED, ".without-one"}, {SB_HTML_P, ""}};
    const sb_configuration *setting = c->of->setting;
    char words[SB_FIGURE_WORDS];
    if (setting->twin) return;
    sb_figure_words(c->of->group, setting, words);
    for (int m = 0; m < sb_figure_n_metrics(c->of->group); m++) {
        write_study(page, c->of->group, m == 0);
        sb_write(page, "<td>%s</td>", words);
        sb_page_evidence(page, setting->cell);
        sb_page_whole(page, (long)setting->n_pairs);
        sb_page_word(page, sb_figure_metric_title(c->of->group, m));
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
            sb_page_entry_cell(page, numbers, cells[k].part, "%s.%s.shared-over-copy.%s%s", c->of->group->part,
                               setting->part, sb_metric_part[m], cells[k].suffix);
        sb_write(page, "</tr>\n");
    }
}

/* What the chance of the published figure means: from 5 % on it is no surprise. */
static const char *separation_words(double chance)
{
    return chance >= SB_STATS_ALPHA ? "So the buffer alone can produce the published figure."
                                    : "So the buffer alone is an unlikely cause of the published figure.";
}

/* The published figure under the most important of these effects, where that is of the published size: a smaller
 * network says nothing of it. */
static void write_separation(sb_writer *page, const sb_report *report)
{
    char label[SB_NUMBER_LABEL + 16];
    const sb_finding *buffer = sb_claims_next_asked(&report->hardware, SB_ASKS_BUFFER, NULL)->part;
    if (!sb_recipe_has_published_size(buffer->of->cell[0])) return;
    snprintf(label, sizeof label, "%s.separated", buffer->label);
    const sb_number *chance = sb_numbers_find(&report->numbers, label);
    if (!chance) return;
    sb_write(
        page,
        "<p>In the figure of the study (arXiv 2109.01451) each of %d CPUs is above each of %d GPUs; if its CPU runs "
        "shared the buffer and its GPU runs copied it, with the effect of the buffer in the first row and another seed "
        "for each machine, the chance of this order is ",
        SB_PUBLISHED_CPUS, SB_PUBLISHED_GPUS);
    sb_page_entry(page, &report->numbers, SB_HTML_PRINTED, "%s", label);
    sb_write(
        page,
        ": the first value assumes normally distributed logarithms of the losses, the second draws from these runs. "
        "Without any difference the chance is %.3f. %s</p>\n",
        sb_separation_by_chance(SB_PUBLISHED_CPUS, SB_PUBLISHED_GPUS), separation_words(chance->value));
}

static void write_pairs(sb_writer *page, const sb_report *report, sb_page_count *count)
{
    static const char *const heading[] = {"study",   "setting",       "evidence", "#pairs", "of", "#shared / copied",
                                          "#median", "#one left out", "#p",       NULL};
    if (!sb_claims_next_asked(&report->hardware, SB_ASKS_BUFFER, NULL)) return;
    sb_page_caption(page, count);
    sb_write(page,
             "The target buffer: the final loss with the shared target divided by the loss with the copied target, in "
             "pairs of runs with the same initial weights. Columns: the geometric mean of the ratios with its 95 %% "
             "interval "
             "(from %d pairs on), the median pair, the range of the mean when any one pair is left out, and p of the "
             "two-sided sign-flip test, not adjusted. Six pairs give no p below 0.0312. Settings with the same bits "
             "share a row.",
             SB_STATS_INTERVAL_RUNS);
    sb_page_table(page, "pairs", count, heading);
    for (const sb_claim_result *r = NULL; (r = sb_claims_next_asked(&report->hardware, SB_ASKS_BUFFER, r));)
        write_pair_rows(page, &report->numbers, r->part);
    sb_page_table_end(page);
    write_separation(page, report);
}

static void write_hardware_row(sb_writer *page, const sb_numbers *numbers, const sb_finding *c)
{
    char names[SB_FINDING_NAMES];
    sb_finding_names(c, names);
    write_study(page, c->of->group, false);
    sb_write(page, "<td>%s / %s</td>", names, c->over->setting->label);
    sb_page_word(page, sb_evidence_name[sb_finding_evidence(c)]);
    sb_page_whole(page, (long)c->verdict.n);
    sb_page_entry_cell(page, numbers, SB_HTML_PRINTED, "%s", c->label);
    sb_page_entry_cell(page, numbers, SB_HTML_P, "%s", c->label);
    sb_write(page, "<td><b>%s</b>: %s</td></tr>\n", sb_verdict_name[c->verdict.word], c->verdict.reason);
}

static void write_hardware(sb_writer *page, const sb_report *report, sb_page_count *count)
{
    static const char *const heading[] = {
        "study", "hardware / reference", "evidence", "#pairs", "#ratio", "#p", "verdict", NULL};
    const sb_claims *asked = &report->hardware;
    if (!sb_claims_next_asked(asked, SB_ASKS_GPU, NULL) && !sb_claims_next_asked(asked, SB_ASKS_CPU, NULL)) return;
    sb_page_caption(page, count);
    sb_write(page,
             "The hardware: the final last-frame loss divided by the loss of the reference of the same study, "
             "both with the copied target. An emulated CPU is OpenBLAS with that CPU's kernels and number of threads, "
             "on another CPU. Settings in one row have the same bits. The column p is not "
             "adjusted; the verdict adjusts p for all hardware of a study. The claims below adjust p for all "
             "claims of their question, and their outcome counts.");
    sb_page_table(page, "hardware", count, heading);
    for (int kind = SB_ASKS_GPU; kind <= SB_ASKS_CPU; kind++)
        for (const sb_claim_result *r = NULL; (r = sb_claims_next_asked(asked, kind, r));)
            write_hardware_row(page, &report->numbers, r->part);
    sb_page_table_end(page);
}

sb_status sb_page_compared(sb_writer *page, const sb_report *report, const sb_question *question, const char *folder,
                           sb_page_count *count)
{
    sb_write(page, "<section id=\"compared\">\n<h2>What was compared</h2>\n");
    if (question->kind == SB_QUESTION_CLAIMS)
        SB_TRY(sb_page_figures(page, report, SB_SECTION_ANSWER, NULL, folder, count));
    write_pairs(page, report, count);
    SB_TRY(sb_page_figures(page, report, SB_SECTION_COMPARED, NULL, folder, count));
    write_hardware(page, report, count);
    if (sb_claims_parts(&report->hardware) == 0)
        sb_write(page, "<p>Nothing was compared. <a href=\"#gaps\">Left out</a> says why.</p>\n");
    sb_write(page, "</section>\n");
    return SB_OK;
}
