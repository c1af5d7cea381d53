#include "paper/html_parts.h"

#include "core/plural.h"
#include "paper/measures.h"
#include "paper/recipe.h"

static void write_effect(sb_writer *page, const sb_report *report, const sb_group *group, const sb_setting *setting,
                         int metric)
{
    sb_html_entry(page, &report->numbers, SB_HTML_PRINTED, "%s.%s.shared-over-copy.%s", group->part, setting->part,
                  sb_metric_part[metric]);
}

/* "1.34 [1.2, 1.4] (cudnn) to 1.5 [1.3, 1.6] (cublas)": the smallest and the largest ratio of a group with pairs. */
static void write_range(sb_writer *page, const sb_report *report, const sb_group *group, int metric)
{
    const sb_setting *low = NULL, *high = NULL;
    for (const sb_setting *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        if (setting->n_pairs == 0) continue;
        if (!low || setting->effect[metric].ratio < low->effect[metric].ratio) low = setting;
        if (!high || setting->effect[metric].ratio > high->effect[metric].ratio) high = setting;
    }
    write_effect(page, report, group, low, metric);
    if (low == high) return;
    sb_write(page, " (%s) to ", low->label);
    write_effect(page, report, group, high, metric);
    sb_write(page, " (%s)", high->label);
}

static size_t count_paired(const sb_group *group)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n_settings; i++) n += group->setting[i].n_pairs > 0;
    return n;
}

static void answer_setting(sb_writer *page, const sb_report *report, const sb_group *group, const sb_setting *setting)
{
    sb_write(page, "<p>");
    sb_html_group(page, group);
    sb_write(page, ", %s", setting->label);
    sb_write(page, setting->cell->emulated ? " (emulated)" : "");
    sb_write(page, ": sharing the target buffer multiplies the last-frame loss by <strong>");
    write_effect(page, report, group, setting, SB_METRIC_LAST);
    sb_write(page, "</strong> and the window-mean loss by <strong>");
    write_effect(page, report, group, setting, SB_METRIC_MEAN);
    sb_write(page, "</strong>; %zu pair%s of runs.</p>\n", setting->n_pairs, sb_plural(setting->n_pairs));
}

static void answer_group(sb_writer *page, const sb_report *report, const sb_group *group)
{
    sb_write(page, "<p>");
    sb_html_group(page, group);
    sb_write(page, ", %zu settings: sharing the target buffer multiplies the last-frame loss by <strong>",
             count_paired(group));
    write_range(page, report, group, SB_METRIC_LAST);
    sb_write(page, "</strong> and the window-mean loss by <strong>");
    write_range(page, report, group, SB_METRIC_MEAN);
    sb_write(page, "</strong>; %zu pairs of runs.</p>\n", group->n_pairs);
}

static void answer_claims(sb_writer *page, const sb_claims *claims)
{
    size_t count[SB_N_OUTCOMES] = {0};
    if (claims->n == 0) return;
    for (size_t i = 0; i < claims->n; i++) count[claims->result[i].outcome]++;
    sb_write(page, "<p>Of <a href=\"#claims\">%zu claim%s</a> held against these results", claims->n,
             sb_plural(claims->n));
    const char *separator = ": ";
    for (int o = 0; o < SB_N_OUTCOMES; o++) {
        if (count[o] == 0) continue;
        sb_write(page, "%s%zu %s", separator, count[o], sb_outcome_name[o]);
        separator = ", ";
    }
    sb_write(page, ".</p>\n");
}

/* A sentence for each setting while they are few, else one for each study. */
void sb_html_answer(sb_writer *page, const sb_report *report)
{
    const sb_arms *arms = &report->arms;
    size_t n_paired = 0;
    sb_write(page, "<div class=\"answer\">\n");
    for (size_t g = 0; g < arms->n_groups; g++) n_paired += count_paired(&arms->group[g]);
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        bool one_by_one = n_paired <= SB_HTML_NAMED || count_paired(group) == 1;
        if (!one_by_one && group->n_pairs) answer_group(page, report, group);
        for (size_t i = 0; i < group->n_settings && one_by_one; i++)
            if (group->setting[i].n_pairs) answer_setting(page, report, group, &group->setting[i]);
    }
    if (n_paired == 0)
        sb_write(page,
                 "<p>These results hold no two runs that differ in the target buffer alone, so they do not answer the "
                 "question yet.</p>\n");
    answer_claims(page, &report->claims);
    sb_write(page, "</div>\n");
}

/* -- the studies, a row each -- */

static void count_cells(const sb_group *group, long n_cells[2], long *n_seeds)
{
    *n_seeds = 0;
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            long n = (long)group->setting[i].arm[t].n;
            n_cells[group->setting[i].cell->emulated] += n;
            if (n > *n_seeds) *n_seeds = n;
        }
}

void sb_html_studies(sb_writer *page, const sb_report *report, sb_html_count *count)
{
    static const char *const heading[] = {
        "study", "what was trained", "#settings", "#seeds", "#measured", "#emulated", "shared / copy, last-frame loss",
        NULL};
    const sb_arms *arms = &report->arms;
    sb_html_caption(page, count);
    sb_write(
        page,
        "The studies in these results: what was trained, in how many settings, from how many start weights at most, "
        "how "
        "many runs were measured and emulated, and what sharing the target buffer does.");
    sb_html_table(page, "studies", count, heading);
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        long n_cells[2] = {0}, n_seeds;
        char recipe[96];
        sb_recipe_text(group->setting[0].cell, recipe, sizeof recipe);
        count_cells(group, n_cells, &n_seeds);
        sb_write(page, "<tr><td class=\"word\"><a href=\"#study-%s\">", group->part);
        sb_html_group(page, group);
        sb_write(page, "</a></td><td>%s</td>", recipe);
        const long numbers[] = {(long)group->n_settings, n_seeds, n_cells[0], n_cells[1]};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sb_html_whole(page, numbers[i]);
        sb_write(page, "<td>");
        if (group->n_pairs)
            write_range(page, report, group, SB_METRIC_LAST);
        else
            sb_write(page, "–");
        sb_write(page, "</td></tr>\n");
    }
    sb_html_table_end(page);
}
