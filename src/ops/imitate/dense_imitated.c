/* Dense layers with a GPU's rules: plain loops over the terms in the order that was drawn, one order for all outputs of
 * a product. The bias is added after the sum, as in dense_native.c. */
#include "ops/imitate/kernels.h"
#include "ops/imitate/tf32.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* How a term is formed: constants wherever term() is expanded. */
typedef struct rule {
    bool tf32, fused;
} rule;

ALWAYS_INLINE sb_real term(rule r, sb_real a, sb_real b, sb_real sum)
{
    if (r.tf32) a = (sb_real)sb_tf32_round((float)a), b = (sb_real)sb_tf32_round((float)b);
    return r.fused ? SB_FUSED(a, b, sum) : a * b + sum;
}

/* BODY(r) with each of the four rules. */
#define BY_RULE(ops, BODY)                                                                                             \
    switch (sb_context_of(ops)->imitation->of.set & (SB_IMITATED_TF32 | SB_IMITATED_UNFUSED)) {                        \
    case 0:                                                                                                            \
        BODY(((rule){false, true}));                                                                                   \
        break;                                                                                                         \
    case SB_IMITATED_TF32:                                                                                             \
        BODY(((rule){true, true}));                                                                                    \
        break;                                                                                                         \
    case SB_IMITATED_UNFUSED:                                                                                          \
        BODY(((rule){false, false}));                                                                                  \
        break;                                                                                                         \
    default:                                                                                                           \
        BODY(((rule){true, false}));                                                                                   \
    }

/* Outputs side by side hide the latency of a chain; each keeps its own. */
enum { OUTPUTS = 8 };

ALWAYS_INLINE void forward(rule r, const sb_dense *layer, const uint32_t *order, const sb_real *x, sb_real *y,
                           bool relu)
{
#pragma omp for schedule(static) nowait
    for (int first = 0; first < layer->out; first += OUTPUTS) {
        const int n = layer->out - first < OUTPUTS ? layer->out - first : OUTPUTS;
        sb_real sum[OUTPUTS] = {0};
        for (int k = 0; k < layer->in; k++)
            for (int o = 0; o < n; o++)
                sum[o] = term(r, x[order[k]], layer->weight[(size_t)(first + o) * layer->in + order[k]], sum[o]);
        for (int o = 0; o < n; o++) {
            const sb_real z = layer->bias ? sum[o] + layer->bias[first + o] : sum[o];
            y[first + o] = relu ? sb_relu(z) : z;
        }
    }
}

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_tensor *x, sb_tensor *y, bool relu)
{
    const sb_orders orders = sb_imitation_draw(ops, 1, &layer->in, 0);
    if (!orders.first) return;
    for (int s = 0; s < x->n; s++) {
        const sb_real *x_s = x->x + (size_t)s * layer->in;
        sb_real *y_s = y->x + (size_t)s * layer->out;
#define FORWARD(r) forward(r, layer, orders.first, x_s, y_s, relu)
        BY_RULE(ops, FORWARD)
    }
#pragma omp barrier
}

enum { COLUMNS = 64 };

/* y[0 .. n-1] = chain over this many terms k of a[k * a_step] * b[k][0 .. n-1], rows of b have the stride `pitch`. */
ALWAYS_INLINE void combine(rule r, int n_terms, const uint32_t *order, const sb_real *a, size_t a_step,
                           const sb_real *b, size_t pitch, int n, sb_real *y)
{
    sb_real sum[COLUMNS] = {0};
    for (int k = 0; k < n_terms; k++) {
        const sb_real factor = a[order[k] * a_step], *row = b + order[k] * pitch;
#pragma omp simd
        for (int j = 0; j < n; j++) sum[j] = term(r, factor, row[j], sum[j]);
    }
    memcpy(y, sum, (size_t)n * sizeof *y);
}

/* y[row][0 .. in-1] for all rows, of the factors a[row * a_row + k * a_step]. */
typedef struct rows {
    int n, n_terms, in;
    const sb_real *a;
    size_t a_row, a_step;
    const sb_real *b;
    sb_real *y;
} rows;

ALWAYS_INLINE void combine_rows(rule r, const rows *p, const uint32_t *order)
{
#pragma omp for collapse(2) schedule(static)
    for (int row = 0; row < p->n; row++)
        for (int i = 0; i < p->in; i += COLUMNS) {
            const int n = p->in - i < COLUMNS ? p->in - i : COLUMNS;
            combine(r, p->n_terms, order, p->a + (size_t)row * p->a_row, p->a_step, p->b + i, (size_t)p->in, n,
                    p->y + (size_t)row * p->in + i);
        }
}

static void combine_by_rule(sb_ops *ops, const rows *p, const uint32_t *order)
{
#define COMBINE(r) combine_rows(r, p, order)
    BY_RULE(ops, COMBINE)
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_tensor *dy, sb_tensor *dx)
{
    const sb_orders orders = sb_imitation_draw(ops, 1, &layer->out, 0);
    if (!orders.first) return;
    const rows p = {dy->n, layer->out, layer->in, dy->x, (size_t)layer->out, 1, layer->weight, dx->x};
    combine_by_rule(ops, &p, orders.first);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_tensor *x, const sb_tensor *dy)
{
    const sb_orders orders = sb_imitation_draw(ops, 1, &dy->n, dy->n);
    if (!orders.first) return;
    const rows p = {layer->out, dy->n, layer->in, dy->x, 1, (size_t)layer->out, x->x, layer->weight_grad};
    combine_by_rule(ops, &p, orders.first);
    if (!layer->bias_grad) return;
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o++) {
        sb_real sum = 0;
        for (int s = 0; s < dy->n; s++) sum += dy->x[(size_t)orders.second[s] * layer->out + o];
        layer->bias_grad[o] = sum;
    }
}

void SB_NATIVE(sb_dense_imitated)(sb_ops *ops, unsigned set)
{
    if (!(set & (SB_IMITATED_ATOMICS | SB_IMITATED_UNFUSED | SB_IMITATED_TF32))) return;
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
}
