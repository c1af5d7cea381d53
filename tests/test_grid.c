/* The grid of frames: every pixel magnified in its place, nothing beside it touched. */
#include "support.h"

#include "paper/figures/grid.h"

#include <string.h>

static void pixels_grow_in_their_place(void **state)
{
    (void)state;
    enum { WIDTH = 7, HEIGHT = 6 };
    const uint8_t frame[2][2][3] = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}};
    uint8_t picture[HEIGHT][WIDTH][3];
    memset(picture, 255, sizeof picture);
    sb_grid_blit(&picture[0][0][0], WIDTH, 2, 1, &frame[0][0][0], 2, 2, 2);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t white[3] = {255, 255, 255};
            bool inside = x >= 2 && x < 6 && y >= 1 && y < 5;
            assert_memory_equal(picture[y][x], inside ? frame[(y - 1) / 2][(x - 2) / 2] : white, 3);
        }
}

/* Grey is equal; the factor is the largest power of two that cuts nothing off, and one that must cut stays at 1. */
static void differences_are_amplified(void **state)
{
    (void)state;
    static const struct {
        uint8_t a[2], b[2], difference[2];
        int factor;
    } row[] = {{{7, 9}, {7, 9}, {128, 128}, 0},
               {{10, 20}, {11, 20}, {128 - 64, 128}, 64},
               {{10, 20}, {10, 18}, {128, 128 + 2 * 32}, 32},
               {{100, 0}, {37, 60}, {128 + 2 * 63, 128 - 2 * 60}, 2},
               {{100, 0}, {36, 0}, {128 + 64, 128}, 1},
               {{255, 0}, {0, 255}, {255, 0}, 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint8_t difference[2];
        assert_int_equal(sb_grid_difference(difference, row[i].a, row[i].b, 2), row[i].factor);
        assert_memory_equal(difference, row[i].difference, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pixels_grow_in_their_place),
                                       cmocka_unit_test(differences_are_amplified)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
