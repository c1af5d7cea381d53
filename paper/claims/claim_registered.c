#include "paper/claims/claims.h"

#include "core/text/plural.h"
#include "io/yaml/claim_cells.h"

#include <stdlib.h>
#include <string.h>

/* -- the cells of these tables -- */

/* Which of the cells that coverage.csv names are taken with those that have a row. */
typedef enum with {
    WITH_ALL,
    WITH_ALL_BUT_EXCLUDED, /* they may have been excluded when the claim was registered */
    WITH_NONE,
    N_WITH,
} with;

typedef struct tables {
    const sb_results *results;
    const sb_condition *condition; /* NULL: not known */
} tables;

static size_t count_cells(tables t)
{
    return t.results->n_cells + (t.condition ? t.condition->n_missing + t.condition->n_left_out : 0);
}

/* Is a cell of this study's part of that name among the cells of this registration? */
static bool has_study(tables t, const char *id, const char *name)
{
    const size_t n = strcspn(name, "/") + 1;
    for (const sb_result *cell = t.results->cell; cell < t.results->cell + t.results->n_cells; cell++)
        if (strcmp(cell->registration, id) == 0 && strncmp(cell->name, name, n) == 0) return true;
    return false;
}

/* "NAME/HASH" of coverage.csv: its copy is cut into the two. */
static bool cut(char *copy, sb_named_cell *cell)
{
    char *slash = strrchr(copy, '/');
    if (!slash) return false;
    *slash = 0;
    *cell = (sb_named_cell){copy, slash + 1};
    return true;
}

typedef struct named {
    sb_named_cell *cell; /* room for all */
    char *copies;        /* of the texts of coverage.csv */
    size_t n;
} named;

static size_t text_bytes(const sb_missing *item, size_t n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) bytes += strlen(item[i].cell) + 1;
    return bytes;
}

static void add_absent(named *list, char **room, const sb_missing *item, size_t n, with which)
{
    for (size_t i = 0; i < n; i++) {
        if (which == WITH_ALL_BUT_EXCLUDED && strcmp(item[i].state, "excluded") == 0) continue;
        strcpy(*room, item[i].cell);
        list->n += cut(*room, &list->cell[list->n]);
        *room += strlen(item[i].cell) + 1;
    }
}

/* Those alone whose study has such runs; cells of one study are mostly side by side. */
static size_t keep_studies(sb_named_cell *cell, size_t n_all, tables t, const char *id)
{
    const char *last = "";
    size_t n = 0;
    bool kept = false;
    for (size_t i = 0; i < n_all; i++) {
        if (strncmp(cell[i].name, last, strcspn(cell[i].name, "/") + 1) != 0) kept = has_study(t, id, cell[i].name);
        last = cell[i].name;
        if (kept) cell[n++] = cell[i];
    }
    return n;
}

/* id NULL: of every study; else of those that such runs are of. */
static void list_cells(named *list, tables t, with which, const char *id)
{
    const sb_condition *c = t.condition;
    char *room = list->copies;
    list->n = 0;
    for (size_t i = 0; i < t.results->n_cells; i++)
        list->cell[list->n++] = (sb_named_cell){t.results->cell[i].name, t.results->cell[i].hash};
    if (c && which != WITH_NONE) {
        add_absent(list, &room, c->missing, c->n_missing, which);
        add_absent(list, &room, c->left_out, c->n_left_out, which);
    }
    if (id) list->n = keep_studies(list->cell, list->n, t, id);
    list->n = sb_named_cells_sort(list->cell, list->n);
}

/* -- compared with a registration -- */

typedef struct then {
    const char *id, *cells; /* the registration, and the digest of the cells that the claim spoke of */
    size_t n, n_now;        /* how many they were, and are; equal where they are the same ones */
    bool same;
} then;

static sb_status look(then *was, const sb_claim *claim, named *list, tables t)
{
    for (int studies = 0; studies < 2 && !was->same; studies++)
        for (with which = 0; which < N_WITH && !was->same; which++) {
            char digest[SB_CLAIM_DIGEST];
            size_t n;
            list_cells(list, t, which, studies ? was->id : NULL);
            SB_TRY(sb_claim_cells(claim, list->cell, list->n, &n, digest));
            was->same = n == was->n && strcmp(digest, was->cells) == 0;
            if (was->same || (which == WITH_ALL && !studies)) was->n_now = n;
        }
    return SB_OK;
}

static sb_status compare_cells(then *was, const sb_claim *claim, tables t)
{
    const sb_condition *c = t.condition;
    const size_t bytes = c ? text_bytes(c->missing, c->n_missing) + text_bytes(c->left_out, c->n_left_out) : 0;
    named list = {malloc((count_cells(t) + 1) * sizeof *list.cell), malloc(bytes + 1), 0};
    sb_status status = list.cell && list.copies
                           ? look(was, claim, &list, t)
                           : sb_fail(SB_E_MEMORY, "not enough memory for the cells of %s", claim->name);
    free(list.copies);
    free(list.cell);
    return status;
}

/* Cells that left without a trace go before cells that came. */
static bool is_worse(const then *a, const then *b)
{
    if (a->same || b->same) return !a->same;
    return a->n > a->n_now && (b->n <= b->n_now || a->n - a->n_now > b->n - b->n_now);
}

static void say_cells(sb_claim_result *result, const then *was)
{
    const size_t used = strlen(result->registered), size = sizeof result->registered - used;
    if (was->same) return;
    result->n_lost = was->n > was->n_now ? was->n - was->n_now : 0;
    if (result->n_lost)
        snprintf(result->registered + used, size, "; %zu of the %zu cells registered are not in these tables",
                 result->n_lost, was->n);
    else
        snprintf(result->registered + used, size, "; registered with %zu cell%s, which are not the %zu of these tables",
                 was->n, sb_plural(was->n), was->n_now);
}

/* -- its runs -- */

static bool is_behind(const sb_claim_result *result, const sb_result *cell)
{
    for (const sb_finding *part = result->part; part < result->part + result->n_parts; part++)
        for (int side = 0; side < 2; side++) {
            const sb_arm *arm = side ? part->over : part->of;
            for (size_t i = 0; i < arm->n; i++)
                if (arm->cell[i] == cell) return true;
        }
    return false;
}

/* Does the run have the rule? Of each row of registrations.csv that has it, the cells are compared once: looked [rows]. */
static sb_status look_at(const sb_claim_result *result, const sb_result *cell, tables t, const char *digest,
                         bool *looked, then *worst, bool *has_rule)
{
    const sb_registrations *r = &t.results->registrations;
    const size_t row = sb_registrations_find(r, cell->registration, digest);
    then was = {.id = cell->registration};
    *has_rule = row != SB_NOT_REGISTERED;
    if (!*has_rule || looked[row]) return SB_OK;
    looked[row] = true;
    if (!sb_registrations_cells(r, row, &was.n, &was.cells)) return SB_OK;
    SB_TRY(compare_cells(&was, result->claim, t));
    if (is_worse(&was, worst)) *worst = was;
    return SB_OK;
}

static sb_status look_at_all(sb_claim_result *result, tables t, bool *looked, then *worst)
{
    char digest[SB_CLAIM_DIGEST];
    SB_TRY(sb_claim_digest(result->claim, digest));
    for (const sb_result *cell = t.results->cell; cell < t.results->cell + t.results->n_cells; cell++) {
        bool has_rule;
        if (!is_behind(result, cell)) continue;
        SB_TRY(look_at(result, cell, t, digest, looked, worst, &has_rule));
        result->n_runs++;
        result->n_registered += has_rule;
    }
    return SB_OK;
}

void sb_claim_write_registered(sb_claim_result *result)
{
    const size_t n = result->n_runs, n_registered = result->n_registered;
    if (n_registered && n_registered < n)
        snprintf(result->registered, sizeof result->registered, "registered before %zu of its %zu runs", n_registered,
                 n);
    else if (n)
        snprintf(result->registered, sizeof result->registered, "%s its runs",
                 n_registered ? "registered before" : "formulated after");
}

sb_status sb_claim_say_registered(sb_claim_result *result, const sb_results *results, const sb_condition *condition)
{
    then worst = {.same = true};
    bool *looked = calloc(results->registrations.table.n_rows + 1, sizeof *looked);
    if (!looked) return sb_fail(SB_E_MEMORY, "not enough memory for the registrations of %s", result->claim->name);
    result->n_runs = result->n_registered = 0;
    const sb_status status = look_at_all(result, (tables){results, condition}, looked, &worst);
    free(looked);
    sb_claim_write_registered(result);
    say_cells(result, &worst);
    return status;
}
