#include "matrix/collect/sheets.h"

#include "matrix/store/store.h"

#include "io/columns.h"

#include "core/hash.h"
#include "core/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum difference { TARGET, SETTING, ULP, N_DIFFERENCES } difference;

static const char *const argv[N_DIFFERENCES] = {"target", "setting", "ulp"};

/* The difference of a pair that differs only in this setting. Settings for the place of a run in the matrix and for its
 * end may also differ; for these it is N_DIFFERENCES. */
static difference difference_in(sb_setting_id setting)
{
    if (setting == SB_SETTING_ULP) return ULP;
    const sb_setting_role role = sb_settings_table[setting].role;
    return role == SB_ROLE_ARM ? TARGET : role == SB_ROLE_SETTING ? SETTING : N_DIFFERENCES;
}

static bool is_free(sb_setting_id setting)
{
    const sb_setting_role role = sb_settings_table[setting].role;
    return difference_in(setting) != N_DIFFERENCES || role == SB_ROLE_LABEL || role == SB_ROLE_LENGTH;
}

static bool agree(const sb_cell *a, const sb_cell *b, sb_setting_id setting)
{
    const char *x = a->value[setting], *y = b->value[setting];
    return x == y || (x && y && strcmp(x, y) == 0);
}

/* The one thing a and b differ in; N_DIFFERENCES: nothing, more, or something that makes them no pair. */
static difference difference_of(const sb_cell *a, const sb_cell *b)
{
    difference found = N_DIFFERENCES;
    for (sb_setting_id setting = SB_N_SETTINGS; setting-- > 0;) /* the seed first: most cells differ in it */
        if (!is_free(setting) && !agree(a, b, setting)) return N_DIFFERENCES;
    for (sb_setting_id setting = 0; setting < SB_N_SETTINGS; setting++) {
        difference d = difference_in(setting);
        if (d == N_DIFFERENCES || agree(a, b, setting)) continue;
        if (found != N_DIFFERENCES && found != d) return N_DIFFERENCES;
        found = d;
    }
    return found;
}

/* -- pairs: only among cells that agree in all that a pair shares, which stand side by side when sorted by it -- */

typedef struct member {
    sb_hash shared;
    size_t place; /* in the selection */
} member;

static sb_status hash_shared(const sb_cell *cell, sb_hash *shared)
{
    sb_hasher *hasher = sb_hasher_begin();
    if (!hasher) return sb_fail(SB_E_MEMORY, "not enough memory for distances");
    for (sb_setting_id setting = 0; setting < SB_N_SETTINGS; setting++) {
        const char *value = cell->value[setting];
        if (is_free(setting)) continue;
        sb_hasher_add(hasher, value ? "=" : "-", 1, 1);
        if (value) sb_hasher_add(hasher, value, strlen(value) + 1, 1);
    }
    *shared = sb_hasher_end(hasher);
    return SB_OK;
}

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int order = memcmp(&x->shared, &y->shared, sizeof x->shared);
    return order ? order : x->place < y->place ? -1 : 1;
}

/* [n], group by group, each in the order of the selection. */
static sb_status make_groups(member **members, const sb_selection *cells)
{
    *members = calloc(cells->n + 1, sizeof **members);
    if (!*members) return sb_fail(SB_E_MEMORY, "not enough memory for distances");
    for (size_t i = 0; i < cells->n; i++) {
        (*members)[i].place = i;
        SB_TRY(hash_shared(cells->item[i], &(*members)[i].shared));
    }
    qsort(*members, cells->n, sizeof **members, by_group);
    return SB_OK;
}

/* The cells with which the cell of group[k] is compared, as places in the group, one for each difference; -1: none. */
static void find_references(const sb_selection *cells, const member *group, size_t k, long reference[N_DIFFERENCES])
{
    const sb_cell *b = cells->item[group[k].place];
    for (int d = 0; d < N_DIFFERENCES; d++) reference[d] = -1;
    for (size_t i = 0; i < k; i++) {
        const sb_cell *a = cells->item[group[i].place];
        difference d = difference_of(a, b);
        if (d == N_DIFFERENCES) continue;
        bool better = reference[d] >= 0 && agree(a, b, SB_SETTING_STUDY) &&
                      !agree(cells->item[group[reference[d]].place], b, SB_SETTING_STUDY);
        if (reference[d] < 0 || better) reference[d] = (long)i;
    }
}

/* -- distances of a pair -- */

static sb_status read_sketches(sb_run_sketches *sketches, const sb_cell *cell, const sb_looker *looker)
{
    sb_store store;
    sb_run_summary summary;
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    *sketches = (sb_run_sketches){0};
    SB_TRY(sb_store_locate(&store, looker->results, cell));
    SB_TRY(sb_store_open(&store, cell, SB_TRUST_STAMP, looker->stamps, &summary, &file));
    return sb_runfile_sketches(file, sketches);
}

typedef struct row {
    int64_t update;
    double distance, moved; /* ||w_a - w_b||, ||w_a - w_start|| */
} row;

/* All updates after the start that both have, with finite weights; room for a->n of them. */
static size_t gather(row *rows, const sb_run_sketches *a, const sb_run_sketches *b)
{
    size_t n = 0;
    for (size_t i = 0, j = 0; sb_run_sketches_match(a, b, &i, &j); i++, j++) {
        row r = {a->update[i], sb_sketch_distance(a->row[i], b->row[j]), sb_sketch_distance(a->row[i], a->row[0])};
        if (r.update > 0 && r.moved > 0 && isfinite(r.moved) && isfinite(r.distance)) rows[n++] = r;
    }
    return n;
}

typedef struct pair {
    const sb_cell *a; /* NULL: there is none */
    row *rows;        /* [n] */
    size_t n;
} pair;

/* Of more rows than are shown the first, the last, and those evenly between. */
static sb_status measure(pair *p, const sb_cell *cell_a, const sb_run_sketches *a, const sb_run_sketches *b)
{
    if (a->n == 0 || a->update[0] != 0) return SB_OK;
    row *rows = sb_size_allocate(a->n, sizeof *rows);
    if (!rows) return sb_fail(SB_E_MEMORY, "not enough memory for the distances to %s", cell_a->name);
    size_t n = gather(rows, a, b), n_shown = n < SB_DISTANCE_ROWS ? n : SB_DISTANCE_ROWS;
    for (size_t k = 0; n_shown < n && k < n_shown; k++) rows[k] = rows[k * (n - 1) / (n_shown - 1)];
    row *kept = realloc(rows, (n_shown + 1) * sizeof *rows);
    *p = (pair){cell_a, kept ? kept : rows, n_shown};
    return SB_OK;
}

static void print_pair(sb_writer *csv, difference d, const pair *p, const sb_cell *b)
{
    for (size_t k = 0; k < p->n; k++) {
        const row *r = &p->rows[k];
        sb_write(csv, "%.*s,%.*s,%s,%lld,%.9g,%.9g\n", SB_CELL_HASH_SHOWN, p->a->hash, SB_CELL_HASH_SHOWN, b->hash,
                 argv[d], (long long)r->update, r->distance, r->distance / r->moved);
    }
}

/* -- a group: a run file is read once, and its sketches are kept while others are compared with it -- */

typedef struct group_work {
    const sb_selection *cells;
    const bool *have_sketches; /* [cells->n] */
    const sb_looker *looker;
    const member *group; /* [n] */
    size_t n;
    long (*reference)[N_DIFFERENCES]; /* [n] */
    size_t *last_use;                 /* [n]: the last cell that is compared with it, 0: none */
    sb_run_sketches *sketches;        /* [n] */
} group_work;

static sb_status open_group(group_work *w)
{
    w->reference = calloc(w->n, sizeof *w->reference);
    w->last_use = calloc(w->n, sizeof *w->last_use);
    w->sketches = calloc(w->n, sizeof *w->sketches);
    if (!w->reference || !w->last_use || !w->sketches) return sb_fail(SB_E_MEMORY, "not enough memory for distances");
    for (size_t k = 0; k < w->n; k++) {
        find_references(w->cells, w->group, k, w->reference[k]);
        for (int d = 0; d < N_DIFFERENCES; d++)
            if (w->reference[k][d] >= 0) w->last_use[w->reference[k][d]] = k;
    }
    return SB_OK;
}

static void close_group(group_work *w)
{
    for (size_t k = 0; w->sketches && k < w->n; k++) sb_run_sketches_free(&w->sketches[k]);
    free(w->sketches);
    free(w->last_use);
    free(w->reference);
}

static bool has_reference(const long reference[N_DIFFERENCES])
{
    return reference[TARGET] >= 0 || reference[SETTING] >= 0 || reference[ULP] >= 0;
}

/* pairs: the pairs of each place in the selection. */
static sb_status measure_cell(const group_work *w, size_t k, pair (*pairs)[N_DIFFERENCES])
{
    const member *own = &w->group[k];
    if (!w->have_sketches[own->place] || (!has_reference(w->reference[k]) && !w->last_use[k])) return SB_OK;
    SB_TRY(read_sketches(&w->sketches[k], w->cells->item[own->place], w->looker));
    for (int d = 0; w->sketches[k].n && d < N_DIFFERENCES; d++) {
        long a = w->reference[k][d];
        if (a >= 0)
            SB_TRY(measure(&pairs[own->place][d], w->cells->item[w->group[a].place], &w->sketches[a], &w->sketches[k]));
    }
    for (size_t i = 0; i <= k; i++)
        if (w->last_use[i] <= k) sb_run_sketches_free(&w->sketches[i]);
    return SB_OK;
}

/* w: all but the group. */
static sb_status measure_group(group_work w, const member *group, size_t n, pair (*pairs)[N_DIFFERENCES])
{
    w.group = group;
    w.n = n;
    sb_status status = n > 1 ? open_group(&w) : SB_OK;
    for (size_t k = 0; status == SB_OK && n > 1 && k < n; k++) status = measure_cell(&w, k, pairs);
    close_group(&w);
    return status;
}

static sb_status measure_all(group_work w, pair (*pairs)[N_DIFFERENCES])
{
    const sb_selection *cells = w.cells;
    SB_FREED member *members = NULL;
    SB_TRY(make_groups(&members, cells));
    for (size_t first = 0, n; first < cells->n; first += n) {
        for (n = 1; first + n < cells->n && sb_hash_equal(members[first].shared, members[first + n].shared);) n++;
        SB_TRY(measure_group(w, &members[first], n, pairs));
    }
    return SB_OK;
}

sb_status sb_distances_write(sb_writer *csv, const sb_complete *complete, const sb_looker *looker)
{
    const sb_selection *cells = &complete->cells;
    SB_FREED pair(*pairs)[N_DIFFERENCES] = calloc(cells->n + 1, sizeof *pairs);
    if (!pairs) return sb_fail(SB_E_MEMORY, "not enough memory for distances");
    sb_status status =
        measure_all((group_work){.cells = cells, .have_sketches = complete->have_sketches, .looker = looker}, pairs);
    sb_columns_write(csv, &sb_columns_distances);
    for (size_t i = 0; i < cells->n; i++) {
        for (difference d = 0; d < N_DIFFERENCES; d++) {
            if (status == SB_OK) print_pair(csv, d, &pairs[i][d], cells->item[i]);
            free(pairs[i][d].rows);
        }
        if (complete->elsewhere) sb_elsewhere_copy_distances(complete->elsewhere, csv, cells->item, complete->from, i);
    }
    return status;
}
