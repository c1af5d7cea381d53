/* The shares of OpenBLAS's threads computed one after the other have the bits that the threads themselves give. */
#include "expect.h"
#include "ops/library/gemm_openblas.h"
#include "ops/library/openblas_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct product {
    int m, n, k;
} product;

/* Columns that the threads' ranges cut unevenly, fewer rows than threads, one column, more terms than a kernel takes at a
 * time, and layers of the demo's networks. */
static const product products[] = {{8, 1536, 27},  {1536, 8, 27}, {64, 784, 100}, {100, 64, 784}, {96, 32, 500}, {32, 96, 288},
                                   {3, 5000, 27},  {5000, 3, 27}, {5000, 1, 33},  {1, 5000, 33},  {17, 900, 65}, {37, 41, 1700},
                                   {61, 131, 555}, {29, 400, 333}, {333, 201, 901}, {48, 1000, 27}};

typedef struct matrices {
    sb_real *a, *b, *start;
} matrices;

static sb_real *random_numbers(size_t n)
{
    sb_real *x = malloc(n * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++) x[i] = (sb_real)rand() / (sb_real)RAND_MAX - (sb_real)0.5;
    return x;
}

/* The product by that many threads, the last one of `times`. */
static sb_real *multiply(const product *p, const matrices *x, int kind, int threads, sb_openblas_sharing sharing,
                         int times)
{
    const bool transpose_a = kind & 1, transpose_b = kind & 2;
    const size_t bytes = (size_t)p->m * p->n * sizeof(sb_real);
    sb_real *c = malloc(bytes);
    assert_non_null(c);
    openblas_set_num_threads(threads);
    sb_openblas_share(sharing);
    for (int i = 0; i < times; i++) {
        memcpy(c, x->start, bytes);
        sb_gemm(transpose_a, transpose_b, p->m, p->n, p->k, x->a, transpose_a ? p->m : p->k, x->b,
                transpose_b ? p->k : p->n, kind & 4 ? 1 : 0, c, p->n);
    }
    sb_openblas_share(SB_OPENBLAS_THREADS);
    return c;
}

static void expect_same(const product *p, int kind, int threads, const sb_real *expected, sb_real *c)
{
    for (size_t i = 0; i < (size_t)p->m * p->n; i++)
        if (memcmp(&expected[i], &c[i], sizeof *c) != 0)
            fail_msg("%dx%dx%d, kind %d, %d threads of %s: number %zu is %a, not %a", p->m, p->n, p->k, kind, threads,
                     openblas_get_corename(), i, (double)c[i], (double)expected[i]);
    free(c);
}

/* Returns whether one thread gives other bits: then the product has shares, which must have been computed here. */
static bool compare(const product *p, int kind, int threads)
{
    const size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k;
    const matrices x = {random_numbers(m * k), random_numbers(k * n), random_numbers(m * n)};
    sb_real *real = multiply(p, &x, kind, threads, SB_OPENBLAS_THREADS, 1);
    sb_real *one = multiply(p, &x, kind, 1, SB_OPENBLAS_THREADS, 1);
    const bool differs = memcmp(real, one, m * n * sizeof *real) != 0;
    assert_false(sb_openblas_has_shared());
    expect_same(p, kind, threads, real, multiply(p, &x, kind, threads, SB_OPENBLAS_ALONE, 1));
    assert_true(sb_openblas_has_shared() || !differs);
    if (kind == 0) /* alone, by threads, by the faster way */
        expect_same(p, kind, threads, real, multiply(p, &x, kind, threads, SB_OPENBLAS_FASTER, 3));
    assert_true(kind != 0 || sb_openblas_has_shared() || !differs);
    free(x.a), free(x.b), free(x.start), free(real), free(one);
    return differs;
}

static void shares_have_the_bits_of_threads(void **state)
{
    (void)state;
    int n_differ = 0;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        for (int kind = 0; kind < 8; kind++)
            for (int threads = 2; threads <= 5; threads += kind % 2 ? 1 : 2)
                n_differ += compare(&products[i], kind, threads);
    print_message("%s: one thread gives other bits in %d products\n", openblas_get_corename(), n_differ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_have_the_bits_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
