/* The tiles of the products of `winograd` on a GPU (ops/conv/winograd/domain_tiles.h): each of them on each shape has the
 * bits of the written chain, and the table chooses one for every shape. */
#include "fill.h"
#include "support.h"

#include "ops/kernels/kernels_host.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 21, A = 0, B = 10, C = 20, MOST_PARTS = 2 };

static sb_real *random_numbers(size_t n, fill kind, uint32_t stream)
{
    sb_real *x = malloc(n * sizeof *x);
    assert_non_null(x);
    fill_block(x, n, kind, SEED, stream);
    return x;
}

/* Both orders of threads on random numbers; which memory a thread uses does not depend on the numbers. */
static sb_walk last_walk(fill kind)
{
    return kind == FILL_RANDOM ? SB_WALK_DOWN : SB_WALK_UP;
}

static void expect_same(const char *what, const char *tile, fill kind, const sb_real *wanted, const sb_real *got,
                        size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&wanted[i], &got[i], sizeof *got) != 0)
            fail_msg("%s, tile %s, %s numbers: %a instead of %a at %zu", what, tile, fill_names[kind], (double)got[i],
                     (double)wanted[i], i);
}

static sb_grid grid_of(const sb_domain_tile *tile, int m, int n)
{
    return (sb_grid){sb_blocks(n, tile->n), sb_blocks(m, tile->m), SB_POINTS};
}

/* ---- forward product ---- */

typedef struct forward_case {
    const char *name;
    int m, n, n_parts, n_k[MOST_PARTS], skip[MOST_PARTS], adds;
} forward_case;

static const forward_case forward_cases[] = {
    {"one number", 1, 1, 1, {1}, {0}, 0},
    {"a map of one tile", 5, 1, 1, {3}, {0}, 1},
    {"several samples, ragged", 37, 45, 2, {17, 6}, {0, 0}, 0},
    {"whole chunks, then an upsampled map", 48, 20, 2, {32, 16}, {0, 1}, 0},
    {"upsampled alone", 20, 12, 1, {9}, {1}, 0},
    {"upsampled alone, adds", 20, 12, 1, {24}, {1}, 1},
    {"an upsampled map first, adds", 33, 30, 2, {16, 40}, {1, 0}, 1},
    {"more than one tile each way", 130, 129, 1, {19}, {0}, 1},
    {"powers of two", 64, 64, 1, {48}, {0}, 0},
};

/* Elements of an operand, or of c. */
static size_t domain_of(int rows, int columns)
{
    return (size_t)SB_POINTS * rows * sb_domain_pitch(columns);
}

static void written_forward(const sb_domain_product_args *p)
{
    const int a_pitch = sb_domain_pitch(p->m), pitch = sb_domain_pitch(p->n);
    for (int z = 0; z < SB_POINTS; z++)
        for (int m = 0; m < p->m; m++)
            for (int t = 0; t < pitch; t++) {
                sb_real *c = &p->c[((size_t)z * p->m + m) * pitch + t], sum = p->adds ? *c : 0;
                for (int part = 0; part < p->n_parts; part++) {
                    const sb_domain_part *of = &p->part[part];
                    const sb_real *a = of->a + (size_t)z * of->n_k * a_pitch, *b = of->b + (size_t)z * of->n_k * pitch;
                    for (int k = 0; k < of->n_k && !(of->skip && SB_WINOGRAD_SKIPS(z)); k++)
                        sum = SB_FMA(a[(size_t)k * a_pitch + m], b[(size_t)k * pitch + t], sum);
                }
                *c = sum;
            }
}

static void expect_forward(const forward_case *of, fill kind)
{
    const size_t n = domain_of(of->m, of->n);
    sb_domain_product_args args = {.n_parts = of->n_parts, .m = of->m, .n = of->n, .adds = of->adds};
    sb_real *a[MOST_PARTS] = {NULL}, *b[MOST_PARTS] = {NULL}, *before = random_numbers(n, kind, C);
    sb_real *wanted = malloc(n * sizeof *wanted), *got = malloc(n * sizeof *got);
    assert_true(wanted && got);
    for (int part = 0; part < of->n_parts; part++) {
        a[part] = random_numbers(domain_of(of->n_k[part], of->m), kind, A + (uint32_t)part);
        b[part] = random_numbers(domain_of(of->n_k[part], of->n), kind, B + (uint32_t)part);
        args.part[part] = (sb_domain_part){a[part], b[part], of->n_k[part], of->skip[part]};
    }
    memcpy(wanted, before, n * sizeof *wanted);
    args.c = wanted;
    written_forward(&args);
    args.c = got;
    for (int i = 0; i < sb_domain_tiles_count(SB_DOMAIN_FORWARD); i++) {
        const char *name = sb_domain_tiles_name(SB_DOMAIN_FORWARD, i);
        const sb_domain_tile *tile = sb_domain_tile_for(SB_DOMAIN_FORWARD, of->m, of->n, SB_POINTS, 1, name);
        for (sb_walk walk = SB_WALK_UP; walk <= last_walk(kind); walk++) {
            memcpy(got, before, n * sizeof *got);
            assert_true(sb_kernels_walk(tile->kernel, grid_of(tile, of->m, of->n), &args, walk));
            expect_same(of->name, name, kind, wanted, got, n);
        }
    }
    for (int part = 0; part < of->n_parts; part++) free(a[part]), free(b[part]);
    free(before), free(wanted), free(got);
}

static void forward_tiles_have_the_written_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forward_cases / sizeof *forward_cases; i++)
        for (fill kind = FILL_RANDOM; kind < fills_tried; kind++) expect_forward(&forward_cases[i], kind);
}

/* ---- weight product ---- */

typedef struct weight_case {
    const char *name;
    int m, n, tiles, n_frames, skip;
} weight_case;

static const weight_case weight_cases[] = {
    {"one number", 1, 1, 1, 1, 0},
    {"maps of one tile, several frames", 7, 5, 1, 5, 0},
    {"ragged", 50, 37, 23, 2, 0},
    {"upsampled", 20, 12, 13, 3, 1},
    {"the last four of a chunk is missing", 48, 48, 36, 2, 0},
    {"more than one tile each way", 129, 66, 20, 1, 0},
    {"powers of two", 64, 64, 32, 1, 0},
};

static void written_weights(const sb_domain_weight_product_args *p)
{
    const int pitch = sb_domain_pitch(p->tiles);
    for (int z = 0; z < SB_POINTS; z++)
        for (int m = 0; m < p->m && !(p->skip && SB_WINOGRAD_SKIPS(z)); m++)
            for (int j = 0; j < p->n; j++)
                for (int frame = 0; frame < p->n_frames; frame++)
                    for (int t = 0; t < p->tiles; t++) {
                        sb_real *c = &p->c[((size_t)z * p->m + m) * p->n + j];
                        *c = SB_FMA(p->a[frame][((size_t)z * p->m + m) * pitch + t],
                                    p->b[frame][((size_t)z * p->n + j) * pitch + t], *c);
                    }
}

static void expect_weights(const weight_case *of, fill kind)
{
    const size_t n = (size_t)SB_POINTS * of->m * of->n;
    sb_domain_weight_product_args args = {
        .n_frames = of->n_frames, .m = of->m, .n = of->n, .tiles = of->tiles, .skip = of->skip};
    sb_real *a[SB_PRODUCT_FRAMES], *b[SB_PRODUCT_FRAMES], *before = random_numbers(n, kind, C);
    sb_real *wanted = malloc(n * sizeof *wanted), *got = malloc(n * sizeof *got);
    assert_true(wanted && got);
    for (int f = 0; f < of->n_frames; f++) {
        args.a[f] = a[f] = random_numbers(domain_of(of->m, of->tiles), kind, A + (uint32_t)f);
        args.b[f] = b[f] = random_numbers(domain_of(of->n, of->tiles), kind, B + (uint32_t)f);
    }
    memcpy(wanted, before, n * sizeof *wanted);
    args.c = wanted;
    written_weights(&args);
    args.c = got;
    for (int i = 0; i < sb_domain_tiles_count(SB_DOMAIN_WEIGHT); i++) {
        const char *name = sb_domain_tiles_name(SB_DOMAIN_WEIGHT, i);
        const sb_domain_tile *tile = sb_domain_tile_for(SB_DOMAIN_WEIGHT, of->m, of->n, SB_POINTS, 1, name);
        for (sb_walk walk = SB_WALK_UP; walk <= last_walk(kind); walk++) {
            memcpy(got, before, n * sizeof *got);
            assert_true(sb_kernels_walk(tile->kernel, grid_of(tile, of->m, of->n), &args, walk));
            expect_same(of->name, name, kind, wanted, got, n);
        }
    }
    for (int f = 0; f < of->n_frames; f++) free(a[f]), free(b[f]);
    free(before), free(wanted), free(got);
}

static void weight_tiles_have_the_written_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof weight_cases / sizeof *weight_cases; i++)
        for (fill kind = FILL_RANDOM; kind < fills_tried; kind++) expect_weights(&weight_cases[i], kind);
}

/* ---- choice ---- */

/* Blocks of a launch compute every point once, and those that an upsampled map leaves out come last. */
static void points_left_out_come_last(void **state)
{
    (void)state;
    int n[SB_POINTS] = {0}, kept = 0;
    while (kept < SB_POINTS && !SB_WINOGRAD_SKIPS(sb_domain_point(kept))) kept++;
    assert_int_equal(kept, SB_POINTS_KEPT);
    for (int z = 0; z < SB_POINTS; z++) {
        const int point = sb_domain_point(z);
        assert_in_range(point, 0, SB_POINTS - 1);
        assert_int_equal(SB_WINOGRAD_SKIPS(point), z >= kept);
        n[point]++;
    }
    for (int point = 0; point < SB_POINTS; point++) assert_int_equal(n[point], 1);
}

static void names_force_a_tile(void **state)
{
    (void)state;
    for (int i = 0; i < sb_domain_tiles_count(SB_DOMAIN_FORWARD); i++) {
        const char *name = sb_domain_tiles_name(SB_DOMAIN_FORWARD, i);
        assert_ptr_equal(sb_domain_tile_for(SB_DOMAIN_FORWARD, 8, 8, SB_POINTS, 132, name)->name, name);
        assert_string_equal(sb_domain_tiles_find(name), name);
        for (int j = 0; j < i; j++) assert_string_not_equal(sb_domain_tiles_name(SB_DOMAIN_FORWARD, j), name);
    }
    assert_string_equal(sb_domain_tiles_find("48x48"), "48x48"); /* of weights alone */
    assert_null(sb_domain_tiles_find("47x48"));
    assert_null(sb_domain_tiles_find(NULL));
    const sb_domain_tile *chosen = sb_domain_tile_for(SB_DOMAIN_FORWARD, 192, 300, SB_POINTS, 132, NULL);
    assert_ptr_equal(sb_domain_tile_for(SB_DOMAIN_FORWARD, 192, 300, SB_POINTS, 132, "48x48"), chosen);
}

static const char *chosen(sb_domain_tile_kind kind, int m, int n, int points)
{
    return sb_domain_tile_for(kind, m, n, points, 132, NULL)->name;
}

/* Many rows and columns take the largest tile, few of them a small one; fewer points may need a smaller one. */
static void table_fits_the_shape(void **state)
{
    (void)state;
    assert_string_equal(chosen(SB_DOMAIN_FORWARD, 512, 32768, SB_POINTS), "128x128");
    assert_string_equal(chosen(SB_DOMAIN_FORWARD, 64, 32768, SB_POINTS), "64x128");
    assert_string_equal(chosen(SB_DOMAIN_FORWARD, 768, 20, SB_POINTS), "128x24");
    assert_string_equal(chosen(SB_DOMAIN_FORWARD, 96, 300, SB_POINTS),
                        "48x80"); /* 64x64 takes as long and computes more */
    assert_string_equal(chosen(SB_DOMAIN_FORWARD, 192, 20, SB_POINTS), "narrow");
    assert_string_equal(chosen(SB_DOMAIN_WEIGHT, 512, 512, SB_POINTS), "128x64");
    assert_string_equal(chosen(SB_DOMAIN_WEIGHT, 48, 48, SB_POINTS), "48x48");
    for (sb_domain_tile_kind kind = SB_DOMAIN_FORWARD; kind <= SB_DOMAIN_WEIGHT; kind++)
        for (int m = 1; m < 600; m += 37)
            for (int n = 1; n < 600; n += 41) assert_non_null(sb_domain_tile_for(kind, m, n, SB_POINTS_KEPT, 1, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forward_tiles_have_the_written_bits),
                                       cmocka_unit_test(weight_tiles_have_the_written_bits),
                                       cmocka_unit_test(points_left_out_come_last),
                                       cmocka_unit_test(names_force_a_tile), cmocka_unit_test(table_fits_the_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
