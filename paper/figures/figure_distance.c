/* How far the weights of paired runs are apart over the updates, a panel for each recipe. */
#include "paper/figures/figures.h"
#include "paper/results/distance_curves.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const curve_title[SB_N_DIFFERS] = {
    [SB_DIFFERS_TARGET] = "shared against copied target",
    [SB_DIFFERS_SETTING] = "another setting",
    [SB_DIFFERS_ULP] = "one ulp of one start weight",
};

static bool is_wanted(const sb_figure_subject *s)
{
    return s->distances->n > 0;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    size_t n_zero = 0;
    for (size_t i = 0; i < s->distances->n; i++)
        for (int d = 0; d < SB_N_DIFFERS; d++) n_zero += s->distances->panel[i].curve[d].n_zero;
    sb_write(out,
             "Distance between the weights of two runs with the same initial weights, divided by the distance of the "
             "first run from these weights. Line: median of the pairs; band: their range. Another setting means "
             "another backend, arithmetic, kernel type, number of threads or machine, with the target copied or "
             "shared in both. Estimated from sketches of the weights, with a standard error of 2.2 %%. Both axes "
             "logarithmic.");
    if (n_zero) sb_write(out, " Pairs of the same bits have the distance 0, which has no place here.");
}

typedef struct range {
    double low, high;
} range;

static range write_data(sb_writer *script, const sb_distance_curves *distances)
{
    range r = {HUGE_VAL, 0};
    for (size_t i = 0; i < distances->n; i++)
        for (int d = 0; d < SB_N_DIFFERS; d++) {
            const sb_distance_curve *curve = &distances->panel[i].curve[d];
            if (curve->n == 0) continue;
            sb_write(script, "# columns update median smallest largest\n$p%zu_%s << END\n", i + 1, sb_differs_name[d]);
            for (size_t k = 0; k < curve->n; k++) {
                sb_write(script, "%.6g %.6g %.6g %.6g\n", curve->update[k], curve->median[k], curve->low[k],
                         curve->high[k]);
                r.low = fmin(r.low, curve->low[k]);
                r.high = fmax(r.high, curve->high[k]);
            }
            sb_write(script, "END\n");
        }
    return r;
}

static bool has(const sb_distance_curves *distances, int d)
{
    for (size_t i = 0; i < distances->n; i++)
        if (distances->panel[i].curve[d].n) return true;
    return false;
}

static void write_panel(sb_writer *script, const sb_distance_curves *distances, size_t i)
{
    int n_drawn = 0;
    for (int bands = 1; bands >= 0; bands--)
        for (int d = 0; d < SB_N_DIFFERS; d++) {
            if (distances->panel[i].curve[d].n == 0) continue;
            sb_style_item(script, n_drawn++);
            sb_write(script,
                     bands ? "$p%zu_%s using 1:3:4 with filledcurves linestyle %d"
                           : "$p%zu_%s using 1:2 with lines linestyle %d",
                     i + 1, sb_differs_name[d], SB_STYLE_SOURCE + d);
        }
    /* The key stands in the first panel, which may lack a curve that others have. */
    for (int d = 0; d < SB_N_DIFFERS; d++)
        if (has(distances, d)) {
            n_drawn = sb_style_key_item(script, n_drawn);
            sb_write(script, "keyentry with lines linestyle %d title '%s'", SB_STYLE_SOURCE + d, curve_title[d]);
        }
    n_drawn = sb_style_key_item(script, n_drawn);
    sb_write(script, "keyentry with filledcurves linestyle %d title 'range of pairs'\n", SB_STYLE_BAND);
}

/* From the first update to the panel's last. */
static void write_updates(sb_writer *script, const sb_layout *layout, const sb_distance_panel *panel)
{
    double last = 2;
    for (int d = 0; d < SB_N_DIFFERS; d++)
        if (panel->curve[d].n) last = fmax(last, panel->curve[d].update[panel->curve[d].n - 1]);
    sb_style_log_axis(script, layout, 'x', 1, last, 0.01);
}

static bool has_setting(const sb_result *cell, sb_setting_id id, const char *value)
{
    return strcmp(cell->setting[id] ? cell->setting[id] : "", value) == 0;
}

/* The recipe, and where another panel has the same words what its own recipe has that is not the default. */
static void write_title(const sb_distance_curves *distances, size_t i, char title[SB_FIGURE_TITLE])
{
    const sb_result *cell = distances->panel[i].cell;
    const sb_setting_names names = sb_setting_names_from(cell->setting);
    char recipe[SB_FIGURE_TITLE], other[SB_FIGURE_TITLE];
    bool differs[SB_N_SETTINGS] = {false};
    sb_recipe_text(cell, recipe, sizeof recipe);
    for (size_t k = 0; k < distances->n; k++) {
        sb_recipe_text(distances->panel[k].cell, other, sizeof other);
        for (sb_setting_id id = 0; strcmp(recipe, other) == 0 && id < SB_N_SETTINGS; id++)
            if (sb_settings_table[id].role == SB_ROLE_RECIPE && cell->setting[id])
                differs[id] |= !has_setting(distances->panel[k].cell, id, cell->setting[id]);
    }
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        const size_t used = strlen(recipe);
        if (differs[id] && !has_setting(cell, id, sb_setting_default(id, &names)))
            snprintf(recipe + used, sizeof recipe - used, ", %s %s", sb_settings_table[id].key, cell->setting[id]);
    }
    sb_figure_recipe_title(recipe, title);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_distance_curves *distances = s->distances;
    sb_layout layout = {
        .n_panels = distances->n,
        .columns = distances->n > 1 ? 2 : 1,
        .columns_narrow = 1,
        .title_lines = 2,
        .panel_height = 160,
        .left = 92,
        .gap = 30,
        .below = 58,
        .between = 44,
        .key_lines = 2,
        .key_lines_narrow = 4,
    };
    for (size_t i = 0; i < distances->n; i++) {
        char title[SB_FIGURE_TITLE];
        write_title(distances, i, title);
        sb_style_fit_title(&layout, title);
    }
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    range r = write_data(plot.script, distances);
    if (r.high == 0) r = (range){0.1, 1}; /* all pairs have the same bits */
    sb_style_log_axis(plot.script, &layout, 'y', r.low, fmax(r.high, 2 * r.low), 0.04);
    size_t k = 0;
    for (int rank = 0; rank < SB_RECIPE_RANKS; rank++)
        for (size_t i = 0; i < distances->n; i++) {
            char title[SB_FIGURE_TITLE];
            if (sb_recipe_rank(distances->panel[i].cell) != rank) continue;
            write_title(distances, i, title);
            sb_style_panel(plot.script, &layout, k++, title);
            sb_style_axis_labels(plot.script, "update", "relative distance");
            write_updates(plot.script, &layout, &distances->panel[i]);
            sb_write(plot.script, "set format x '%%g'\nset format y first_column ? '%%g' : ''\n");
            write_panel(plot.script, distances, i);
        }
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_distance = {
    .name = "distance",
    .label = "Distance of the weights of paired runs over updates",
    .section = SB_SECTION_SPREAD,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
