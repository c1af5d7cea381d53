/* How far final losses come apart by one source alone: a panel for each recipe in which three sources or more were
 * measured, and one with what others published of another network, in its own unit. */
#include "paper/figures/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char published_prefix[] = "spread.", published_suffix[] = ".cross-entropy-sd";

static const char *const source_label[SB_N_SOURCES] = {
    [SB_SOURCE_REPEAT] = "repetition",     [SB_SOURCE_ULP] = "one ulp of one weight",
    [SB_SOURCE_THREADS] = "threads",       [SB_SOURCE_KERNEL] = "kernel type",
    [SB_SOURCE_ARITHMETIC] = "arithmetic", [SB_SOURCE_LIBRARY] = "library",
    [SB_SOURCE_MACHINE] = "hardware",      [SB_SOURCE_TARGET] = "target",
    [SB_SOURCE_SEED] = "start weights",
};

static bool is_shown(const sb_source_spread *spread)
{
    int n = 0;
    for (int source = 0; source < SB_N_SOURCES; source++)
        n += source != SB_SOURCE_REPEAT && spread->row[source].n_pairs > 0;
    return n > 2;
}

/* Whether the record is one of those, and which source it names. */
static bool is_published(const sb_published_record *record, char source[64])
{
    size_t length = strlen(record->label), suffix = sizeof published_suffix - 1, prefix = sizeof published_prefix - 1;
    if (length <= prefix + suffix || isnan(record->value)) return false;
    if (strncmp(record->label, published_prefix, prefix) != 0) return false;
    if (strcmp(record->label + length - suffix, published_suffix) != 0) return false;
    snprintf(source, 64, "%.*s", (int)(length - prefix - suffix), record->label + prefix);
    for (char *c = source; *c; c++)
        if (*c == '-') *c = ' ';
    return true;
}

static size_t count_published(const sb_published *published)
{
    size_t n = 0;
    char source[64];
    for (size_t i = 0; i < published->n; i++) n += is_published(&published->record[i], source);
    return n;
}

static size_t count_shown(const sb_spreads *spreads)
{
    size_t n = 0;
    for (size_t i = 0; i < spreads->n; i++) n += is_shown(&spreads->spread[i]);
    return n;
}

static bool is_wanted(const sb_figure_subject *s)
{
    return count_shown(s->spreads) > 0;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    sb_write(out,
             "Spread of the final last-frame losses of two runs that differ in one thing alone: standard deviation of "
             "the log loss (0.1 is about 10 %%). Filled: measured, open: emulated. A source with the same bits has no "
             "spread and no place on a logarithmic axis; it is written as 0.");
    size_t n_absent = 0;
    for (size_t i = 0; i < s->spreads->n; i++)
        for (int source = 0; source < SB_N_SOURCES && is_shown(&s->spreads->spread[i]); source++)
            n_absent += s->spreads->spread[i].row[source].n_pairs == 0;
    if (n_absent) sb_write(out, " Sources that were not measured, %zu in all, have no row.", n_absent);
    if (count_published(s->published))
        sb_write(out,
                 " Crosses, with an axis of their own: published for another network, ResNet-14 on CIFAR-10, standard "
                 "deviation of the cross-entropy over 100 models (re-run of Summers and Dinneen 2021).");
}

/* One row of a panel. */
typedef struct point {
    const char *label;
    double sd;
    size_t n_pairs; /* 0: of a publication */
    sb_evidence evidence;
} point;

typedef struct points {
    size_t n;
    point *point; /* the caller's: [SB_N_SOURCES + published->n] */
} points;

static void list_ours(points *list, const sb_source_spread *spread)
{
    list->n = 0;
    for (int source = 0; source < SB_N_SOURCES; source++) {
        const sb_spread_row *row = &spread->row[source];
        if (row->n_pairs)
            list->point[list->n++] =
                (point){source_label[source], row->sd[SB_METRIC_LAST], row->n_pairs, row->evidence};
    }
}

/* names [published->n][64] holds the labels. */
static void list_published(points *list, const sb_published *published, char (*names)[64])
{
    list->n = 0;
    for (size_t i = 0; i < published->n; i++)
        if (is_published(&published->record[i], names[list->n])) {
            list->point[list->n] = (point){names[list->n], published->record[i].value, 0, SB_EVIDENCE_PUBLISHED};
            list->n++;
        }
}

static size_t count_rows(const sb_figure_subject *s)
{
    size_t most = count_published(s->published);
    for (size_t i = 0; i < s->spreads->n; i++) {
        size_t n = 0;
        for (int source = 0; source < SB_N_SOURCES; source++) n += s->spreads->spread[i].row[source].n_pairs > 0;
        if (is_shown(&s->spreads->spread[i]) && n > most) most = n;
    }
    return most;
}

/* The names of the rows from above, of each a thin line up to its point. */
static void write_rows(sb_writer *script, const points *list, size_t n_rows)
{
    sb_write(script, "unset label\nunset arrow\nset ytics (");
    for (size_t i = 0; i < list->n; i++) {
        sb_write(script, i ? ", " : "");
        sb_style_text(script, list->point[i].label, false);
        sb_write(script, " %ld", -(long)i);
    }
    sb_write(script, ") scale 0\nset yrange [%.1f:0.5]\n", -(double)n_rows + 0.5);
    for (size_t i = 0; i < list->n; i++)
        if (list->point[i].sd > 0)
            sb_write(script, "set arrow from graph 0, first %ld to first %.6g, first %ld nohead back linestyle %d\n",
                     -(long)i, list->point[i].sd, -(long)i, SB_STYLE_ROW);
        else
            sb_style_absent(script, "0: same bits", "graph 0.03, first %ld left", -(long)i);
}

static bool has(const points *list, int evidence)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->point[i].sd > 0 && (int)list->point[i].evidence == evidence) return true;
    return false;
}

/* A list for each evidence of a panel. */
static void write_data(sb_writer *script, const points *list, size_t panel)
{
    for (int evidence = 0; evidence < SB_N_EVIDENCES; evidence++) {
        if (!has(list, evidence)) continue;
        sb_write(script, "# columns sd _place source pairs words\n$panel_%zu_%s << END\n", panel,
                 sb_evidence_name[evidence]);
        for (size_t i = 0; i < list->n; i++) {
            const point *p = &list->point[i];
            if (p->sd > 0 && (int)p->evidence == evidence)
                sb_write(script, "%.6g %ld %s %zu \"%.3g, from %zu pairs\"\n", p->sd, -(long)i, p->label, p->n_pairs,
                         p->sd, p->n_pairs);
        }
        sb_write(script, "END\n");
    }
}

static void write_plot(sb_writer *script, const points *list, size_t panel)
{
    int n_drawn = 0;
    for (int evidence = 0; evidence < SB_N_EVIDENCES; evidence++) {
        if (!has(list, evidence)) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$panel_%zu_%s using 1:2:5 with labels hypertext point linestyle %d", panel,
                 sb_evidence_name[evidence], SB_STYLE_POINT + evidence);
    }
    if (n_drawn == 0) sb_write(script, "plot NaN with lines linestyle %d", SB_STYLE_ROW);
    sb_write(script, "\n");
}

static void widen(double value, double *low, double *high)
{
    if (!(value > 0)) return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* One range for all of ours, so that panels can be compared; the published one has as many decades around its own. */
static void write_range(sb_writer *script, const sb_layout *layout, const sb_figure_subject *s, bool published)
{
    double low = HUGE_VAL, high = 0, own_low = HUGE_VAL, own_high = 0;
    char source[64];
    for (size_t i = 0; i < s->spreads->n; i++)
        for (int k = 0; k < SB_N_SOURCES && is_shown(&s->spreads->spread[i]); k++)
            if (s->spreads->spread[i].row[k].n_pairs)
                widen(s->spreads->spread[i].row[k].sd[SB_METRIC_LAST], &low, &high);
    if (high == 0) low = 1e-3, high = 1;
    if (high < 10 * low) high = 10 * low;
    for (size_t i = 0; published && i < s->published->n; i++)
        if (is_published(&s->published->record[i], source)) widen(s->published->record[i].value, &own_low, &own_high);
    if (published && own_high > 0) {
        double half = sqrt(high / low), middle = sqrt(own_low * own_high);
        low = middle / half;
        high = middle * half;
    }
    sb_style_log_axis(script, layout, 'x', low, high, 0.08);
}

static void write_panel(sb_writer *script, const sb_layout *layout, const sb_figure_subject *s, const points *list,
                        size_t k, const char *title)
{
    const bool published = list->n && list->point[0].evidence == SB_EVIDENCE_PUBLISHED;
    write_data(script, list, k + 1);
    sb_style_panel(script, layout, k, title);
    sb_write(script, published ? "set xlabel 'sd of cross-entropy' offset 0,0.9\n"
                               : "set xlabel 'sd of log loss' offset 0,0.9\n");
    write_range(script, layout, s, published);
    write_rows(script, list, count_rows(s));
    write_plot(script, list, k + 1);
}

static sb_status draw(const sb_figure_subject *s, points *list, char (*names)[64], const char *folder, const char *name)
{
    const size_t n_ours = count_shown(s->spreads), n_published = count_published(s->published) > 0;
    sb_layout layout = {
        .n_panels = n_ours + n_published,
        .columns = 2,
        .columns_narrow = 1,
        .title_lines = 2,
        .panel_height = 12 + 21 * (int)count_rows(s),
        .left = 176,
        .below = 58,
        .between = 62,
    };
    for (size_t i = 0; i < s->spreads->n; i++)
        if (is_shown(&s->spreads->spread[i])) {
            char title[SB_FIGURE_TITLE];
            sb_figure_recipe_title(s->spreads->spread[i].recipe, title);
            sb_style_fit_title(&layout, title);
        }
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    sb_write(plot.script, "unset grid\nset format x '%%g'\n");
    size_t k = 0;
    for (int other = 0; other < 2; other++) /* PredNet first */
        for (const sb_source_spread *spread = s->spreads->spread; spread < s->spreads->spread + s->spreads->n;
             spread++) {
            char title[SB_FIGURE_TITLE];
            if (!is_shown(spread) || (strncmp(spread->recipe, "prednet", 7) != 0) != other) continue;
            sb_figure_recipe_title(spread->recipe, title);
            list_ours(list, spread);
            write_panel(plot.script, &layout, s, list, k++, title);
        }
    if (n_published) {
        list_published(list, s->published, names);
        write_panel(plot.script, &layout, s, list, k, "published:\nResNet-14 on CIFAR-10");
    }
    return sb_plot_end(&plot, SB_OK);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    points list = {.point = calloc(SB_N_SOURCES + s->published->n, sizeof *list.point)};
    char(*names)[64] = calloc(s->published->n + 1, sizeof *names);
    sb_status status = list.point && names ? draw(s, &list, names, folder, name)
                                           : sb_fail(SB_E_MEMORY, "%s: not enough memory for its points", name);
    free(names);
    free(list.point);
    return status;
}

const sb_figure_kind sb_figure_spread = {
    .name = "spread",
    .label = "Spread of final losses by source",
    .section = SB_SECTION_SPREAD,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
