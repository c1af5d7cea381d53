/* What the answer rests on: a strip for each finding, the target buffer first, then the hardware, on one axis of
 * ratios. What changes the result stands away from the rule at 1, what does not stands on it. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdint.h>

static const double PAIRS_AT = 0.13, MEAN_AT = -0.13; /* beside the middle of a strip */

typedef struct rows {
    size_t n, n_left_out;
    const sb_finding *row[SB_ANSWER_ROWS];
} rows;

static rows list_rows(const sb_figure_subject *s)
{
    rows list = {0};
    list.n = sb_answer_rows(s->answer, list.row, &list.n_left_out);
    return list;
}

static bool is_wanted(const sb_figure_subject *s)
{
    return list_rows(s).n > 0;
}

static bool is_buffer(const sb_finding *c)
{
    return c->of_setting == c->over_setting;
}

/* A list for each mark: the buffer's and the hardware's, by evidence. */
typedef struct mark {
    bool buffer;
    sb_evidence evidence;
    const char *list, *title;
    int style;
} mark;

static const mark marks[] = {
    {true, SB_EVIDENCE_MEASURED, "buffer", "target buffer", SB_STYLE_SEED + SB_TARGET_SHARED},
    {true, SB_EVIDENCE_EMULATED, "buffer_emulated", "target buffer, emulated", SB_STYLE_SEED_OPEN + SB_TARGET_SHARED},
    {false, SB_EVIDENCE_MEASURED, "hardware", "hardware", SB_STYLE_SEED + SB_TARGET_COPY},
    {false, SB_EVIDENCE_EMULATED, "hardware_emulated", "hardware, emulated", SB_STYLE_SEED_OPEN + SB_TARGET_COPY},
    {true, SB_EVIDENCE_IMITATED, "buffer_imitated", "target buffer, imitated", SB_STYLE_SEED_CROSS + SB_TARGET_SHARED},
    {false, SB_EVIDENCE_IMITATED, "hardware_imitated", "hardware, imitated", SB_STYLE_SEED_CROSS + SB_TARGET_COPY},
};
enum { N_MARKS = sizeof marks / sizeof *marks };

static bool has_mark(const mark *m, const sb_finding *c)
{
    return m->buffer == is_buffer(c) && m->evidence == sb_finding_evidence(c);
}

static bool is_there(const mark *m, const rows *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (has_mark(m, list->row[i]) && list->row[i]->verdict.paired) return true;
    return false;
}

static void write_pairs(sb_writer *script, const sb_finding *c, size_t i)
{
    for (size_t k = 0; c->verdict.paired && k < c->verdict.n; k++) {
        const sb_result *of, *over;
        double ratio = sb_finding_pair(c, k, &of, &over);
        if (!isfinite(ratio) || !(ratio > 0)) continue;
        sb_write(script, "%.6g %.4f %ld \"seed %ld: %.4g; runs %.8s over %.8s\"\n", ratio,
                 sb_style_strip_middle(i) + PAIRS_AT + 0.1 * sb_figure_jitter(of->seed), of->seed, of->seed, ratio,
                 of->hash, over->hash);
    }
}

static void write_means(sb_writer *script, const rows *list)
{
    sb_write(script, "# columns mean _place low high\n$mean << END\n");
    for (size_t i = 0; i < list->n; i++) {
        const sb_verdict *v = &list->row[i]->verdict;
        bool alone = isnan(v->low);
        sb_write(script, "%.6g %.4f %.6g %.6g\n", v->ratio, sb_style_strip_middle(i) + MEAN_AT,
                 alone ? v->ratio : v->low, alone ? v->ratio : v->high);
    }
    sb_write(script, "END\n");
}

static void write_data(sb_writer *script, const rows *list)
{
    for (const mark *m = marks; m < marks + N_MARKS; m++) {
        if (!is_there(m, list)) continue;
        sb_write(script, "# columns ratio _place seed runs\n$%s << END\n", m->list);
        for (size_t i = 0; i < list->n; i++)
            if (has_mark(m, list->row[i])) write_pairs(script, list->row[i], i);
        sb_write(script, "END\n");
    }
    write_means(script, list);
}

/* From the data, and never so narrow that a difference of one rounding looks like one of anything. */
static void write_range(sb_writer *script, const sb_layout *layout, const rows *list)
{
    double low = 0.87, high = 1.15;
    for (size_t i = 0; i < list->n; i++) {
        const sb_finding *c = list->row[i];
        low = fmin(low, isnan(c->verdict.low) ? c->verdict.ratio : c->verdict.low);
        high = fmax(high, isnan(c->verdict.high) ? c->verdict.ratio : c->verdict.high);
        for (size_t k = 0; c->verdict.paired && k < c->verdict.n; k++) {
            const sb_result *of, *over;
            double ratio = sb_finding_pair(c, k, &of, &over);
            if (!isfinite(ratio) || !(ratio > 0)) continue;
            low = fmin(low, ratio);
            high = fmax(high, ratio);
        }
    }
    sb_style_log_axis(script, layout, 'x', low, high, 0.04);
}

static void write_words(sb_writer *script, const sb_layout *layout, const rows *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const sb_finding *c = list->row[i];
        char names[SB_FINDING_NAMES], words[sizeof names + sizeof c->over_setting->label + 4], number[SB_VERDICT_TEXT];
        sb_finding_names(c, names);
        if (!is_buffer(c))
            snprintf(words, sizeof words, "%s / %s", names, c->over_setting->label);
        else if (sb_recipe_has_published_size(c->of->cell[0]))
            snprintf(words, sizeof words, "shared / copied, full size");
        else
            snprintf(words, sizeof words, "shared / copied, study %s", c->of_group->study);
        sb_verdict_ratio_text(&c->verdict, number);
        sb_style_strip_words(script, layout, i, words, number);
    }
}

static void write_panel(sb_writer *script, const rows *list)
{
    int n_drawn = 0;
    for (const mark *m = marks; m < marks + N_MARKS; m++) {
        if (!is_there(m, list)) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$%s using 1:2:4 with labels hypertext point linestyle %d", m->list, m->style);
        n_drawn = sb_style_key_item(script, n_drawn);
        sb_write(script, "keyentry with points linestyle %d title '%s'", m->style, m->title);
    }
    sb_style_item(script, n_drawn++);
    sb_write(script, "$mean using 1:2:3:4 with xerrorbars linestyle %d title 'mean, 95 %% interval'\n", SB_STYLE_MEAN);
}

/* What each row rests on: " From top to bottom: 6 pairs of PredNet at the published size on natural, 250 updates: 1.83
 * [1.32, 4.55]; ..." */
static void write_rows(sb_writer *out, const rows *list)
{
    bool bracketed = false;
    for (size_t i = 0; i < list->n; i++) {
        const sb_finding *c = list->row[i];
        const sb_result *cell = c->of->cell[0];
        char number[SB_VERDICT_TEXT];
        sb_verdict_ratio_text(&c->verdict, number);
        bracketed = bracketed || !isnan(c->verdict.low);
        sb_write(out, i ? "; %zu %s%s of " : " From top to bottom: %zu %s%s of ", c->verdict.n,
                 c->verdict.paired ? "pair" : "run", sb_plural(c->verdict.n));
        if (i && sb_recipe_compare(list->row[i - 1]->of->cell[0], cell) == 0) {
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
    const rows list = list_rows(s);
    size_t n_buffer = 0, n_imitated = 0, fewest = SIZE_MAX;
    for (size_t i = 0; i < list.n; i++) {
        n_imitated += sb_finding_evidence(list.row[i]) == SB_EVIDENCE_IMITATED;
        n_buffer += is_buffer(list.row[i]);
        if (list.row[i]->verdict.n < fewest) fewest = list.row[i]->verdict.n;
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

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const rows list = list_rows(s);
    int n_keys = 1;
    for (const mark *m = marks; m < marks + N_MARKS; m++) n_keys += is_there(m, &list);
    const sb_layout layout = {
        .n_panels = 1,
        .width = 700, /* beside the answer or alone on a page of 800 pixels, its text is as large as the page's */
        .columns = 1,
        .columns_narrow = 1,
        .panel_height = SB_STYLE_STRIP * (int)list.n,
        .left = 16,
        .right = 16,
        .below = 58,
        .key_lines = n_keys > 3 ? 2 : 1,
        .key_lines_narrow = n_keys,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    write_data(plot.script, &list);
    write_range(plot.script, &layout, &list);
    sb_style_panel(plot.script, &layout, 0, "");
    sb_style_axis_labels(plot.script, "final loss relative to the partner; dotted: equal", NULL);
    sb_style_strips(plot.script, list.n);
    sb_style_strip_rule(plot.script, list.n, 1);
    write_words(plot.script, &layout, &list);
    write_panel(plot.script, &list);
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_answer = {
    .name = "answer",
    .label = "What the target buffer and the hardware do to the final loss, pair by pair",
    .section = SB_SECTION_ANSWER,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
