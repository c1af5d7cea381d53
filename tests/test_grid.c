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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pixels_grow_in_their_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
