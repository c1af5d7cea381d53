/* What the answer rests on: a strip for each finding, the target buffer first, then the hardware, on one axis of
 * ratios. What changes the result stands away from the rule at 1, what does not stands on it. */
#include "paper/figures/chart.h"
#include "paper/figures/figures.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

static bool is_buffer(const sb_finding *f)
{
    return f->of->setting == f->over->setting;
}

/* A mark for the buffer and one for the hardware, by evidence. */
enum { HARDWARE = SB_N_EVIDENCES_OF_RUNS };
static const sb_series series[] = {
    [SB_EVIDENCE_MEASURED] = SB_STRIP_MARKS("buffer", SB_STYLE_SEED + SB_TARGET_SHARED, "target buffer"),
    [SB_EVIDENCE_EMULATED] =
        SB_STRIP_MARKS("buffer_emulated", SB_STYLE_SEED_OPEN + SB_TARGET_SHARED, "target buffer, emulated"),
    [SB_EVIDENCE_IMITATED] =
        SB_STRIP_MARKS("buffer_imitated", SB_STYLE_SEED_CROSS + SB_TARGET_SHARED, "target buffer, imitated"),
    [HARDWARE + SB_EVIDENCE_MEASURED] = SB_STRIP_MARKS("hardware", SB_STYLE_SEED, "hardware"),
    [HARDWARE + SB_EVIDENCE_EMULATED] = SB_STRIP_MARKS("hardware_emulated", SB_STYLE_SEED_OPEN, "hardware, emulated"),
    [HARDWARE + SB_EVIDENCE_IMITATED] = SB_STRIP_MARKS("hardware_imitated", SB_STYLE_SEED_CROSS, "hardware, imitated"),
    SB_STRIP_MEAN,
};
static const sb_chart_form form = SB_STRIPS_FORM(series);

static void name_row(sb_strip *row)
{
    const sb_finding *f = row->finding;
    char names[SB_FINDING_NAMES];
    sb_finding_names(f, names);
    if (!is_buffer(f))
        snprintf(row->words, sizeof row->words, "%s / %s", names, f->over->setting->label);
    else if (sb_recipe_has_published_size(f->of->cell[0]))
        snprintf(row->words, sizeof row->words, "shared / copied, full size");
    else
        snprintf(row->words, sizeof row->words, "shared / copied, study %s", f->of->group->study);
}

static sb_strips list_rows(const sb_figure_subject *s)
{
    sb_strips list = {0};
    const sb_finding *row[SB_ANSWER_ROWS];
    list.n = sb_answer_rows(s->answer, row, &list.n_left_out);
    for (size_t i = 0; i < list.n; i++) {
        list.row[i].finding = row[i];
        list.row[i].series = (is_buffer(row[i]) ? 0 : HARDWARE) + (int)sb_finding_evidence(row[i]);
        name_row(&list.row[i]);
    }
    return list;
}

/* What each row rests on: " From top to bottom: 6 pairs of PredNet at the published size on natural, 250 updates: 1.83
 * [1.32, 4.55]; ..." */
static void write_rows(sb_writer *out, const sb_strips *list)
{
    bool bracketed = false;
    for (size_t i = 0; i < list->n; i++) {
        const sb_finding *c = list->row[i].finding;
        const sb_result *cell = c->of->cell[0];
        char number[SB_VERDICT_TEXT];
        sb_verdict_ratio_text(&c->verdict, number);
        bracketed = bracketed || !isnan(c->verdict.low);
        sb_write(out, i ? "; %zu %s%s of " : " From top to bottom: %zu %s%s of ", c->verdict.n,
                 c->verdict.paired ? "pair" : "run", sb_plural(c->verdict.n));
        if (i && sb_recipe_compare(list->row[i - 1].finding->of->cell[0], cell) == 0) {
            sb_write(out, "the same: %s", number);
            continue;
        }
        sb_answer_write_network(out, cell);
        sb_write(out, " on %s, %ld updates: %s", cell->data, cell->updates, number);
    }
    sb_write(out, bracketed ? " (the 95 %% interval in brackets)." : ".");
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    const sb_strips list = list_rows(s);
    size_t n_buffer = 0, n_imitated = 0, fewest = SIZE_MAX;
    for (size_t i = 0; i < list.n; i++) {
        n_imitated += sb_finding_evidence(list.row[i].finding) == SB_EVIDENCE_IMITATED;
        n_buffer += is_buffer(list.row[i].finding);
        if (list.row[i].finding->verdict.n < fewest) fewest = list.row[i].finding->verdict.n;
    }
    sb_write(out, "A ratio of 1 (dotted) is no effect on the final loss.");
    if (n_buffer)
        sb_write(
            out,
            " Squares: loss with the shared target buffer divided by loss with the copied buffer, one mark for each "
            "pair of runs with the same initial weights.");
    if (n_buffer < list.n)
        sb_write(out,
                 " Circles: loss of other hardware divided by loss of the reference, both with the copied target.");
    sb_write(out, " Filled: measured, open: emulated%s. Diamonds: geometric mean",
             n_imitated ? ", crosses: imitated" : "");
    if (fewest < SB_STATS_INTERVAL_RUNS)
        sb_write(out, ", with its 95 %% interval from %d pairs on.", SB_STATS_INTERVAL_RUNS);
    else
        sb_write(out, " with its 95 %% interval.");
    sb_write(out, " Last-frame loss, logarithmic axis.");
    write_rows(out, &list);
    if (list.n_left_out)
        sb_write(out, " The table of hardware has %zu more setting%s, which %s nearer to 1.", list.n_left_out,
                 sb_plural(list.n_left_out), list.n_left_out == 1 ? "is" : "are");
}

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_strips list = list_rows(s);
    sb_strips_fill(&list, chart);
    return SB_OK;
}

const sb_figure_kind sb_figure_answer = {
    .name = "answer",
    .label = "What the target buffer and the hardware do to the final loss, pair by pair",
    .section = SB_SECTION_ANSWER,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
