#include "distances.h"

#include "store.h"

#include <stdlib.h>
#include <string.h>

typedef enum difference { TARGET, SETTING, ULP, N_DIFFERENCES } difference;

static const char *const words[N_DIFFERENCES] = {"target", "setting", "ulp"};

/* What a pair may differ in, alone; every other recorded factor it shares, but those that say where a run stands in the
 * matrix and where it ends. */
static const struct {
    sb_factor factor;
    difference difference;
} free_factors[] = {
    {SB_FACTOR_TARGET, TARGET},
    {SB_FACTOR_BACKEND, SETTING},
    {SB_FACTOR_ARITHMETIC, SETTING},
    {SB_FACTOR_HARDWARE, SETTING},
    {SB_FACTOR_BLAS_KERNEL, SETTING},
    {SB_FACTOR_THREADS, SETTING},
    {SB_FACTOR_ULP, ULP},
    {SB_FACTOR_STUDY, N_DIFFERENCES},
    {SB_FACTOR_UPDATES, N_DIFFERENCES},
    {SB_FACTOR_EPOCHS, N_DIFFERENCES},
};
enum { N_FREE = sizeof free_factors / sizeof *free_factors };

static bool agree(const sb_cell *a, const sb_cell *b, sb_factor factor)
{
    const char *x = a->value[factor], *y = b->value[factor];
    return x == y || (x && y && strcmp(x, y) == 0);
}

static bool is_free(sb_factor factor)
{
    for (int i = 0; i < N_FREE; i++)
        if (free_factors[i].factor == factor) return true;
    return !sb_factor_about(factor)->recorded;
}

/* The one thing a and b differ in; N_DIFFERENCES: nothing, more, or something that makes them no pair. */
static difference difference_of(const sb_cell *a, const sb_cell *b)
{
    difference found = N_DIFFERENCES;
    for (sb_factor factor = SB_FACTOR_N; factor-- > 0;) /* the seed, which tells most cells apart, first */
        if (!is_free(factor) && !agree(a, b, factor)) return N_DIFFERENCES;
    for (int i = 0; i < N_FREE; i++) {
        difference d = free_factors[i].difference;
        if (d == N_DIFFERENCES || agree(a, b, free_factors[i].factor)) continue;
        if (found != N_DIFFERENCES && found != d) return N_DIFFERENCES;
        found = d;
    }
    return found;
}

/* What cells->item[place] is held against, one for each difference; NULL: nothing. */
static void find_references(const sb_selection *cells, size_t place, const sb_cell *reference[N_DIFFERENCES])
{
    const sb_cell *b = cells->item[place];
    for (int d = 0; d < N_DIFFERENCES; d++) reference[d] = NULL;
    for (size_t i = 0; i < place; i++) {
        const sb_cell *a = cells->item[i];
        difference d = difference_of(a, b);
        if (d == N_DIFFERENCES) continue;
        bool better = reference[d] && agree(a, b, SB_FACTOR_STUDY) && !agree(reference[d], b, SB_FACTOR_STUDY);
        if (!reference[d] || better) reference[d] = a;
    }
}

static sb_status read_sketches(sb_run_sketches *sketches, const sb_cell *cell, const char *results)
{
    sb_store store;
    sb_run_summary summary;
    sb_h5 *file;
    *sketches = (sb_run_sketches){0};
    SB_TRY(sb_store_locate(&store, results, cell));
    SB_TRY(sb_store_open(&store, cell, SB_TRUST_STAMP, &summary, &file));
    sb_status status = sb_runfile_sketches(file, sketches);
    sb_h5_close(file);
    return status;
}

typedef struct row {
    int64_t update;
    double distance, moved; /* ||w_a - w_b||, ||w_a - w_start|| */
} row;

/* All updates after the start that both have; room for a->n of them. */
static size_t gather(row *rows, const sb_run_sketches *a, const sb_run_sketches *b)
{
    size_t n = 0;
    for (size_t i = 0, j = 0; sb_run_sketches_match(a, b, &i, &j); i++, j++) {
        row r = {a->update[i], sb_sketch_distance(a->row[i], b->row[j]), sb_sketch_distance(a->row[i], a->row[0])};
        if (r.update > 0 && r.moved > 0) rows[n++] = r;
    }
    return n;
}

static sb_status write_pair(FILE *out, difference d, const sb_cell *cell_a, const sb_run_sketches *a,
                            const sb_cell *cell_b, const sb_run_sketches *b)
{
    if (a->n == 0 || a->update[0] != 0) return SB_OK;
    row *rows = malloc(a->n * sizeof *rows);
    if (!rows) return sb_fail(SB_E_MEMORY, "not enough memory for the distances of %s", cell_b->name);
    size_t n = gather(rows, a, b), n_shown = n < SB_DISTANCE_ROWS ? n : SB_DISTANCE_ROWS;
    for (size_t k = 0; k < n_shown; k++) {
        const row *r = &rows[n_shown == n ? k : k * (n - 1) / (n_shown - 1)];
        fprintf(out, "%.*s,%.*s,%s,%lld,%.9g,%.9g\n", SB_CELL_HASH_SHOWN, cell_a->hash, SB_CELL_HASH_SHOWN,
                cell_b->hash, words[d], (long long)r->update, r->distance, r->distance / r->moved);
    }
    free(rows);
    return SB_OK;
}

static sb_status write_pairs_of(FILE *out, const sb_selection *cells, size_t place, const char *results)
{
    const sb_cell *reference[N_DIFFERENCES];
    sb_run_sketches a, b;
    find_references(cells, place, reference);
    if (!reference[TARGET] && !reference[SETTING] && !reference[ULP]) return SB_OK;
    SB_TRY(read_sketches(&b, cells->item[place], results));
    sb_status status = SB_OK;
    for (int d = 0; status == SB_OK && b.n && d < N_DIFFERENCES; d++) {
        if (!reference[d]) continue;
        status = read_sketches(&a, reference[d], results);
        if (status == SB_OK) status = write_pair(out, d, reference[d], &a, cells->item[place], &b);
        sb_run_sketches_free(&a);
    }
    sb_run_sketches_free(&b);
    return status;
}

sb_status sb_distances_write(FILE *out, const sb_selection *cells, const char *results)
{
    for (size_t i = 0; i < cells->n; i++) SB_TRY(write_pairs_of(out, cells, i, results));
    return SB_OK;
}
