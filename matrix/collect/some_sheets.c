#include "core/rows/optimizers.h"
#include "io/h5/h5_attribute.h"
#include "io/run/run_table.h"
#include "io/run/runfile.h"
#include "matrix/collect/collect.h"
#include "matrix/collect/sheets.h"

#include <stdlib.h>
#include <string.h>

enum { FAMILY_GENERATIONS = 100 };

/* -- generations.csv -- */

static bool evolves(const sb_selection *selection)
{
    for (size_t i = 0; i < selection->n; i++) {
        const char *search = selection->item[i]->value[SB_SETTING_SEARCH];
        if (search && *search && strcmp(search, "gradient") != 0) return true;
    }
    return false;
}

static void write_generation(sb_writer *csv, const char *hash, size_t i, const sb_run_generation *row)
{
    sb_write(csv, "%.*s,%zu", SB_CELL_HASH_SHOWN, hash, i);
#define WRITE_COUNT(key, ...) sb_write(csv, ",%lld", (long long)row->key);
#define WRITE_REAL(key, ...)  sb_sheet_real(csv, row->key);
    SB_RUN_GENERATIONS(WRITE_COUNT, WRITE_REAL, )
    sb_write(csv, "\n");
}

static sb_status add_generations(sb_writer *csv, const char *hash, sb_h5 *file)
{
    SB_OWNED(sb_run_lists_free) sb_run_lists lists = {0};
    SB_TRY(sb_run_list_read(&lists, SB_RUN_LIST_evolution, file));
    const sb_run_generation *row = lists.of[SB_RUN_LIST_evolution].row;
    const size_t n = lists.of[SB_RUN_LIST_evolution].n, step = (n + SB_CURVE_ROWS - 1) / SB_CURVE_ROWS;
    for (size_t i = 0; i < n; i++)
        if (i % step == 0 || i + 1 == n) write_generation(csv, hash, i, &row[i]);
    return SB_OK;
}

/* -- parents.csv -- */

typedef struct family {
    int64_t *elite;               /* [generations] */
    int64_t *individual, *parent; /* [generations][parents] */
} family;

/* The elite lives on unchanged as individual 0 of the next generation, whose parent the run file leaves open: it is
 * the elite itself, and where the old one stayed (-1) individual 0 of the generation before. */
static int64_t parent_of(const family *f, size_t generation, size_t at)
{
    const bool is_elite = f->individual[at] == 0 && f->parent[at] < 0 && generation > 0;
    if (!is_elite) return f->parent[at];
    return f->elite[generation - 1] < 0 ? 0 : f->elite[generation - 1];
}

static sb_status add_parents(sb_writer *csv, const char *hash, sb_h5 *file)
{
    sb_h5_shape shape;
    family f = {0};
    if (!sb_h5_exists(file, "evolution/individual")) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, "evolution/individual", &shape));
    if (shape.rank != 2)
        return sb_fail(SB_E_INTEGRITY, "%s: /evolution/individual is not a row of parents for each generation",
                       sb_h5_path(file));
    const size_t n = shape.dim[0], n_parents = shape.dim[1];
    sb_status status = sb_h5_read_new(file, "evolution/elite", SB_I64, n, &f.elite);
    if (status == SB_OK) status = sb_h5_read_new(file, "evolution/individual", SB_I64, shape.n, &f.individual);
    if (status == SB_OK) status = sb_h5_read_new(file, "evolution/parent", SB_I64, shape.n, &f.parent);
    const size_t first = n > FAMILY_GENERATIONS ? n - FAMILY_GENERATIONS : 0;
    for (size_t i = first * n_parents; i < shape.n && status == SB_OK; i++)
        sb_write(csv, "%.*s,%zu,%zu,%lld,%lld\n", SB_CELL_HASH_SHOWN, hash, i / n_parents, i % n_parents,
                 (long long)f.individual[i], (long long)parent_of(&f, i / n_parents, i));
    free(f.elite);
    free(f.individual);
    free(f.parent);
    return status;
}

/* -- trust.csv -- */

static bool learns_by_layers(const sb_selection *selection)
{
    for (size_t i = 0; i < selection->n; i++) {
        const char *name = selection->item[i]->value[SB_SETTING_OPTIMIZER];
        if (name && sb_optimizers[sb_optimizer_find(name)].kind == SB_LAYERWISE) return true;
    }
    return false;
}

/* Number `tensor` of names with blanks between them; length 0 if there are fewer. */
static const char *name_of(const char *names, int64_t tensor, int *length)
{
    for (int64_t k = 0; k < tensor && *names; k++) {
        names += strcspn(names, " ");
        names += *names == ' ';
    }
    *length = tensor < 0 ? 0 : (int)strcspn(names, " ");
    return names;
}

static sb_status write_ratio(sb_writer *csv, const char *hash, const char *names, const sb_run_trust *row, sb_h5 *file)
{
    int length;
    const char *name = name_of(names, row->tensor, &length);
    if (length == 0)
        return sb_fail(SB_E_INTEGRITY, "%s: /trust has a row of tensor %lld, but /param names no such tensor",
                       sb_h5_path(file), (long long)row->tensor);
    sb_write(csv, "%.*s,%lld,%.*s", SB_CELL_HASH_SHOWN, hash, (long long)row->epoch, length, name);
    sb_sheet_real(csv, row->weight_norm);
    sb_sheet_real(csv, row->direction_norm);
    sb_sheet_real(csv, row->ratio);
    sb_write(csv, "\n");
    return SB_OK;
}

/* names: room for the list of all tensors. */
static sb_status write_ratios(sb_writer *csv, const char *hash, const sb_run_list *list, sb_h5 *file, char *names,
                              size_t size)
{
    if (list->n == 0) return SB_OK;
    const sb_run_trust *row = list->row, *last = row + list->n - 1;
    if (last->epoch < 0 || last->epoch > INT64_MAX - SB_CURVE_ROWS)
        return sb_fail(SB_E_INTEGRITY, "%s: /trust has an epoch %lld", sb_h5_path(file), (long long)last->epoch);
    SB_TRY(sb_h5_get_text(file, "param", "names", names, size));
    const int64_t step = (last->epoch + SB_CURVE_ROWS) / SB_CURVE_ROWS;
    for (; row <= last; row++)
        if (row->epoch % step == 0 || row->epoch == last->epoch) SB_TRY(write_ratio(csv, hash, names, row, file));
    return SB_OK;
}

static sb_status add_trust(sb_writer *csv, const char *hash, sb_h5 *file)
{
    SB_OWNED(sb_run_lists_free) sb_run_lists lists = {0};
    SB_FREED char *names = malloc(SB_RUN_NAMES);
    SB_TRY(names ? SB_OK : sb_h5_fail_memory(file));
    SB_TRY(sb_run_list_read(&lists, SB_RUN_LIST_trust, file));
    return write_ratios(csv, hash, &lists.of[SB_RUN_LIST_trust], file, names, SB_RUN_NAMES);
}

const sb_sheet_of_some sb_sheets_of_some[SB_SHEETS_OF_SOME] = {
    {&sb_columns_generations, evolves, add_generations},
    {&sb_columns_parents, evolves, add_parents},
    {&sb_columns_trust, learns_by_layers, add_trust},
};
