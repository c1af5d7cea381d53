/* The public interface of traces: rows are kept in memory and written when the update has ended. */
#include "core/file.h"
#include "core/size.h"
#include "core/status.h"
#include "core/text/text.h"
#include "record/traced.h"

#include "samebits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(SB_TENSOR_WRITTEN == (int)SB_TRACED_WRITTEN && SB_TENSOR_CHANGED == (int)SB_TRACED_CHANGED &&
                  SB_TENSOR_UNINITIALISED == (int)SB_TRACED_UNINITIALISED &&
                  SB_TENSOR_NO_HASH == (int)SB_TRACED_NO_HASH && SB_SKETCH_NUMBERS == (int)SB_TRACED_SKETCH && SB_N_PHASES == (int)SB_TRACED_PHASES,
              "the flags and phases of samebits.h");

struct sb_tracing {
    char path[SB_PATH_MAX];
    sb_traced_update all;
};

static char *clean(const char *text, size_t most, bool lines)
{
    const size_t n = text ? strlen(text) : 0;
    return sb_text_clean(text ? text : "", n < most ? n : most, lines);
}

sb_status sb_tracing_open(sb_tracing **tracing, const char *path, int64_t update, const char *program)
{
    *tracing = NULL;
    if (!path || !*path || strlen(path) + 8 > SB_PATH_MAX)
        return sb_fail(SB_E_USAGE, "a trace needs a path of 1 to %d bytes", SB_PATH_MAX - 8);
    SB_TRY(sb_file_check_output(path));
    if (sb_file_exists(path))
        return sb_fail(SB_E_USAGE, "%s: is there already; choose another path, or remove it", path);
    sb_tracing *t = calloc(1, sizeof *t);
    if (t) t->all.framework = clean(program, 4000, false);
    if (!t || !t->all.framework) {
        free(t);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    }
    strcpy(t->path, path);
    t->all.update = update;
    *tracing = t;
    return SB_OK;
}

sb_status sb_tracing_settings(sb_tracing *t, const char *text)
{
    char *copy = clean(text, 1 << 20, true);
    if (!copy) return sb_fail(SB_E_MEMORY, "%s: not enough memory", t->path);
    free(t->all.settings);
    t->all.settings = copy;
    return SB_OK;
}

/* The number of a text of the caller's; sets *failed. */
static int64_t word(sb_tracing *t, const char *text, bool *failed)
{
    char *plain = clean(text, 4000, false);
    const int64_t number = plain ? sb_traced_text(&t->all, plain) : -1;
    free(plain);
    *failed = *failed || number < 0;
    return number;
}

static double *copy_of(const double *number, size_t n, bool *failed)
{
    double *copy = number ? sb_size_allocate(n, sizeof *copy) : NULL;
    if (copy) memcpy(copy, number, n * sizeof *copy);
    *failed = *failed || (number && !copy);
    return copy;
}

static sb_traced_tensor tensor_of(sb_tracing *t, const sb_tracing_tensor *x, bool *failed)
{
    return (sb_traced_tensor){
        .role = word(t, x->role, failed),     .name = word(t, x->name, failed),
        .dtype = word(t, x->dtype, failed),   .shape = word(t, x->shape, failed),
        .layout = word(t, x->layout, failed), .device = word(t, x->device, failed),
        .writer = x->writer,                  .flags = x->flags & 15,
        .hash = x->hash,
        .sketch = copy_of(x->sketch, SB_SKETCH_NUMBERS, failed),
        .kept = copy_of(x->kept, x->n_kept, failed), .n_kept = x->kept ? x->n_kept : 0,
    };
}

static sb_status check_row(const sb_tracing *t, const sb_tracing_row *row)
{
    const int64_t n = (int64_t)t->all.n;
    bool fits = (unsigned)row->phase < SB_N_PHASES && row->forward_row >= -1 && row->forward_row < n &&
                row->executions >= 0 && row->other_results >= 0 && row->other_results <= row->executions;
    for (size_t i = 0; fits && i < row->n; i++) fits = row->tensor[i].writer >= -1 && row->tensor[i].writer <= n;
    return fits ? SB_OK : sb_fail(SB_E_USAGE, "%s: row %zu refers to rows that are not before it, or has a phase or a "
                                  "count that makes no sense", t->path, t->all.n);
}

sb_status sb_tracing_row_add(sb_tracing *t, const sb_tracing_row *row)
{
    bool failed = false;
    SB_TRY(check_row(t, row));
    const sb_traced_op op = {
        .operation = word(t, row->operation, &failed), .module = word(t, row->module, &failed),
        .site = word(t, row->site, &failed),           .arguments = word(t, row->arguments, &failed),
        .node = word(t, row->node, &failed),           .phase = row->phase,
        .mark = row->mark,                             .forward_row = row->forward_row,
        .executions = row->executions,                 .other_results = row->other_results,
        .error = row->error,
    };
    sb_traced_tensor *tensor = calloc(row->n + 1, sizeof *tensor);
    for (size_t i = 0; tensor && i < row->n; i++) tensor[i] = tensor_of(t, &row->tensor[i], &failed);
    failed = !tensor || !sb_traced_add(&t->all, &op, tensor, row->n) || failed;
    free(tensor);
    return failed ? sb_fail(SB_E_MEMORY, "%s: not enough memory", t->path) : SB_OK;
}

sb_status sb_tracing_close(sb_tracing *t, bool whole)
{
    if (!t) return SB_OK;
    const sb_status status = whole ? sb_traced_write(&t->all, t->path) : SB_OK;
    sb_traced_update_free(&t->all);
    free(t);
    return status;
}
