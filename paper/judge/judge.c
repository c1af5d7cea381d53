#include "paper/judge/judge.h"

#include "core/command/nearest.h"
#include "core/size.h"
#include "paper/statistics/stats.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a value ends: at ",;/ " and brackets, at "-tag-", at the end of a file's name, and before the next KEY=. */
static size_t value_length(const char *text)
{
    size_t n = 0;
    for (; text[n] && !strchr(",;/ |&()[]", text[n]); n++) {
        const char *next = text + n;
        if (strncmp(next, "-tag-", 5) == 0 || strcmp(next, ".csv") == 0 || strcmp(next, ".tsv") == 0) break;
        if (*next != '_' && *next != '-') continue;
        size_t word = 1;
        while (isalnum((unsigned char)next[word])) word++;
        if (word > 1 && (next[word] == '=' || next[word] == ':')) break;
    }
    return n;
}

char *sb_judge_named(const char *name, const char *key)
{
    const size_t n = strlen(key);
    for (const char *found = name; n && (found = strstr(found, key)); found++) {
        if (found > name && isalnum((unsigned char)found[-1])) continue;
        const char *value = found + n;
        if (*value != '=' && *value != ':') continue;
        value += 1 + (value[0] == ':' && value[1] == ' ');
        if (value_length(value)) return strndup(value, value_length(value));
    }
    return NULL;
}

bool sb_judge_heads(const char *heading, const char *metric, char name[SB_JUDGE_NAME])
{
    const size_t n = strlen(heading), n_metric = strlen(metric);
    if (n < n_metric + 4 || strcmp(heading + n - n_metric, metric) != 0) return false;
    if (strncmp(heading + n - n_metric - 3, " - ", 3) != 0) return false;
    snprintf(name, SB_JUDGE_NAME, "%.*s", (int)(n - n_metric - 3), heading);
    return true;
}

typedef struct place {
    size_t condition;
    const sb_result *cell;
} place;

/* The runs as cells of the engine. */
typedef struct cells {
    sb_result *cell;          /* [n] in the order of the runs */
    place *place;             /* [n] of each; then by condition, seed and order, as the next two */
    const sb_result **sorted; /* [n] */
    const sb_result **own;    /* [n] the first run of each seed */
    sb_sample sample[SB_JUDGE_CONDITIONS];
    char without[SB_JUDGE_CONDITIONS][24]; /* in place of a missing hash: plain text has no control character */
} cells;

static void free_cells(cells *c)
{
    free(c->cell);
    free(c->place);
    free(c->sorted);
    free(c->own);
}

static sb_status allocate(cells *c, size_t n)
{
    *c = (cells){.cell = sb_size_allocate(n, sizeof *c->cell),
                 .place = sb_size_allocate(n, sizeof *c->place),
                 .sorted = sb_size_allocate(n, sizeof *c->sorted),
                 .own = sb_size_allocate(n, sizeof *c->own)};
    if (c->cell && c->place && c->sorted && c->own) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for %zu runs", n);
}

/* -- conditions and seeds -- */

static sb_status find_conditions(sb_judgement *j, const sb_judge_runs *runs, const sb_judge_rule *rule, cells *c)
{
    for (size_t i = 0; i < runs->n; i++) {
        size_t k = 0;
        while (k < j->n_conditions && strcmp(j->condition[k], runs->run[i].condition) != 0) k++;
        if (k == SB_JUDGE_CONDITIONS)
            return sb_fail(SB_E_USAGE,
                           "%s: '%s' has more than %d values, the last is '%.80s'; name a column of conditions",
                           runs->run[i].path, rule->by, SB_JUDGE_CONDITIONS, runs->run[i].condition);
        if (k == j->n_conditions) c->sample[k].name = j->condition[j->n_conditions++] = runs->run[i].condition;
        c->place[i] = (place){k, &c->cell[i]};
    }
    if (j->n_conditions > 1) return SB_OK;
    return sb_fail(SB_E_EMPTY, "%s: '%s' is '%.80s' in all runs: nothing to compare", runs->run[0].path, rule->by,
                   j->condition[0]);
}

static int compare_pairs(const void *left, const void *right)
{
    const sb_judge_run *const *a = left, *const *b = right;
    const int order = strcmp((*a)->pair, (*b)->pair);
    return order ? order : ((*a)->order > (*b)->order) - ((*a)->order < (*b)->order);
}

/* Equal texts get equal numbers; runs without pairs a number each. */
static sb_status number_seeds(const sb_judge_runs *runs, cells *c)
{
    SB_FREED const sb_judge_run **run = sb_size_allocate(runs->n, sizeof *run);
    if (!run) return sb_fail(SB_E_MEMORY, "not enough memory for %zu runs", runs->n);
    for (size_t i = 0; i < runs->n; i++) run[i] = &runs->run[i];
    if (runs->paired) qsort(run, runs->n, sizeof *run, compare_pairs);
    long seed = 0;
    for (size_t i = 0; i < runs->n; i++) {
        if (i && !(runs->paired && strcmp(run[i - 1]->pair, run[i]->pair) == 0)) seed++;
        c->cell[run[i] - runs->run].seed = seed;
    }
    return SB_OK;
}

/* -- values -- */

static void choose_measure(sb_judgement *j, const sb_judge_runs *runs, const sb_judge_rule *rule)
{
    double most = 0;
    int exponent;
    j->differences = !isnan(rule->within);
    for (size_t i = 0; i < runs->n; i++) {
        const double value = runs->run[i].value;
        if (!isfinite(value)) continue;
        j->differences = j->differences || value < 0;
        j->n_zero += value == 0;
        most = fmax(most, fabs(value));
    }
    if (j->differences) j->n_zero = 0;
    frexp(most, &exponent);
    j->unit = j->differences ? ldexp(1, exponent < 1000 ? exponent : 1000) : 0;
}

/* As a loss: what is worse is larger. */
static double loss_of(const sb_judgement *j, const sb_judge_rule *rule, double value)
{
    if (j->differences) return exp((rule->higher ? -value : value) / j->unit);
    return rule->higher ? 1 / value : value;
}

static void take_values(const sb_judgement *j, const sb_judge_runs *runs, const sb_judge_rule *rule, cells *c)
{
    for (size_t k = 0; k < j->n_conditions; k++) snprintf(c->without[k], sizeof *c->without, "\1%zu", k);
    for (size_t i = 0; i < runs->n; i++) {
        const sb_judge_run *run = &runs->run[i];
        sb_result *cell = &c->cell[i];
        cell->weights = run->weights ? run->weights : c->without[c->place[i].condition];
        cell->diverged = isnan(run->value);
        for (int m = 0; m < SB_N_LOSSES; m++) cell->loss[m] = loss_of(j, rule, run->value);
    }
}

/* -- seeds -- */

static int compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->condition != b->condition) return a->condition < b->condition ? -1 : 1;
    if (a->cell->seed != b->cell->seed) return a->cell->seed < b->cell->seed ? -1 : 1;
    return (a->cell > b->cell) - (a->cell < b->cell);
}

/* Runs of one condition and seed are replicates; the first is the seed's own run. */
static void group_starts(cells *c, size_t n)
{
    const place *at = c->place;
    qsort(c->place, n, sizeof *c->place, compare_places);
    for (size_t i = 0; i < n; i++) c->sorted[i] = at[i].cell;
    for (size_t i = 0, n_own = 0, size; i < n; i += size) {
        sb_result *own = &c->cell[at[i].cell - c->cell];
        sb_sample *sample = &c->sample[at[i].condition];
        for (size = 1; i + size < n; size++)
            if (at[i + size].condition != at[i].condition || at[i + size].cell->seed != own->seed) break;
        own->n_replicates = size - 1;
        own->replicate = &c->sorted[i + 1];
        if (!sample->n++) sample->cell = &c->own[n_own];
        c->own[n_own++] = own;
    }
}

/* -- verdicts -- */

/* How many more pairs or seeds would decide an undetermined verdict (the plan of sb_verdict_power). */
static size_t more_starts(const sb_verdict *v)
{
    if (v->word != SB_VERDICT_UNDETERMINED || isnan(v->sd) || v->n < 2 || v->bits.n_contradict || v->conflict) return 0;
    return sb_verdict_more(v, SB_STATS_ALPHA);
}

static sb_margin margin_of(const sb_judgement *j, const sb_judge_rule *rule)
{
    if (isnan(rule->margin)) return sb_ensemble_none("no margin was chosen");
    if (!j->differences) return sb_ensemble_chosen(rule->margin, rule->margin_source);
    if (isnan(rule->within))
        return sb_ensemble_none("values are compared as differences, which the margin of a ratio does not judge");
    return sb_ensemble_chosen(exp(rule->within / j->unit), "--within");
}

/* Where higher is better the engine has losses 1 / value or exp(-value), so that the two sides change places: the ratio of
 * their losses is that of the values. */
static sb_status compare(const cells *c, size_t of, size_t over, const sb_judge_rule *judge, const sb_verdict_rule *as,
                         sb_verdict *v)
{
    SB_TRY(sb_verdict_of(v, c->sample[judge->higher ? over : of], c->sample[judge->higher ? of : over], as));
    if (!judge->higher) return SB_OK;
    const sb_side side = v->side[0];
    v->side[0] = v->side[1], v->side[1] = side;
    sb_verdict_decide(v);
    return SB_OK;
}

static sb_status compare_all(sb_judgement *j, const cells *c, const sb_judge_rule *rule, size_t reference)
{
    const size_t n = j->n_conditions;
    const sb_margin margin = margin_of(j, rule);
    const sb_verdict_rule as = {SB_METRIC_LAST, &margin, .common = rule->common, .unit = j->unit};
    sb_verdict *verdict[SB_JUDGE_CONDITIONS * SB_JUDGE_CONDITIONS];
    j->comparison = sb_size_allocate(n * n, sizeof *j->comparison);
    if (!j->comparison) return sb_fail(SB_E_MEMORY, "not enough memory for %zu conditions", n);
    for (size_t over = 0; over < n; over++) {
        if (reference < n && over != reference) continue;
        for (size_t of = reference < n ? 0 : over + 1; of < n; of++) {
            sb_judge_comparison *comparison = &j->comparison[j->n];
            if (of == over) continue;
            comparison->of = j->condition[of], comparison->over = j->condition[over];
            verdict[j->n++] = &comparison->verdict;
            SB_TRY(compare(c, of, over, rule, &as, &comparison->verdict));
        }
    }
    SB_TRY(sb_verdict_family(verdict, j->n));
    for (size_t i = 0; i < j->n; i++) j->comparison[i].more = more_starts(verdict[i]);
    return SB_OK;
}

static sb_status find_reference(const sb_judgement *j, const sb_judge_rule *rule, size_t *reference)
{
    *reference = j->n_conditions;
    if (!rule->reference) return SB_OK;
    sb_nearest nearest = sb_nearest_begin(rule->reference);
    for (size_t k = 0; k < j->n_conditions; k++) {
        sb_nearest_offer(&nearest, j->condition[k]);
        if (strcmp(j->condition[k], rule->reference) == 0) *reference = k;
    }
    if (*reference < j->n_conditions) return SB_OK;
    return sb_fail(SB_E_USAGE, "samebits-report judge: --reference: no run has '%s' = '%.80s'%s%.80s%s", rule->by,
                   rule->reference, nearest.name ? ", did you mean '" : "", nearest.name ? nearest.name : "",
                   nearest.name ? "'?" : "");
}

sb_status sb_judge(sb_judgement *j, const sb_judge_runs *runs, const sb_judge_rule *rule)
{
    SB_OWNED(free_cells) cells c = {0};
    size_t reference;
    *j = (sb_judgement){0};
    SB_TRY(allocate(&c, runs->n));
    SB_TRY(find_conditions(j, runs, rule, &c));
    SB_TRY(find_reference(j, rule, &reference));
    SB_TRY(number_seeds(runs, &c));
    choose_measure(j, runs, rule);
    take_values(j, runs, rule, &c);
    group_starts(&c, runs->n);
    return compare_all(j, &c, rule, reference);
}

void sb_judgement_free(sb_judgement *j)
{
    free(j->comparison);
    *j = (sb_judgement){0};
}
