#include "paper/latex.h"
#include "paper/paper_parts.h"
#include "paper/recipe.h"

#include <stdbool.h>
#include <string.h>

static void begin(FILE *out, const char *name, const char *columns, const char *head)
{
    fprintf(out, "\\@namedef{sb@table@%s}{\\begin{tabular}{@{}%s@{}}\\toprule\n%s\\\\\\midrule\n", name, columns, head);
}

static void end(FILE *out)
{
    fputs("\\bottomrule\\end{tabular}}\n", out);
}

/* A cell of text, and what ends it. */
static void cell(FILE *out, const char *text, const char *end)
{
    sb_latex_text(out, text);
    fputs(end, out);
}

/* -- what was trained -- */

static size_t count_cells(const sb_group *group)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) n += group->setting[i].arm[t].n;
    return n;
}

static void write_studies(FILE *out, const sb_report *report)
{
    const sb_arms *arms = &report->arms;
    begin(out, "studies", "lllrrrr", "study & network & data & batch & updates & settings & runs");
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        const sb_cell *first = group->setting[0].cell;
        bool deep = strcmp(first->model, "autoencoder") != 0;
        cell(out, group->study, " & ");
        cell(out, first->model, " ");
        cell(out, deep ? first->channels : first->hidden, " & ");
        cell(out, group->data, " & ");
        fprintf(out, "%ld & %ld & %zu & %zu\\\\\n", first->batch, first->updates, group->n_settings,
                count_cells(group));
    }
    end(out);
}

/* -- shared against copy -- */

static void write_effect(FILE *out, const sb_group *group, const sb_setting *setting)
{
    static const char *const part[SB_N_METRICS] = {"loss-last", "loss-mean"};
    cell(out, group->study, " & ");
    cell(out, setting->label, setting->cell->emulated ? " (emulated) & " : " & ");
    fprintf(out, "%zu", setting->n_pairs);
    for (int m = 0; m < SB_N_METRICS; m++) {
        fprintf(out, " & \\sbnum{%s.%s.shared-over-copy.%s} & ", group->part, setting->part, part[m]);
        if (setting->n_pairs > 1)
            fprintf(out, "\\sbnum[p]{%s.%s.shared-over-copy.%s}", group->part, setting->part, part[m]);
    }
    fputs("\\\\\n", out);
}

static void write_effects(FILE *out, const sb_report *report)
{
    const sb_arms *arms = &report->arms;
    size_t n_pairs = 0;
    for (size_t i = 0; i < arms->n_groups; i++) n_pairs += arms->group[i].n_pairs;
    if (n_pairs == 0) return;
    begin(out, "effects", "llrllll",
          "&&& \\multicolumn{2}{l}{last-frame loss} & \\multicolumn{2}{l}{window-mean loss}\\\\\n"
          "study & setting & pairs & shared / copy & $p$ & shared / copy & $p$");
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++)
        for (size_t i = 0; i < group->n_settings; i++)
            if (group->setting[i].n_pairs) write_effect(out, group, &group->setting[i]);
    end(out);
}

/* -- claims -- */

static void write_claims(FILE *out, const sb_report *report)
{
    const sb_claims *claims = &report->claims;
    if (claims->n == 0) return;
    begin(out, "claims", "lp{.66\\linewidth}l", "by & claim & outcome");
    for (size_t i = 0; i < claims->n; i++) {
        const sb_claim *claim = claims->result[i].claim;
        cell(out, claim->by, " & ");
        cell(out, claim->text, " & ");
        fprintf(out, "\\sbnum{claim.%s}\\\\\n", claim->name);
    }
    end(out);
}

/* \sbhasgpu{YES}{NO}: whether any run was made on a GPU. */
static void write_gpu(FILE *out, const sb_report *report)
{
    bool gpu = false;
    for (size_t i = 0; i < report->results.n_cells; i++) gpu = gpu || sb_recipe_on_gpu(&report->results.cell[i]);
    fprintf(out, "\\newcommand\\sbhasgpu[2]{#%d}\n", gpu ? 1 : 2);
}

void sb_paper_tables(FILE *out, const sb_report *report)
{
    fputs("% The tables of the paper; written by samebits-report, see paper/paper.h.\n\\makeatletter\n", out);
    write_studies(out, report);
    write_effects(out, report);
    write_claims(out, report);
    write_gpu(out, report);
    fputs("\\makeatother\n", out);
}
