/* What the claims came to that answer the results' own question: a strip for each comparison that has a ratio, in the
 * order of the claims, on one axis of ratios. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PAIRS_AT = 0.13, MEAN_AT = -0.13; /* beside the middle of a strip */

enum { ROWS = 8 }; /* a first screen holds no more */

typedef struct rows {
    size_t n, n_left_out;
    struct {
        const sb_claim_result *claim;
        const sb_finding *part;
    } row[ROWS];
} rows;

/* Several claims may speak of the same runs; the first draws them. */
static bool has(const rows *list, const sb_claim_result *r, const sb_finding *part)
{
    for (size_t i = 0; i < list->n; i++) {
        const sb_finding *at = list->row[i].part;
        const bool alike = at->of == part->of && at->over == part->over,
                   swapped = at->of == part->over && at->over == part->of;
        if ((alike || swapped) && list->row[i].claim->metric == r->metric) return true;
    }
    return false;
}

/* Equal weights have a ratio of 1 and no spread: a sentence says it better. */
static bool is_drawn(const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    return v->word != SB_VERDICT_SAME_BITS && isfinite(v->ratio) && v->ratio > 0;
}

static rows list_rows(const sb_figure_subject *s)
{
    rows list = {0};
    const sb_question *q = s->question;
    if (q->kind != SB_QUESTION_CLAIMS) return list;
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));)
        for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++) {
            if (!is_drawn(part) || has(&list, r, part)) continue;
            if (list.n == ROWS) {
                list.n_left_out++;
                continue;
            }
            list.row[list.n].claim = r;
            list.row[list.n++].part = part;
        }
    return list;
}

static bool is_wanted(const sb_figure_subject *s)
{
    return list_rows(s).n > 0;
}

static sb_evidence evidence_of(const sb_finding *part)
{
    return sb_finding_evidence(part);
}

/* A list for each mark. */
static const struct mark {
    const char *list;
    int style;
} marks[SB_N_EVIDENCES_OF_RUNS] = {
    [SB_EVIDENCE_MEASURED] = {"measured", SB_STYLE_SEED + SB_TARGET_COPY},
    [SB_EVIDENCE_EMULATED] = {"emulated", SB_STYLE_SEED_OPEN + SB_TARGET_COPY},
    [SB_EVIDENCE_IMITATED] = {"imitated", SB_STYLE_SEED_CROSS + SB_TARGET_COPY},
};

static bool is_there(const rows *list, int evidence)
{
    for (size_t i = 0; i < list->n; i++)
        if ((int)evidence_of(list->row[i].part) == evidence && list->row[i].part->verdict.paired) return true;
    return false;
}

static double pair_of(const rows *list, size_t i, size_t k, const sb_result **of, const sb_result **over)
{
    const sb_finding *part = list->row[i].part;
    return sb_sample_pair((sb_sample){part->of->n, part->of->cell}, (sb_sample){part->over->n, part->over->cell},
                          list->row[i].claim->metric, k, of, over);
}

static void write_pairs(sb_writer *script, const rows *list, size_t i)
{
    for (size_t k = 0; list->row[i].part->verdict.paired && k < list->row[i].part->verdict.n; k++) {
        const sb_result *of, *over;
        const double ratio = pair_of(list, i, k, &of, &over);
        if (!isfinite(ratio) || !(ratio > 0)) continue;
        sb_write(script, "%.6g %.4f %ld \"seed %ld: %.4g; runs %.8s over %.8s\"\n", ratio,
                 sb_style_strip_middle(i) + PAIRS_AT + 0.1 * sb_figure_jitter(of->seed), of->seed, of->seed, ratio,
                 of->hash, over->hash);
    }
}

static void write_data(sb_writer *script, const rows *list)
{
    for (int e = 0; e < SB_N_EVIDENCES_OF_RUNS; e++) {
        if (!is_there(list, e)) continue;
        sb_write(script, "# columns ratio _place seed runs\n$%s << END\n", marks[e].list);
        for (size_t i = 0; i < list->n; i++)
            if ((int)evidence_of(list->row[i].part) == e) write_pairs(script, list, i);
        sb_write(script, "END\n");
    }
    sb_write(script, "# columns mean _place low high\n$mean << END\n");
    for (size_t i = 0; i < list->n; i++) {
        const sb_verdict *v = &list->row[i].part->verdict;
        const bool alone = isnan(v->low);
        sb_write(script, "%.6g %.4f %.6g %.6g\n", v->ratio, sb_style_strip_middle(i) + MEAN_AT,
                 alone ? v->ratio : v->low, alone ? v->ratio : v->high);
    }
    sb_write(script, "END\n");
}

/* From the data, and never so narrow that a difference of one rounding looks like one of anything. */
static void write_range(sb_writer *script, const sb_layout *layout, const rows *list)
{
    double low = 0.87, high = 1.15;
    for (size_t i = 0; i < list->n; i++) {
        const sb_verdict *v = &list->row[i].part->verdict;
        low = fmin(low, isnan(v->low) ? v->ratio : v->low);
        high = fmax(high, isnan(v->high) ? v->ratio : v->high);
        for (size_t k = 0; v->paired && k < v->n; k++) {
            const sb_result *of, *over;
            const double ratio = pair_of(list, i, k, &of, &over);
            if (!isfinite(ratio) || !(ratio > 0)) continue;
            low = fmin(low, ratio);
            high = fmax(high, ratio);
        }
    }
    sb_style_log_axis(script, layout, 'x', low, high, 0.04);
}

/* "sgd-4096", "native (gpu-full)", "native shared (gpu-full)": what tells a side from the other, and its study. */
static void name_side(char words[SB_FIGURE_WORDS], const sb_finding *part, bool of)
{
    const sb_group *group = of ? part->of_group : part->over_group;
    const sb_configuration *setting = of ? part->of_setting : part->over_setting;
    const bool targets = part->of->cell[0]->target != part->over->cell[0]->target;
    const bool studies = part->of_group != part->over_group;
    const bool settings = strcmp(part->of_setting->label, part->over_setting->label) != 0;
    const char *target = (of ? part->of : part->over)->cell[0]->target == SB_TARGET_SHARED ? "shared" : "copied";
    const char *name = settings ? setting->label : studies ? group->study : "";
    snprintf(words, SB_FIGURE_WORDS, "%.120s%s%s%s%.60s%s", name, targets && *name ? " " : "", targets ? target : "",
             studies && settings ? " (" : "", studies && settings ? group->study : "", studies && settings ? ")" : "");
}

/* "supported: sgd-4096 / sgd-32", "undetermined: native shared / cudnn copied, study gpu-full" */
static void write_words(sb_writer *script, const sb_layout *layout, const rows *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const sb_finding *part = list->row[i].part;
        const sb_result *of = part->of->cell[0], *over = part->over->cell[0];
        const bool undecided = list->row[i].claim->outcome == SB_OUTCOME_UNDETERMINED;
        const bool shared = of->target == SB_TARGET_SHARED && of->target == over->target;
        char a[SB_FIGURE_WORDS], b[SB_FIGURE_WORDS], words[2 * SB_FIGURE_WORDS + 128], number[SB_VERDICT_TEXT];
        name_side(a, part, true);
        name_side(b, part, false);
        snprintf(words, sizeof words, "%s: %s / %s%s%s%.60s",
                 sb_outcome_name[undecided ? SB_OUTCOME_UNDETERMINED : part->outcome], *a ? a : "one", *b ? b : "other",
                 shared ? ", both shared" : "", part->of_group == part->over_group ? ", study " : "",
                 part->of_group == part->over_group ? part->of_group->study : "");
        sb_verdict_ratio_text(&part->verdict, number);
        sb_style_strip_words(script, layout, i, words, number);
    }
}

static void write_panel(sb_writer *script, const rows *list)
{
    int n_drawn = 0;
    for (int e = 0; e < SB_N_EVIDENCES_OF_RUNS; e++) {
        if (!is_there(list, e)) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$%s using 1:2:4 with labels hypertext point linestyle %d", marks[e].list, marks[e].style);
        n_drawn = sb_style_key_item(script, n_drawn);
        sb_write(script, "keyentry with points linestyle %d title 'a pair of runs, %s'", marks[e].style,
                 sb_evidence_name[e]);
    }
    sb_style_item(script, n_drawn++);
    sb_write(script, "$mean using 1:2:3:4 with xerrorbars linestyle %d title 'mean, 95 %% interval'\n", SB_STYLE_MEAN);
}

/* What the ratios are of: "test error", or several things. */
static const char *metric_words(const rows *list)
{
    const char *words = "";
    for (size_t i = 0; i < list->n; i++) {
        const char *own = sb_recipe_metric_words(list->row[i].part->of->cell[0], list->row[i].claim->metric);
        if (i && strcmp(words, own) != 0) return "loss or error";
        words = own;
    }
    return words;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    const rows list = list_rows(s);
    bool unpaired = false, bracketed = false, targets = false;
    for (size_t i = 0; i < list.n; i++) {
        unpaired = unpaired || !list.row[i].part->verdict.paired;
        bracketed = bracketed || !isnan(list.row[i].part->verdict.low);
        targets = targets || list.row[i].part->over->cell[0]->target != list.row[i].part->of->cell[0]->target;
    }
    sb_write(
        out,
        "The comparisons of the claims, in their order, each once: the %s of the first condition divided by that of "
        "the second%s. A ratio of 1 (dotted) is no difference. One mark for each pair of runs with the same initial "
        "weights%s. Diamonds: geometric mean%s. Logarithmic axis.",
        metric_words(&list), targets ? ", with the copied target unless the row says otherwise" : "",
        unpaired ? "; conditions without such pairs have no marks" : "",
        bracketed ? ", with its 95 % interval in brackets" : "");
    if (list.n_left_out)
        sb_write(out, " The table of claims has %zu more comparison%s.", list.n_left_out, sb_plural(list.n_left_out));
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const rows list = list_rows(s);
    char axis[96];
    int n_keys = 1;
    for (int e = 0; e < SB_N_EVIDENCES_OF_RUNS; e++) n_keys += is_there(&list, e);
    const sb_layout layout = {
        .n_panels = 1,
        .width = 700, /* as that of the answer */
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
    snprintf(axis, sizeof axis, "%s relative to the partner; dotted: equal", metric_words(&list));
    sb_style_axis_labels(plot.script, axis, NULL);
    sb_style_strips(plot.script, list.n);
    sb_style_strip_rule(plot.script, list.n, 1);
    write_words(plot.script, &layout, &list);
    write_panel(plot.script, &list);
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_verdicts = {
    .name = "verdicts",
    .label = "Outcome of each claim, pair by pair",
    .section = SB_SECTION_VERDICTS,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
