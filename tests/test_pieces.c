/* How the native backend shares out rows and columns (ops/simd.h): nothing twice, nothing left, nobody has two more. */
#define SB_ISA plain
#include "ops/simd.h"

#include "support.h"

static void check(int n, int pieces)
{
    assert_int_equal(sb_piece_begin(n, pieces, 0), 0);
    assert_int_equal(sb_piece_begin(n, pieces, pieces), n);
    for (int i = 0; i < pieces; i++) {
        const int size = sb_piece_begin(n, pieces, i + 1) - sb_piece_begin(n, pieces, i);
        if (size != n / pieces && size != n / pieces + 1) fail_msg("piece %d of %d of %d: %d", i, pieces, n, size);
    }
}

static void pieces_are_nearly_equal(void **unused)
{
    (void)unused;
    for (int n = 1; n <= 100; n++)
        for (int pieces = 1; pieces <= n; pieces++) check(n, pieces);
}

/* Their numbers times n have more than 32 bits. */
static void so_are_many_of_them(void **unused)
{
    (void)unused;
    check(600000, 18750);
    check(INT32_MAX, 100000);
}

static void tiles_are_pieces_of_at_most_their_rows(void **unused)
{
    (void)unused;
    for (int n = 1; n <= 200; n++) {
        assert_int_equal(sb_tile_begin(n, 0), 0);
        assert_int_equal(sb_tile_begin(n, sb_tiles_of(n)), n);
        for (int tile = 0; tile < sb_tiles_of(n); tile++) {
            const int height = sb_tile_begin(n, tile + 1) - sb_tile_begin(n, tile);
            assert_true(height >= 1 && height <= SB_TILE_ROWS);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_are_nearly_equal), cmocka_unit_test(so_are_many_of_them),
                                       cmocka_unit_test(tiles_are_pieces_of_at_most_their_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
