#include "paper/figures/figures.h"

#include "core/size.h"
#include "core/text/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW(row, file) &sb_figure_##row,
static const sb_figure_kind *const kinds[] = {SB_FIGURES(ROW)};
#undef ROW
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static sb_status write_caption(char **text, const sb_figure_kind *kind, const sb_figure_subject *s)
{
    sb_writer *out = sb_writer_open(&sb_plain);
    kind->caption(out, s);
    return sb_writer_close(out, kind->name, text, NULL);
}

/* The next of the list, with its caption. */
static sb_status add(sb_figures *figures, const sb_figure_subject *s)
{
    if (!sb_size_reserve(&figures->figure, &figures->room, figures->n + 1, sizeof *figures->figure))
        return sb_fail(SB_E_MEMORY, "not enough memory for %zu figures", figures->n + 1);
    sb_figure *figure = &figures->figure[figures->n++];
    *figure = (sb_figure){.kind = s->kind, .group = s->group};
    snprintf(figure->name, sizeof figure->name, "%s%s%s", s->kind->name, s->group ? "-" : "",
             s->group ? s->group->slug : "");
    return write_caption(&figure->caption, s->kind, s);
}

static sb_status draw_chart(sb_figures *figures, const sb_figure_subject *s, const char *folder)
{
    SB_OWNED(sb_chart_free) sb_chart chart = {0};
    sb_chart_open(&chart, s->kind->form);
    SB_TRY(s->kind->fill(&chart, s));
    if (!chart.n_panels) return SB_OK;
    SB_TRY(add(figures, s));
    SB_TRY(sb_chart_draw(&chart, folder, figures->figure[figures->n - 1].name));
    return sb_chart_write_csv(&chart, folder, figures->figure[figures->n - 1].name);
}

static sb_status draw(sb_figures *figures, const sb_figure_subject *s, const char *folder)
{
    if (s->kind->of_group != (s->group != NULL)) return SB_OK;
    if (s->kind->form) return draw_chart(figures, s, folder);
    if (s->kind->is_wanted && !s->kind->is_wanted(s)) return SB_OK;
    SB_TRY(add(figures, s));
    return s->kind->draw(s, folder, figures->figure[figures->n - 1].name);
}

static sb_status draw_kinds(sb_figures *figures, sb_figure_subject *s, const char *folder)
{
    for (int k = 0; k < N_KINDS; k++) {
        s->kind = kinds[k];
        SB_TRY(draw(figures, s, folder));
    }
    return SB_OK;
}

sb_status sb_figures_draw(sb_figures *figures, const sb_figure_subject *subject, const char *folder)
{
    sb_figure_subject s = *subject;
    *figures = (sb_figures){0};
    s.group = NULL;
    SB_TRY(draw_kinds(figures, &s, folder));
    for (size_t i = 0; i < s.arms->n_groups; i++) {
        s.group = &s.arms->group[i];
        SB_TRY(draw_kinds(figures, &s, folder));
    }
    return SB_OK;
}

void sb_figures_free(sb_figures *figures)
{
    for (size_t i = 0; i < figures->n; i++) free(figures->figure[i].caption);
    free(figures->figure);
    *figures = (sb_figures){0};
}

void sb_figure_recipe_title(const char *recipe, char title[SB_FIGURE_TITLE])
{
    const char *comma = strstr(recipe, ", ");
    snprintf(title, SB_FIGURE_TITLE, "%.*s%s%s", comma ? (int)(comma - recipe) : 120, recipe, comma ? "\n" : "",
             comma ? comma + 2 : "");
}

void sb_figure_runs(sb_chart *chart, const sb_configuration *setting, int target, int metric, double at, double at_mean)
{
    const sb_arm *arm = &setting->arm[target];
    const sb_summary *mean = &arm->summary[metric];
    const int series = target * SB_N_EVIDENCES_OF_RUNS + (int)setting->cell->evidence;
    for (size_t k = 0; k < arm->n; k++) {
        const sb_result *cell = arm->cell[k];
        sb_chart_mark(chart, (sb_point){.series = series, .x = cell->loss[metric], .y = at, .seed = &cell->seed},
                      "seed %ld, target %s: %.4g; run %.8s", cell->seed, sb_target_name[target], cell->loss[metric],
                      cell->hash);
    }
    if (arm->n == 0) return;
    /* A lower end near or below 0 stops at a quarter of the smallest loss: the axis is logarithmic. */
    sb_chart_point(chart, (sb_point){SB_SERIES_RUN_MEAN, mean->mean, at_mean,
                                     isnan(mean->low) ? NAN : fmax(mean->low, mean->min / 4), mean->high, NULL});
}

void sb_figure_pairs(sb_chart *chart, const sb_configuration *setting, int metric, double x)
{
    const sb_ratio *effect = &setting->effect[metric];
    const bool in_rows = chart->form.rows;
    for (const sb_pair *pair = setting->pair; pair < setting->pair + setting->n_pairs; pair++) {
        const sb_result *copy = pair->cell[SB_TARGET_COPY], *shared = pair->cell[SB_TARGET_SHARED];
        const double ratio = shared->loss[metric] / copy->loss[metric];
        sb_chart_mark(chart,
                      (sb_point){.series = (int)setting->cell->evidence,
                                 .x = in_rows ? ratio : x,
                                 .y = in_rows ? 0 : ratio,
                                 .seed = &copy->seed},
                      "seed %ld: %.4g = %.4g / %.4g; runs %.8s over %.8s", copy->seed, ratio, shared->loss[metric],
                      copy->loss[metric], shared->hash, copy->hash);
    }
    sb_chart_point(chart, (sb_point){.series = SB_SERIES_MEAN,
                                     .x = in_rows ? effect->ratio : x,
                                     .y = in_rows ? 0 : effect->ratio,
                                     .low = effect->low,
                                     .high = effect->high});
}

void sb_figure_baselines_caption(sb_writer *out, const sb_figure_subject *s)
{
    if (isnan(sb_group_baseline(s->group, s->baselines, SB_BASELINE_REPEAT, SB_METRIC_LAST))) return;
    sb_write(out, " Last-frame loss without learning:");
    for (int id = 0; id < SB_N_BASELINES; id++)
        sb_write(out, "%s %s %s", id ? "," : "", sb_baseline_name[id],
                 sb_number_short(sb_group_baseline(s->group, s->baselines, (sb_baseline_id)id, SB_METRIC_LAST)).text);
    sb_write(out, ".");
}

const char *sb_figure_crosses(const sb_group *group)
{
    for (size_t i = 0; group && i < group->n_settings; i++)
        if (group->setting[i].cell->evidence == SB_EVIDENCE_IMITATED) return ", crosses: imitated";
    return "";
}

const sb_configuration *sb_figure_next(const sb_group *group, const sb_configuration *after)
{
    const sb_configuration *end = group->setting + group->n_settings, *at = after ? after + 1 : group->setting;
    while (at < end && at->twin) at++;
    return at < end ? at : NULL;
}

size_t sb_figure_count(const sb_group *group)
{
    size_t n = 0;
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting))
        n++;
    return n;
}

/* The rest of the label after the parts between ", " that both labels begin with. */
static const char *after_common(const char *label, const char *first)
{
    const char *rest = label;
    for (const char *at = label; *at && *at == *first; at++, first++)
        if (at[0] == ',' && at[1] == ' ') rest = at + 2;
    return rest;
}

void sb_figure_words(const sb_group *group, const sb_configuration *setting, char words[SB_FIGURE_WORDS])
{
    size_t n_left = 0;
    snprintf(words, SB_FIGURE_WORDS, "%s", setting->label);
    for (size_t i = 0; i < group->n_settings; i++) n_left += group->setting[i].twin == setting;
    for (const sb_configuration *other = setting + 1; other < group->setting + group->n_settings; other++) {
        size_t used = strlen(words);
        if (other->twin != setting) continue;
        snprintf(words + used, SB_FIGURE_WORDS - used, "%s%s", --n_left ? ", " : " and ",
                 after_common(other->label, setting->label));
    }
}

int sb_figure_n_metrics(const sb_group *group)
{
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++)
            for (size_t k = 0; k < group->setting[i].arm[t].n; k++) {
                const sb_result *cell = group->setting[i].arm[t].cell[k];
                if (!cell->diverged && cell->loss[SB_METRIC_LAST] != cell->loss[SB_METRIC_MEAN]) return SB_N_METRICS;
            }
    return 1;
}

const char *sb_figure_metric_title(const sb_group *group, int metric)
{
    return sb_figure_n_metrics(group) == 1 ? "loss" : sb_metric_title[metric];
}

bool sb_figure_has_target(const sb_group *group, int target)
{
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].arm[target].n) return true;
    return false;
}

void sb_figure_curve(sb_chart *chart, const sb_curve *curve, int series, size_t n_most)
{
    const size_t stride = n_most ? (curve->n + n_most - 1) / n_most : 1;
    for (size_t k = 0; k < curve->n; k++)
        if (k % stride == 0 || k + 1 == curve->n)
            sb_chart_point(chart,
                           (sb_point){series, curve->at[k], curve->median[k], curve->low[k], curve->high[k], NULL});
}

void sb_figure_count_runs(sb_figure_counts *counts, size_t n)
{
    if (counts->most == 0 || n < counts->least) counts->least = n;
    if (n > counts->most) counts->most = n;
}

void sb_figure_write_counts(sb_writer *out, const sb_figure_counts *counts, const char *what)
{
    if (counts->least == counts->most)
        sb_write(out, "%zu %s%s in each condition.", counts->most, what, sb_plural(counts->most));
    else
        sb_write(out, "%zu to %zu %ss in a condition.", counts->least, counts->most, what);
}
