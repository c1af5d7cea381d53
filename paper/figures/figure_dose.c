/* The effect of the target buffer against what it could depend on: over how many frames one target is shared, and how
 * much the video changes from frame to frame. */
#include "paper/figures/figures.h"

#include "paper/results/recipe.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_POINTS = 3, MOST_POINTS = 64 };

typedef struct dose {
    double at;
    const sb_configuration *setting; /* with pairs */
} dose;

/* What an effect is drawn against. */
typedef struct abscissa {
    sb_setting_id id; /* the one setting that differs */
    double (*of)(const sb_figure_subject *s, const sb_result *cell);
    const char *column, *title;
    bool is_count; /* labelled at its values */
} abscissa;

static double window_of(const sb_figure_subject *s, const sb_result *cell)
{
    (void)s;
    return strtod(cell->setting[SB_SETTING_WINDOW], NULL);
}

/* What repeating the last frame would lose: the mean squared difference of neighbouring frames. */
static double change_of(const sb_figure_subject *s, const sb_result *cell)
{
    return sb_baseline_loss(s->baselines, cell, SB_BASELINE_REPEAT, SB_METRIC_MEAN);
}

static const abscissa by_window = {SB_SETTING_WINDOW, window_of, "window", "frames of a window", true},
                      by_change = {SB_SETTING_DATA, change_of, "change", "mean squared change from frame to frame",
                                   false};

static const sb_configuration *setting_with_pairs(const sb_group *group)
{
    for (const sb_configuration *s = group->setting; s < group->setting + group->n_settings; s++)
        if (s->n_pairs) return s;
    return NULL;
}

static int in_order(const void *a, const void *b)
{
    const double x = ((const dose *)a)->at, y = ((const dose *)b)->at;
    return (x > y) - (x < y);
}

/* The settings that differ from this one in nothing else, in order. */
static size_t find_series(const sb_figure_subject *s, const abscissa *x, const sb_configuration *like,
                          dose point[MOST_POINTS])
{
    size_t n = 0;
    for (const sb_group *group = s->arms->group; group < s->arms->group + s->arms->n_groups && n < MOST_POINTS;
         group++) {
        const sb_configuration *setting = setting_with_pairs(group);
        if (!setting || !sb_recipe_differ_only(setting->cell, like->cell, x->id)) continue;
        bool is_new = true;
        const double at = x->of(s, setting->cell);
        for (size_t i = 0; i < n; i++) is_new = is_new && point[i].at != at;
        if (is_new && at > 0) point[n++] = (dose){at, setting};
    }
    qsort(point, n, sizeof *point, in_order);
    return n;
}

/* The longest series there is. */
static size_t find_longest(const sb_figure_subject *s, const abscissa *x, dose point[MOST_POINTS])
{
    size_t longest = 0;
    for (const sb_group *group = s->arms->group; group < s->arms->group + s->arms->n_groups; group++) {
        dose other[MOST_POINTS];
        const sb_configuration *setting = setting_with_pairs(group);
        const size_t n = setting ? find_series(s, x, setting, other) : 0;
        if (n <= longest) continue;
        longest = n;
        for (size_t i = 0; i < n; i++) point[i] = other[i];
    }
    return longest;
}

static bool is_wanted_dose(const sb_figure_subject *s)
{
    dose point[MOST_POINTS];
    return find_longest(s, &by_window, point) >= LEAST_POINTS;
}

static bool is_wanted_change(const sb_figure_subject *s)
{
    dose point[MOST_POINTS];
    return find_longest(s, &by_change, point) >= LEAST_POINTS;
}

static const char marks_words[] =
    "Triangles: one pair of runs each, paired by their start weights. Diamonds: geometric "
    "mean with its 95 % interval. Both axes logarithmic.";

static void write_caption_dose(sb_writer *out, const sb_figure_subject *s)
{
    dose point[MOST_POINTS];
    char recipe[SB_FIGURE_TITLE];
    const size_t n = find_longest(s, &by_window, point);
    sb_recipe_text(point[0].setting->cell, recipe, sizeof recipe);
    sb_write(
        out,
        "Loss with the shared target buffer over loss with the copied one, against the number of frames over which "
        "one target is shared: %s, every window with the same number of updates. %s",
        recipe, marks_words);
    for (size_t i = 0; i < n; i++) {
        char ratio[SB_RATIO_TEXT];
        sb_stats_ratio_text(&point[i].setting->effect[SB_METRIC_LAST], ratio);
        sb_write(out, "%s %g: %s", i ? "," : " Last-frame loss by window:", point[i].at, ratio);
    }
    sb_write(out, ".");
    for (size_t i = 0; i < n; i++)
        if (sb_arm_same_runs(&point[i].setting->arm[SB_TARGET_COPY], &point[i].setting->arm[SB_TARGET_SHARED]))
            sb_write(out, " With a window of %g both have the same bits.", point[i].at);
}

static void write_caption_change(sb_writer *out, const sb_figure_subject *s)
{
    dose point[MOST_POINTS];
    const size_t n = find_longest(s, &by_change, point);
    sb_write(
        out,
        "Loss with the shared target buffer over loss with the copied one, against how much the frames that were "
        "learned from last change from one to the next, which is what repeating the last frame would lose. %s Data "
        "sets, from the least change to the most:",
        marks_words);
    for (size_t i = 0; i < n; i++) sb_write(out, "%s %s", i ? "," : "", point[i].setting->cell->data);
    sb_write(out, ".");
    /* What has no place on a logarithmic axis. */
    for (const sb_group *group = s->arms->group; group < s->arms->group + s->arms->n_groups; group++) {
        const sb_configuration *setting = setting_with_pairs(group);
        char ratio[SB_RATIO_TEXT];
        if (!setting || !sb_recipe_differ_only(setting->cell, point[0].setting->cell, SB_SETTING_DATA) ||
            change_of(s, setting->cell) > 0)
            continue;
        sb_stats_ratio_text(&setting->effect[SB_METRIC_LAST], ratio);
        sb_write(out, " Not drawn: %s, which does not change or whose change is not known; last-frame loss %s.",
                 group->data, ratio);
    }
}

static double pair_ratio(const sb_pair *pair, int m)
{
    return pair->cell[SB_TARGET_SHARED]->loss[m] / pair->cell[SB_TARGET_COPY]->loss[m];
}

static void write_data(sb_writer *script, const abscissa *x, const dose *point, size_t n, int m)
{
    sb_write(script, "# columns %s ratio seed runs\n$pairs_%s << END\n", x->column, sb_metric_column[m]);
    for (size_t i = 0; i < n; i++)
        for (const sb_pair *pair = point[i].setting->pair; pair < point[i].setting->pair + point[i].setting->n_pairs;
             pair++) {
            const sb_result *copy = pair->cell[SB_TARGET_COPY], *shared = pair->cell[SB_TARGET_SHARED];
            if (!isfinite(pair_ratio(pair, m)) || !(pair_ratio(pair, m) > 0)) continue;
            sb_write(script, "%.6g %.6g %ld \"seed %ld: %.4g = %.4g / %.4g; runs %.8s over %.8s\"\n",
                     point[i].at * exp(0.16 * (sb_figure_jitter(copy->seed) - 0.7)), pair_ratio(pair, m), copy->seed,
                     copy->seed, pair_ratio(pair, m), shared->loss[m], copy->loss[m], shared->hash, copy->hash);
        }
    sb_write(script, "END\n# columns %s mean low high\n$mean_%s << END\n", x->column, sb_metric_column[m]);
    for (size_t i = 0; i < n; i++) {
        const sb_ratio *effect = &point[i].setting->effect[m];
        const bool alone = isnan(effect->low);
        sb_write(script, "%.6g %.6g %.6g %.6g\n", point[i].at, effect->ratio, alone ? effect->ratio : effect->low,
                 alone ? effect->ratio : effect->high);
    }
    sb_write(script, "END\n");
}

static void write_range(sb_writer *script, const sb_layout *layout, const abscissa *x, const dose *point, size_t n)
{
    double low = 0.95, high = 1.05;
    for (size_t i = 0; i < n; i++)
        for (int m = 0; m < SB_N_METRICS; m++) {
            const sb_configuration *s = point[i].setting;
            low = fmin(low, s->effect[m].low), high = fmax(high, s->effect[m].high); /* they pass a NAN over */
            for (size_t k = 0; k < s->n_pairs; k++) {
                low = fmin(low, pair_ratio(&s->pair[k], m));
                high = fmax(high, pair_ratio(&s->pair[k], m));
            }
        }
    sb_style_log_axis(script, layout, 'y', low, high, 0.06);
    sb_style_log_axis(script, layout, 'x', point[0].at, point[n - 1].at, 0.06);
    for (size_t i = 0; i < n && x->is_count; i++) sb_write(script, i ? ", %g" : "set xtics (%g", point[i].at);
    if (x->is_count) sb_write(script, ")\n");
}

static sb_status draw(const sb_figure_subject *s, const abscissa *x, const char *folder, const char *name)
{
    dose point[MOST_POINTS];
    const size_t n = find_longest(s, x, point);
    const sb_layout layout = {
        .n_panels = SB_N_METRICS,
        .columns = SB_N_METRICS,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = 220,
        .left = 76,
        .gap = 30,
        .below = 58,
        .between = 44,
        .key_lines = 1,
        .key_lines_narrow = 2,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    for (int m = 0; m < SB_N_METRICS; m++) write_data(plot.script, x, point, n, m);
    write_range(plot.script, &layout, x, point, n);
    for (int m = 0; m < SB_N_METRICS; m++) {
        const int style = sb_style_ratio(point[0].setting->cell->evidence);
        sb_style_panel(plot.script, &layout, (size_t)m, sb_metric_title[m]);
        sb_style_axis_labels(plot.script, x->title, "shared / copied");
        sb_write(plot.script, "set format x '%%g'\nset format y first_column ? '%%g' : ''\n");
        sb_style_item(plot.script, 0);
        sb_write(plot.script, "1 with lines linestyle %d notitle", SB_STYLE_RULE);
        sb_style_item(plot.script, 1);
        sb_write(plot.script, "$pairs_%s using 1:2:4 with labels hypertext point linestyle %d notitle",
                 sb_metric_column[m], style);
        sb_style_item(plot.script, 2);
        sb_write(plot.script,
                 "$mean_%s using 1:2:3:4 with yerrorbars linestyle %d title 'geometric mean, 95 %% interval'",
                 sb_metric_column[m], SB_STYLE_MEAN);
        sb_style_key_item(plot.script, 3);
        sb_write(plot.script, "keyentry with points linestyle %d title 'a pair of runs'\n", style);
    }
    return sb_plot_end(&plot, SB_OK);
}

static sb_status draw_figure_dose(const sb_figure_subject *s, const char *folder, const char *name)
{
    return draw(s, &by_window, folder, name);
}

static sb_status draw_figure_change(const sb_figure_subject *s, const char *folder, const char *name)
{
    return draw(s, &by_change, folder, name);
}

const sb_figure_kind sb_figure_dose = {
    .name = "dose",
    .label = "Effect of the target buffer by the length of the window",
    .section = SB_SECTION_COMPARED,
    .is_wanted = is_wanted_dose,
    .draw = draw_figure_dose,
    .caption = write_caption_dose,
};

const sb_figure_kind sb_figure_change = {
    .name = "change",
    .label = "Effect of the target buffer by the change from frame to frame",
    .section = SB_SECTION_COMPARED,
    .is_wanted = is_wanted_change,
    .draw = draw_figure_change,
    .caption = write_caption_change,
};
