/* Sketches and kept numbers of a trace: /sketch and /kept. */
#include "core/size.h"
#include "io/h5/h5.h"
#include "io/h5/h5_layout.h"
#include "record/traced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = SB_TRACED_SKETCH };

static sb_status misfit(sb_h5 *file, const char *name)
{
    return sb_fail(SB_E_INTEGRITY, "%s: /%s does not fit the tensors of the trace", sb_h5_path(file), name);
}

/* ---- sketches ---- */

static sb_status write_sketches(sb_h5 *file, const sb_traced_update *t)
{
    size_t n = 0, at = 0;
    for (size_t k = 0; k < t->n_tensors; k++) n += t->tensor[k].sketch != NULL;
    if (n == 0) return SB_OK;
    int64_t *tensor = sb_size_allocate(n, sizeof *tensor);
    double(*numbers)[N] = sb_size_allocate(n, sizeof *numbers);
    sb_status status = tensor && numbers ? SB_OK : sb_h5_fail_memory(file);
    for (size_t k = 0; status == SB_OK && k < t->n_tensors; k++) {
        if (!t->tensor[k].sketch) continue;
        tensor[at] = (int64_t)k;
        memcpy(numbers[at++], t->tensor[k].sketch, sizeof *numbers);
    }
    if (status == SB_OK) status = sb_h5_write(file, "sketch/tensor", SB_I64, 1, &n, tensor, SB_H5_PACKED);
    if (status == SB_OK)
        status = sb_h5_write(file, "sketch/numbers", SB_F64, 2, (size_t[]){n, N}, numbers, SB_H5_PACKED);
    free(tensor);
    free(numbers);
    return status;
}

static sb_status place_sketch(sb_h5 *file, sb_traced_update *t, int64_t number, const double *sketch)
{
    if (number < 0 || (size_t)number >= t->n_tensors || t->tensor[number].sketch) return misfit(file, "sketch/tensor");
    t->tensor[number].sketch = sb_size_allocate(N, sizeof *sketch);
    if (!t->tensor[number].sketch) return sb_h5_fail_memory(file);
    memcpy(t->tensor[number].sketch, sketch, N * sizeof *sketch);
    return SB_OK;
}

static sb_status read_sketches(sb_h5 *file, sb_traced_update *t)
{
    static const sb_h5_row layout[] = {{"sketch/tensor", SB_H5_COUNTS, "s"}, {"sketch/numbers", SB_H5_DOUBLES, "s 17"}};
    sb_h5_dims dims = {0};
    if (!sb_h5_exists(file, "sketch/tensor")) return SB_OK;
    SB_TRY(sb_h5_check_layout(file, layout, sizeof layout / sizeof *layout, &dims));
    const size_t n = dims.of['s' - 'a'];
    int64_t *tensor;
    double(*numbers)[N] = NULL;
    sb_status status = sb_h5_read_new(file, "sketch/tensor", SB_I64, n, &tensor);
    if (status == SB_OK) status = sb_h5_read_new(file, "sketch/numbers", SB_F64, n * N, &numbers);
    for (size_t i = 0; status == SB_OK && i < n; i++) status = place_sketch(file, t, tensor[i], numbers[i]);
    free(tensor);
    free(numbers);
    return status;
}

/* ---- kept numbers ---- */

static sb_status read_kept(sb_h5 *file, sb_traced_tensor *tensor, const char *name)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, name, &shape));
    if (shape.type != SB_F64 || shape.rank != 1) return misfit(file, name);
    tensor->n_kept = shape.n;
    return sb_h5_read_new(file, name, SB_F64, shape.n, &tensor->kept);
}

sb_status sb_traced_write_numbers(sb_h5 *file, const sb_traced_update *t)
{
    char name[32];
    SB_TRY(write_sketches(file, t));
    for (size_t k = 0; k < t->n_tensors; k++) {
        const sb_traced_tensor *x = &t->tensor[k];
        if (!x->kept || !x->n_kept) continue;
        snprintf(name, sizeof name, "kept/%zu", k);
        SB_TRY(sb_h5_write(file, name, SB_F64, 1, &x->n_kept, x->kept, SB_H5_PACKED));
    }
    return SB_OK;
}

sb_status sb_traced_read_numbers(sb_h5 *file, sb_traced_update *t)
{
    char name[32];
    SB_TRY(read_sketches(file, t));
    if (!sb_h5_exists(file, "kept")) return SB_OK;
    for (size_t k = 0; k < t->n_tensors; k++) {
        snprintf(name, sizeof name, "kept/%zu", k);
        if (sb_h5_exists(file, name)) SB_TRY(read_kept(file, &t->tensor[k], name));
    }
    return SB_OK;
}
