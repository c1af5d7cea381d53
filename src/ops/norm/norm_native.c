/* Batch norm of the native backend, as written in norm.h; vectors are channels. Where threads share the groups evenly,
 * each has whole ones, from the first sum to the last element. Else they share rows, and channels when sums of rows are
 * added: a thread that had some of the channels of all rows would fetch the others with them. */
#include "ops/native.h"
#include "ops/point/activation.h"

#include <omp.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Chains side by side, as many as hide the latency of an addition; a cache line of floats. */
enum { CHANNELS = 16, VECS = CHANNELS / SB_DOUBLES };

/* Channels c .. c + n_c of a group. */
typedef struct part {
    const sb_norm *norm;
    sb_norm_parts at; /* where they lie */
    const sb_real *shift;
    int g, c, n_c;
} part;

static part part_of(const sb_norm *norm, int g, int c, int n_c)
{
    const sb_norm_parts all = sb_norm_parts_of(norm);
    const size_t first = (size_t)g * norm->c + c;
    const sb_norm_parts at = {all.sum + first,    all.product + first, all.mean + first, all.inverse + first,
                              all.offset + first, all.slope + first,   all.scale + first};
    return (part){norm, at, norm->shift + c, g, c, n_c};
}

/* A row reads a scale without asking whether there is one. */
static void fill_scale(const part *p)
{
    for (int c = 0; c < p->n_c; c++) p->at.scale[c] = p->norm->scale ? p->norm->scale[p->c + c] : 1;
}

static const sb_real *row_at(const sb_tensor *x, int sample, int y, int c)
{
    return x->x + ((size_t)sample * x->h + y) * x->w * x->c + c;
}

/* Elements of a sample, and of all, that a part looks at; m as in norm.h. */
static double values_of(const sb_norm *norm, const sb_tensor *x)
{
    return (double)(x->n / norm->groups) * x->h * x->w;
}

/* ---- sums ---- */

typedef enum sum_kind { SUM, SQUARES, GRADIENTS } sum_kind;

/* One row of `width` pixels with a stride of `pixel` elements: sum += x, or the squares, or dz and product += dz xhat.
 * n_vecs vectors of channels, the last of `lanes`: constants wherever this is expanded, as the kind is. */
ALWAYS_INLINE void add_row(sum_kind kind, int n_vecs, int lanes, const sb_real *x, const sb_real *dz, int width,
                           int pixel, const sb_real *mean, const sb_real *inverse, double *sum, double *product)
{
    sb_doubles s[VECS], p[VECS];
    sb_half m[VECS], i[VECS];
    for (int v = 0; v < n_vecs; v++) {
        s[v] = p[v] = (sb_doubles){0};
        if (kind != SUM) m[v] = sb_half_load(mean + v * SB_DOUBLES, lanes);
        if (kind == GRADIENTS) i[v] = sb_half_load(inverse + v * SB_DOUBLES, lanes);
    }
    for (int at = 0; at < width; at++, x += pixel, dz += pixel)
        for (int v = 0; v < n_vecs; v++) {
            const sb_half x_v = sb_half_load(x + v * SB_DOUBLES, lanes);
            if (kind == SUM) s[v] = s[v] + sb_doubles_of(x_v);
            if (kind == SQUARES) {
                const sb_doubles d = sb_doubles_of(x_v) - sb_doubles_of(m[v]);
                s[v] = sb_doubles_fma(d, d, s[v]);
            }
            if (kind == GRADIENTS) {
                const sb_doubles d = sb_doubles_of(sb_half_load(dz + v * SB_DOUBLES, lanes));
                s[v] = s[v] + d;
                p[v] = sb_doubles_fma(d, sb_doubles_of((x_v - m[v]) * i[v]), p[v]);
            }
        }
    for (int v = 0; v < n_vecs; v++)
        for (int l = 0; l < lanes; l++) {
            sum[v * SB_DOUBLES + l] += s[v][l];
            if (kind == GRADIENTS) product[v * SB_DOUBLES + l] += p[v][l];
        }
}

/* The same for all channels of a part. */
ALWAYS_INLINE void add_part_row(sum_kind kind, const part *p, const sb_real *x, const sb_real *dz, int width, int pixel)
{
    const sb_norm_parts *at = &p->at;
    int c = 0;
    for (; c + CHANNELS <= p->n_c; c += CHANNELS)
        add_row(kind, VECS, SB_DOUBLES, x + c, dz + c, width, pixel, at->mean + c, at->inverse + c, at->sum + c,
                at->product + c);
    for (; c + SB_DOUBLES <= p->n_c; c += SB_DOUBLES)
        add_row(kind, 1, SB_DOUBLES, x + c, dz + c, width, pixel, at->mean + c, at->inverse + c, at->sum + c,
                at->product + c);
    for (; c < p->n_c; c++)
        add_row(kind, 1, 1, x + c, dz + c, width, pixel, at->mean + c, at->inverse + c, at->sum + c, at->product + c);
}

static void start_sums(const part *p)
{
    for (int c = 0; c < p->n_c; c++) p->at.sum[c] = p->at.product[c] = 0;
}

/* ---- elements, for each activation ---- */

typedef void value_row(const part *p, const sb_real *x, int width, int pixel, sb_real *y);
typedef void gradient_row(const part *p, const sb_real *x, const sb_real *dy, int width, int pixel, sb_real *dz);

#define ROWS_OF(id, name)                                                                                              \
    static void id##_value_row(const part *p, const sb_real *x, int width, int pixel, sb_real *y)                      \
    {                                                                                                                  \
        const sb_real *mean = p->at.mean, *inverse = p->at.inverse, *scale = p->at.scale, *shift = p->shift;           \
        const sb_real alpha = p->norm->alpha;                                                                          \
        const int n_c = p->n_c;                                                                                        \
        for (int at = 0; at < width; at++, x += pixel, y += pixel) {                                                   \
            _Pragma("omp simd") for (int c = 0; c < n_c; c++)                                                          \
            {                                                                                                          \
                const sb_real z = sb_norm_value(x[c], mean[c], inverse[c], scale[c], shift[c]);                        \
                y[c] = SB_ACTIVATION_VALUE(id)(z, alpha);                                                              \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void id##_gradient_row(const part *p, const sb_real *x, const sb_real *dy, int width, int pixel,            \
                                  sb_real *dz)                                                                         \
    {                                                                                                                  \
        const sb_real *mean = p->at.mean, *inverse = p->at.inverse, *scale = p->at.scale, *shift = p->shift;           \
        const sb_real alpha = p->norm->alpha;                                                                          \
        const int n_c = p->n_c;                                                                                        \
        for (int at = 0; at < width; at++, x += pixel, dy += pixel, dz += pixel) {                                     \
            _Pragma("omp simd") for (int c = 0; c < n_c; c++)                                                          \
            {                                                                                                          \
                const sb_real z = sb_norm_value(x[c], mean[c], inverse[c], scale[c], shift[c]);                        \
                dz[c] = SB_ACTIVATION_GRADIENT(id)(z, dy[c], alpha);                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }
SB_ACTIVATIONS(ROWS_OF)

#define VALUE_ROW(id, name)    id##_value_row,
#define GRADIENT_ROW(id, name) id##_gradient_row,
static value_row *const value_rows[] = {SB_ACTIVATIONS(VALUE_ROW)};
static gradient_row *const gradient_rows[] = {SB_ACTIVATIONS(GRADIENT_ROW)};

/* dx of a row from its dz, which may be there already. */
static void input_gradient_row(const part *p, const sb_real *x, const sb_real *dz, int width, int pixel, sb_real *dx)
{
    const sb_real *mean = p->at.mean, *inverse = p->at.inverse, *scale = p->at.scale;
    const sb_real *offset = p->at.offset, *slope = p->at.slope;
    const int n_c = p->n_c;
    for (int at = 0; at < width; at++, x += pixel, dz += pixel, dx += pixel) {
#pragma omp simd
        for (int c = 0; c < n_c; c++)
            dx[c] = sb_norm_gradient(dz[c], sb_norm_hat(x[c], mean[c], inverse[c]), inverse[c], scale[c], offset[c],
                                     slope[c]);
    }
}

/* ---- the sums of an operation ---- */

/* What is added up: x, or dy and what it becomes after the activation, in dx. */
typedef struct terms {
    const sb_norm *norm;
    const sb_tensor *x, *dy, *dx;
} terms;

/* Add the sums of row y of a sample to the part's sums. */
ALWAYS_INLINE void add_terms(sum_kind kind, const terms *t, const part *p, int sample, int y)
{
    const sb_tensor *x = t->x;
    const sb_real *row = row_at(x, sample, y, 0), *dz = row;
    if (kind == GRADIENTS) {
        dz = row_at(t->dy, sample, y, 0);
        if (t->norm->activation != SB_ACTIVATION_linear) {
            sb_real *to = (sb_real *)row_at(t->dx, sample, y, 0);
            gradient_rows[t->norm->activation](p, row, dz, x->w, x->c, to);
            dz = to;
        }
    }
    add_part_row(kind, p, row, dz, x->w, x->c);
}

/* By one thread: all rows of a group. */
ALWAYS_INLINE void add_group(sum_kind kind, const terms *t, const part *p)
{
    start_sums(p);
    for (int sample = p->g; sample < t->x->n; sample += t->norm->groups)
        for (int y = 0; y < t->x->h; y++) add_terms(kind, t, p, sample, y);
}

/* Rows first .. first + n - 1 of all samples: the sums of each, [n][c], and if there are any its products after them. */
ALWAYS_INLINE void sum_rows(sum_kind kind, const terms *t, int first, int n, double *sums, double *products)
{
    const int c = t->norm->c;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
        const int sample = (first + i) / t->x->h, y = (first + i) % t->x->h;
        part p = part_of(t->norm, sample % t->norm->groups, 0, c);
        p.at.sum = sums + (size_t)i * c, p.at.product = products + (size_t)i * c;
        start_sums(&p);
        add_terms(kind, t, &p, sample, y);
    }
}

/* Each to the sums of its group, in the order of the rows. */
ALWAYS_INLINE void join_rows(sum_kind kind, const terms *t, int first, int n, const double *sums,
                             const double *products)
{
    const int all = t->norm->c;
    const sb_norm_parts of = sb_norm_parts_of(t->norm);
#pragma omp for schedule(static)
    for (int c = 0; c < all; c += CHANNELS) {
        const int n_c = all - c < CHANNELS ? all - c : CHANNELS;
        for (int i = 0; i < n; i++) {
            const size_t row = (size_t)i * all + c;
            const size_t group = (size_t)((first + i) / t->x->h % t->norm->groups) * all + c;
            for (int k = 0; k < n_c; k++) of.sum[group + k] += sums[row + k];
            if (kind != GRADIENTS) continue;
            for (int k = 0; k < n_c; k++) of.product[group + k] += products[row + k];
        }
    }
}

/* By a team: all rows of all groups. */
ALWAYS_INLINE void add_all(sum_kind kind, const terms *t)
{
    const sb_norm *norm = t->norm;
    const int n_rows = t->x->n * t->x->h, at_once = sb_norm_rows_at_once(norm);
    double *sums = (double *)((char *)norm->space + sb_norm_rows_at(norm));
    double *products = sums + (size_t)at_once * norm->c;
#pragma omp for schedule(static)
    for (int g = 0; g < norm->groups; g++) {
        const part p = part_of(norm, g, 0, norm->c);
        start_sums(&p);
    }
    for (int first = 0; first < n_rows; first += at_once) {
        const int n = n_rows - first < at_once ? n_rows - first : at_once;
        sum_rows(kind, t, first, n, sums, products);
        join_rows(kind, t, first, n, sums, products);
    }
}

/* ---- what follows from the sums of a group ---- */

static void find_means(const part *p, double m)
{
    fill_scale(p);
    for (int c = 0; c < p->n_c; c++) p->at.mean[c] = sb_norm_mean(p->at.sum[c], m);
}

static void find_inverses(const part *p, double m)
{
    const sb_norm *norm = p->norm;
    sb_real *running_mean = norm->running_mean + (size_t)p->g * norm->c + p->c;
    sb_real *running_var = norm->running_var + (size_t)p->g * norm->c + p->c;
    for (int c = 0; c < p->n_c; c++) {
        const double squares = p->at.sum[c];
        p->at.inverse[c] = sb_norm_inverse(squares / m, norm->eps);
        running_mean[c] = sb_norm_running(running_mean[c], p->at.mean[c], norm->rate);
        running_var[c] = sb_norm_running(running_var[c], (sb_real)(squares / (m - 1)), norm->rate);
    }
}

static void find_quotients(const part *p, double m)
{
    for (int c = 0; c < p->n_c; c++) {
        p->at.offset[c] = (sb_real)(p->at.sum[c] / m);
        p->at.slope[c] = (sb_real)(p->at.product[c] / m);
    }
}

typedef void find(const part *p, double m);

/* By a team. */
static void find_all(find *of_part, const sb_norm *norm, double m)
{
#pragma omp for collapse(2) schedule(static)
    for (int g = 0; g < norm->groups; g++)
        for (int c = 0; c < norm->c; c += CHANNELS) {
            const part p = part_of(norm, g, c, norm->c - c < CHANNELS ? norm->c - c : CHANNELS);
            of_part(&p, m);
        }
}

/* ---- the operations ---- */

static bool shares_groups(const sb_norm *norm)
{
    return norm->groups % omp_get_num_threads() == 0;
}

/* n pixels from row y of a sample on. */
static void write_values(const part *p, const sb_tensor *x, const sb_tensor *y, int sample, int row, int n)
{
    value_rows[p->norm->activation](p, row_at(x, sample, row, 0), n, x->c, (sb_real *)row_at(y, sample, row, 0));
}

static void forward_group(const terms *t, const part *p, double m, const sb_tensor *y)
{
    add_group(SUM, t, p);
    find_means(p, m);
    add_group(SQUARES, t, p);
    find_inverses(p, m);
    for (int sample = p->g; sample < t->x->n; sample += t->norm->groups)
        write_values(p, t->x, y, sample, 0, y->h * y->w);
}

static void norm_forward(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
    const terms t = {.norm = norm, .x = x};
    const double m = values_of(norm, x);
    if (shares_groups(norm)) {
#pragma omp for schedule(static)
        for (int g = 0; g < norm->groups; g++) {
            const part p = part_of(norm, g, 0, norm->c);
            forward_group(&t, &p, m, y);
        }
        return;
    }
    add_all(SUM, &t);
    find_all(find_means, norm, m);
    add_all(SQUARES, &t);
    find_all(find_inverses, norm, m);
#pragma omp for schedule(static)
    for (int row = 0; row < x->n * x->h; row++) {
        const part p = part_of(norm, row / x->h % norm->groups, 0, norm->c);
        write_values(&p, x, y, row / x->h, row % x->h, x->w);
    }
}

/* The same of dz, or dy where there is no activation, and dx. */
static void write_gradients(const part *p, const sb_tensor *x, const sb_tensor *dz, const sb_tensor *dx, int sample,
                            int row, int n)
{
    input_gradient_row(p, row_at(x, sample, row, 0), row_at(dz, sample, row, 0), n, x->c,
                       (sb_real *)row_at(dx, sample, row, 0));
}

static void norm_backward(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    (void)ops;
    const terms t = {.norm = norm, .x = x, .dy = dy, .dx = dx};
    const sb_tensor *dz = norm->activation == SB_ACTIVATION_linear ? dy : dx;
    const double m = values_of(norm, x);
    if (shares_groups(norm)) {
#pragma omp for schedule(static)
        for (int g = 0; g < norm->groups; g++) {
            const part p = part_of(norm, g, 0, norm->c);
            add_group(GRADIENTS, &t, &p);
            find_quotients(&p, m);
            for (int sample = g; sample < x->n; sample += norm->groups)
                write_gradients(&p, x, dz, dx, sample, 0, x->h * x->w);
        }
    } else {
        add_all(GRADIENTS, &t);
        find_all(find_quotients, norm, m);
#pragma omp for schedule(static)
        for (int row = 0; row < x->n * x->h; row++) {
            const part p = part_of(norm, row / x->h % norm->groups, 0, norm->c);
            write_gradients(&p, x, dz, dx, row / x->h, row % x->h, x->w);
        }
    }
#pragma omp for schedule(static)
    for (int c = 0; c < norm->c; c++) sb_norm_parameters(norm, c);
}

static void norm_evaluate(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
#pragma omp for schedule(static)
    for (int c = 0; c < norm->c; c++) sb_norm_running_means(norm, c);
    const part p = part_of(norm, 0, 0, norm->c);
#pragma omp single
    fill_scale(&p);
#pragma omp for schedule(static)
    for (int row = 0; row < x->n * x->h; row++)
        value_rows[norm->activation](&p, row_at(x, 0, row, 0), x->w, x->c, (sb_real *)row_at(y, 0, row, 0));
}

void SB_NATIVE(sb_norm_native)(sb_ops *ops)
{
    ops->norm_forward = norm_forward;
    ops->norm_backward = norm_backward;
    ops->norm_evaluate = norm_evaluate;
}
