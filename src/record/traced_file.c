#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_layout.h"
#include "io/run/runfile.h"
#include "record/h5_texts.h"
#include "record/traced.h"

#include <stdlib.h>
#include <string.h>

/* The columns of both tables: name, kind of number, field. One list for writing and reading. */
#define ROW_COLUMNS(TEXT, INTEGER, BYTE, REAL)                                                                         \
    TEXT("row/operation", operation)                                                                                   \
    TEXT("row/module", module)                                                                                         \
    TEXT("row/site", site)                                                                                             \
    TEXT("row/arguments", arguments)                                                                                   \
    TEXT("row/node", node)                                                                                             \
    INTEGER("row/forward_row", forward_row)                                                                            \
    INTEGER("row/executions", executions)                                                                              \
    INTEGER("row/other_results", other_results)                                                                        \
    BYTE("row/phase", phase)                                                                                           \
    BYTE("row/mark", mark)                                                                                             \
    REAL("row/error", error)
#define TENSOR_COLUMNS(TEXT, INTEGER, BYTE, REAL)                                                                      \
    TEXT("tensor/role", role)                                                                                          \
    TEXT("tensor/name", name)                                                                                          \
    TEXT("tensor/dtype", dtype)                                                                                        \
    TEXT("tensor/shape", shape)                                                                                        \
    TEXT("tensor/layout", layout)                                                                                      \
    TEXT("tensor/device", device)                                                                                      \
    INTEGER("tensor/row", row)                                                                                         \
    INTEGER("tensor/writer", writer)                                                                                   \
    BYTE("tensor/flags", flags)

#define INTEGER_OF_N(name, field) {name, SB_H5_COUNTS, "n"},
#define BYTE_OF_N(name, field)    {name, SB_H5_BYTES, "n"},
#define REAL_OF_N(name, field)    {name, SB_H5_DOUBLES, "n"},
#define INTEGER_OF_M(name, field) {name, SB_H5_COUNTS, "m"},
#define BYTE_OF_M(name, field)    {name, SB_H5_BYTES, "m"},
static const sb_h5_row layout[] = {
    ROW_COLUMNS(INTEGER_OF_N, INTEGER_OF_N, BYTE_OF_N, REAL_OF_N)
    TENSOR_COLUMNS(INTEGER_OF_M, INTEGER_OF_M, BYTE_OF_M, )
    {"tensor/hash", SB_H5_BYTES, "m 16"},
};

/* A column on its way to the file or from it: numbers of eight bytes, or bytes. */
typedef struct column {
    sb_h5 *file;
    bool writes;
    size_t n;
    union {
        int64_t *integer;
        double *real;
        uint8_t *byte;
        void *memory;
    };
} column;

static sb_status move(const column *c, const char *name, sb_type type)
{
    if (c->writes) return sb_h5_write(c->file, name, type, 1, &c->n, c->memory, SB_H5_PACKED);
    return sb_h5_read(c->file, name, type, c->n, c->memory);
}

/* The field of every item to or from the column, by way of c->KIND. */
#define MOVE(item, kind, type, name, field)                                                                            \
    for (size_t i = 0; c.writes && i < c.n; i++) c.kind[i] = item[i].field;                                            \
    if (status == SB_OK) status = move(&c, name, type);                                                                \
    for (size_t i = 0; status == SB_OK && !c.writes && i < c.n; i++) item[i].field = c.kind[i];

static sb_status move_rows(column c, sb_traced_op *row)
{
    sb_status status = SB_OK;
#define INTEGER(name, field) MOVE(row, integer, SB_I64, name, field)
#define BYTE(name, field)    MOVE(row, byte, SB_U8, name, field)
#define REAL(name, field)    MOVE(row, real, SB_F64, name, field)
    ROW_COLUMNS(INTEGER, INTEGER, BYTE, REAL)
#undef INTEGER
#undef BYTE
#undef REAL
    return status;
}

static sb_status move_tensors(column c, sb_traced_tensor *tensor)
{
    sb_status status = SB_OK;
#define INTEGER(name, field) MOVE(tensor, integer, SB_I64, name, field)
#define BYTE(name, field)    MOVE(tensor, byte, SB_U8, name, field)
    TENSOR_COLUMNS(INTEGER, INTEGER, BYTE, )
#undef INTEGER
#undef BYTE
    return status;
}

static sb_status move_hashes(column c, sb_traced_tensor *tensor)
{
    sb_hash *hash = sb_size_allocate(c.n, sizeof *hash);
    if (!hash) return sb_h5_fail_memory(c.file);
    for (size_t i = 0; c.writes && i < c.n; i++) hash[i] = tensor[i].hash;
    const sb_status status =
        c.writes ? sb_h5_write(c.file, "tensor/hash", SB_U8, 2, (size_t[]){c.n, sizeof *hash}, hash, SB_H5_PACKED)
                 : sb_h5_read(c.file, "tensor/hash", SB_U8, c.n * sizeof *hash, hash);
    for (size_t i = 0; status == SB_OK && !c.writes && i < c.n; i++) tensor[i].hash = hash[i];
    free(hash);
    return status;
}

static sb_status move_all(sb_h5 *file, bool writes, const sb_traced_update *t)
{
    const size_t most = t->n > t->n_tensors ? t->n : t->n_tensors;
    column c = {.file = file, .writes = writes};
    c.memory = sb_size_allocate(most, sizeof(int64_t));
    if (!c.memory) return sb_h5_fail_memory(file);
    c.n = t->n;
    sb_status status = move_rows(c, t->row);
    c.n = t->n_tensors;
    if (status == SB_OK) status = move_tensors(c, t->tensor);
    if (status == SB_OK) status = move_hashes(c, t->tensor);
    free(c.memory);
    return status;
}

/* ---- writing ---- */

static sb_status write_content(sb_h5 *file, const sb_traced_update *t)
{
    sb_text_list settings = {.n = 1, .item = (char *[]){t->settings}};
    SB_TRY(sb_h5_set_text(file, "meta", "program", "external"));
    SB_TRY(sb_h5_set_int(file, "meta", "trace", SB_TRACED_SCHEMA));
    SB_TRY(sb_h5_set_int(file, "meta", "update", t->update));
    SB_TRY(sb_h5_set_text(file, "meta", "framework", t->framework ? t->framework : ""));
    SB_TRY(sb_h5_set_text(file, "meta", "hash", "XXH3-128; above 65536 bytes chunked"));
    SB_TRY(sb_h5_write_texts(file, "text", &t->text));
    if (t->settings) SB_TRY(sb_h5_write_texts(file, "settings", &settings));
    SB_TRY(move_all(file, true, t));
    return sb_traced_write_numbers(file, t);
}

sb_status sb_traced_write(const sb_traced_update *t, const char *path)
{
    sb_h5 *file;
    if (t->n == 0 || t->n_tensors == 0)
        return sb_fail(SB_E_EMPTY, "%s: nothing was traced: no operation of update %lld was seen", path,
                       (long long)t->update);
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_TRACE));
    return sb_h5_finish(file, write_content(file, t));
}

/* ---- reading ---- */

static sb_status misfit(sb_h5 *file)
{
    return sb_fail(SB_E_INTEGRITY, "%s: the parts of the trace do not fit each other", sb_h5_path(file));
}

static bool are_texts(const sb_traced_update *t, const int64_t *number, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (number[i] < 0 || (size_t)number[i] >= t->text.n) return false;
    return true;
}

static bool row_fits(const sb_traced_update *t, const sb_traced_op *row)
{
    const int64_t texts[] = {row->operation, row->module, row->site, row->arguments, row->node};
    return are_texts(t, texts, sizeof texts / sizeof *texts) && row->phase < SB_TRACED_PHASES &&
           row->forward_row >= -1 && row->forward_row < (int64_t)t->n && row->executions >= 0 &&
           row->other_results >= 0 && row->other_results <= row->executions;
}

static bool tensor_fits(const sb_traced_update *t, const sb_traced_tensor *x)
{
    const int64_t texts[] = {x->role, x->name, x->dtype, x->shape, x->layout, x->device};
    return are_texts(t, texts, sizeof texts / sizeof *texts) && x->row >= 0 && x->row < (int64_t)t->n &&
           x->writer >= -1 && x->writer <= x->row;
}

/* The rows' places in the list of tensors, which is in the order of rows. */
static sb_status place_tensors(sb_h5 *file, sb_traced_update *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (!row_fits(t, &t->row[i])) return misfit(file);
    for (size_t k = 0; k < t->n_tensors; k++) {
        const sb_traced_tensor *x = &t->tensor[k];
        if (!tensor_fits(t, x) || (k && x->row < t->tensor[k - 1].row)) return misfit(file);
        sb_traced_op *row = &t->row[x->row];
        if (row->n++ == 0) row->first = k;
    }
    return SB_OK;
}

static sb_status read_words(sb_h5 *file, sb_traced_update *t)
{
    char framework[SB_RUN_TEXT];
    SB_OWNED(sb_text_list_free) sb_text_list settings = {0};
    SB_TRY(sb_h5_get_text(file, "meta", "framework", framework, sizeof framework));
    SB_TRY(sb_h5_read_texts(file, "text", &t->text));
    SB_TRY(sb_h5_read_texts(file, "settings", &settings));
    if (settings.n > 1) return misfit(file);
    t->framework = strdup(framework);
    if (settings.n == 1) t->settings = strdup(settings.item[0]);
    if (!t->framework || (settings.n && !t->settings)) return sb_h5_fail_memory(file);
    return SB_OK;
}

static sb_status read_content(sb_h5 *file, sb_traced_update *t)
{
    int64_t schema;
    sb_h5_dims dims;
    SB_TRY(sb_h5_get_int(file, "meta", "trace", &schema));
    if (schema != SB_TRACED_SCHEMA)
        return sb_fail(SB_E_USAGE, "%s: a trace of schema %lld, and schema %d is needed here: a trace of samebits' own "
                       "networks is compared with its own kind", sb_h5_path(file), (long long)schema, SB_TRACED_SCHEMA);
    SB_TRY(sb_h5_get_int(file, "meta", "update", &t->update));
    SB_TRY(read_words(file, t));
    SB_TRY(sb_h5_check_layout(file, layout, sizeof layout / sizeof *layout, &dims));
    t->row = sb_size_allocate(dims.of['n' - 'a'], sizeof *t->row);
    t->tensor = sb_size_allocate(dims.of['m' - 'a'], sizeof *t->tensor);
    if (!t->row || !t->tensor) return sb_h5_fail_memory(file);
    t->n = t->room = dims.of['n' - 'a'];
    t->n_tensors = t->tensors_room = dims.of['m' - 'a'];
    SB_TRY(move_all(file, false, t));
    SB_TRY(place_tensors(file, t));
    return sb_traced_read_numbers(file, t);
}

sb_status sb_traced_read(sb_traced_update *t, const char *path)
{
    sb_h5 *file;
    *t = (sb_traced_update){0};
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_TRACE));
    const sb_status status = read_content(file, t);
    sb_h5_close(file);
    if (status != SB_OK) sb_traced_update_free(t);
    return status;
}

sb_status sb_traced_schema(const char *path, int64_t *schema)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_TRACE));
    return sb_h5_get_int(file, "meta", "trace", schema);
}
