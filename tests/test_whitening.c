/* Patch whitening: against the golden file, against itself by what it is for, and the same bits everywhere. */
#include "support.h"

#include "core/hash.h"
#include "core/random.h"
#include "data/whitening.h"
#include "io/h5/h5_attribute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = 27, N = 64, SIDE = 32, IMAGE = 3 * SIDE * SIDE };

static const double mean[] = {125.31, 122.95, 113.87}, sd[] = {62.99, 62.09, 66.70};
static uint8_t golden_images[N * IMAGE];
static double golden[D * D];

static sb_whitening_images images_of(const uint8_t *bytes, size_t n)
{
    return (sb_whitening_images){.n = n, .c = 3, .h = SIDE, .w = SIDE, .bytes = bytes, .mean = mean, .sd = sd};
}

static void read_golden(const char *name, sb_type type, size_t n, void *to)
{
    sb_h5 *file;
    if (sb_h5_open(&file, SB_GOLDEN "/learning/whitening_f8.h5", SB_SEAL_FOREIGN) != SB_OK)
        fail_msg("%s", sb_message());
    if (sb_h5_read(file, name, type, n, to) != SB_OK) fail_msg("%s", sb_message());
    sb_h5_close(file);
}

/* Within 1e-9 of the tensor's largest element. */
static void expect_close(const char *name, size_t n, const double *got)
{
    double largest = 0;
    read_golden(name, SB_F64, n, golden);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(golden[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(got[i] - golden[i]) <= 1e-9 * largest))
            fail_msg("%s[%zu] is %a, the golden file has %a", name, i, got[i], golden[i]);
}

static int set_up(void **state)
{
    (void)state;
    read_golden("images", SB_U8, sizeof golden_images, golden_images);
    return 0;
}

static void it_is_the_golden_one(void **state)
{
    (void)state;
    static double covariance[D * D], value[D], vector[D * D], filter[D * D];
    const sb_whitening_images images = images_of(golden_images, N);
    assert_int_equal(sb_whitening_covariance(&images, covariance), SB_OK);
    expect_close("covariance", D * D, covariance);
    assert_int_equal(sb_whitening(&images, value, vector), SB_OK);
    expect_close("eigenvalues", D, value);
    expect_close("eigenvectors", D * D, vector);
    sb_whitening_filters(D, value, vector, filter);
    expect_close("filters", D * D, filter);
}

/* Only + - * / and sqrt: these bits on every machine, from every compiler. */
static void these_bits(void **state)
{
    (void)state;
    static double value[D], vector[D * D];
    char hex[SB_HASH_TEXT];
    const sb_whitening_images images = images_of(golden_images, N);
    assert_int_equal(sb_whitening(&images, value, vector), SB_OK);
    sb_hash_text(sb_hash_of(value, D, sizeof *value), hex);
    assert_string_equal(hex, "b519d6fd254af845c89b65524f1f6dea");
    sb_hash_text(sb_hash_of(vector, (size_t)D * D, sizeof *vector), hex);
    assert_string_equal(hex, "da11c41cd99fc2178cf5ef7dac1e1620");
}

/* The sums of bytes are exact: a plain sum over patches, in another order, has the same numbers. */
static void sums_are_exact(void **state)
{
    (void)state;
    enum { C = 2, H = 5, W = 4, FEW = 3, E = 9 * C };
    uint8_t bytes[5 * C * H * W];
    static const uint32_t number[FEW] = {4, 0, 3};
    int64_t first[E], second[E * E], plain_first[E] = {0}, plain_second[E * E] = {0};
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)sb_random_words(3, 0, i).word[0];
    const sb_whitening_images images = {.n = FEW, .c = C, .h = H, .w = W, .bytes = bytes, .number = number};
    assert_int_equal(sb_whitening_sums(&images, first, second), SB_OK);
    for (int n = 0; n < FEW; n++)
        for (int y = 0; y + 3 <= H; y++)
            for (int x = 0; x + 3 <= W; x++) {
                int patch[E];
                for (int e = 0; e < E; e++)
                    patch[e] =
                        bytes[((number[n] * C + (unsigned)e / 9) * H + (unsigned)(y + e % 9 / 3)) * W + x + e % 3];
                for (int i = 0; i < E; i++) {
                    plain_first[i] += patch[i];
                    for (int j = 0; j < E; j++) plain_second[i * E + j] += patch[i] * patch[j];
                }
            }
    assert_memory_equal(first, plain_first, sizeof first);
    assert_memory_equal(second, plain_second, sizeof second);
}

/* White images: every product of two bytes is the largest, and 9 x 10^6 of them do not fit into 32 bits. */
static void sums_do_not_overflow(void **state)
{
    (void)state;
    enum { SIDE_OF = 302, COUNT = 300 * 300 };
    static uint8_t white[SIDE_OF * SIDE_OF];
    int64_t first[9], second[81];
    memset(white, 255, sizeof white);
    const sb_whitening_images images = {.n = 1, .c = 1, .h = SIDE_OF, .w = SIDE_OF, .bytes = white};
    assert_int_equal(sb_whitening_sums(&images, first, second), SB_OK);
    for (int i = 0; i < 9; i++) assert_int_equal(first[i], (int64_t)255 * COUNT);
    for (int i = 0; i < 81; i++) assert_int_equal(second[i], (int64_t)255 * 255 * COUNT);
}

/* What one can check by eye: a diagonal matrix, equal eigenvalues, signs. */
static void eigenvectors_of_small_matrices(void **state)
{
    (void)state;
    double diagonal[] = {1, 0, 0, 0, 3, 0, 0, 0, 1}, value[3], vector[9];
    assert_int_equal(sb_whitening_eigen(3, diagonal, value, vector), SB_OK);
    assert_memory_equal(value, ((double[]){3, 1, 1}), sizeof value);
    const double wanted[] = {0, 1, 0, 1, 0, 0, 0, 0, 1}; /* of equal values the lower index first */
    for (int i = 0; i < 9; i++) assert_true(vector[i] == wanted[i]);
    double pair[] = {2, -1, -1, 2}; /* 3: (1, -1), 1: (1, 1), over sqrt 2: the first of equal components is positive */
    assert_int_equal(sb_whitening_eigen(2, pair, value, vector), SB_OK);
    const double r = sqrt(0.5), signs[] = {r, -r, r, r};
    assert_true(fabs(value[0] - 3) < 1e-15 && fabs(value[1] - 1) < 1e-15);
    for (int i = 0; i < 4; i++) assert_true(fabs(vector[i] - signs[i]) < 1e-15);
    double zeros[] = {0, 0, 0, 0};
    assert_int_equal(sb_whitening_eigen(2, zeros, value, vector), SB_OK);
    assert_true(value[0] == 0 && vector[0] == 1 && vector[3] == 1);
}

/* A v = l v, and the vectors are orthonormal, for a matrix of another size. */
static void they_are_eigenvectors(void **state)
{
    (void)state;
    enum { M = 40 };
    static double a[M * M], copy[M * M], value[M], vector[M * M];
    for (int i = 0; i < M; i++)
        for (int j = 0; j <= i; j++)
            a[i * M + j] = a[j * M + i] = sb_random_uniform(5, 1, (uint64_t)(i * M + j)) - (i == j ? 0 : 0.5);
    memcpy(copy, a, sizeof a);
    assert_int_equal(sb_whitening_eigen(M, copy, value, vector), SB_OK);
    for (int i = 0; i < M; i++) {
        assert_true(i == 0 || value[i] <= value[i - 1]);
        for (int k = 0; k < M; k++) {
            double image = 0, product = 0;
            for (int j = 0; j < M; j++) image += a[k * M + j] * vector[i * M + j];
            for (int j = 0; j < M; j++) product += vector[k * M + j] * vector[i * M + j];
            assert_true(fabs(image - value[i] * vector[i * M + k]) < 1e-12);
            assert_true(fabs(product - (i == k)) < 1e-13);
        }
    }
}

/* What it is for: the covariance of the filtered patches is l / (l + 0.01) on its diagonal and 0 elsewhere. */
static void filtered_patches_are_uncorrelated(void **state)
{
    (void)state;
    static double covariance[D * D], value[D], vector[D * D], filter[D * D];
    const sb_whitening_images images = images_of(golden_images, N);
    assert_int_equal(sb_whitening_covariance(&images, covariance), SB_OK);
    assert_int_equal(sb_whitening(&images, value, vector), SB_OK);
    sb_whitening_filters(D, value, vector, filter);
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            double sum = 0;
            for (int k = 0; k < D; k++)
                for (int l = 0; l < D; l++) sum += filter[i * D + k] * covariance[k * D + l] * filter[j * D + l];
            const double wanted = i == j ? value[i] / (value[i] + 0.01) : 0;
            if (fabs(sum - wanted) > 1e-9) fail_msg("filters %d, %d: %g, wanted %g", i, j, sum, wanted);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_golden_one),
        cmocka_unit_test(these_bits),
        cmocka_unit_test(sums_are_exact),
        cmocka_unit_test(sums_do_not_overflow),
        cmocka_unit_test(eigenvectors_of_small_matrices),
        cmocka_unit_test(they_are_eigenvectors),
        cmocka_unit_test(filtered_patches_are_uncorrelated),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
