#include "paper/html_parts.h"

#include "paper/measures.h"
#include "paper/recipe.h"

static void write_settings(sb_writer *page, const sb_group *group, sb_html_count *count)
{
    static const char *const heading[] = {"setting",  "backend", "arithmetic", "hardware",    "evidence", "kernel type",
                                          "#threads", "#batch",  "#updates",   "#cells copy", "#shared",  NULL};
    sb_html_caption(page, count);
    sb_html_group(page, group);
    sb_write(page, ": the settings, what they are called in the figures, and how many cells each has.");
    sb_html_table(page, "settings", count, heading);
    for (const sb_setting *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        const sb_cell *cell = setting->cell;
        sb_write(page, "<tr>");
        sb_html_word(page, setting->label);
        sb_html_word(page, cell->backend);
        sb_html_word(page, cell->arithmetic);
        sb_html_word(page, cell->hardware);
        sb_html_evidence(page, cell);
        sb_html_word(page, *cell->blas_kernel ? cell->blas_kernel : "–");
        sb_html_whole(page, cell->threads);
        sb_html_whole(page, cell->batch);
        sb_html_whole(page, cell->updates);
        for (int t = 0; t < SB_N_TARGETS; t++) sb_html_whole(page, (long)setting->arm[t].n);
        sb_write(page, "</tr>\n");
    }
    sb_html_table_end(page);
}

static void write_arm(sb_writer *page, const sb_numbers *numbers, const sb_group *group, const sb_setting *setting,
                      int t, bool begins)
{
    static const char *const part[] = {"", ".sd", ".se", ".min", ".max"};
    sb_write(page, begins ? "<tr class=\"begins\">" : "<tr>");
    sb_html_word(page, setting->label);
    sb_html_evidence(page, setting->cell);
    sb_html_word(page, sb_target_name[t]);
    sb_html_whole(page, (long)setting->arm[t].n);
    for (int m = 0; m < SB_N_METRICS; m++)
        for (size_t k = 0; k < sizeof part / sizeof *part; k++)
            sb_html_entry_cell(page, numbers, SB_HTML_VALUE, "%s.%s.%s.%s%s", group->part, setting->part,
                               sb_target_name[t], sb_metric_part[m], part[k]);
    sb_html_entry_cell(page, numbers, SB_HTML_VALUE, "%s.%s.%s.seconds", group->part, setting->part, sb_target_name[t]);
    sb_write(page, "</tr>\n");
}

static void write_arms(sb_writer *page, const sb_report *report, const sb_group *group, sb_html_count *count)
{
    static const char *const left[] = {"setting", "evidence", "target", "#n", NULL};
    static const char *const heading[] = {"#mean", "#sd", "#se", "#min", "#max", NULL};
    static const char *const right[] = {"#seconds", NULL};
    sb_html_caption(page, count);
    sb_html_group(page, group);
    sb_write(
        page,
        ": final loss of each arm over its seeds (mean squared error; sd: standard deviation, se: bootstrap standard "
        "error of the mean), and the mean time of a run. Each number leads to its formula and its runs.");
    sb_html_table_losses(page, "arms", count, left, heading, right);
    for (size_t i = 0; i < group->n_settings; i++) {
        bool begins = i > 0;
        for (int t = 0; t < SB_N_TARGETS; t++) {
            if (group->setting[i].arm[t].n == 0) continue;
            write_arm(page, &report->numbers, group, &group->setting[i], t, begins);
            begins = false;
        }
    }
    sb_html_table_end(page);
}

static void write_pairs(sb_writer *page, const sb_report *report, const sb_group *group, sb_html_count *count)
{
    static const char *const left[] = {"setting", "evidence", "#pairs", NULL};
    static const char *const heading[] = {"#shared / copy", "#95 % interval", "#p", NULL};
    if (group->n_pairs == 0) return;
    sb_html_caption(page, count);
    sb_html_group(page, group);
    sb_write(page,
             ": shared over copied target, paired by start weights (geometric mean of the ratios, its paired bootstrap "
             "interval, p of the sign flips, two-sided).");
    sb_html_table_losses(page, "pairs", count, left, heading, NULL);
    for (const sb_setting *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        if (setting->n_pairs == 0) continue;
        sb_write(page, "<tr>");
        sb_html_word(page, setting->label);
        sb_html_evidence(page, setting->cell);
        sb_html_whole(page, (long)setting->n_pairs);
        for (int m = 0; m < SB_N_METRICS; m++)
            for (sb_html_part part = SB_HTML_VALUE; part <= SB_HTML_P; part++)
                sb_html_entry_cell(page, &report->numbers, part, "%s.%s.shared-over-copy.%s", group->part,
                                   setting->part, sb_metric_part[m]);
        sb_write(page, "</tr>\n");
    }
    sb_html_table_end(page);
}

sb_status sb_html_study(sb_writer *page, const sb_report *report, const sb_group *group, const char *folder,
                        sb_html_count *count)
{
    char recipe[96];
    sb_recipe_text(group->setting[0].cell, recipe, sizeof recipe);
    sb_write(page, "<section id=\"study-%s\">\n<h2>", group->part);
    sb_html_group(page, group);
    sb_write(page, "</h2>\n<p>%s", recipe);
    sb_write(page, ", batch %ld%s.</p>\n", group->setting[0].cell->batch,
             group->n_settings > 1 ? "; what differs between its settings stands in the last table of this section"
                                   : "");
    SB_TRY(sb_html_figures(page, report, group, folder, count));
    write_pairs(page, report, group, count);
    write_arms(page, report, group, count);
    write_settings(page, group, count);
    sb_write(page, "</section>\n");
    return SB_OK;
}
