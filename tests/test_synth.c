/* Synthetic data: the same bytes on every machine (held to hashes written down here), and the properties training
 * needs. */
#include "support.h"

#include "core/hash.h"
#include "datasets/synth/synth.h"
#include "datasets/synth/walk_render.h"
#include "io/text_draw.h"

#include <stdlib.h>
#include <string.h>

enum { W = 48, H = 32, N_FRAMES = 90 };

static uint8_t frames[N_FRAMES][H][W][3];

static int draw_walk(void **state)
{
    (void)state;
    sb_renderer *renderer;
    sb_path *path;
    sb_world *world = sb_world_make(1);
    assert_non_null(world);
    assert_int_equal(sb_renderer_make(&renderer, world, W, H), SB_OK);
    assert_int_equal(sb_path_make(&path, 1, N_FRAMES), SB_OK);
    for (int i = 0; i < N_FRAMES; i++) {
        sb_camera camera = sb_path_next(path);
        sb_renderer_draw(renderer, &camera, &frames[i][0][0][0]);
    }
    sb_path_free(path);
    sb_renderer_free(renderer);
    sb_world_free(world);
    return 0;
}

static void the_walk_is_these_bytes(void **state)
{
    (void)state;
    char hex[SB_HASH_TEXT];
    sb_hash_text(sb_hash_of(frames, sizeof frames, 1), hex);
    assert_string_equal(hex, "cc7a7ef192e916efaac5b7000e8085ce");
}

/* Neighbouring frames differ a little, frames three seconds apart a lot: what a head camera at 30 frames a second sees.
 */
static void the_walk_moves_smoothly(void **state)
{
    (void)state;
    long neighbours = 0, far = 0;
    for (int i = 0; i + 1 < N_FRAMES; i++) {
        long change = 0;
        for (size_t k = 0; k < sizeof frames[0]; k++)
            change += abs((&frames[i][0][0][0])[k] - (&frames[i + 1][0][0][0])[k]);
        assert_true(change > (long)sizeof frames[0] / 2 && change < (long)sizeof frames[0] * 25);
        neighbours += change;
    }
    for (size_t k = 0; k < sizeof frames[0]; k++)
        far += abs((&frames[0][0][0][0])[k] - (&frames[N_FRAMES - 1][0][0][0])[k]);
    assert_true(far > 2 * neighbours / (N_FRAMES - 1));
}

static void other_seeds_are_other_towns(void **state)
{
    (void)state;
    sb_world *a = sb_world_make(1), *b = sb_world_make(1), *c = sb_world_make(2);
    assert_true(a && b && c);
    assert_memory_equal(a->cell, b->cell, sizeof a->cell);
    assert_memory_equal(a->light, b->light, sizeof a->light);
    assert_memory_not_equal(a->cell, c->cell, sizeof a->cell);
    sb_world_free(c);
    sb_world_free(b);
    sb_world_free(a);
}

/* Frame number `frame` of the picture that moves by so many 256ths of a pixel a frame. */
static void draw_motion(uint32_t speed, uint32_t frame, uint8_t to[H][W][3])
{
    sb_motion motion;
    assert_int_equal(sb_motion_make(&motion, 1, W, H, speed), SB_OK);
    sb_motion_draw(&motion, frame, &to[0][0][0]);
    sb_motion_free(&motion);
}

static void the_picture_moves_to_the_left_and_comes_back(void **state)
{
    (void)state;
    static uint8_t start[H][W][3], later[H][W][3];
    draw_motion(256, 0, start);
    draw_motion(256, 5, later);
    for (size_t y = 0; y < H; y++) assert_memory_equal(later[y], start[y][5], (W - 5) * 3);
    draw_motion(64, 20, start);
    assert_memory_equal(later, start, sizeof later);
    draw_motion(128, 9, start); /* half a pixel behind */
    assert_memory_not_equal(later, start, sizeof later);
    draw_motion(256, 256 + 5, start);
    assert_memory_equal(later, start, sizeof later);
    draw_motion(768, 1u << 30 | 5, start); /* 256 periods go round in 32 bits, so that nothing is lost */
    draw_motion(768, 5, later);
    assert_memory_equal(later, start, sizeof later);
    draw_motion(0, 5, start);
    draw_motion(0, 9, later);
    assert_memory_equal(later, start, sizeof later);
}

static void the_digits_are_these_bytes(void **state)
{
    (void)state;
    uint8_t image[SB_DIGIT_BYTES], label;
    char hex[SB_HASH_TEXT];
    sb_hasher *hasher = sb_hasher_begin();
    assert_non_null(hasher);
    for (uint32_t i = 0; i < 500; i++) {
        label = sb_digit_draw(1, i, image);
        sb_hasher_add(hasher, image, sizeof image, 1);
        sb_hasher_add(hasher, &label, 1, 1);
    }
    sb_hash_text(sb_hasher_end(hasher), hex);
    assert_string_equal(hex, "bc6da8a5c5ebf7567a6f4c84afb57cc4");
}

/* Like MNIST: every digit as often, the rim empty, the centre of mass in the middle, no two alike. */
static void the_digits_are_centred_and_even(void **state)
{
    (void)state;
    uint8_t image[SB_DIGIT_BYTES], before[SB_DIGIT_BYTES] = {0};
    int count[10] = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        long mass = 0, x = 0, y = 0;
        count[sb_digit_draw(9, i, image)]++;
        for (int k = 0; k < SB_DIGIT_BYTES; k++) {
            mass += image[k];
            x += (long)image[k] * (2 * (k % SB_DIGIT_SIDE) + 1 - SB_DIGIT_SIDE);
            y += (long)image[k] * (2 * (k / SB_DIGIT_SIDE) + 1 - SB_DIGIT_SIDE);
        }
        assert_true(mass > 20 * 255 && mass < 350 * 255);
        assert_true(labs(x) < 3 * mass && labs(y) < 3 * mass); /* within a pixel and a half of the middle */
        assert_memory_not_equal(image, before, sizeof image);
        memcpy(before, image, sizeof image);
    }
    for (int digit = 0; digit < 10; digit++) assert_in_range(count[digit], 420, 580);
}

static void the_shapes_are_these_bytes(void **state)
{
    (void)state;
    uint8_t image[SB_SHAPE_BYTES], label;
    char hex[SB_HASH_TEXT];
    sb_hasher *hasher = sb_hasher_begin();
    assert_non_null(hasher);
    for (uint32_t i = 0; i < 300; i++) {
        label = sb_shape_draw(1, i, image);
        sb_hasher_add(hasher, image, sizeof image, 1);
        sb_hasher_add(hasher, &label, 1, 1);
    }
    sb_hash_text(sb_hasher_end(hasher), hex);
    assert_string_equal(hex, "98e5b3b447be75199e13b5bc3c65ab30");
}

/* Every kind as often as another, no two pictures alike, and no kind known by its mean colour or brightness. */
static void the_shapes_are_even(void **state)
{
    (void)state;
    enum { N = 3000 };
    uint8_t image[SB_SHAPE_BYTES], before[SB_SHAPE_BYTES] = {0};
    int count[10] = {0};
    double sum[10][SB_SHAPE_CHANNELS] = {0};
    for (uint32_t i = 0; i < N; i++) {
        const uint8_t kind = sb_shape_draw(9, i, image);
        assert_true(kind < 10);
        count[kind]++;
        for (int k = 0; k < SB_SHAPE_BYTES; k++) sum[kind][k % SB_SHAPE_CHANNELS] += image[k];
        assert_memory_not_equal(image, before, sizeof image);
        memcpy(before, image, sizeof image);
    }
    for (int kind = 0; kind < 10; kind++) {
        assert_in_range(count[kind], 230, 370); /* four standard deviations of 16 */
        for (int c = 0; c < SB_SHAPE_CHANNELS; c++) {
            const double mean = sum[kind][c] / count[kind] / (SB_SHAPE_BYTES / SB_SHAPE_CHANNELS);
            if (mean < 110 || mean > 146) fail_msg("kind %d, channel %d: mean %g", kind, c, mean);
        }
    }
}

static void the_kinds_have_names(void **state)
{
    (void)state;
    int lines = 1;
    for (const char *c = sb_shape_classes; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 10);
}

/* A shorter text is the beginning of the longer one, all of it is ASCII, and quotation marks come in pairs. */
static void a_text_is_sentences(void **state)
{
    (void)state;
    static char text[20000], shorter[777], other[sizeof shorter];
    size_t quotes = 0;
    sb_text_draw(1, sizeof text, text);
    sb_text_draw(1, sizeof shorter, shorter);
    sb_text_draw(2, sizeof other, other);
    assert_memory_equal(text, shorter, sizeof shorter);
    assert_memory_not_equal(text, other, sizeof other);
    for (size_t i = 0; i < sizeof text; i++) {
        assert_true(text[i] == '\n' || (text[i] >= ' ' && text[i] <= 'z'));
        quotes += text[i] == '"';
        if (text[i] == '\n' && i) assert_int_equal(quotes % 2, 0);
    }
    assert_true(quotes > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_walk_is_these_bytes),     cmocka_unit_test(the_walk_moves_smoothly),
        cmocka_unit_test(other_seeds_are_other_towns), cmocka_unit_test(the_picture_moves_to_the_left_and_comes_back),
        cmocka_unit_test(the_digits_are_these_bytes),  cmocka_unit_test(the_digits_are_centred_and_even),
        cmocka_unit_test(the_shapes_are_these_bytes),  cmocka_unit_test(the_shapes_are_even),
        cmocka_unit_test(the_kinds_have_names),
        cmocka_unit_test(a_text_is_sentences),
    };
    return cmocka_run_group_tests(tests, draw_walk, NULL);
}
