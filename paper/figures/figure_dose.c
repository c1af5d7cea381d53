/* The effect of the target buffer against what it could depend on: over how many frames one target is shared, and how
 * much the video changes from frame to frame. */
#include "paper/figures/figures.h"

#include "paper/results/recipe.h"

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

static const abscissa by_window = {SB_SETTING_WINDOW, window_of}, by_change = {SB_SETTING_DATA, change_of};

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
static size_t find_longest(const sb_figure_subject *s, dose point[MOST_POINTS])
{
    const abscissa *x = s->kind->of;
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

static const char marks_words[] =
    "Triangles: one pair of runs each, paired by their initial weights. Diamonds: geometric "
    "mean with its 95 % interval. Both axes logarithmic.";

static void write_caption_dose(sb_writer *out, const sb_figure_subject *s)
{
    dose point[MOST_POINTS];
    char recipe[SB_FIGURE_TITLE];
    const size_t n = find_longest(s, point);
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
    const size_t n = find_longest(s, point);
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

/* Pairs left of their mean, as differences of log x. */
#define AT     (-0.112)
#define JITTER 0.16

static const sb_series series[SB_N_RATIO_SERIES] = {
    SB_RATIO_MARKS("a pair of runs", "a pair of runs", "a pair of runs", AT, JITTER),
    [SB_SERIES_MEAN] = {"mean", SB_MEANS, SB_STYLE_MEAN, "geometric mean, 95 % interval"},
};

static const sb_chart_form form = {
    .layout = {.panel_height = 220, .left = 76},
    .x = {.label = "frames of a window", .column = "window", .kind = SB_SCALE_VALUES, .room = 0.06},
    .y = {.label = "shared / copied", .column = "ratio", .low = 0.95, .high = 1.05, .room = 0.06},
    .series = series,
    .n_series = SB_N_RATIO_SERIES,
};

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    dose point[MOST_POINTS];
    const size_t n = find_longest(s, point);
    if (s->kind->of == &by_change)
        chart->form.x = (sb_scale){
            .label = "mean squared change from frame to frame", .column = "change", .room = chart->form.x.room};
    for (int m = 0; m < SB_N_METRICS && n >= LEAST_POINTS; m++) {
        sb_chart_panel(chart, sb_metric_title[m]);
        sb_chart_rule(chart, 1);
        for (size_t i = 0; i < n; i++) sb_figure_pairs(chart, point[i].setting, m, point[i].at);
    }
    return SB_OK;
}

const sb_figure_kind sb_figure_dose = {
    .name = "dose",
    .label = "Effect of the target buffer by the length of the window",
    .section = SB_SECTION_COMPARED,
    .of = &by_window,
    .form = &form,
    .fill = fill,
    .caption = write_caption_dose,
};

const sb_figure_kind sb_figure_change = {
    .name = "change",
    .label = "Effect of the target buffer by the change from frame to frame",
    .section = SB_SECTION_COMPARED,
    .of = &by_change,
    .form = &form,
    .fill = fill,
    .caption = write_caption_change,
};
