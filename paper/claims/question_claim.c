/* What a claim came to, in sentences. */
#include "paper/claims/question.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- numbers -- */

static void write_number(sb_writer *out, sb_number_form *form, const char *label, const char *words)
{
    if (form)
        form(out, label, words);
    else
        sb_write(out, "%s", words);
}

static void size_words(const sb_verdict *v, double ratio, char words[SB_VERDICT_TEXT])
{
    const sb_ratio whole = {v->n, v->ratio, v->low, v->high, v->p};
    if (v->unit > 0)
        snprintf(words, SB_VERDICT_TEXT, "%s", sb_number_short(sb_verdict_size(v, ratio)).text);
    else
        snprintf(words, SB_VERDICT_TEXT, "%.*f", sb_stats_ratio_decimals(&whole), ratio);
}

static void write_ratio(sb_writer *out, sb_number_form *form, const sb_finding *part)
{
    char words[SB_VERDICT_TEXT];
    size_words(&part->verdict, part->verdict.ratio, words);
    write_number(out, form, part->label, words);
}

/* "95 % interval 1.05 to 1.15, "; nothing where there is none */
static void write_interval(sb_writer *out, sb_number_form *form, const sb_finding *part)
{
    char low[SB_VERDICT_TEXT], high[SB_VERDICT_TEXT], words[2 * SB_VERDICT_TEXT + 4];
    if (isnan(part->verdict.low)) return;
    sb_write(out, "95 %% interval ");
    size_words(&part->verdict, part->verdict.low, low);
    size_words(&part->verdict, part->verdict.high, high);
    snprintf(words, sizeof words, "%s to %s", low, high);
    write_number(out, form, part->label, words);
    sb_write(out, ", ");
}

/* "1.001 to 1.002", one number where both read alike */
static void write_range(sb_writer *out, sb_number_form *form, const sb_finding *low, const sb_finding *high)
{
    char low_words[SB_VERDICT_TEXT], high_words[SB_VERDICT_TEXT];
    size_words(&low->verdict, low->verdict.ratio, low_words);
    size_words(&high->verdict, high->verdict.ratio, high_words);
    write_number(out, form, low->label, low_words);
    if (strcmp(low_words, high_words) == 0) return;
    sb_write(out, " to ");
    write_number(out, form, high->label, high_words);
}

/* -- clauses -- */

/* Clauses that "; " separates, such as a verdict's reason: each as a sentence of its own, with a space first. */
static void write_sentences(sb_writer *out, const char *clauses)
{
    for (const char *at = clauses, *end; *at; at = *end ? end + 2 : end) {
        end = strstr(at, "; ");
        if (!end) end = at + strlen(at);
        if (end == at) continue;
        const bool symbol = at[1] == ' ' && at[2] == '='; /* "p = 0.03" */
        sb_write(out, " %c%.*s.", symbol ? *at : toupper((unsigned char)*at), (int)(end - at - 1), at + 1);
    }
}

/* What tells a side from the other: " of sgd-4096", " of ga/openblas", " with the shared target"; of hardware all names
 * that have these bits, " of i5-4590, i5-7600k". */
static void write_side(sb_writer *out, const sb_claim_result *r, const sb_finding *part, const sb_arm *side)
{
    const bool settings = strcmp(part->of->setting->label, part->over->setting->label) != 0;
    char names[SB_FINDING_NAMES];
    if (sb_claim_is_of_hardware(r->claim)) {
        sb_finding_names(part, names);
        sb_write(out, " of %s", side == part->of ? names : side->setting->label);
        return;
    }
    if (part->of->group != part->over->group || settings) sb_write(out, " of %s", side->group->study);
    if (settings) sb_write(out, *side->group->study ? "/%s" : "%s", side->setting->label);
    if (part->of->target != part->over->target)
        sb_write(out, " with the %s target", side->target == SB_TARGET_SHARED ? "shared" : "copied");
}

static const char *metric_words(const sb_claim_result *r)
{
    return sb_claims_is_custom(r) ? r->claim->metric : sb_recipe_metric_words(r->part->of->cell[0], r->metric);
}

/* "6 pairs, imitated" */
static void write_runs(sb_writer *out, const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    const sb_evidence evidence = sb_finding_evidence(part);
    sb_write(out, v->paired ? "%zu pair%s" : "%zu run%s on each side", v->n, sb_plural(v->n));
    if (evidence != SB_EVIDENCE_MEASURED) sb_write(out, ", %s", sb_evidence_name[evidence]);
}

void sb_question_write_effect(sb_writer *out, const sb_claim_result *r, sb_number_form *form)
{
    const sb_finding *part = r->part;
    const sb_verdict *v = &part->verdict;
    if (v->word == SB_VERDICT_SAME_BITS) {
        sb_write(out, sb_claims_is_custom(r) ? "The bits" : "The weights");
        write_side(out, r, part, part->of);
        sb_write(out, " are those");
        write_side(out, r, part, part->over);
        sb_write(out, " (");
    } else if (isnan(v->ratio)) {
        sb_write(out, "The %s has no %s (", metric_words(r), sb_verdict_measure(v));
    } else if (v->unit > 0) {
        sb_write(out, "The %s", metric_words(r));
        write_side(out, r, part, part->of);
        sb_write(out, " minus that");
        write_side(out, r, part, part->over);
        sb_write(out, " is ");
        write_ratio(out, form, part);
        sb_write(out, " (");
        write_interval(out, form, part);
    } else {
        sb_write(out, "The %s", metric_words(r));
        write_side(out, r, part, part->of);
        sb_write(out, " is ");
        write_ratio(out, form, part);
        sb_write(out, " times that");
        write_side(out, r, part, part->over);
        sb_write(out, " (");
        write_interval(out, form, part);
    }
    write_runs(out, part);
    sb_write(out, ").");
}

/* -- several parts -- */

bool sb_question_has_one_effect(const sb_claim_result *r)
{
    return r->n_parts == 1 && r->pool.n == 0;
}

/* The part of the smallest ratio, or of the largest; NULL: none has one. */
static const sb_finding *find_extreme(const sb_claim_result *r, bool largest)
{
    const sb_finding *found = NULL;
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++) {
        const double ratio = part->verdict.ratio;
        if (isnan(ratio)) continue;
        if (!found || (largest ? ratio > found->verdict.ratio : ratio < found->verdict.ratio)) found = part;
    }
    return found;
}

static size_t count_same_bits(const sb_claim_result *r)
{
    size_t n = 0;
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++)
        n += part->verdict.word == SB_VERDICT_SAME_BITS;
    return n;
}

/* Of several parts, and of those that are pooled: how far their ratios reach, how many there are, and their outcomes. */
static void write_parts(sb_writer *out, const sb_claim_result *r, sb_number_form *form)
{
    const sb_finding *low = find_extreme(r, false), *high = find_extreme(r, true);
    size_t n_pairs = 0;
    if (count_same_bits(r) == r->n_parts) {
        for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++) n_pairs += part->verdict.n;
        sb_write(out, "The %s of all %zu pairs, in %zu comparisons, are equal.",
                 sb_claims_is_custom(r) ? "bits" : "weights", n_pairs, r->n_parts);
        return;
    }
    if (low) {
        sb_write(out, "The %s of the %s is ", sb_verdict_measure(&low->verdict), metric_words(r));
        write_range(out, form, low, high);
        sb_write(out, " in %zu comparison%s.", r->n_parts, sb_plural(r->n_parts));
    }
    if (!low) sb_write(out, "There is no ratio.");
    write_sentences(out, r->words);
}

/* Of hardware.claims.yaml, which asks. */
static bool is_question(const sb_claim *claim)
{
    const size_t length = strlen(claim->text);
    return claim->uncounted && length && claim->text[length - 1] == '?';
}

static void write_answered(sb_writer *out, const sb_claim_result *r)
{
    sb_write(out, "%s %s. ", r->claim->text,
             r->outcome == SB_OUTCOME_SUPPORTED ? "Yes"
             : r->outcome == SB_OUTCOME_REFUTED ? "No"
                                                : "Not decided");
}

static void write_judged(sb_writer *out, const sb_claim_result *r, sb_number_form *form)
{
    char outcome[32], label[SB_NUMBER_LABEL];
    snprintf(outcome, sizeof outcome, "%s", sb_outcome_name[r->outcome]);
    *outcome = (char)toupper((unsigned char)*outcome);
    snprintf(label, sizeof label, "claim.%s", r->claim->name);
    write_number(out, r->claim->uncounted ? NULL : form, label, outcome); /* what is not counted has no such number */
    sb_write(out, ": %s ", r->claim->text);
}

void sb_question_write_claim(sb_writer *out, const sb_claim_result *r, sb_number_form *form)
{
    if (is_question(r->claim))
        write_answered(out, r);
    else
        write_judged(out, r, form);
    if (!sb_question_has_one_effect(r)) {
        write_parts(out, r, form);
        return;
    }
    sb_question_write_effect(out, r, form);
    write_sentences(out, r->part->words);
    write_sentences(out, r->family);
}
