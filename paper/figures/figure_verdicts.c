/* What the claims came to that answer a question, the one of the hardware or the results' own: a strip for each comparison
 * that has a ratio, in the order of the claims, on one axis of ratios. */
#include "core/text/plural.h"
#include "paper/figures/chart.h"
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Findings as strips, one below the other, on one axis of ratios: a mark for each pair of runs, the mean with its
 * interval, and a rule at 1. */

static void add_strip(sb_chart *chart, const sb_strip *strip)
{
    const sb_finding *f = strip->finding;
    const sb_verdict *v = &f->verdict;
    char number[SB_VERDICT_TEXT];
    sb_verdict_ratio_text(v, number);
    sb_chart_row(chart, strip->words, number);
    for (size_t k = 0; v->paired && k < v->n; k++) {
        const sb_result *of, *over;
        const double ratio = sb_finding_pair(f, k, &of, &over);
        sb_chart_mark(chart, (sb_point){.series = strip->series, .x = ratio, .seed = &of->seed},
                      "seed %ld: %.4g; runs %.8s over %.8s", of->seed, ratio, of->hash, over->hash);
    }
    sb_chart_point(chart,
                   (sb_point){.series = chart->form.n_series - 1, .x = v->ratio, .low = v->low, .high = v->high});
}

void sb_strips_fill(const sb_strips *strips, sb_chart *chart)
{
    if (strips->n == 0) return;
    sb_chart_panel(chart, "");
    sb_chart_rule(chart, 1);
    for (size_t i = 0; i < strips->n; i++) add_strip(chart, &strips->row[i]);
}

/* Several claims may speak of the same runs; the first draws them. */
static bool has(const sb_strips *list, const sb_finding *part)
{
    for (size_t i = 0; i < list->n; i++) {
        const sb_finding *at = list->row[i].finding;
        const bool alike = at->of == part->of && at->over == part->over,
                   swapped = at->of == part->over && at->over == part->of;
        if ((alike || swapped) && at->metric == part->metric) return true;
    }
    return false;
}

/* Equal weights have a ratio of 1 and no spread: a sentence says it better. */
static bool is_drawn(const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    return v->word != SB_VERDICT_SAME_BITS && isfinite(v->ratio) && v->ratio > 0;
}

/* "sgd-4096", "native (gpu-full)", "native shared (gpu-full)": what tells a side from the other, and its study. */
static void name_side(char words[SB_FIGURE_WORDS], const sb_claim_result *r, const sb_finding *part, const sb_arm *side)
{
    const bool targets = part->of->target != part->over->target, studies = part->of->group != part->over->group;
    const bool settings = strcmp(part->of->setting->label, part->over->setting->label) != 0;
    const char *target = side->target == SB_TARGET_SHARED ? "shared" : "copied", *study = side->group->study;
    const char *name = settings ? side->setting->label : studies ? study : "";
    char names[SB_FINDING_NAMES];
    if (sb_claim_is_of_hardware(r->claim) && side == part->of) {
        sb_finding_names(part, names);
        name = names;
    }
    snprintf(words, SB_FIGURE_WORDS, "%.190s%s%s%s%.60s%s", name, targets && *name ? " " : "", targets ? target : "",
             studies && settings ? " (" : "", studies && settings ? study : "", studies && settings ? ")" : "");
}

/* "supported: sgd-4096 / sgd-32", "undetermined: native shared / cudnn copied, study gpu-full"; of the hardware
 * "i5-4590 / native, study cpus". */
static void name_row(sb_strip *row, const sb_question *q, const sb_claim_result *r)
{
    const sb_finding *part = row->finding;
    const bool undecided = r->outcome == SB_OUTCOME_UNDETERMINED, same_study = part->of->group == part->over->group;
    const bool shared = part->of->target == SB_TARGET_SHARED && part->over->target == SB_TARGET_SHARED;
    const bool outcome = q->kind == SB_QUESTION_CLAIMS;
    char a[SB_FIGURE_WORDS], b[SB_FIGURE_WORDS];
    name_side(a, r, part, part->of);
    name_side(b, r, part, part->over);
    snprintf(row->words, sizeof row->words, "%s%s%s / %s%s%s%.60s",
             outcome ? sb_outcome_name[undecided ? SB_OUTCOME_UNDETERMINED : part->outcome] : "", outcome ? ": " : "",
             *a ? a : "one", *b ? b : "other", shared ? ", both shared" : "", same_study ? ", study " : "",
             same_study ? part->of->group->study : "");
}

static const sb_series series[] = {
    [SB_EVIDENCE_MEASURED] = SB_STRIP_MARKS("measured", SB_STYLE_SEED, "a pair of runs, measured"),
    [SB_EVIDENCE_EMULATED] = SB_STRIP_MARKS("emulated", SB_STYLE_SEED_OPEN, "a pair of runs, emulated"),
    [SB_EVIDENCE_IMITATED] = SB_STRIP_MARKS("imitated", SB_STYLE_SEED_CROSS, "a pair of runs, imitated"),
    SB_STRIP_MEAN,
};
static const sb_chart_form form = SB_STRIPS_FORM(series);

static sb_strips list_rows(const sb_figure_subject *s)
{
    sb_strips list = {0};
    const bool of_hardware = s->kind->section == SB_SECTION_ANSWER;
    const sb_question *q = of_hardware ? s->hardware : s->question;
    if (!of_hardware && q->kind != SB_QUESTION_CLAIMS) return list;
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));)
        for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++) {
            if (!is_drawn(part) || has(&list, part)) continue;
            if (list.n == SB_STRIPS_MOST) {
                list.n_left_out++;
                continue;
            }
            sb_strip *row = &list.row[list.n++];
            row->finding = part;
            row->series = (int)sb_finding_evidence(part);
            name_row(row, q, r);
        }
    return list;
}

/* What the ratios are of: "test error", or several things. */
static const char *metric_words(const sb_strips *list)
{
    const char *words = "";
    for (size_t i = 0; i < list->n; i++) {
        const char *own = sb_recipe_metric_words(list->row[i].finding->of->cell[0], list->row[i].finding->metric);
        if (i && strcmp(words, own) != 0) return "loss or error";
        words = own;
    }
    return words;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    const sb_strips list = list_rows(s);
    bool unpaired = false, bracketed = false, targets = false;
    for (size_t i = 0; i < list.n; i++) {
        unpaired = unpaired || !list.row[i].finding->verdict.paired;
        bracketed = bracketed || !isnan(list.row[i].finding->verdict.low);
        targets = targets || list.row[i].finding->over->target != list.row[i].finding->of->target;
    }
    sb_write(
        out,
        "%s, each comparison once: the %s of the first condition divided by that of "
        "the second%s. A ratio of 1 (dotted) is no difference. One mark for each pair of runs with the same initial "
        "weights%s. Diamonds: geometric mean%s. Logarithmic axis.",
        s->kind->section == SB_SECTION_ANSWER ? "The target buffer and the hardware" : "The claims in their order",
        metric_words(&list), targets ? ", with the copied target unless the row says otherwise" : "",
        unpaired ? "; conditions without such pairs have no marks" : "",
        bracketed ? ", with its 95 % interval in brackets" : "");
    if (list.n_left_out)
        sb_write(out, " The tables have %zu more comparison%s.", list.n_left_out, sb_plural(list.n_left_out));
}

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_strips list = list_rows(s);
    snprintf(chart->form.x.label, sizeof chart->form.x.label, "%s / partner; dotted: equal", metric_words(&list));
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

const sb_figure_kind sb_figure_verdicts = {
    .name = "verdicts",
    .label = "Outcome of each claim, pair by pair",
    .section = SB_SECTION_VERDICTS,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
