#include "inspect/trace/trace_file.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_layout.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1, OPERATION = sizeof((sb_trace_row *)0)->operation, ROLE = sizeof((sb_trace_tensor *)0)->role };

static const sb_h5_row layout[] = {
    {"row/operation", SB_H5_BYTES, "n 32"}, {"tensor/row", SB_H5_COUNTS, "m"},    {"tensor/shape", SB_H5_COUNTS, "m 3"},
    {"tensor/role", SB_H5_BYTES, "m 16"},   {"tensor/name", SB_H5_BYTES, "m 64"}, {"tensor/written", SB_H5_BYTES, "m"},
    {"tensor/hash", SB_H5_BYTES, "m 16"},
};

static_assert(OPERATION == 32 && ROLE == 16 && SB_TRACE_NAME == 64 && sizeof(sb_hash) == 16, "as the layout says");

/* The tensors of all rows, column by column. */
typedef struct columns {
    size_t n;
    int64_t *row;
    int64_t (*shape)[3];
    char (*role)[ROLE];
    char (*name)[SB_TRACE_NAME];
    uint8_t *written;
    sb_hash *hash;
} columns;

static void free_columns(columns *c)
{
    free(c->row);
    free(c->shape);
    free(c->role);
    free(c->name);
    free(c->written);
    free(c->hash);
}

static sb_status make_columns(columns *c, size_t n)
{
    *c = (columns){.n = n};
    c->row = sb_size_allocate(n, sizeof *c->row);
    c->shape = sb_size_allocate(n, sizeof *c->shape);
    c->role = sb_size_allocate(n, sizeof *c->role);
    c->name = sb_size_allocate(n, sizeof *c->name);
    c->written = sb_size_allocate(n, sizeof *c->written);
    c->hash = sb_size_allocate(n, sizeof *c->hash);
    if (c->row && c->shape && c->role && c->name && c->written && c->hash) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for a trace");
}

/* One column after the other, through `move`: to the file or from it. */
typedef sb_status move_column(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim, void *data);

static sb_status write_column(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim, void *data)
{
    return sb_h5_write(file, name, type, rank, dim, data, SB_H5_PACKED);
}

static sb_status read_column(sb_h5 *file, const char *name, sb_type type, int rank, const size_t *dim, void *data)
{
    return sb_h5_read(file, name, type, rank == 1 ? dim[0] : dim[0] * dim[1], data);
}

static sb_status move_columns(sb_h5 *file, columns *c, move_column *move)
{
    SB_TRY(move(file, "tensor/row", SB_I64, 1, &c->n, c->row));
    SB_TRY(move(file, "tensor/shape", SB_I64, 2, (size_t[]){c->n, 3}, c->shape));
    SB_TRY(move(file, "tensor/role", SB_U8, 2, (size_t[]){c->n, sizeof *c->role}, c->role));
    SB_TRY(move(file, "tensor/name", SB_U8, 2, (size_t[]){c->n, sizeof *c->name}, c->name));
    SB_TRY(move(file, "tensor/written", SB_U8, 1, &c->n, c->written));
    return move(file, "tensor/hash", SB_U8, 2, (size_t[]){c->n, sizeof *c->hash}, c->hash);
}

/* ---- writing ---- */

static sb_status write_meta(sb_h5 *file, const sb_traced *traced)
{
    char gradient[SB_HASH_TEXT], weights[SB_HASH_TEXT];
    sb_hash_text(traced->gradient, gradient);
    sb_hash_text(traced->weights, weights);
    SB_TRY(sb_h5_set_text(file, "meta", "program", "samebits"));
    SB_TRY(sb_h5_set_int(file, "meta", "trace", SCHEMA));
    SB_TRY(sb_h5_set_int(file, "meta", "update", traced->update));
    SB_TRY(sb_h5_set_text(file, "meta", "backend", traced->backend));
    SB_TRY(sb_h5_set_text(file, "meta", "kernel", traced->kernel));
    SB_TRY(sb_h5_set_text(file, "meta", "gradient", gradient));
    return sb_h5_set_text(file, "meta", "weights", weights);
}

static sb_status write_kept(sb_h5 *file, const sb_trace_tensor *tensor, size_t number)
{
    char name[32];
    if (!tensor->numbers) return SB_OK;
    snprintf(name, sizeof name, "kept/%zu", number);
    const size_t dim[3] = {(size_t)tensor->c, (size_t)tensor->h, (size_t)tensor->w};
    return sb_h5_write(file, name, SB_H5_REAL, 3, dim, tensor->numbers, SB_H5_PACKED);
}

static sb_status write_rows(sb_h5 *file, const sb_traced *traced, columns *c)
{
    SB_FREED char(*operation)[OPERATION] = sb_size_allocate(traced->n, sizeof *operation);
    if (!operation) return sb_fail(SB_E_MEMORY, "not enough memory for a trace");
    sb_status status = SB_OK;
    size_t at = 0;
    for (size_t i = 0; i < traced->n; i++) {
        memcpy(operation[i], traced->row[i].operation, OPERATION);
        for (int k = 0; k < traced->row[i].n; k++, at++) {
            const sb_trace_tensor *tensor = &traced->row[i].tensor[k];
            c->row[at] = (int64_t)i;
            c->shape[at][0] = tensor->c, c->shape[at][1] = tensor->h, c->shape[at][2] = tensor->w;
            memcpy(c->role[at], tensor->role, sizeof *c->role);
            memcpy(c->name[at], tensor->name, sizeof *c->name);
            c->written[at] = tensor->written;
            c->hash[at] = tensor->hash;
            if (status == SB_OK) status = write_kept(file, tensor, at);
        }
    }
    if (status == SB_OK)
        status =
            sb_h5_write(file, "row/operation", SB_U8, 2, (size_t[]){traced->n, OPERATION}, operation, SB_H5_PACKED);
    return status == SB_OK ? move_columns(file, c, write_column) : status;
}

sb_status sb_trace_write(const sb_traced *traced, const char *path)
{
    sb_h5 *file;
    SB_OWNED(free_columns) columns c = {0};
    size_t n = 0;
    for (size_t i = 0; i < traced->n; i++) n += (size_t)traced->row[i].n;
    SB_TRY(make_columns(&c, n));
    SB_TRY(sb_h5_create(&file, path, SB_SEAL_TRACE));
    sb_status status = write_meta(file, traced);
    if (status == SB_OK) status = write_rows(file, traced, &c);
    return sb_h5_finish(file, status);
}

/* ---- reading ---- */

static sb_status damaged(sb_h5 *file)
{
    return sb_fail(SB_E_INTEGRITY, "%s: not a whole trace of samebits", sb_h5_path(file));
}

static sb_status read_meta(sb_h5 *file, sb_traced *traced)
{
    int64_t schema;
    char gradient[SB_HASH_TEXT] = "", weights[SB_HASH_TEXT] = "";
    if (sb_h5_get_int(file, "meta", "trace", &schema) != SB_OK || schema != SCHEMA) return damaged(file);
    SB_TRY(sb_h5_get_int(file, "meta", "update", &traced->update));
    SB_TRY(sb_h5_get_text(file, "meta", "backend", traced->backend, sizeof traced->backend));
    SB_TRY(sb_h5_get_text(file, "meta", "kernel", traced->kernel, sizeof traced->kernel));
    SB_TRY(sb_h5_get_text(file, "meta", "gradient", gradient, sizeof gradient));
    SB_TRY(sb_h5_get_text(file, "meta", "weights", weights, sizeof weights));
    return sb_hash_parse(gradient, &traced->gradient) && sb_hash_parse(weights, &traced->weights) ? SB_OK
                                                                                                  : damaged(file);
}

/* false: a side of no sense, or more elements than memory has bytes. */
static bool read_shape(sb_trace_tensor *tensor, const int64_t side[3], size_t *n)
{
    *n = 1;
    for (int i = 0; i < 3; i++)
        if (side[i] < 0 || side[i] > INT32_MAX || !sb_size_multiply(*n, (size_t)side[i], n)) return false;
    tensor->c = (int)side[0], tensor->h = (int)side[1], tensor->w = (int)side[2];
    return true;
}

static sb_status read_kept(sb_h5 *file, sb_trace_tensor *tensor, size_t n, size_t number)
{
    char name[32];
    snprintf(name, sizeof name, "kept/%zu", number);
    if (!sb_h5_exists(file, name)) return SB_OK;
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, name, &shape));
    if (shape.n != n || n == 0) return damaged(file);
    return sb_h5_read_new(file, name, SB_H5_REAL, n, &tensor->numbers);
}

static sb_status fill_rows(sb_h5 *file, sb_traced *traced, const columns *c)
{
    for (size_t at = 0; at < c->n; at++) {
        if (c->row[at] < 0 || (size_t)c->row[at] >= traced->n) return damaged(file);
        sb_trace_row *row = &traced->row[c->row[at]];
        if (row->n == SB_TRACE_TENSORS_MAX) return damaged(file);
        sb_trace_tensor *tensor = &row->tensor[row->n++];
        size_t n;
        if (!read_shape(tensor, c->shape[at], &n)) return damaged(file);
        snprintf(tensor->role, sizeof tensor->role, "%.*s", ROLE - 1, c->role[at]);
        snprintf(tensor->name, sizeof tensor->name, "%.*s", SB_TRACE_NAME - 1, c->name[at]);
        tensor->written = c->written[at];
        tensor->hash = c->hash[at];
        SB_TRY(read_kept(file, tensor, n, at));
    }
    return SB_OK;
}

static sb_status read_rows(sb_h5 *file, sb_traced *traced)
{
    sb_h5_dims dims;
    SB_OWNED(free_columns) columns c = {0};
    SB_TRY(sb_h5_check_layout(file, layout, sizeof layout / sizeof *layout, &dims));
    const size_t n = dims.of['n' - 'a'];
    SB_FREED char(*operation)[OPERATION] = NULL;
    traced->row = sb_size_allocate(n, sizeof *traced->row);
    traced->n = n;
    if (!traced->row) return sb_fail(SB_E_MEMORY, "not enough memory for a trace");
    SB_TRY(sb_h5_read_new(file, "row/operation", SB_U8, n * OPERATION, &operation));
    for (size_t i = 0; i < n; i++) snprintf(traced->row[i].operation, OPERATION, "%.*s", OPERATION - 1, operation[i]);
    SB_TRY(make_columns(&c, dims.of['m' - 'a']));
    SB_TRY(move_columns(file, &c, read_column));
    return fill_rows(file, traced, &c);
}

bool sb_trace_is(const char *path)
{
    sb_seal seal;
    return sb_seal_peek(path, &seal) && seal.kind == SB_SEAL_TRACE;
}

static sb_status read_trace(sb_traced *traced, const char *path, unsigned kinds)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    *traced = (sb_traced){0};
    SB_TRY(sb_h5_open(&file, path, kinds));
    sb_status status = read_meta(file, traced);
    if (status == SB_OK) status = read_rows(file, traced);
    if (status != SB_OK) sb_traced_free(traced);
    return status;
}

sb_status sb_trace_read(sb_traced *traced, const char *path)
{
    return read_trace(traced, path, SB_SEAL_TRACE);
}

sb_status sb_trace_read_unsealed(sb_traced *traced, const char *path)
{
    return read_trace(traced, path, SB_SEAL_FOREIGN);
}

void sb_traced_free(sb_traced *traced)
{
    for (size_t i = 0; i < traced->n && traced->row; i++)
        for (int k = 0; k < traced->row[i].n; k++) free(traced->row[i].tensor[k].numbers);
    free(traced->row);
    *traced = (sb_traced){0};
}
