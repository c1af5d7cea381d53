/* By which ratios layer-wise optimizers multiplied the rate of each tensor: a panel for each arm, a row for each tensor
 * whose ratio was another one than 1 in any of them, the same rows in all. */
#include "paper/figures/figures.h"

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    sb_figure_counts counts = {0};
    for (size_t i = 0; i < s->trust->n; i++) sb_figure_count_runs(&counts, s->trust->arm[i].n_runs);
    sb_write(out,
             "By what a layer-wise rule multiplied the learning rate of each tensor, at the ends of epochs. Point: at "
             "the end of training, the median over the seeds; line: all epochs and seeds; ");
    sb_figure_write_counts(out, &counts, "seed");
    sb_write(out, " Tensors whose ratio is 1 in all conditions have no row. Logarithmic axis, the same for all "
                  "panels.");
}

static void title_of(const sb_trust_arm *arm, char title[SB_FIGURE_TITLE])
{
    snprintf(title, SB_FIGURE_TITLE, "%.48s: %.24s, batch %ld", arm->cell->study, arm->cell->optimizer,
             arm->cell->batch);
}

enum { RANGE, LAST, N_SERIES = LAST + SB_N_EVIDENCES_OF_RUNS };

static const sb_series series[N_SERIES] = {
    [RANGE] = {"range", SB_MEANS, SB_STYLE_MEAN},
    [LAST + SB_EVIDENCE_MEASURED] = {"measured", SB_MARKS, SB_STYLE_RATIO},
    [LAST + SB_EVIDENCE_EMULATED] = {"emulated", SB_MARKS, SB_STYLE_RATIO_OPEN},
    [LAST + SB_EVIDENCE_IMITATED] = {"imitated", SB_MARKS, SB_STYLE_RATIO_CROSS},
};

static const sb_chart_form form = {
    .rows = SB_ROWS_NAMES,
    .x = {.label = "ratio; dotted: 1", .column = "ratio", .room = 0.04},
    .series = series,
    .n_series = N_SERIES,
};

/* Has an arm before this one that row? */
static bool is_listed(const sb_trust_ratios *ratios, size_t arm, const sb_trust_tensor *tensor)
{
    for (size_t i = 0; i < arm; i++) {
        const sb_trust_tensor *t = sb_trust_find(&ratios->arm[i], tensor->name);
        if (t && !sb_trust_is_fixed(t)) return true;
    }
    return false;
}

static void add_row(sb_chart *chart, const sb_trust_arm *arm, const char *name)
{
    const sb_trust_tensor *t = sb_trust_find(arm, name);
    sb_chart_row(chart, name, "");
    if (!t) return;
    sb_chart_point(chart, (sb_point){.series = RANGE, .x = t->last, .low = t->low, .high = t->high});
    sb_chart_mark(chart, (sb_point){.series = LAST + (int)arm->cell->evidence, .x = t->last}, "%.3g, from %.3g to %.3g",
                  t->last, t->low, t->high);
}

/* The same rows in every panel: the tensors of all of them whose ratio was ever another one than 1. */
static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_trust_ratios *ratios = s->trust;
    for (size_t i = 0; sb_trust_ratios_vary(ratios) && i < ratios->n; i++) {
        char title[SB_FIGURE_TITLE];
        title_of(&ratios->arm[i], title);
        sb_chart_panel(chart, title);
        sb_chart_rule(chart, 1);
        for (size_t k = 0; k < ratios->n; k++)
            for (const sb_trust_tensor *t = ratios->arm[k].tensor; t < ratios->arm[k].tensor + ratios->arm[k].n; t++)
                if (!sb_trust_is_fixed(t) && !is_listed(ratios, k, t)) add_row(chart, &ratios->arm[i], t->name);
    }
    return SB_OK;
}

const sb_figure_kind sb_figure_trust = {
    .name = "trust",
    .label = "Ratios by which layer-wise optimizers multiplied learning rates, by tensor",
    .section = SB_SECTION_LAYERS,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
