/* Fitness of the individuals by generation, of runs without gradients: a panel for each arm. */
#include "paper/figures/figures.h"

#include <math.h>

static bool is_wanted(const sb_figure_subject *s)
{
    return s->generations->n > 0;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    size_t least = s->generations->arm[0].n_runs, most = least;
    for (size_t i = 0; i < s->generations->n; i++) {
        if (s->generations->arm[i].n_runs < least) least = s->generations->arm[i].n_runs;
        if (s->generations->arm[i].n_runs > most) most = s->generations->arm[i].n_runs;
    }
    sb_write(out, "Mean cross-entropy of the best, the median and the worst individual of each generation: the median "
                  "over the seeds as a line, their range as a band; ");
    if (least == most)
        sb_write(out, "%zu seeds in each condition. ", most);
    else
        sb_write(out, "%zu to %zu seeds in a condition. ", least, most);
    sb_write(out,
             "The best ones become parents; of random search each generation is drawn anew, so that its best one is "
             "not the best so far. Logarithmic axis, the same for all panels.");
}

typedef struct range {
    double low, high, last;
} range;

static range write_data(sb_writer *script, const sb_generation_curves *generations)
{
    range r = {HUGE_VAL, 0, 1};
    for (size_t i = 0; i < generations->n; i++)
        for (int k = 0; k < SB_N_RANKS; k++) {
            const sb_generation_curve *curve = &generations->arm[i].curve[k];
            const size_t stride = (curve->n + SB_FIGURE_CURVE_POINTS - 1) / SB_FIGURE_CURVE_POINTS;
            if (curve->n == 0) continue;
            sb_write(script, "# columns generation median smallest largest\n$a%zu_%s << END\n", i + 1,
                     sb_individual_rank_name[k]);
            for (size_t j = 0; j < curve->n; j++) {
                if (j % stride && j + 1 < curve->n) continue;
                sb_write(script, "%.6g %.6g %.6g %.6g\n", curve->generation[j], curve->median[j], curve->low[j],
                         curve->high[j]);
                r.low = fmin(r.low, curve->low[j]);
                r.high = fmax(r.high, curve->high[j]);
                r.last = fmax(r.last, curve->generation[j]);
            }
            sb_write(script, "END\n");
        }
    return r;
}

static void write_panel(sb_writer *script, const sb_generation_arm *arm, size_t i)
{
    int n_drawn = 0;
    for (int bands = 1; bands >= 0; bands--)
        for (int k = 0; k < SB_N_RANKS; k++) {
            if (arm->curve[k].n == 0) continue;
            sb_style_item(script, n_drawn++);
            sb_write(script,
                     bands ? "$a%zu_%s using 1:3:4 with filledcurves linestyle %d"
                           : "$a%zu_%s using 1:2 with lines linestyle %d",
                     i + 1, sb_individual_rank_name[k], SB_STYLE_SOURCE + k);
        }
    for (int k = 0; k < SB_N_RANKS; k++) {
        n_drawn = sb_style_key_item(script, n_drawn);
        sb_write(script, "keyentry with lines linestyle %d title '%s'", SB_STYLE_SOURCE + k,
                 sb_individual_rank_name[k]);
    }
    n_drawn = sb_style_key_item(script, n_drawn);
    sb_write(script, "keyentry with filledcurves linestyle %d title 'range of seeds'\n", SB_STYLE_BAND);
}

void sb_figure_search_setting(const sb_result *cell, char text[SB_FIGURE_TITLE])
{
    const char *form = *cell->blas_kernel                       ? cell->blas_kernel
                       : cell->evidence == SB_EVIDENCE_IMITATED ? cell->arithmetic
                                                                : "";
    const int n = snprintf(text, SB_FIGURE_TITLE, "%s%s%s", cell->backend, *form ? " " : "", form);
    if (cell->threads > 1 && n < SB_FIGURE_TITLE)
        snprintf(text + n, SB_FIGURE_TITLE - (size_t)n, ", %ld threads", (long)cell->threads);
}

void sb_figure_search_title(const sb_result *cell, char title[SB_FIGURE_TITLE])
{
    char setting[SB_FIGURE_TITLE];
    sb_figure_search_setting(cell, setting);
    snprintf(title, SB_FIGURE_TITLE, "%.32s: %.16s, %.96s", cell->study, cell->search, setting);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_generation_curves *generations = s->generations;
    char title[SB_FIGURE_TITLE];
    sb_layout layout = {
        .n_panels = generations->n,
        .columns = generations->n > 1 ? 2 : 1,
        .columns_narrow = 1,
        .panel_height = 180,
        .left = 84,
        .gap = 30,
        .below = 58,
        .between = 44,
        .key_lines = 1,
        .key_lines_narrow = 2,
    };
    for (size_t i = 0; i < generations->n; i++) {
        sb_figure_search_title(generations->arm[i].cell, title);
        sb_style_fit_title(&layout, title);
    }
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    const range r = write_data(plot.script, generations);
    sb_style_count_axis(plot.script, &layout, r.last);
    sb_style_log_axis(plot.script, &layout, 'y', r.low, fmax(r.high, 1.01 * r.low), 0.04);
    for (size_t i = 0; i < generations->n; i++) {
        sb_figure_search_title(generations->arm[i].cell, title);
        sb_style_panel(plot.script, &layout, i, title);
        sb_style_axis_labels(plot.script, "generation", "cross-entropy");
        sb_write(plot.script, "set format x '%%g'\nset format y first_column ? '%%g' : ''\n");
        write_panel(plot.script, &generations->arm[i], i);
    }
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_fitness = {
    .name = "fitness",
    .label = "Best, median and worst individual by generation",
    .section = SB_SECTION_GENERATIONS,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
