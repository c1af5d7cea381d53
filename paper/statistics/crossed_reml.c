#include "paper/statistics/crossed.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <math.h>

/* With Z the columns of data sets, then of starts, and L the diagonal matrix of a (data sets) and b (starts), the
 * variance of the effects is rest (1 + Z L L Z'), so that A = 1 + L Z'Z L is all that has to be decomposed. */
typedef struct model {
    size_t n_data, q;      /* q: data sets and starts */
    double n, sum, squares; /* of the effects */
    gsl_matrix *zz, *a;    /* Z'Z and A, [q][q] */
    gsl_vector *z1, *zy;   /* Z'1 and Z'y, [q] */
    gsl_vector *l1, *ly;   /* L Z'1 and L Z'y, solved by the root of A */
} model;

static void fill(model *m, const double *effect, size_t n_starts)
{
    for (size_t d = 0; d < m->n_data; d++)
        for (size_t s = 0; s < n_starts; s++) {
            const double y = effect[d * n_starts + s];
            const size_t k = m->n_data + s, place[] = {d, k};
            if (isnan(y)) continue;
            m->n++, m->sum += y, m->squares += y * y;
            gsl_matrix_set(m->zz, d, k, 1);
            gsl_matrix_set(m->zz, k, d, 1);
            for (int i = 0; i < 2; i++) {
                *gsl_matrix_ptr(m->zz, place[i], place[i]) += 1;
                *gsl_vector_ptr(m->z1, place[i]) += 1;
                *gsl_vector_ptr(m->zy, place[i]) += y;
            }
        }
}

/* Of effects that data sets and starts explain to the last digit nothing is left; a rest below this share of the mean square
 * counts as that share. */
#define LEAST_REST 1e-6

/* What a and b give. */
typedef struct fit {
    double criterion; /* -2 log restricted likelihood, less a constant */
    double ones, mean, rest; /* 1'V1 without `rest`; mean; variance of the rest */
} fit;

static fit fit_at(model *m, double a, double b)
{
    double log_determinant = 0, of_ones, of_both, of_squares;
    gsl_matrix_set_identity(m->a);
    for (size_t i = 0; i < m->q; i++) {
        const double scale = i < m->n_data ? a : b;
        gsl_vector_set(m->l1, i, scale * gsl_vector_get(m->z1, i));
        gsl_vector_set(m->ly, i, scale * gsl_vector_get(m->zy, i));
        for (size_t k = 0; k < m->q; k++)
            *gsl_matrix_ptr(m->a, i, k) += scale * (k < m->n_data ? a : b) * gsl_matrix_get(m->zz, i, k);
    }
    gsl_linalg_cholesky_decomp1(m->a);
    for (size_t i = 0; i < m->q; i++) log_determinant += 2 * log(gsl_matrix_get(m->a, i, i));
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, m->a, m->l1);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, m->a, m->ly);
    gsl_blas_ddot(m->l1, m->l1, &of_ones);
    gsl_blas_ddot(m->l1, m->ly, &of_both);
    gsl_blas_ddot(m->ly, m->ly, &of_squares);
    fit f = {.ones = m->n - of_ones};
    f.mean = (m->sum - of_both) / f.ones;
    const double left = fmax(m->squares - of_squares - f.mean * (m->sum - of_both), 0);
    f.rest = fmax(left / (m->n - 1), LEAST_REST * m->squares / m->n);
    f.criterion = log_determinant + log(f.ones) + (m->n - 1) * log(f.rest) + left / f.rest;
    return f;
}

/* The search for a and b uses their logarithms. A standard deviation larger than the rest's by this factor counts as
 * infinite, a smaller one by this factor as 0: beyond that the rest would be lost in rounding. */
#define MOST 8.0

static double root_of(const gsl_vector *at, size_t i)
{
    return exp(fmax(fmin(gsl_vector_get(at, i), MOST), -MOST));
}

static double criterion(const gsl_vector *at, void *context)
{
    return fit_at(context, root_of(at, 0), root_of(at, 1)).criterion;
}

/* The least criterion from these logarithms of a and b on, by Nelder and Mead; returns false where memory is short. */
static bool minimise(model *m, double log_a, double log_b, double best[2], double *least)
{
    enum { STEPS = 2000 };
    gsl_multimin_function f = {criterion, 2, m};
    gsl_vector *at = gsl_vector_alloc(2), *step = gsl_vector_alloc(2);
    gsl_multimin_fminimizer *search = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, 2);
    const bool done = at && step && search;
    gsl_error_handler_t *const handler = gsl_set_error_handler_off(); /* a search that ends early has its best place */
    if (done) {
        gsl_vector_set(at, 0, log_a), gsl_vector_set(at, 1, log_b);
        gsl_vector_set_all(step, 1);
        gsl_multimin_fminimizer_set(search, &f, at, step);
        for (int i = 0; i < STEPS && gsl_multimin_fminimizer_size(search) > 1e-10; i++)
            if (gsl_multimin_fminimizer_iterate(search)) break;
        if (search->fval < *least) {
            *least = search->fval;
            for (size_t i = 0; i < 2; i++) best[i] = root_of(search->x, i);
        }
    }
    gsl_set_error_handler(handler);
    if (search) gsl_multimin_fminimizer_free(search);
    gsl_vector_free(step);
    gsl_vector_free(at);
    return done;
}

/* From several places, then from the best of them, and at the corners where a variance is 0. */
static bool find_best(model *m, double best[2])
{
    double least = INFINITY;
    for (double log_a = -2; log_a <= 4; log_a += 2)
        for (double log_b = -2; log_b <= 4; log_b += 2)
            if (!minimise(m, log_a, log_b, best, &least)) return false;
    if (!minimise(m, log(best[0]), log(best[1]), best, &least)) return false;
    const double corner[][2] = {{0, best[1]}, {best[0], 0}, {0, 0}};
    for (int i = 0; i < 3; i++) {
        const double here = fit_at(m, corner[i][0], corner[i][1]).criterion;
        if (here < least) least = here, best[0] = corner[i][0], best[1] = corner[i][1];
    }
    return true;
}

/* The squares of the effects around their mean, so that nothing is lost by rounding. */
static double centre(const double *effect, size_t n, double *centred)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(effect[i])) sum += effect[i], count++;
    for (size_t i = 0; i < n; i++) centred[i] = effect[i] - sum / count;
    return sum / count;
}

sb_reml sb_reml_of(const double *effect, size_t n_data, size_t n_starts)
{
    sb_reml result = {NAN, NAN, NAN, NAN, NAN};
    double best[2] = {0, 0};
    const size_t q = n_data + n_starts;
    gsl_vector *centred = gsl_vector_alloc(n_data * n_starts);
    model m = {.n_data = n_data, .q = q, .zz = gsl_matrix_calloc(q, q), .a = gsl_matrix_alloc(q, q),
               .z1 = gsl_vector_calloc(q), .zy = gsl_vector_calloc(q), .l1 = gsl_vector_alloc(q),
               .ly = gsl_vector_alloc(q)};
    if (!centred || !m.zz || !m.a || !m.z1 || !m.zy || !m.l1 || !m.ly) goto out;
    const double mean = centre(effect, n_data * n_starts, centred->data);
    fill(&m, centred->data, n_starts);
    if (!(m.squares > 0)) {
        result = (sb_reml){mean, 0, 0, 0, 0}; /* all effects are equal */
        goto out;
    }
    if (!find_best(&m, best)) goto out;
    const fit f = fit_at(&m, best[0], best[1]);
    result = (sb_reml){mean + f.mean, f.rest / f.ones, best[0] * best[0] * f.rest, best[1] * best[1] * f.rest, f.rest};
out:
    gsl_vector_free(m.ly);
    gsl_vector_free(m.l1);
    gsl_vector_free(m.zy);
    gsl_vector_free(m.z1);
    gsl_matrix_free(m.a);
    gsl_matrix_free(m.zz);
    gsl_vector_free(centred);
    return result;
}
