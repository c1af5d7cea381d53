#include "paper/article/article.h"
#include "paper/results/recipe.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* `head`: the form of the columns and the first line, in LaTeX. */
static void begin(sb_writer *tex, const char *name, sb_raw head)
{
    sb_write(tex, "\\@namedef{sb@table@%s}{\\begin{tabular}", name);
    sb_write_raw(tex, head);
    sb_write(tex, "\\\\\\midrule\n");
}

static void end(sb_writer *tex)
{
    sb_write(tex, "\\bottomrule\\end{tabular}}\n");
}

/* -- what was trained -- */

static bool is_of_study(const sb_result *cell, const sb_result *of)
{
    return strcmp(cell->study, of->study) == 0 && strcmp(cell->data, of->data) == 0;
}

/* Runs, and how many of them are of an ensemble: they start one unit in the last place away from another run. */
typedef struct runs {
    size_t n, n_ulp;
} runs;

static runs count_runs(const sb_results *results, const sb_result *of)
{
    runs r = {0};
    for (const sb_result *cell = results->cell; cell < results->cell + results->n_cells; cell++)
        if (is_of_study(cell, of)) {
            r.n++;
            r.n_ulp += cell->ulp != 0;
        }
    return r;
}

/* A row; its runs are added to *all. n_settings 0: of an ensemble. */
static void write_study(sb_writer *tex, const sb_results *results, const sb_result *first, size_t n_settings, runs *all)
{
    const runs r = count_runs(results, first);
    sb_write(tex, "%s & %s %s & %s & %ld & %ld & ", first->study,
             strcmp(first->model, "prednet") == 0 ? "PredNet" : first->model, sb_recipe_units(first), first->data,
             first->batch, first->updates);
    if (n_settings) sb_write(tex, "%zu", n_settings);
    sb_write(tex, " & %zu & %zu\\\\\n", r.n, r.n_ulp);
    all->n += r.n;
    all->n_ulp += r.n_ulp;
}

/* Is the cell the first of a study that is in no group, that is, of an ensemble alone? */
static bool begins_ensemble(const sb_report *report, const sb_result *cell)
{
    for (const sb_result *other = report->results.cell; other < cell; other++)
        if (is_of_study(other, cell)) return false;
    for (size_t i = 0; i < report->ranking.n; i++)
        if (is_of_study(report->ranking.group[i]->setting[0].cell, cell)) return false;
    return true;
}

static void write_studies(sb_writer *tex, const sb_report *report)
{
    const sb_results *results = &report->results;
    runs all = {0};
    begin(
        tex, "studies",
        SB_RAW("{@{}lllrrrrr@{}}\\toprule\nstudy & network & data & batch & updates & settings & runs & one-ulp runs"));
    for (size_t i = 0; i < report->ranking.n; i++) {
        const sb_group *group = report->ranking.group[i];
        write_study(tex, results, group->setting[0].cell, group->n_settings, &all);
    }
    for (const sb_result *cell = results->cell; cell < results->cell + results->n_cells; cell++)
        if (begins_ensemble(report, cell)) write_study(tex, results, cell, 0, &all);
    assert(all.n == results->n_cells);
    sb_write(tex, "\\midrule\nall &&&&&& %zu & %zu\\\\\n", all.n, all.n_ulp);
    end(tex);
}

/* -- shared against copy -- */

static void write_effect(sb_writer *tex, const sb_group *group, const sb_configuration *setting)
{
    static const char *const part[SB_N_METRICS] = {"loss-last", "loss-mean"};
    const sb_evidence evidence = setting->cell->evidence;
    sb_write(tex, "%s & %s", group->study, setting->label);
    if (evidence != SB_EVIDENCE_MEASURED) sb_write(tex, " (%s)", sb_evidence_name[evidence]);
    sb_write(tex, " & %zu", setting->n_pairs);
    for (int m = 0; m < SB_N_METRICS; m++) {
        sb_write(tex, " & \\sbnum{%s.%s.shared-over-copy.%s} & ", group->part, setting->part, part[m]);
        if (setting->n_pairs > 1)
            sb_write(tex, "\\sbnum[p]{%s.%s.shared-over-copy.%s}", group->part, setting->part, part[m]);
    }
    sb_write(tex, "\\\\\n");
}

static void write_effects(sb_writer *tex, const sb_report *report)
{
    const sb_arms *arms = &report->arms;
    size_t n_pairs = 0;
    for (size_t i = 0; i < arms->n_groups; i++) n_pairs += arms->group[i].n_pairs;
    if (n_pairs == 0) return;
    begin(tex, "effects",
          SB_RAW("{@{}llrllll@{}}\\toprule\n"
                 "&&& \\multicolumn{2}{l}{last-frame loss} & \\multicolumn{2}{l}{window-mean loss}\\\\\n"
                 "study & setting & pairs & shared / copy & $p$ & shared / copy & $p$"));
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++)
        for (size_t i = 0; i < group->n_settings; i++)
            if (group->setting[i].n_pairs) write_effect(tex, group, &group->setting[i]);
    end(tex);
}

/* \sbhasgpu{YES}{NO}: whether any run was made on a GPU. */
static void write_gpu(sb_writer *tex, const sb_report *report)
{
    bool gpu = false;
    for (size_t i = 0; i < report->results.n_cells; i++) gpu = gpu || sb_recipe_on_gpu(&report->results.cell[i]);
    sb_write(tex, "\\newcommand\\sbhasgpu[2]{#%d}\n", gpu ? 1 : 2);
}

void sb_article_tables(sb_writer *tex, const sb_report *report)
{
    sb_write(tex,
             "%% The tables of the paper; written by samebits-report, see paper/article/article.h.\n\\makeatletter\n");
    write_studies(tex, report);
    write_effects(tex, report);
    write_gpu(tex, report);
    sb_write(tex, "\\makeatother\n");
}
