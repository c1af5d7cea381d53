#include "paper/effects/arms.h"

#include "core/text/plural.h"
#include "paper/numbers/numbers.h"
#include "paper/results/recipe.h"
#include "paper/results/results.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order in which a reader expects these names; others follow by alphabet. */
static const char *const study_order[] = {"prednet", "autoencoder", NULL};
static const char *const backend_order[] = {"native", "native-cuda", "openblas", "cublas", "cudnn", NULL};

static int rank_of(const char *name, const char *const order[])
{
    int rank = 0;
    while (order[rank] && strcmp(order[rank], name) != 0) rank++;
    return rank;
}

static int compare_ranked(const char *a, const char *b, const char *const order[])
{
    int difference = rank_of(a, order) - rank_of(b, order);
    return difference ? difference : strcmp(a, b);
}

static int compare_numbers(long a, long b)
{
    return (a > b) - (a < b);
}

static int compare_groups(const sb_result *a, const sb_result *b)
{
    int order = compare_ranked(a->study, b->study, study_order);
    return order ? order : strcmp(a->data, b->data);
}

static int compare_settings(const sb_result *a, const sb_result *b)
{
    const int order[] = {
        compare_groups(a, b),
        compare_ranked(a->backend, b->backend, backend_order),
        strcmp(a->arithmetic, b->arithmetic),
        strcmp(a->hardware, b->hardware),
        (int)a->evidence - (int)b->evidence,
        strcmp(a->blas_kernel, b->blas_kernel),
        compare_numbers(a->threads, b->threads),
        compare_numbers(a->batch, b->batch),
        compare_numbers(a->updates, b->updates),
        sb_recipe_compare_role(a, b, SB_ROLE_SETTING),
        sb_recipe_compare_role(a, b, SB_ROLE_RECIPE),
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i]) return order[i];
    return 0;
}

static int compare_cells(const void *left, const void *right)
{
    const sb_result *a = *(const sb_result *const *)left, *b = *(const sb_result *const *)right;
    int order = compare_settings(a, b);
    if (!order) order = (int)a->target - (int)b->target;
    return order ? order : compare_numbers(a->seed, b->seed);
}

static sb_status check_seeds(sb_result_list sorted, const sb_results *results)
{
    for (size_t i = 1; i < sorted.n; i++) {
        const sb_result *a = sorted.cell[i - 1], *b = sorted.cell[i];
        if (compare_cells(&a, &b) == 0)
            return sb_fail(
                SB_E_INTEGRITY,
                "%s:%zu: cells %s and %s have the same seed and agree in all columns that identify a condition; "
                "collect the two studies into separate folders",
                results->cells.path, b->line, a->name, b->name);
    }
    return SB_OK;
}

/* Cut the sorted cells into groups, settings and arms. */
static void cut_arms(sb_arms *arms)
{
    const sb_result_list sorted = arms->sorted;
    size_t n_settings = 0;
    for (size_t i = 0; i < sorted.n; i++) {
        const sb_result *cell = sorted.cell[i], *previous = i ? sorted.cell[i - 1] : NULL;
        if (!previous || compare_groups(previous, cell) != 0)
            arms->group[arms->n_groups++] = (sb_group){.study = cell->study,
                                                       .data = cell->data,
                                                       .setting = &arms->setting[n_settings],
                                                       .cells.cell = &sorted.cell[i]};
        sb_group *group = &arms->group[arms->n_groups - 1];
        group->cells.n++;
        if (!previous || compare_settings(previous, cell) != 0) {
            group->n_settings++;
            arms->setting[n_settings++].cell = cell;
        }
        sb_arm *arm = &arms->setting[n_settings - 1].arm[cell->target];
        if (arm->n++) continue;
        arm->group = group, arm->setting = &arms->setting[n_settings - 1], arm->target = cell->target;
        arm->cell = &sorted.cell[i];
        arms->arm[arms->n++] = arm;
    }
}

/* Both arms are sorted by seed, so one walk along the two finds the partners. */
static size_t find_pairs(sb_configuration *setting, sb_pair *pair)
{
    const sb_arm *copy = &setting->arm[SB_TARGET_COPY], *shared = &setting->arm[SB_TARGET_SHARED];
    setting->pair = pair;
    for (size_t i = 0, k = 0; i < copy->n && k < shared->n;) {
        long left = copy->cell[i]->seed, right = shared->cell[k]->seed;
        if (left == right) pair[setting->n_pairs++] = (sb_pair){{copy->cell[i], shared->cell[k]}};
        if (left <= right) i++;
        if (right <= left) k++;
    }
    return setting->n_pairs;
}

static void find_absent_targets(const sb_group *group, bool absent[SB_N_TARGETS])
{
    for (int t = 0; t < SB_N_TARGETS; t++) {
        absent[t] = true;
        for (size_t i = 0; i < group->n_settings; i++) absent[t] = absent[t] && group->setting[i].arm[t].n == 0;
    }
}

enum { NAMED = 3 }; /* studies of a note; of more their number */

/* One note for all studies without any run of this target. */
static sb_status note_absent_target(const sb_arms *arms, sb_target t, sb_notes *notes)
{
    char names[320] = "";
    size_t n = 0;
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        bool absent[SB_N_TARGETS];
        const size_t used = strlen(names);
        find_absent_targets(group, absent);
        if (!absent[t] || sb_recipe_classifies(group->setting[0].cell)) continue;
        if (n++ < NAMED)
            snprintf(names + used, sizeof names - used, "%s%.40s on %.40s", used ? ", " : "", group->study,
                     group->data);
    }
    if (n == 0) return SB_OK;
    if (n > NAMED) snprintf(names + strlen(names), sizeof names - strlen(names), " and %zu more", n - NAMED);
    return sb_notes_add(notes, "%s %s no run with target %s, so no pair to compare", names, n == 1 ? "has" : "have",
                        sb_target_name[t]);
}

static sb_status note_setting(const sb_group *group, const sb_configuration *setting, sb_notes *notes)
{
    for (int t = 0; t < SB_N_TARGETS; t++)
        if (setting->arm[t].n == 0)
            return sb_notes_add(notes, "%s on %s, %s: no run with target %s, so no pair to compare", group->study,
                                group->data, setting->label, sb_target_name[t]);
    for (int t = 0; t < SB_N_TARGETS; t++) {
        size_t n = setting->arm[t].n;
        if (n > setting->n_pairs)
            SB_TRY(
                sb_notes_add(notes,
                             "%s on %s, %s: %zu of %zu cells with target %s have no partner of the same seed and are "
                             "missing from the pairs",
                             group->study, group->data, setting->label, n - setting->n_pairs, n, sb_target_name[t]));
    }
    return SB_OK;
}

sb_status sb_arms_note_gaps(const sb_arms *arms, bool asks_of_targets, sb_notes *notes)
{
    for (int t = 0; t < SB_N_TARGETS && asks_of_targets; t++) SB_TRY(note_absent_target(arms, (sb_target)t, notes));
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        bool absent[SB_N_TARGETS];
        find_absent_targets(group, absent);
        if (absent[SB_TARGET_COPY] || absent[SB_TARGET_SHARED]) continue;
        for (size_t i = 0; i < group->n_settings; i++) SB_TRY(note_setting(group, &group->setting[i], notes));
    }
    return SB_OK;
}

sb_status sb_arms_note_divergence(const sb_arms *arms, sb_notes *notes)
{
    for (size_t i = 0; i < arms->n; i++) {
        const sb_arm *arm = arms->arm[i];
        if (arm->n_diverged)
            SB_TRY(sb_notes_add(notes, "%s on %s, %s, target %s: %zu of %zu runs diverged, so there is no mean",
                                arm->group->study, arm->group->data, arm->setting->label, sb_target_name[arm->target],
                                arm->n_diverged, arm->n));
    }
    return SB_OK;
}

/* The facts in which settings can differ, in the order in which a label names them. */
enum { N_FACTS = 8 };

static void read_facts(const sb_result *cell, char fact[N_FACTS][64])
{
    const char *texts[] = {cell->backend, cell->hardware, cell->blas_kernel, cell->arithmetic};
    for (int i = 0; i < 4; i++) snprintf(fact[i], sizeof *fact, "%s", *texts[i] ? texts[i] : "-");
    snprintf(fact[4], sizeof *fact, "%ld thread%s", cell->threads, sb_plural((size_t)cell->threads));
    snprintf(fact[5], sizeof *fact, "batch %ld", cell->batch);
    snprintf(fact[6], sizeof *fact, "%ld update%s", cell->updates, sb_plural((size_t)cell->updates));
    snprintf(fact[7], sizeof *fact, "%s", sb_evidence_name[cell->evidence]);
}

/* Name a setting by its backend, then by each fact in which it differs from a setting that has the same name so far:
 * the shortest name that no other setting of the group has. */
static void name_setting(const sb_group *group, sb_configuration *setting)
{
    char fact[N_FACTS][64], other[N_FACTS][64];
    bool told[N_FACTS] = {true};
    read_facts(setting->cell, fact);
    for (size_t i = 0; i < group->n_settings; i++) {
        read_facts(group->setting[i].cell, other);
        int first = 0;
        while (first < N_FACTS && strcmp(fact[first], other[first]) == 0) first++;
        if (first < N_FACTS) told[first] = true;
    }
    size_t used = 0;
    const size_t size = sizeof setting->label;
    for (int i = 0; i < N_FACTS; i++)
        if (told[i] && used < size)
            used += (size_t)snprintf(setting->label + used, size - used, "%s%s", used ? ", " : "", fact[i]);
}

/* A part of a label for each setting; where two would get the same one, the later gets a number. */
static void name_part(const sb_group *group, sb_configuration *setting)
{
    sb_number_part(setting->part, sizeof setting->part - 8, setting->label);
    for (const sb_configuration *other = group->setting; other < setting; other++) {
        size_t used = strlen(setting->part);
        if (strcmp(other->part, setting->part) == 0)
            snprintf(setting->part + used, sizeof setting->part - used, "-%d", (int)(setting - group->setting) + 1);
    }
}

/* Letters, digits and single dashes of STUDY-DATA; two groups that would get the same name get different ones by
 * number. */
static void name_group(sb_arms *arms, sb_group *group)
{
    snprintf(group->slug, sizeof group->slug - 8, "%s-%s", group->study, group->data);
    char *end = group->slug;
    for (const char *c = group->slug; *c; c++)
        if (isalnum((unsigned char)*c) || (end > group->slug && end[-1] != '-'))
            *end++ = isalnum((unsigned char)*c) ? *c : '-';
    *end = 0;
    for (const sb_group *other = arms->group; other < group; other++) {
        size_t used = strlen(group->slug);
        if (strcmp(other->slug, group->slug) == 0)
            snprintf(group->slug + used, sizeof group->slug - used, "-%d", (int)(group - arms->group) + 1);
    }
}

/* After all groups have their slugs: the study alone, where no other group has it. */
static void name_group_part(const sb_arms *arms, sb_group *group)
{
    bool alone = true;
    sb_number_part(group->part, sizeof group->part, group->study);
    for (const sb_group *other = arms->group; other < arms->group + arms->n_groups; other++) {
        char part[sizeof group->part];
        sb_number_part(part, sizeof part, other->study);
        alone = alone && (other == group || strcmp(part, group->part) != 0);
    }
    if (!alone) sb_number_part(group->part, sizeof group->part, group->slug);
}

/* One loss of every cell of an arm, or of one side of the pairs. */
static void arm_losses(const sb_arm *arm, sb_metric metric, double *loss)
{
    for (size_t i = 0; i < arm->n; i++) loss[i] = arm->cell[i]->loss[metric];
}

/* Of the starts, whose replicates are averaged. */
static void pair_losses(const sb_configuration *setting, sb_target target, sb_metric metric, double *loss)
{
    for (size_t i = 0; i < setting->n_pairs; i++) loss[i] = exp(sb_result_value(setting->pair[i].cell[target], metric));
}

/* Of an arm in which runs diverged, which have no loss: there is no mean. */
static sb_summary summary_of_some(const sb_arm *arm, sb_metric metric)
{
    sb_summary s = {arm->n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < arm->n; i++) {
        s.min = fmin(s.min, arm->cell[i]->loss[metric]); /* NaN changes neither */
        s.max = fmax(s.max, arm->cell[i]->loss[metric]);
    }
    return s;
}

static sb_status measure_arm(sb_arm *arm, sb_metric metric, double *scratch)
{
    if (arm->n == 0) return SB_OK;
    if (arm->n_diverged) return arm->summary[metric] = summary_of_some(arm, metric), SB_OK;
    arm_losses(arm, metric, scratch);
    return sb_stats_summary(scratch, arm->n, &arm->summary[metric]);
}

/* A start that diverged, or whose loss is 0, has no ratio. */
static bool have_ratios(const double *over, const double *under, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(over[i]) || !isfinite(under[i]) || !(over[i] > 0) || !(under[i] > 0)) return false;
    return true;
}

static void count_diverged(sb_arm *arm)
{
    for (size_t i = 0; i < arm->n; i++) arm->n_diverged += arm->cell[i]->diverged;
}

/* scratch [2][n cells]. */
static sb_status measure(sb_configuration *setting, double *scratch, size_t n_cells)
{
    double *copy = scratch, *shared = scratch + n_cells;
    for (int t = 0; t < SB_N_TARGETS; t++) count_diverged(&setting->arm[t]);
    for (int m = 0; m < SB_N_METRICS; m++) {
        for (int t = 0; t < SB_N_TARGETS; t++) SB_TRY(measure_arm(&setting->arm[t], (sb_metric)m, scratch));
        pair_losses(setting, SB_TARGET_COPY, (sb_metric)m, copy);
        pair_losses(setting, SB_TARGET_SHARED, (sb_metric)m, shared);
        SB_TRY(sb_stats_ratio(shared, copy, have_ratios(shared, copy, setting->n_pairs) ? setting->n_pairs : 0,
                              &setting->effect[m]));
        setting->effect[m].n = setting->n_pairs;
    }
    return SB_OK;
}

void sb_arm_text(const sb_arm *arm, char text[SB_ARM_TEXT])
{
    if (*arm->group->study)
        snprintf(text, SB_ARM_TEXT, "%s/%s %s", arm->group->study, arm->setting->label, sb_target_name[arm->target]);
    else
        snprintf(text, SB_ARM_TEXT, "%s", arm->setting->label);
}

bool sb_arm_same_runs(const sb_arm *a, const sb_arm *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++) {
        const sb_result *x = a->cell[i], *y = b->cell[i];
        same = x->seed == y->seed && *x->weights && strcmp(x->weights, y->weights) == 0;
        for (int m = 0; m < SB_N_METRICS; m++) same = same && sb_result_same_loss(x, y, (sb_metric)m);
    }
    return same;
}

static void find_twin(const sb_group *group, sb_configuration *setting)
{
    for (const sb_configuration *other = group->setting; other < setting && !setting->twin; other++) {
        bool same = true;
        for (int t = 0; t < SB_N_TARGETS; t++) same = same && sb_arm_same_runs(&setting->arm[t], &other->arm[t]);
        if (same) setting->twin = other;
    }
}

static sb_status finish_groups(sb_arms *arms, size_t n_cells, double *scratch)
{
    sb_pair *pair = arms->pair;
    for (sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        name_group(arms, group);
        for (sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
            name_setting(group, setting);
            name_part(group, setting);
            size_t n_pairs = find_pairs(setting, pair);
            pair += n_pairs;
            group->n_pairs += n_pairs;
            SB_TRY(measure(setting, scratch, n_cells));
            find_twin(group, setting);
        }
    }
    for (size_t i = 0; i < arms->n_groups; i++) name_group_part(arms, &arms->group[i]);
    return SB_OK;
}

sb_status sb_arms_group(sb_arms *arms, const sb_results *results)
{
    const size_t room = results->n_cells;
    *arms = (sb_arms){.sorted.cell = malloc(room * sizeof *arms->sorted.cell)};
    arms->group = calloc(room, sizeof *arms->group);
    arms->setting = calloc(room, sizeof *arms->setting);
    arms->pair = calloc(room, sizeof *arms->pair);
    arms->arm = calloc(room, sizeof(sb_arm *));
    SB_FREED double *scratch = malloc(2 * room * sizeof *scratch);
    if (!arms->sorted.cell || !arms->group || !arms->setting || !arms->pair || !arms->arm || !scratch)
        return sb_fail(SB_E_MEMORY, "not enough memory for %zu cells", room);
    for (size_t i = 0; i < results->n_cells; i++)
        if (results->cell[i].ulp == 0 && !results->cell[i].is_replicate)
            arms->sorted.cell[arms->sorted.n++] = &results->cell[i];
    if (arms->sorted.n == 0)
        return sb_fail(SB_E_EMPTY, "%s: only runs of a one-ulp ensemble, no condition to compare", results->cells.path);
    qsort(arms->sorted.cell, arms->sorted.n, sizeof *arms->sorted.cell, compare_cells);
    SB_TRY(check_seeds(arms->sorted, results));
    cut_arms(arms);
    return finish_groups(arms, room, scratch);
}

void sb_arms_free(sb_arms *arms)
{
    free(arms->arm);
    free(arms->pair);
    free(arms->setting);
    free(arms->group);
    free(arms->sorted.cell);
    *arms = (sb_arms){0};
}
