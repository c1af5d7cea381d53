#include "inspect/curvature/lanczos.h"

#include "core/random.h"
#include "core/size.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_EVERY = 10 };

typedef struct work {
    const sb_lanczos_plan *plan;
    sb_lanczos *l;
    double *projected; /* [steps][steps]: v_i' A v_j; row i, column j */
    double *symmetric; /* [steps][steps], room */
    double *next;      /* [n], the vector that comes next, times beta */
    double beta;
} work;

static void add_multiple(size_t n, double *y, double factor, const double *x)
{
    for (size_t i = 0; i < n; i++) y[i] += factor * x[i];
}

static double *basis_at(const sb_lanczos *l, int i)
{
    return l->basis + (size_t)i * l->n;
}

/* ---- steps ---- */

static void take_start(work *w)
{
    for (size_t i = 0; i < w->l->n; i++) w->next[i] = sb_random_normal(w->plan->seed, SB_STREAM_LANCZOS, i);
    w->beta = sb_vector_norm(w->l->n, w->next);
}

/* Vector number n_steps of the basis, its product, and what of that no vector so far has: the next one. */
static sb_status step(work *w)
{
    sb_lanczos *l = w->l;
    const int j = l->n_steps, steps = w->plan->steps;
    double *v = basis_at(l, j);
    for (size_t i = 0; i < l->n; i++) v[i] = w->next[i] / w->beta;
    SB_TRY(w->plan->product(w->plan->context, v, w->next));
    if (j > 0) w->projected[j * steps + j - 1] = w->beta;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= j; i++) {
            const double share = sb_vector_dot(l->n, basis_at(l, i), w->next);
            w->projected[i * steps + j] += share;
            add_multiple(l->n, w->next, -share, basis_at(l, i));
        }
    w->beta = sqrt(sb_vector_dot(l->n, w->next, w->next));
    l->n_steps++;
    return SB_OK;
}

/* The basis spans all that the products reach: what is left is rounding. */
static bool is_exhausted(const work *w)
{
    double largest = 0;
    for (int i = 0; i < w->plan->steps * w->plan->steps; i++) largest = fmax(largest, fabs(w->projected[i]));
    return (size_t)w->l->n_steps == w->l->n || w->beta <= 64 * DBL_EPSILON * largest;
}

/* ---- eigenvalues ---- */

/* |A x - value x|, with x = V y: its part outside the basis is beta y_last, and that inside is what the antisymmetric
 * part of the projection does to y. */
static double bound_of(const work *w, const double *y)
{
    const int n = w->l->n_steps, steps = w->plan->steps;
    double sum = w->beta * y[n - 1] * w->beta * y[n - 1];
    for (int i = 0; i < n; i++) {
        double skew = 0;
        for (int k = 0; k < n; k++) skew += (w->projected[i * steps + k] - w->projected[k * steps + i]) / 2 * y[k];
        sum += skew * skew;
    }
    return sqrt(sum);
}

static bool within_tolerance(const work *w)
{
    const sb_lanczos *l = w->l;
    const int n = l->n_steps, wanted = w->plan->extremes < n ? w->plan->extremes : n;
    const double largest = fmax(fabs(l->value[0]), fabs(l->value[n - 1]));
    bool all = n >= 2 * wanted;
    for (int i = 0; i < wanted; i++)
        all = all && fmax(l->bound[i], l->bound[n - 1 - i]) <= w->plan->tolerance * largest;
    return all;
}

static void solve(work *w)
{
    sb_lanczos *l = w->l;
    const int n = l->n_steps, steps = w->plan->steps;
    double skew = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double a = w->projected[i * steps + k], b = w->projected[k * steps + i];
            w->symmetric[i * n + k] = (a + b) / 2;
            skew += (a - b) * (a - b) / 4;
        }
    l->asymmetry = sqrt(skew);
    sb_eigen_symmetric(n, w->symmetric, l->value, l->vector);
    for (int i = 0; i < n; i++) l->bound[i] = bound_of(w, l->vector + (size_t)i * (size_t)n);
}

static sb_status run(work *w)
{
    sb_lanczos *l = w->l;
    bool ends = false;
    take_start(w);
    while (!ends) {
        SB_TRY(step(w));
        const bool exhausted = is_exhausted(w), last = l->n_steps == w->plan->steps;
        if (!exhausted && !last && l->n_steps % CHECK_EVERY) continue;
        solve(w);
        l->converged = exhausted || within_tolerance(w);
        ends = last || l->converged;
    }
    return SB_OK;
}

sb_status sb_lanczos_run(sb_lanczos *l, const sb_lanczos_plan *plan)
{
    assert(plan->n > 0 && plan->steps > 0 && plan->steps <= SB_LANCZOS_STEPS_MAX);
    const size_t steps = (size_t)plan->steps, square = steps * steps;
    work w = {.plan = plan, .l = l};
    *l = (sb_lanczos){.n = plan->n};
    size_t n_basis = 0;
    const bool fits = sb_size_multiply(steps, plan->n, &n_basis);
    l->basis = fits ? sb_size_allocate(n_basis, sizeof *l->basis) : NULL;
    l->value = sb_size_allocate(steps, sizeof *l->value), l->bound = sb_size_allocate(steps, sizeof *l->bound);
    l->vector = sb_size_allocate(square, sizeof *l->vector);
    w.projected = sb_size_allocate(square, sizeof *w.projected);
    w.symmetric = sb_size_allocate(square, sizeof *w.symmetric);
    w.next = sb_size_allocate(plan->n, sizeof *w.next);
    sb_status status =
        l->basis && l->value && l->bound && l->vector && w.projected && w.symmetric && w.next
            ? run(&w)
            : sb_fail(SB_E_MEMORY, "not enough memory for %d vectors of %zu numbers", plan->steps, plan->n);
    free(w.projected);
    free(w.symmetric);
    free(w.next);
    if (status != SB_OK) sb_lanczos_free(l);
    return status;
}

void sb_lanczos_free(sb_lanczos *l)
{
    free(l->basis);
    free(l->value);
    free(l->bound);
    free(l->vector);
    *l = (sb_lanczos){0};
}

void sb_lanczos_vector(const sb_lanczos *l, int i, double *x)
{
    memset(x, 0, l->n * sizeof *x);
    for (int k = 0; k < l->n_steps; k++) add_multiple(l->n, x, l->vector[i * l->n_steps + k], basis_at(l, k));
}

enum { SWEEPS_MAX = 60 }; /* convergence is quadratic: ten are enough for any matrix that fits into memory */

typedef struct rotation {
    double c, s;
} rotation;

/* The rotation in the plane of p and q that makes a[p][q] zero: the smaller angle of the two. */
static rotation rotation_of(double pp, double qq, double pq)
{
    const double tau = (qq - pp) / (2 * pq);
    const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + hypot(1, tau));
    const double c = 1 / hypot(1, t);
    return (rotation){c, t * c};
}

static void turn_rows(int n, double *a, int p, int q, rotation r)
{
    for (int k = 0; k < n; k++) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = r.c * x - r.s * y;
        a[q * n + k] = r.s * x + r.c * y;
    }
}

static void turn_columns(int n, double *a, int p, int q, rotation r)
{
    for (int k = 0; k < n; k++) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = r.c * x - r.s * y;
        a[k * n + q] = r.s * x + r.c * y;
    }
}

/* Are all elements off the diagonal only rounding? */
static bool is_diagonal(int n, const double *a)
{
    double beside = 0, all = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double square = a[i * n + k] * a[i * n + k];
            all += square, beside += i == k ? 0 : square;
        }
    return sqrt(beside) <= DBL_EPSILON * sqrt(all);
}

static void swap_rows(int n, double *vector, int i, int k)
{
    for (int j = 0; j < n; j++) {
        const double x = vector[i * n + j];
        vector[i * n + j] = vector[k * n + j], vector[k * n + j] = x;
    }
}

static void sort_ascending(int n, double *value, double *vector)
{
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int k = i + 1; k < n; k++)
            if (value[k] < value[least]) least = k;
        const double x = value[i];
        value[i] = value[least], value[least] = x;
        if (least != i) swap_rows(n, vector, i, least);
    }
}

void sb_eigen_symmetric(int n, double *matrix, double *value, double *vector)
{
    memset(vector, 0, (size_t)n * (size_t)n * sizeof *vector);
    for (int i = 0; i < n; i++) vector[i * n + i] = 1;
    for (int sweep = 0; sweep < SWEEPS_MAX && !is_diagonal(n, matrix); sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (matrix[p * n + q] == 0) continue;
                const rotation r = rotation_of(matrix[p * n + p], matrix[q * n + q], matrix[p * n + q]);
                turn_rows(n, matrix, p, q, r);
                turn_columns(n, matrix, p, q, r);
                turn_rows(n, vector, p, q, r);
            }
    for (int i = 0; i < n; i++) value[i] = matrix[i * n + i];
    sort_ascending(n, value, vector);
}
