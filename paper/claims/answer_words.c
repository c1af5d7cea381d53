#include "paper/claims/answer.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- numbers -- */

void sb_answer_write_number(sb_writer *out, sb_answer_form form, const char *label, const char *words)
{
    if (form.number)
        form.number(out, form.context, label, words);
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

void sb_answer_ratio_words(const sb_verdict *v, char words[SB_VERDICT_TEXT])
{
    size_words(v, v->ratio, words);
}

void sb_answer_write_ratio(sb_writer *out, sb_answer_form form, const char *label, const sb_verdict *v)
{
    char words[SB_VERDICT_TEXT];
    sb_answer_ratio_words(v, words);
    sb_answer_write_number(out, form, label, words);
}

void sb_answer_write_interval(sb_writer *out, sb_answer_form form, const char *label, const sb_verdict *v)
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
static void write_percents(sb_writer *out, sb_answer_form form, const char *label, const sb_verdict *v)
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

void sb_answer_write_effect(sb_writer *out, sb_answer_form form, const char *label, const sb_verdict *v)
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
