#include "matrix/collect/parents_sheet.h"

#include "matrix/cells/cells.h"

#include <stdlib.h>

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

sb_status sb_parents_sheet_add(sb_writer *csv, const char *hash, sb_h5 *file)
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
    const size_t first = n > SB_FAMILY_GENERATIONS ? n - SB_FAMILY_GENERATIONS : 0;
    for (size_t i = first * n_parents; i < shape.n && status == SB_OK; i++)
        sb_write(csv, "%.*s,%zu,%zu,%lld,%lld\n", SB_CELL_HASH_SHOWN, hash, i / n_parents, i % n_parents,
                 (long long)f.individual[i], (long long)parent_of(&f, i / n_parents, i));
    free(f.elite);
    free(f.individual);
    free(f.parent);
    return status;
}
