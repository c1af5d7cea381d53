/* The studies, the most important first: each folds, and the first one is open. */
#include "paper/page/page.h"

#include "core/text/plural.h"
#include "paper/effects/measures.h"
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"

#include <math.h>

/* -- what the filters read -- */

static void write_network(sb_writer *page, const sb_result *cell)
{
    sb_write(page, "%s %s", cell->model, sb_recipe_units(cell));
}

static void write_row(sb_writer *page, const sb_configuration *setting, int t, bool begins)
{
    sb_write(page, "<tr data-setting=\"%s\"", setting->label);
    if (t >= 0) sb_write(page, " data-arm=\"%s\"", sb_target_name[t]);
    sb_write(page, begins ? " class=\"begins\">" : ">");
}

/* -- tables -- */

/* A row for each loss; the times are the run's in each row. */
static void write_arm(sb_writer *page, const sb_numbers *numbers, const sb_group *group,
                      const sb_configuration *setting, int t, bool begins)
{
    static const char *const part[] = {"", ".sd", ".min", ".max"};
    for (int m = 0; m < sb_figure_n_metrics(group); m++) {
        write_row(page, setting, t, begins && m == 0);
        sb_page_word(page, setting->label);
        sb_page_evidence(page, setting->cell);
        sb_page_word(page, sb_target_name[t]);
        sb_page_whole(page, (long)setting->arm[t].n);
        sb_page_word(page, sb_figure_metric_title(group, m));
        for (size_t k = 0; k < sizeof part / sizeof *part; k++)
            sb_page_entry_cell(page, numbers, SB_HTML_VALUE, "%s.%s.%s.%s%s", group->part, setting->part,
                               sb_target_name[t], sb_metric_part[m], part[k]);
        if (sb_recipe_classifies(setting->cell))
            sb_page_entry_cell(page, numbers, SB_HTML_PRINTED, "%s.%s.%s.accuracy", group->part, setting->part,
                               sb_target_name[t]);
        sb_page_entry_cell(page, numbers, SB_HTML_VALUE, "%s.%s.%s.seconds", group->part, setting->part,
                           sb_target_name[t]);
        sb_write(page, "</tr>\n");
    }
}

/* A row for each rule that learns nothing. */
static void write_baselines(sb_writer *page, const sb_report *report, const sb_group *group)
{
    for (int id = 0; id < SB_N_BASELINES; id++)
        for (int m = 0; m < sb_figure_n_metrics(group); m++) {
            if (isnan(sb_group_baseline(group, &report->results.baselines, (sb_baseline_id)id, (sb_metric)m))) continue;
            sb_write(page, id == 0 && m == 0 ? "<tr class=\"begins\">" : "<tr>");
            sb_page_word(page, sb_baseline_name[id]);
            for (int i = 0; i < 2; i++) sb_page_word(page, "–"); /* no evidence, no target */
            sb_page_word(page, "–");
            sb_page_word(page, sb_figure_metric_title(group, m));
            sb_page_entry_cell(page, &report->numbers, SB_HTML_VALUE, "%s.baseline.%s.%s", group->part,
                               sb_baseline_name[id], sb_metric_part[m]);
            for (int i = 0; i < 4; i++) sb_page_word(page, "–");
            sb_write(page, "</tr>\n");
        }
}

/* Whether the networks have learned to predict at all. */
static void write_against_repeat(sb_writer *page, const sb_report *report, const sb_group *group)
{
    sb_number label;
    sb_number_label(&label, "%s.over-%s.%s", group->part, sb_baseline_name[SB_BASELINE_REPEAT],
                    sb_metric_part[SB_METRIC_LAST]);
    const sb_number *n = sb_numbers_find(&report->numbers, label.label);
    if (!n) return;
    sb_write(page, n->low > 1    ? "<p>Every run predicts worse than repeating the last frame"
                   : n->high < 1 ? "<p>Every run predicts better than repeating the last frame"
                                 : "<p>Some runs predict better than repeating the last frame, others worse");
    sb_write(page, ". Ratio of the last-frame losses, mean and range of the runs: ");
    sb_page_entry(page, &report->numbers, SB_HTML_PRINTED, "%s", label.label);
    sb_write(page, ".</p>\n");
}

static void write_arms(sb_writer *page, const sb_report *report, const sb_group *group, sb_page_count *count)
{
    static const char *const heading[] = {
        "setting or rule", "evidence", "target", "#runs", "loss", "#mean", "#sd", "#min", "#max", "#seconds", NULL};
    static const char *const of_classes[] = {"setting or rule", "evidence", "target", "#runs", "loss",
                                             "#mean",           "#sd",      "#min",   "#max",  "#% right",
                                             "#seconds",        NULL};
    const sb_result *cell = group->setting[0].cell;
    const bool classifies = sb_recipe_classifies(cell);
    sb_page_caption(page, count);
    sb_page_group(page, group);
    sb_write(page, ": final loss of each condition over its seeds (%s; sd: standard deviation), ", sb_recipe_loss_words(cell));
    if (classifies) sb_write(page, "percent of the %s right (mean and range), ", sb_recipe_classified(cell));
    sb_write(page, "and mean time of a run.");
    if (!isnan(sb_group_baseline(group, &report->results.baselines, SB_BASELINE_REPEAT, SB_METRIC_LAST)))
        sb_write(page, " The last rows are rules that learn nothing.");
    sb_page_table(page, "arms", count, classifies ? of_classes : heading);
    for (size_t i = 0; i < group->n_settings; i++) {
        bool begins = i > 0;
        for (int t = 0; t < SB_N_TARGETS; t++) {
            if (group->setting[i].arm[t].n == 0) continue;
            write_arm(page, &report->numbers, group, &group->setting[i], t, begins);
            begins = false;
        }
    }
    write_baselines(page, report, group);
    sb_page_table_end(page);
}

static void write_settings(sb_writer *page, const sb_group *group, sb_page_count *count)
{
    static const char *const heading[] = {"setting",     "backend",  "arithmetic", "hardware", "evidence",
                                          "kernel type", "#threads", "#batch",     "#updates", NULL};
    sb_page_caption(page, count);
    sb_page_group(page, group);
    sb_write(page, ": what the settings are.");
    sb_page_table(page, "settings", count, heading);
    for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        const sb_result *cell = setting->cell;
        write_row(page, setting, -1, false);
        sb_page_word(page, setting->label);
        sb_page_word(page, cell->backend);
        sb_page_word(page, cell->arithmetic);
        sb_page_word(page, cell->hardware);
        sb_page_evidence(page, cell);
        sb_page_word(page, *cell->blas_kernel ? cell->blas_kernel : "–");
        sb_page_whole(page, cell->threads);
        sb_page_whole(page, cell->batch);
        sb_page_whole(page, cell->updates);
        sb_write(page, "</tr>\n");
    }
    sb_page_table_end(page);
}

/* -- a study -- */

static size_t count_runs(const sb_group *group, sb_evidence evidence)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS && group->setting[i].cell->evidence == evidence; t++)
            n += group->setting[i].arm[t].n;
    return n;
}

/* "A", ..., "Z", "AA": a study's figures and tables are numbered by themselves, because most studies are folded. */
static void name_study(sb_page_count *count, size_t i)
{
    *count = (sb_page_count){0};
    char *at = count->study;
    if (i >= 26) *at++ = (char)('A' + (i / 26 - 1) % 26);
    *at = (char)('A' + i % 26);
}

/* One line that says what is inside, and the effect of its first setting with pairs. */
static void write_summary(sb_writer *page, const sb_group *group, const sb_page_count *count)
{
    char recipe[96];
    size_t n_runs = 0;
    for (sb_evidence e = 0; e < SB_N_EVIDENCES_OF_RUNS; e++) n_runs += count_runs(group, e);
    sb_recipe_text(group->setting[0].cell, recipe, sizeof recipe);
    sb_write(page, "<summary>%s. <b>%s</b> <span class=\"quiet\">%s; ", count->study, group->study, recipe);
    if (group->n_settings > 1) sb_write(page, "%zu settings, ", group->n_settings);
    sb_write(page, "%zu run%s", n_runs, sb_plural(n_runs));
    for (sb_evidence e = SB_EVIDENCE_EMULATED; e < SB_N_EVIDENCES_OF_RUNS; e++)
        if (count_runs(group, e)) sb_write(page, ", %zu %s", count_runs(group, e), sb_evidence_name[e]);
    sb_write(page, "</span>");
    for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        if (setting->n_pairs == 0) continue;
        char text[SB_RATIO_TEXT];
        sb_stats_ratio_text(&setting->effect[SB_METRIC_LAST], text);
        sb_write(page, " <span class=\"effect\">shared / copied %s</span>", text);
        break;
    }
    sb_write(page, "</summary>\n");
}

static sb_status write_study(sb_writer *page, const sb_report *report, const sb_group *group, bool open,
                             const char *folder, sb_page_count *count)
{
    const bool several = sb_figure_count(group) > 1; /* of one setting, Table 1 and the final losses show the effect */
    const sb_result *cell = group->setting[0].cell;
    sb_write(page, "<details class=\"study\" id=\"study-%s\" data-network=\"", group->part);
    write_network(page, cell);
    sb_write(page, open ? "\" open=\"open\">\n" : "\">\n");
    write_summary(page, group, count);
    if (group->n_settings == 1)
        sb_write(page, "<p>One setting: %s, arithmetic %s, hardware %s, %ld thread%s, batch %ld.</p>\n", cell->backend,
                 cell->arithmetic, cell->hardware, cell->threads, sb_plural((size_t)cell->threads), cell->batch);
    write_against_repeat(page, report, group);
    if (several) SB_TRY(sb_page_figures(page, report, SB_SECTION_EFFECT, group, folder, count));
    SB_TRY(sb_page_figures(page, report, SB_SECTION_STUDY, group, folder, count));
    SB_TRY(sb_page_frames(page, report, group, folder, count));
    write_arms(page, report, group, count);
    if (group->n_settings > 1) write_settings(page, group, count);
    sb_write(page, "</details>\n");
    return SB_OK;
}

sb_status sb_page_studies(sb_writer *page, const sb_report *report, const char *folder)
{
    const sb_ranking *ranking = &report->ranking;
    sb_write(page, "<section id=\"studies\">\n<h2>Studies</h2>\n<p>%zu stud%s", ranking->n,
             ranking->n == 1 ? "y" : "ies");
    if (sb_claims_parts(&report->hardware)) sb_write(page, ", the network of the published size first");
    sb_write(page, ".</p>\n<div class=\"filter\" role=\"group\" "
                   "aria-label=\"Filter of studies and runs\" hidden=\"hidden\"></div>\n");
    for (size_t i = 0; i < ranking->n; i++) {
        sb_page_count count;
        name_study(&count, i);
        SB_TRY(write_study(page, report, ranking->group[i], i == 0, folder, &count));
    }
    sb_write(page, "</section>\n");
    return SB_OK;
}
