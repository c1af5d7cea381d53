/* The distance of the weights of paired runs over the updates, a panel for each recipe. */
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"

#include <string.h>

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    size_t n_zero = 0;
    for (size_t i = 0; i < s->distances->n; i++)
        for (int d = 0; d < SB_N_DIFFERS; d++) n_zero += s->distances->panel[i].curve[d].n_none;
    sb_write(out,
             "Distance between the weights of two runs with the same initial weights, divided by the distance of the "
             "first run from these weights. Line: median of the pairs; band: their range. Another setting means "
             "another backend, arithmetic, kernel type, number of threads or machine, with the target copied or "
             "shared in both. Estimated from sketches of the weights, with a standard error of 2.2 %%. Both axes "
             "logarithmic.");
    if (n_zero) sb_write(out, " Pairs of the same bits have the distance 0, which has no place here.");
}

static bool has_setting(const sb_result *cell, sb_setting_id id, const char *value)
{
    return strcmp(cell->setting[id] ? cell->setting[id] : "", value) == 0;
}

/* The recipe, and where another panel has the same words what its own recipe has that is not the default. */
static void write_title(const sb_curves *distances, size_t i, char title[SB_FIGURE_TITLE])
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

static const sb_series series[SB_N_DIFFERS] = {
    [SB_DIFFERS_TARGET] = {"target", SB_CURVE, SB_STYLE_SOURCE + SB_DIFFERS_TARGET, "shared against copied target"},
    [SB_DIFFERS_SETTING] = {"setting", SB_CURVE, SB_STYLE_SOURCE + SB_DIFFERS_SETTING, "another setting"},
    [SB_DIFFERS_ULP] = {"ulp", SB_CURVE, SB_STYLE_SOURCE + SB_DIFFERS_ULP, "one ulp of one initial weight"},
};

static const sb_chart_form form = {
    .layout = {.panel_height = 160, .left = 92},
    .x = {.label = "update", .column = "update", .low = 1, .high = 2, .room = 0.01, .by_panel = true},
    .y = {.label = "relative distance", .column = "median", .room = 0.04},
    .series = series,
    .n_series = SB_N_DIFFERS,
    .band = "range of pairs",
};

static void add_panel(sb_chart *chart, const sb_curves *distances, size_t i)
{
    char title[SB_FIGURE_TITLE];
    write_title(distances, i, title);
    sb_chart_panel(chart, title);
    for (int d = 0; d < SB_N_DIFFERS; d++) sb_figure_curve(chart, &distances->panel[i].curve[d], d, 0);
}

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    for (int rank = 0; rank < SB_RECIPE_RANKS; rank++)
        for (size_t i = 0; i < s->distances->n; i++)
            if (sb_recipe_rank(s->distances->panel[i].cell) == rank) add_panel(chart, s->distances, i);
    return SB_OK;
}

const sb_figure_kind sb_figure_distance = {
    .name = "distance",
    .label = "Distance of the weights of paired runs over updates",
    .section = SB_SECTION_SPREAD,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
