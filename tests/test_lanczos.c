/* Eigenvalues of matrices whose spectrum is known: by rotations, and by products alone. */
#include "support.h"

#include "core/random.h"
#include "inspect/curvature/lanczos.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 0x1.921fb54442d18p+1;

static void expect_near(const char *what, int i, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance)) fail_msg("%s %d: %a, wanted %a", what, i, got, wanted);
}

/* The second difference, 2 on the diagonal and -1 beside it: eigenvalues 2 - 2 cos(k pi / (n + 1)), eigenvectors
 * sqrt(2 / (n + 1)) sin(k i pi / (n + 1)), k and i from 1. */
static void rotations_know_the_second_difference(void **state)
{
    (void)state;
    for (int n = 1; n <= 40; n += 13) {
        double *matrix = calloc((size_t)(n * n), sizeof *matrix), *vector = calloc((size_t)(n * n), sizeof *vector);
        double *value = calloc((size_t)n, sizeof *value);
        for (int i = 0; i < n; i++) {
            matrix[i * n + i] = 2;
            if (i > 0) matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = -1;
        }
        sb_eigen_symmetric(n, matrix, value, vector);
        for (int k = 1; k <= n; k++) {
            expect_near("eigenvalue", k, value[k - 1], 2 - 2 * cos(k * pi / (n + 1)), 8 * n * DBL_EPSILON);
            const double sign = vector[(k - 1) * n] < 0 ? -1 : 1;
            for (int i = 1; i <= n; i++) /* the closest two eigenvalues are some 10 / n^2 apart */
                expect_near("of its vector", i, sign * vector[(k - 1) * n + i - 1],
                            sqrt(2.0 / (n + 1)) * sin(k * i * pi / (n + 1)), 8.0 * n * n * n * DBL_EPSILON);
        }
        free(matrix), free(vector), free(value);
    }
}

static void rotations_know_a_saddle_and_nothing_at_all(void **state)
{
    (void)state;
    double saddle[4] = {0, 3, 3, 8}, zero[4] = {0}, value[2], vector[4]; /* x'Ax = 6 x y + 8 y^2: -1 and 9 */
    sb_eigen_symmetric(2, saddle, value, vector);
    expect_near("saddle", 0, value[0], -1, 16 * DBL_EPSILON);
    expect_near("saddle", 1, value[1], 9, 16 * DBL_EPSILON);
    expect_near("direction", 0, fabs(vector[0]), 3 / sqrt(10), 16 * DBL_EPSILON); /* (3, -1) / sqrt(10) */
    sb_eigen_symmetric(2, zero, value, vector);
    assert_true(value[0] == 0 && value[1] == 0);
}

/* ---- by products ---- */

/* Q D Q with Q = 1 - 2 u u', u of norm 1: the spectrum D, and no axis of it along an axis of the space. */
typedef struct quadratic {
    size_t n;
    double *d, *u;
    double skew; /* so much of an antisymmetric matrix is added: x_1 turns into x_0, -x_0 into x_1 */
} quadratic;

static void reflect(const quadratic *q, double *x)
{
    double along = 0;
    for (size_t i = 0; i < q->n; i++) along += q->u[i] * x[i];
    for (size_t i = 0; i < q->n; i++) x[i] -= 2 * along * q->u[i];
}

static sb_status multiply(void *context, const double *x, double *y)
{
    const quadratic *q = context;
    memcpy(y, x, q->n * sizeof *y);
    reflect(q, y);
    for (size_t i = 0; i < q->n; i++) y[i] *= q->d[i];
    reflect(q, y);
    if (q->n > 1) y[0] += q->skew * x[1], y[1] -= q->skew * x[0];
    return SB_OK;
}

static quadratic quadratic_of(size_t n)
{
    quadratic q = {n, calloc(n, sizeof(double)), calloc(n, sizeof(double)), 0};
    double norm2 = 0;
    assert_true(q.d && q.u);
    for (size_t i = 0; i < n; i++) q.u[i] = sb_random_normal(1, 0, i), norm2 += q.u[i] * q.u[i];
    for (size_t i = 0; i < n; i++) q.u[i] /= sqrt(norm2);
    return q;
}

static void free_quadratic(quadratic *q)
{
    free(q->d), free(q->u);
}

/* Every value that is told is within its bound of an eigenvalue; the wanted ones are the outermost. */
static void products_find_both_ends(void **state)
{
    (void)state;
    enum { N = 2000 };
    quadratic q = quadratic_of(N);
    for (size_t i = 0; i < N; i++) q.d[i] = (double)i / N; /* a crowd in [0, 1), and five outside of it */
    q.d[7] = -3, q.d[70] = -2, q.d[700] = 5, q.d[1000] = 8, q.d[1900] = 40;
    const sb_lanczos_plan plan = {
        .n = N, .steps = 60, .extremes = 2, .tolerance = 1e-9, .seed = 5, .product = multiply, .context = &q};
    sb_lanczos l;
    assert_int_equal(sb_lanczos_run(&l, &plan), SB_OK);
    assert_true(l.converged && l.n_steps < 60);
    static const double wanted[] = {-3, -2, 8, 40};
    const int at[] = {0, 1, l.n_steps - 2, l.n_steps - 1};
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y);
    for (int i = 0; i < 4; i++) {
        const double rounding = N * DBL_EPSILON * 40;
        assert_true(l.bound[at[i]] <= 1e-9 * 40);
        expect_near("end", i, l.value[at[i]], wanted[i], l.bound[at[i]] + rounding);
        double residual = 0;
        sb_lanczos_vector(&l, at[i], x);
        multiply(&q, x, y);
        for (size_t k = 0; k < N; k++) residual += pow(y[k] - l.value[at[i]] * x[k], 2);
        expect_near("bound", i, l.bound[at[i]], sqrt(residual), rounding);
    }
    assert_true(l.asymmetry <= N * DBL_EPSILON * 40);
    free(x), free(y);
    sb_lanczos_free(&l);
    free_quadratic(&q);
}

static void too_few_steps_are_not_converged_and_their_bounds_say_so(void **state)
{
    (void)state;
    enum { N = 500 };
    quadratic q = quadratic_of(N);
    for (size_t i = 0; i < N; i++) q.d[i] = (double)i / N;
    const sb_lanczos_plan plan = {
        .n = N, .steps = 6, .extremes = 1, .tolerance = 1e-6, .product = multiply, .context = &q};
    sb_lanczos l;
    assert_int_equal(sb_lanczos_run(&l, &plan), SB_OK);
    assert_false(l.converged);
    assert_int_equal(l.n_steps, 6);
    assert_true(l.bound[0] > 1e-6);
    assert_true(l.value[0] <= l.bound[0] && l.value[5] + l.bound[5] >= (N - 1.0) / N); /* an eigenvalue is in reach */
    sb_lanczos_free(&l);
    free_quadratic(&q);
}

static void a_saddle_of_two_parameters(void **state)
{
    (void)state;
    quadratic q = quadratic_of(2);
    q.d[0] = -1, q.d[1] = 9;
    const sb_lanczos_plan plan = {
        .n = 2, .steps = 50, .extremes = 3, .tolerance = 1e-12, .product = multiply, .context = &q};
    sb_lanczos l;
    assert_int_equal(sb_lanczos_run(&l, &plan), SB_OK);
    assert_int_equal(l.n_steps, 2);
    assert_true(l.converged);
    expect_near("saddle", 0, l.value[0], -1, 64 * DBL_EPSILON);
    expect_near("saddle", 1, l.value[1], 9, 64 * DBL_EPSILON);
    sb_lanczos_free(&l);
    free_quadratic(&q);
}

static void what_is_not_symmetric_is_told(void **state)
{
    (void)state;
    quadratic q = quadratic_of(6);
    for (size_t i = 0; i < 6; i++) q.d[i] = (double)i - 2;
    q.skew = 0.25;
    const sb_lanczos_plan plan = {
        .n = 6, .steps = 6, .extremes = 1, .tolerance = 0, .product = multiply, .context = &q};
    sb_lanczos l;
    assert_int_equal(sb_lanczos_run(&l, &plan), SB_OK);
    assert_int_equal(l.n_steps, 6);
    expect_near("Frobenius norm", 0, l.asymmetry, 0.25 * sqrt(2), 64 * DBL_EPSILON); /* of 0.25 and -0.25 */
    expect_near("symmetric part", 0, l.value[0], -2, 256 * DBL_EPSILON); /* its spectrum, in the whole space */
    expect_near("symmetric part", 5, l.value[5], 3, 256 * DBL_EPSILON);
    assert_true(l.bound[0] > 1e-3);
    sb_lanczos_free(&l);
    free_quadratic(&q);
}

static sb_status no_product(void *context, const double *x, double *y)
{
    (void)context, (void)x, (void)y;
    return sb_fail(SB_E_IO, "no product");
}

static void a_product_may_fail(void **state)
{
    (void)state;
    const sb_lanczos_plan plan = {.n = 3, .steps = 2, .extremes = 1, .product = no_product};
    sb_lanczos l;
    assert_int_equal(sb_lanczos_run(&l, &plan), SB_E_IO);
    assert_null(l.basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_know_the_second_difference),
        cmocka_unit_test(rotations_know_a_saddle_and_nothing_at_all),
        cmocka_unit_test(products_find_both_ends),
        cmocka_unit_test(too_few_steps_are_not_converged_and_their_bounds_say_so),
        cmocka_unit_test(a_saddle_of_two_parameters),
        cmocka_unit_test(what_is_not_symmetric_is_told),
        cmocka_unit_test(a_product_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
