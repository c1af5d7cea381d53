#include "paper/claims/answer.h"

#include "core/text/plural.h"
#include "paper/effects/measures.h"
#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- numbers -- */

void sb_answer_write_number(sb_writer *out, sb_answer_form *form, const char *label, const char *words)
{
    if (form)
        form(out, label, words);
    else
        sb_write(out, "%s", words);
}

static int decimals_of(const sb_verdict *v)
{
    return sb_stats_ratio_decimals(&(sb_ratio){v->n, v->ratio, v->low, v->high, v->p});
}

static void size_words(const sb_verdict *v, double ratio, char words[SB_VERDICT_TEXT])
{
    if (v->unit > 0)
        snprintf(words, SB_VERDICT_TEXT, "%s", sb_number_short(sb_verdict_size(v, ratio)).text);
    else
        snprintf(words, SB_VERDICT_TEXT, "%.*f", decimals_of(v), ratio);
}

void sb_answer_write_ratio(sb_writer *out, sb_answer_form *form, const char *label, const sb_verdict *v)
{
    char words[SB_VERDICT_TEXT];
    size_words(v, v->ratio, words);
    sb_answer_write_number(out, form, label, words);
}

void sb_answer_write_range(sb_writer *out, sb_answer_form *form, const sb_finding *low, const sb_finding *high)
{
    char low_words[SB_VERDICT_TEXT], high_words[SB_VERDICT_TEXT];
    size_words(&low->verdict, low->verdict.ratio, low_words);
    size_words(&high->verdict, high->verdict.ratio, high_words);
    sb_answer_write_number(out, form, low->label, low_words);
    if (strcmp(low_words, high_words) == 0) return;
    sb_write(out, " to ");
    sb_answer_write_number(out, form, high->label, high_words);
}

void sb_answer_write_interval(sb_writer *out, sb_answer_form *form, const char *label, const sb_verdict *v)
{
    char low[SB_VERDICT_TEXT], high[SB_VERDICT_TEXT], words[2 * SB_VERDICT_TEXT + 4];
    if (isnan(v->low)) return;
    sb_write(out, "95 %% interval ");
    size_words(v, v->low, low);
    size_words(v, v->high, high);
    snprintf(words, sizeof words, "%s to %s", low, high);
    sb_answer_write_number(out, form, label, words);
    sb_write(out, ", ");
}

/* -- an effect -- */

/* "multiplies", where a percentage would be hard to read */
static bool is_factor(const sb_verdict *v)
{
    return v->ratio >= 2;
}

const char *sb_answer_effect_verb(const sb_verdict *v)
{
    return isnan(v->ratio) ? "changes" : is_factor(v) ? "multiplies" : v->ratio < 1 ? "lowers" : "raises";
}

/* As a percentage: of a ratio below 1 by how much less. */
static void write_percents(sb_writer *out, sb_answer_form *form, const char *label, const sb_verdict *v)
{
    char words[SB_VERDICT_TEXT];
    const int decimals = decimals_of(v) > 2 ? decimals_of(v) - 2 : 0;
    const double sign = v->ratio < 1 ? -100 : 100;
    const double low = sign * (v->low - 1), high = sign * (v->high - 1);
    snprintf(words, sizeof words, "%.*f %%", decimals, sign * (v->ratio - 1));
    sb_answer_write_number(out, form, label, words);
    sb_write(out, " (");
    if (isnan(v->low)) return;
    sb_write(out, "95 %% interval ");
    snprintf(words, sizeof words, "%.*f to %.*f %%", decimals, fmin(low, high), decimals, fmax(low, high));
    sb_answer_write_number(out, form, label, words);
    sb_write(out, ", ");
}

void sb_answer_write_effect(sb_writer *out, sb_answer_form *form, const char *label, const sb_verdict *v)
{
    if (isnan(v->ratio)) {
        sb_write(out, " (no ratio, ");
        return;
    }
    sb_write(out, " by ");
    if (!is_factor(v)) {
        write_percents(out, form, label, v);
        return;
    }
    sb_answer_write_ratio(out, form, label, v);
    sb_write(out, " (");
    sb_answer_write_interval(out, form, label, v);
}

/* -- words -- */

void sb_answer_write_network(sb_writer *out, const sb_result *cell)
{
    if (sb_recipe_has_published_size(cell))
        sb_write(out, "PredNet at the published size");
    else if (strcmp(cell->model, "prednet") == 0)
        sb_write(out, "PredNet with channels %s", cell->channels);
    else
        sb_write(out, "the %s", cell->model);
}

void sb_answer_write_sentences(sb_writer *out, const char *clauses)
{
    for (const char *at = clauses, *end; *at; at = *end ? end + 2 : end) {
        end = strstr(at, "; ");
        if (!end) end = at + strlen(at);
        if (end == at) continue;
        const bool symbol = at[1] == ' ' && at[2] == '='; /* "p = 0.03" */
        sb_write(out, " %c%.*s.", symbol ? *at : toupper((unsigned char)*at), (int)(end - at - 1), at + 1);
    }
}

/* Numbers alone do not say why nothing is decided. */
static bool is_odd(const sb_verdict *v)
{
    return v->n < 2 || v->bits.n_contradict || v->conflict || v->disagree || v->side[0].n_none || v->side[1].n_none ||
           isnan(v->ratio);
}

void sb_answer_write_undecided(sb_writer *out, const sb_verdict *v, const char *count)
{
    if (is_odd(v))
        sb_write(out, "%.*s", (int)strcspn(v->reason, ";"), v->reason);
    else if (v->smallest_p >= SB_STATS_ALPHA)
        sb_write(out, "%s are too few", count);
    else
        sb_write(out, "%s show neither a difference nor equivalence", count);
}

/* -- what there is -- */

static const sb_finding *told(const sb_answer *a)
{
    return a->hardware[SB_ASKS_GPU].n ? a->hardware[SB_ASKS_GPU].part : a->hardware[SB_ASKS_CPU].part;
}

static const sb_finding *find_beside(const sb_answer *a, const sb_claim_result *buffers)
{
    for (const sb_finding *f = buffers->part; told(a) && f < buffers->part + buffers->n_parts; f++)
        if (f != a->buffer && f->of->setting == told(a)->over->setting) return f;
    return NULL;
}

static bool is_above(const sb_arm *arm, double loss)
{
    for (size_t i = 0; i < arm->n; i++)
        if (!(arm->cell[i]->loss[SB_METRIC_LAST] > loss)) return false;
    return true;
}

static bool has_learned_little(const sb_finding *c, const sb_results *results)
{
    const double repeated = sb_group_baseline(c->of->group, &results->baselines, SB_BASELINE_REPEAT, SB_METRIC_LAST);
    return !isnan(repeated) && is_above(c->of, repeated) && is_above(c->over, repeated);
}

/* The first, which is of the most important study; of its study measured runs speak before emulated and imitated ones. */
static const sb_finding *find_buffer(const sb_claim_result *buffers)
{
    const sb_finding *best = buffers->part, *end = buffers->part + buffers->n_parts;
    for (const sb_finding *f = best; f < end && f->of->group == best->of->group; f++)
        if (f->of->cell[0]->evidence < best->of->cell[0]->evidence) best = f;
    return best < end ? best : NULL;
}

sb_answer sb_answer_of(const sb_claims *hardware, const sb_results *results, const sb_claims *claims)
{
    const sb_claim_result *buffers = &hardware->result[SB_ASKS_BUFFER];
    sb_answer a = {
        .buffer = find_buffer(buffers), .n_claims = claims->n, .see = claims->file ? claims->file->see : NULL};
    for (int kind = SB_ASKS_GPU; kind < SB_N_ASKED; kind++) {
        const sb_claim_result *r = &hardware->result[kind];
        a.hardware[kind].part = r->n_parts ? r->part : NULL;
        while (a.hardware[kind].n < r->n_parts && r->part[a.hardware[kind].n].of->group == r->part->of->group)
            a.hardware[kind].n++;
    }
    a.beside = find_beside(&a, buffers);
    for (size_t i = 0; i < results->n_cells; i++) {
        a.gpu_ran = a.gpu_ran || sb_recipe_on_gpu(&results->cell[i]);
        a.published_size_ran = a.published_size_ran || sb_recipe_has_published_size(&results->cell[i]);
    }
    a.learned_little = a.buffer && has_learned_little(a.buffer, results);
    for (size_t i = 0; i < claims->n; i++) a.n_waiting += claims->result[i].outcome == SB_OUTCOME_HARDWARE_MISSING;
    return a;
}

static int compare_distances(const void *left, const void *right)
{
    const sb_finding *a = *(const sb_finding *const *)left, *b = *(const sb_finding *const *)right;
    double x = fabs(log(a->verdict.ratio)), y = fabs(log(b->verdict.ratio));
    return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
    const sb_finding *a = *(const sb_finding *const *)left, *b = *(const sb_finding *const *)right;
    return (a > b) - (a < b);
}

size_t sb_answer_rows(const sb_answer *a, const sb_finding *row[SB_ANSWER_ROWS], size_t *n_left_out)
{
    enum { MOST = 256 };
    const sb_finding *hardware[MOST];
    size_t n = 0, n_hardware = 0;
    if (a->buffer) row[n++] = a->buffer;
    if (a->beside) row[n++] = a->beside;
    for (int kind = SB_ASKS_GPU; kind < SB_N_ASKED; kind++)
        for (size_t i = 0; i < a->hardware[kind].n && n_hardware < MOST; i++)
            hardware[n_hardware++] = &a->hardware[kind].part[i];
    qsort(hardware, n_hardware, sizeof *hardware, compare_distances);
    size_t shown = n_hardware < SB_ANSWER_ROWS - n ? n_hardware : SB_ANSWER_ROWS - n;
    qsort(hardware, shown, sizeof *hardware, compare_places);
    memcpy(row + n, hardware, shown * sizeof *row);
    *n_left_out = n_hardware - shown;
    return n + shown;
}
