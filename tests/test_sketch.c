/* The count sketch: where elements go, what its distances are worth, the bits of one, and which updates have one. */
#include "support.h"

#include "core/hash.h"
#include "core/random.h"
#include "core/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K = SB_SKETCH_BUCKETS };

static void sketch_of(size_t n, const double *x, double sketch[K])
{
    memset(sketch, 0, K * sizeof *sketch);
    for (size_t first = 0; first < n; first += K)
        sb_sketch_add(sketch, first / K, n - first < K ? n - first : K, x + first);
}

/* Bucket and sign of element `index`: the sketch of its unit vector. */
static int place_of(size_t index, double *sign)
{
    double x[K] = {0}, sketch[K] = {0};
    int place = -1;
    x[index % K] = 1;
    sb_sketch_add(sketch, index / K, K, x);
    for (int k = 0; k < K; k++) {
        if (sketch[k] == 0) continue;
        assert_int_equal(place, -1);
        assert_true(fabs(sketch[k]) == 1);
        place = k;
        *sign = sketch[k];
    }
    assert_true(place >= 0);
    return place;
}

static void a_block_fills_each_bucket_once_and_blocks_are_turned(void **state)
{
    (void)state;
    enum { BLOCKS = 64 };
    int n_same = 0, n_positive = 0, first[BLOCKS];
    for (size_t b = 0; b < BLOCKS; b++) {
        double x[K], sketch[K] = {0}, sign;
        for (int k = 0; k < K; k++) x[k] = k + 1;
        sb_sketch_add(sketch, b, K, x);
        first[b] = place_of(b * K, &sign);
        for (int k = 0; k < K; k++) {
            assert_true(fabs(sketch[(first[b] + k) % K]) == k + 1);
            n_positive += sketch[k] > 0;
        }
        for (size_t a = 0; a < b; a++) n_same += first[a] == first[b];
    }
    assert_true(n_same < 10);                                                 /* 2 of 2016 pairs are expected */
    assert_true(abs(n_positive - BLOCKS * K / 2) < 4 * sqrt(BLOCKS * K) / 2); /* four standard deviations */
}

static void a_short_block_is_one_with_zeros_behind(void **state)
{
    (void)state;
    static const size_t lengths[] = {1, 31, 500, K - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (uint64_t b = 0; b < 8; b++) {
            double x[K] = {0}, whole[K] = {0}, part[K] = {0};
            for (size_t k = 0; k < lengths[i]; k++) x[k] = sb_random_normal(1, 0, k);
            sb_sketch_add(whole, b, K, x);
            sb_sketch_add(part, b, lengths[i], x);
            assert_memory_equal(whole, part, sizeof part);
        }
}

static void it_is_linear(void **state)
{
    (void)state;
    enum { N = 5 * K + 77 };
    static double x[N], y[N], d[N]; /* whole numbers, whose sums are exact */
    double sx[K], sy[K], sd[K];
    for (size_t i = 0; i < N; i++) {
        x[i] = floor(1000 * sb_random_uniform(1, 0, i));
        y[i] = floor(1000 * sb_random_uniform(1, 1, i));
        d[i] = x[i] - y[i];
    }
    sketch_of(N, x, sx), sketch_of(N, y, sy), sketch_of(N, d, sd);
    for (int k = 0; k < K; k++) assert_true(sx[k] - sy[k] == sd[k]);
    assert_true(sb_sketch_distance(sx, sy) == sb_sketch_distance(sd, NULL));
}

/* Squared distances over the true ones, of vectors that are not zero at a few places a fixed stride apart or at all:
 * their mean is 1 and their variance 2/K at most, as the header says, each within four standard errors. */
static void hold_error(size_t stride, size_t offset_step)
{
    enum { N = 100 * K, TRIALS = 200 };
    static double x[N];
    double sum = 0, squares = 0, sketch[K];
    for (size_t trial = 0; trial < TRIALS; trial++) {
        double norm2 = 0;
        memset(x, 0, sizeof x);
        for (size_t i = trial * offset_step; i < N; i += stride) {
            x[i] = sb_random_normal(7, (uint32_t)trial, i);
            norm2 += x[i] * x[i];
        }
        sketch_of(N, x, sketch);
        double ratio = pow(sb_sketch_distance(sketch, NULL), 2) / norm2;
        sum += ratio, squares += (ratio - 1) * (ratio - 1);
    }
    double mean = sum / TRIALS, variance = squares / TRIALS, bound = 2.0 / K;
    if (fabs(mean - 1) > 4 * sqrt(bound / TRIALS)) fail_msg("stride %zu: mean %g", stride, mean);
    if (variance > bound * (1 + 4 * sqrt(2.0 / TRIALS))) fail_msg("stride %zu: variance %g", stride, variance);
}

static void distances_are_as_good_as_the_header_says(void **state)
{
    (void)state;
    hold_error(1, 0);
    hold_error(37, 1);
    hold_error(K, 5);    /* without the rotation all in one bucket */
    hold_error(3456, 9); /* one input channel of a cell with 384 */
}

static void its_bits_are_the_same_everywhere(void **state)
{
    (void)state;
    enum { N = 9 * K + 5 };
    static double x[N];
    double sketch[K];
    char text[SB_HASH_TEXT];
    for (size_t i = 0; i < N; i++) x[i] = (float)sb_random_normal(3, 0, i);
    sketch_of(N, x, sketch);
    sb_hash_text(sb_hash_of(sketch, sizeof sketch / sizeof *sketch, sizeof *sketch), text);
    assert_string_equal(text, "4109b071fc6e53968ffb9a15c567d00e"); /* gcc and clang, -O0 and -O3; little-endian */
}

static void early_updates_are_due_each_and_later_ones_sixteen_an_octave(void **state)
{
    (void)state;
    int n = 0;
    for (int64_t update = 0; update <= 60000; update++) {
        n += sb_sketch_is_due(update);
        if (update == 32) assert_int_equal(n, 33);
        if (update == 64) assert_int_equal(n, 33 + 16);
        if (update == 128) assert_int_equal(n, 33 + 32);
        if (update == 250) assert_int_equal(n, 80);
    }
    assert_int_equal(n, 206);
    assert_true(sb_sketch_is_due(248) && !sb_sketch_is_due(250) && sb_sketch_is_due(32768));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_fills_each_bucket_once_and_blocks_are_turned),
        cmocka_unit_test(a_short_block_is_one_with_zeros_behind),
        cmocka_unit_test(it_is_linear),
        cmocka_unit_test(distances_are_as_good_as_the_header_says),
        cmocka_unit_test(its_bits_are_the_same_everywhere),
        cmocka_unit_test(early_updates_are_due_each_and_later_ones_sixteen_an_octave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
