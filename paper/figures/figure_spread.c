/* The spread of final losses by one source alone: a panel for each recipe in which three sources or more were
 * measured, and one with what others published of another network, in its own unit. */
#include "paper/figures/figures.h"

#include <math.h>
#include <string.h>

static const char published_prefix[] = "spread.", published_suffix[] = ".cross-entropy-sd";

static const char *const source_label[SB_N_SOURCES] = {
    [SB_SOURCE_REPEAT] = "repetition",     [SB_SOURCE_ULP] = "one ulp of one weight",
    [SB_SOURCE_THREADS] = "threads",       [SB_SOURCE_KERNEL] = "kernel type",
    [SB_SOURCE_ARITHMETIC] = "arithmetic", [SB_SOURCE_LIBRARY] = "library",
    [SB_SOURCE_MACHINE] = "hardware",      [SB_SOURCE_TARGET] = "target",
    [SB_SOURCE_SEED] = "initial weights",
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

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    sb_write(out,
             "Spread of the final loss (PredNet: of the last frame) of two runs that differ in one thing alone: standard deviation of "
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

static const sb_series series[SB_N_EVIDENCES] = {
    [SB_EVIDENCE_MEASURED] = {"measured", SB_MARKS, SB_STYLE_POINT + SB_EVIDENCE_MEASURED},
    [SB_EVIDENCE_EMULATED] = {"emulated", SB_MARKS, SB_STYLE_POINT + SB_EVIDENCE_EMULATED},
    [SB_EVIDENCE_IMITATED] = {"imitated", SB_MARKS, SB_STYLE_POINT + SB_EVIDENCE_IMITATED},
    [SB_EVIDENCE_PUBLISHED] = {"published", SB_MARKS, SB_STYLE_POINT + SB_EVIDENCE_PUBLISHED},
};

static const sb_chart_form form = {
    .rows = SB_ROWS_NAMES,
    .layout = {.columns = 2, .title_lines = 2},
    .x = {.label = "sd of log loss", .column = "sd", .room = 0.08, .by_panel = true},
    .series = series,
    .n_series = SB_N_EVIDENCES,
};

typedef struct range {
    double low, high;
} range;

static void widen(range *r, double value)
{
    if (!(value > 0)) return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

/* One range of at least a decade for all of ours, so that panels can be compared. */
static range range_of_ours(const sb_spreads *spreads)
{
    range r = {HUGE_VAL, 0};
    for (size_t i = 0; i < spreads->n; i++)
        for (int k = 0; k < SB_N_SOURCES && is_shown(&spreads->spread[i]); k++)
            if (spreads->spread[i].row[k].n_pairs) widen(&r, spreads->spread[i].row[k].sd[SB_METRIC_LAST]);
    if (r.high == 0) return (range){1e-3, 1};
    return (range){r.low, fmax(r.high, 10 * r.low)};
}

/* As many decades, around the published ones. */
static range range_of_published(const sb_published *published, range ours)
{
    const double half = sqrt(ours.high / ours.low);
    range r = {HUGE_VAL, 0};
    char source[64];
    for (size_t i = 0; i < published->n; i++)
        if (is_published(&published->record[i], source)) widen(&r, published->record[i].value);
    if (r.high == 0) return ours;
    return (range){sqrt(r.low * r.high) / half, sqrt(r.low * r.high) * half};
}

static void add_ours(sb_chart *chart, const sb_source_spread *spread, range ours)
{
    char title[SB_FIGURE_TITLE];
    sb_figure_recipe_title(spread->recipe, title);
    sb_chart_panel(chart, title);
    sb_chart_range(chart, NULL, ours.low, ours.high);
    for (int source = 0; source < SB_N_SOURCES; source++) {
        const sb_spread_row *row = &spread->row[source];
        const double sd = row->sd[SB_METRIC_LAST];
        if (row->n_pairs == 0) continue;
        sb_chart_row(chart, source_label[source], sd > 0 ? "" : "0: same bits");
        if (sd > 0)
            sb_chart_mark(chart, (sb_point){.series = (int)row->evidence, .x = sd}, "%.3g, from %zu pairs", sd,
                          row->n_pairs);
    }
}

static void add_published(sb_chart *chart, const sb_published *published, range ours)
{
    const range own = range_of_published(published, ours);
    char source[64];
    size_t n = 0;
    for (const sb_published_record *record = published->record; record < published->record + published->n; record++) {
        if (!is_published(record, source)) continue;
        if (n++ == 0) {
            sb_chart_panel(chart, "published:\nResNet-14 on CIFAR-10");
            sb_chart_range(chart, "sd of cross-entropy", own.low, own.high);
        }
        sb_chart_row(chart, source, record->value > 0 ? "" : "0");
        if (record->value > 0)
            sb_chart_mark(chart, (sb_point){.series = SB_EVIDENCE_PUBLISHED, .x = record->value}, "%.3g",
                          record->value);
    }
}

/* PredNet first, the published ones last. */
static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_spreads *spreads = s->spreads;
    const range ours = range_of_ours(spreads);
    for (int other = 0; other < 2; other++)
        for (size_t i = 0; i < spreads->n; i++)
            if (is_shown(&spreads->spread[i]) && (strncmp(spreads->spread[i].recipe, "prednet", 7) != 0) == other)
                add_ours(chart, &spreads->spread[i], ours);
    if (chart->n_panels) add_published(chart, s->published, ours);
    return SB_OK;
}

const sb_figure_kind sb_figure_spread = {
    .name = "spread",
    .label = "Spread of final losses by source",
    .section = SB_SECTION_SPREAD,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
