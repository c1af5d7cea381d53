#include "matrix/collect/generations_sheet.h"

#include "matrix/collect/collect.h"

#include "core/size.h"
#include "io/run_lists.h"
#include "matrix/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool sb_generations_sheet_wanted(const sb_selection *selection)
{
    for (size_t i = 0; i < selection->n; i++) {
        const char *search = selection->item[i]->value[SB_SETTING_SEARCH];
        if (search && *search && strcmp(search, "gradient") != 0) return true;
    }
    return false;
}

/* The columns of the run file, one behind the other. */
typedef struct columns {
#define COUNT_COLUMN(key, ...) int64_t *key;
#define REAL_COLUMN(key, ...)  double *key;
    SB_RUN_GENERATIONS(COUNT_COLUMN, REAL_COLUMN, )
} columns;

static void free_columns(columns *c)
{
#define FREE(key, ...) free(c->key);
    SB_RUN_GENERATIONS(FREE, FREE, )
}

static sb_status read_columns(columns *c, sb_h5 *file, size_t n)
{
#define READ(key, type)                                                                                                \
    c->key = sb_size_allocate(n, sizeof *c->key);                                                                      \
    if (!c->key) return sb_fail(SB_E_MEMORY, "%s: not enough memory", sb_h5_path(file));                               \
    SB_TRY(sb_h5_read(file, "evolution/" #key, type, n, c->key));
#define READ_COUNT(key, ...) READ(key, SB_I64)
#define READ_REAL(key, ...)  READ(key, SB_F64)
    SB_RUN_GENERATIONS(READ_COUNT, READ_REAL, )
    return SB_OK;
}

/* What is no number, as the gap of a random search, is empty. */
static void write_real(sb_writer *csv, double value)
{
    if (isnan(value))
        sb_write(csv, ",");
    else
        sb_write(csv, ",%.9g", value);
}

static void write_row(sb_writer *csv, const char *hash, const columns *c, size_t i)
{
    sb_write(csv, "%.*s,%zu", SB_CELL_HASH_SHOWN, hash, i);
#define WRITE_COUNT(key, ...) sb_write(csv, ",%lld", (long long)c->key[i]);
#define WRITE_REAL(key, ...)  write_real(csv, c->key[i]);
    SB_RUN_GENERATIONS(WRITE_COUNT, WRITE_REAL, )
    sb_write(csv, "\n");
}

sb_status sb_generations_sheet_add(sb_writer *csv, const char *hash, sb_h5 *file)
{
    sb_h5_shape shape;
    columns c = {0};
    if (!sb_h5_exists(file, "evolution/best")) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, "evolution/best", &shape));
    const size_t n = shape.n, step = (n + SB_CURVE_ROWS - 1) / SB_CURVE_ROWS;
    const sb_status status = read_columns(&c, file, n);
    for (size_t i = 0; i < n && status == SB_OK; i++)
        if (i % step == 0 || i + 1 == n) write_row(csv, hash, &c, i);
    free_columns(&c);
    return status;
}
