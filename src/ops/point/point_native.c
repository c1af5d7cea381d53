/* Elementwise operations of the native backend; tensors are [n][group][h][w][c]. */
#include "ops/kernels/point.h"
#include "ops/native.h"
#include "ops/point/pool.h"

#include <assert.h>
#include <string.h>

static void frame_load(sb_ops *ops, const uint8_t *frame, sb_tensor *x)
{
    (void)ops;
    long n = (long)sb_tensor_size(x);
#pragma omp for simd schedule(static)
    for (long i = 0; i < n; i++) x->x[i] = (float)frame[i] / 255.0f;
}

static void image_load(sb_ops *ops, const sb_image_store *store, const sb_image_choice *choice, int n, sb_real *planes)
{
    (void)ops;
    const sb_image_load_args args = {
        .n = (long)n * store->c * store->h * store->w, .store = *store, .choice = choice, .x = planes};
#pragma omp for schedule(static)
    for (long i = 0; i < args.n; i++) sb_image_load_each(&args, i);
}

/* Of one channel, or of one pixel, planes and maps are the same numbers in the same order. */
static bool is_copied(const sb_tensor *x, const sb_real *from, sb_real *to)
{
    const size_t n = sb_tensor_sample(x);
    if (x->gates * x->c > 1 && x->h * x->w > 1) return false;
#pragma omp for schedule(static)
    for (int sample = 0; sample < x->n; sample++) memcpy(to + sample * n, from + sample * n, n * sizeof *to);
    return true;
}

static void map_load(sb_ops *ops, const sb_real *planes, sb_tensor *x)
{
    (void)ops;
    int n = x->h * x->w;
    if (is_copied(x, planes, x->x)) return;
#pragma omp for collapse(2) schedule(static)
    for (int g = 0; g < x->n * x->gates; g++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < x->c; c++)
                x->x[((size_t)g * n + i) * x->c + c] = planes[((size_t)g * x->c + c) * n + i];
}

static void map_store(sb_ops *ops, const sb_tensor *x, sb_real *planes)
{
    (void)ops;
    int n = x->h * x->w;
    if (is_copied(x, x->x, planes)) return;
#pragma omp for collapse(2) schedule(static)
    for (int g = 0; g < x->n * x->gates; g++)
        for (int c = 0; c < x->c; c++)
            for (int i = 0; i < n; i++) planes[((size_t)g * x->c + c) * n + i] = x->x[((size_t)g * n + i) * x->c + c];
}

/* Each sign of the error has its own channels, so that the layer above can distinguish "too bright" from "too dark". */
static void error_forward(sb_ops *ops, const sb_tensor *a, const sb_tensor *p, sb_tensor *e)
{
    (void)ops;
    int n = a->n * a->h * a->w, n_c = a->c;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
        const sb_real *a_i = a->x + (size_t)i * n_c, *p_i = p->x + (size_t)i * n_c;
        sb_real *e_i = e->x + (size_t)i * 2 * n_c;
#pragma omp simd
        for (int c = 0; c < n_c; c++) {
            e_i[c] = sb_relu(a_i[c] - p_i[c]);
            e_i[n_c + c] = sb_relu(p_i[c] - a_i[c]);
        }
    }
}

static void error_backward(sb_ops *ops, const sb_tensor *e, const sb_tensor *de, sb_tensor *da, sb_tensor *dp)
{
    (void)ops;
    int n = dp->n * dp->h * dp->w, n_c = dp->c;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
        const sb_real *e_i = e->x + (size_t)i * 2 * n_c, *de_i = de->x + (size_t)i * 2 * n_c;
        sb_real *dp_i = dp->x + (size_t)i * n_c, *da_i = da ? da->x + (size_t)i * n_c : NULL;
#pragma omp simd
        for (int c = 0; c < n_c; c++) {
            sb_real above = e_i[c] > 0 ? de_i[c] : 0;
            sb_real below = e_i[n_c + c] > 0 ? de_i[n_c + c] : 0;
            dp_i[c] = below - above;
        }
#pragma omp simd
        for (int c = 0; c < (da ? n_c : 0); c++) da_i[c] = -dp_i[c];
    }
}

static void pool_forward(sb_ops *ops, const sb_tensor *y, sb_tensor *a, uint8_t *choice)
{
    (void)ops;
    assert(y->h == 2 * a->h && y->w == 2 * a->w);
    sb_pool_windows(SB_POOL_POSITIVE, 2, 2, y, a, choice);
}

static void pool_backward(sb_ops *ops, const sb_tensor *da, const uint8_t *choice, sb_tensor *dy)
{
    (void)ops;
    sb_unpool_windows(2, 2, da, choice, dy);
}

static void output_forward(sb_ops *ops, sb_tensor *p, bool clip)
{
    (void)ops;
    long n = (long)sb_tensor_size(p);
    if (clip) {
#pragma omp for simd schedule(static)
        for (long i = 0; i < n; i++) p->x[i] = sb_clip(p->x[i]);
    } else {
#pragma omp for simd schedule(static)
        for (long i = 0; i < n; i++) p->x[i] = sb_relu(p->x[i]);
    }
}

static void output_backward(sb_ops *ops, const sb_tensor *p, bool clip, sb_tensor *dp)
{
    (void)ops;
    long n = (long)sb_tensor_size(p);
    sb_real flat_above = clip ? 1 : (sb_real)INFINITY;
#pragma omp for simd schedule(static)
    for (long i = 0; i < n; i++) dp->x[i] = p->x[i] > 0 && p->x[i] < flat_above ? dp->x[i] : 0;
}

static void relu_backward(sb_ops *ops, size_t n, const sb_real *y, sb_real *dy)
{
    (void)ops;
#pragma omp for simd schedule(static)
    for (long i = 0; i < (long)n; i++) dy[i] = y[i] > 0 ? dy[i] : 0;
}

static void sum(sb_ops *ops, size_t n, const sb_real *a, const sb_real *b, sb_real *y)
{
    (void)ops;
#pragma omp for simd schedule(static)
    for (long i = 0; i < (long)n; i++) y[i] = a[i] + b[i];
}

void SB_NATIVE(sb_point_native)(sb_ops *ops)
{
    ops->frame_load = frame_load;
    ops->image_load = image_load;
    ops->map_load = map_load;
    ops->map_store = map_store;
    ops->error_forward = error_forward;
    ops->error_backward = error_backward;
    ops->pool_forward = pool_forward;
    ops->pool_backward = pool_backward;
    ops->output_forward = output_forward;
    ops->output_backward = output_backward;
    ops->relu_backward = relu_backward;
    ops->sum = sum;
}
