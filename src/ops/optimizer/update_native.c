/* The rules of the optimizers of the native backend: what comes before the step (norms of tensors, products of
 * states), the step, and the norm of the gradient. */
#include "ops/native.h"
#include "ops/parts.h"

#define UPDATE(A, id, name, title, states, kind, ...)                                                                  \
    static void update_##id(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                          \
    {                                                                                                                  \
        (void)ops;                                                                                                     \
        const sb_block b = *block;                                                                                     \
        const sb_##id##_rates r = *rates;                                                                              \
        LOOP_##kind(id);                                                                                               \
    }                                                                                                                  \
    BEFORE_##kind(id)

#define LOOP(id, g)                                                                                                    \
    _Pragma("omp for simd schedule(static)") for (long i = 0; i < (long)b.n; i++) sb_##id##_at(&b, &r, i, g)
#define LOOP_LAYERWISE(id)    LOOP(id, b.grad[i])
#define LOOP_QUASI_NEWTON(id) LOOP(id, b.grad[i])
/* Two loops, each without a branch: else no compiler makes vectors of them. */
#define LOOP_ELEMENTWISE(id)                                                                                           \
    if (b.divisor) {                                                                                                   \
        const sb_real divisor = *b.divisor;                                                                            \
        LOOP(id, SB_DIVIDE(b.grad[i], divisor));                                                                       \
    } else                                                                                                             \
        LOOP(id, b.grad[i])

#define BEFORE_ELEMENTWISE(id)

/* The products part by part; then every product by one thread. */
#define BEFORE_QUASI_NEWTON(id)                                                                                        \
    static void id##_pair(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                            \
    {                                                                                                                  \
        (void)ops;                                                                                                     \
        const sb_block b = *block;                                                                                     \
        const sb_##id##_rates r = *rates;                                                                              \
        _Pragma("omp for simd schedule(static)") for (long i = 0; i < (long)b.n; i++) sb_##id##_pair_at(&b, &r, i);    \
    }                                                                                                                  \
    static void id##_products(sb_ops *ops, const sb_block *block)                                                      \
    {                                                                                                                  \
        (void)ops;                                                                                                     \
        const long parts = (long)sb_block_parts(block->n);                                                             \
        _Pragma("omp for schedule(static)") for (long part = 0; part < parts; part++) for (int k = 0;                  \
                                                                                           k < SB_PRODUCTS_##id; k++)  \
        {                                                                                                              \
            const sb_##id##_factors of = sb_##id##_factors_of(k);                                                      \
            block->partial[part * SB_PRODUCTS_##id + k] = part_product(block, part, of.a, of.b);                       \
        }                                                                                                              \
        _Pragma("omp for schedule(static)") for (int k = 0; k < SB_PRODUCTS_##id; k++)                                 \
        {                                                                                                              \
            double total = 0;                                                                                          \
            for (long part = 0; part < parts; part++) total += block->partial[part * SB_PRODUCTS_##id + k];            \
            block->product[k] = total;                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    static void id##_coefficients(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                    \
    {                                                                                                                  \
        (void)ops;                                                                                                     \
        _Pragma("omp single") sb_##id##_coefficients_of(block->product, rates, block->coefficient);                    \
    }

/* n <= SB_ORDER_BLOCK */
static double block_product(size_t n, const sb_real *a, const sb_real *b)
{
    enum { LANES = SB_ORDER_LANES };
    double lane[LANES] = {0};
    size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (int l = 0; l < LANES; l++) lane[l] = fma((double)a[i + l], (double)b[i + l], lane[l]);
    for (size_t i = whole; i < n; i++) lane[i - whole] = fma((double)a[i], (double)b[i], lane[i - whole]);
    return sb_join_lanes(lane);
}

static double part_product(const sb_block *block, long part, int a, int b)
{
    const size_t first = (size_t)part * SB_ORDER_BLOCK, n = block->n - first;
    return block_product(n < SB_ORDER_BLOCK ? n : SB_ORDER_BLOCK, block->state[a] + first, block->state[b] + first);
}

/* Blocks of elements side by side, each with the first step of the rule; their sums one after the other. */
#define BEFORE_LAYERWISE(id)                                                                                           \
    static void id##_block(const sb_block *b, const sb_##id##_rates *rates, long first, long end, double norm2[2])     \
    {                                                                                                                  \
        const sb_##id##_rates r = *rates;                                                                              \
        double w[SB_ORDER_LANES] = {0}, u[SB_ORDER_LANES] = {0};                                                       \
        for (; first < end; first += SB_ORDER_LANES) {                                                                 \
            const int lanes = end - first < SB_ORDER_LANES ? (int)(end - first) : SB_ORDER_LANES;                      \
            _Pragma("omp simd") for (int l = 0; l < lanes; l++)                                                        \
            {                                                                                                          \
                const double direction = sb_##id##_direction_at(b, &r, first + l, b->grad[first + l]);                 \
                const double weight = b->weight[first + l];                                                            \
                w[l] = fma(weight, weight, w[l]);                                                                      \
                u[l] = fma(direction, direction, u[l]);                                                                \
            }                                                                                                          \
        }                                                                                                              \
        norm2[0] = sb_join_lanes(w);                                                                                   \
        norm2[1] = sb_join_lanes(u);                                                                                   \
    }                                                                                                                  \
    static void norms_##id(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                           \
    {                                                                                                                  \
        (void)ops;                                                                                                     \
        const long n = (long)block->n;                                                                                 \
        _Pragma("omp for schedule(static)") for (long first = 0; first < n; first += SB_ORDER_BLOCK)                   \
        {                                                                                                              \
            const long end = n - first < SB_ORDER_BLOCK ? n : first + SB_ORDER_BLOCK;                                  \
            id##_block(block, rates, first, end, block->partial + first / SB_ORDER_BLOCK * 2);                         \
        }                                                                                                              \
        join_norms(block);                                                                                             \
    }

/* The sums of the blocks, pair by pair. */
static void join_norms(const sb_block *block)
{
#pragma omp single
    {
        double total[2] = {0};
        for (size_t k = 0; k < sb_block_partials(block->n); k++) total[k % 2] += block->partial[k];
        block->norm[0] = total[0], block->norm[1] = total[1];
    }
}

SB_OPTIMIZERS(UPDATE, SB_NO_STATE, )

static void trust(sb_ops *ops, const sb_block *block, const sb_trust *trust)
{
    (void)ops;
#pragma omp single
    *block->rate = sb_trust_rate(block->norm, *trust);
}

static void gradient_divisor(sb_ops *ops, int n, const double *norm2, double limit, sb_real *divisor)
{
    (void)ops;
#pragma omp single
    *divisor = sb_gradient_divisor_of(n, norm2, limit);
}

static void average(sb_ops *ops, size_t n, double share, const sb_real *x, sb_real *e)
{
    (void)ops;
    const sb_real s = (sb_real)share;
#pragma omp for simd schedule(static)
    for (long i = 0; i < (long)n; i++) e[i] = SB_FMA(s, x[i] - e[i], e[i]);
}

static void mutate(sb_ops *ops, size_t n, double scale, const sb_real *noise, const sb_real *x, sb_real *y)
{
    (void)ops;
    const sb_real s = (sb_real)scale;
#pragma omp for simd schedule(static)
    for (long i = 0; i < (long)n; i++) y[i] = SB_FUSED(s, noise[i], x[i]);
}

static void norm2(sb_ops *ops, size_t n, const sb_real *g, double *sum)
{
    (void)ops;
    const size_t blocks = (n + SB_ORDER_BLOCK - 1) / SB_ORDER_BLOCK;
    sb_parts mine, *parts = sb_parts_shared(&mine);
    for (size_t first = 0; first < blocks; first += SB_PARTS) {
        const int n_parts = blocks - first < SB_PARTS ? (int)(blocks - first) : SB_PARTS;
#pragma omp for schedule(static)
        for (int k = 0; k < n_parts; k++) {
            const size_t at = (first + k) * SB_ORDER_BLOCK, left = n - at;
            parts->part[k] = block_product(left < SB_ORDER_BLOCK ? left : SB_ORDER_BLOCK, g + at, g + at);
        }
        sb_parts_add(parts, n_parts);
    }
#pragma omp single
    *sum = parts->total;
}

void SB_NATIVE(sb_update_native)(sb_ops *ops)
{
#define FILL(A, id, name, title, states, kind, ...)                                                                    \
    ops->id = update_##id;                                                                                             \
    FILL_##kind(id)
#define FILL_ELEMENTWISE(id)
#define FILL_LAYERWISE(id) ops->id##_norms = norms_##id;
#define FILL_QUASI_NEWTON(id)                                                                                          \
    ops->id##_pair = id##_pair;                                                                                        \
    ops->id##_products = id##_products;                                                                                \
    ops->id##_coefficients = id##_coefficients;
    SB_OPTIMIZERS(FILL, SB_NO_STATE, )
    ops->average = average;
    ops->mutate = mutate;
    ops->trust = trust;
    ops->gradient_divisor = gradient_divisor;
    ops->norm2 = norm2;
}
