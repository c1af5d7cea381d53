/* Decoding: known content comes out, and the same pixels for any thread count and instruction set. */
#include "support.h"

#include "core/hash.h"
#include "datasets/convert/video.h"

#include <libavutil/cpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_FRAMES = 20 };

static void make_clip(const char *path, const char *size, const char *codec)
{
    char command[256];
    snprintf(command, sizeof command, "bin/make_clip %s %d %s %s", path, N_FRAMES, size, codec);
    assert_int_equal(system(command), 0);
}

/* All frames of a file as one hash. */
static sb_hash hash_of(const char *path, const sb_video_options *options, int *n_frames)
{
    sb_video *video;
    size_t n_bytes = (size_t)options->w * (size_t)options->h * 3;
    uint8_t *rgb = malloc(n_bytes + 64);
    sb_hasher *hasher = sb_hasher_begin();
    bool more;
    assert_true(rgb && hasher);
    assert_int_equal(sb_video_open(&video, path, options), SB_OK);
    *n_frames = 0;
    for (;;) {
        assert_int_equal(sb_video_next(video, rgb, &more), SB_OK);
        if (!more) break;
        sb_hasher_add(hasher, rgb, n_bytes, 1);
        ++*n_frames;
    }
    assert_int_equal(sb_video_about(video)->n_broken, 0);
    sb_video_close(video);
    free(rgb);
    return sb_hasher_end(hasher);
}

static void same_pixels_everywhere(void **state)
{
    (void)state;
    static const char *const codecs[] = {"ffv1", "mpeg4", "mjpeg"};
    static const char *const scalers[] = {"bilinear", "area", "bicubic"};
    int flags = av_get_cpu_flags(), n;
    for (int c = 0; c < 3; c++) {
        make_clip("test_video.avi", "208x150", codecs[c]);
        for (int s = 0; s < 6; s++) {
            sb_video_options options = {.w = 64, .h = 48, .scaler = scalers[s % 3], .threads = 1};
            if (s >= 3) options.crop = (sb_aspect){4, 3};
            sb_hash plain = hash_of("test_video.avi", &options, &n);
            assert_int_equal(n, N_FRAMES);
            options.threads = 3;
            assert_true(sb_hash_equal(hash_of("test_video.avi", &options, &n), plain));
            av_force_cpu_flags(0); /* no vector instructions at all */
            sb_hash scalar = hash_of("test_video.avi", &options, &n);
            av_force_cpu_flags(flags);
            if (!sb_hash_equal(scalar, plain))
                fail_msg("%s, %s: scalar code gives other pixels", codecs[c], scalers[s % 3]);
        }
    }
    unlink("test_video.avi");
}

/* The luma of make_clip rises by 3 a column: a lossless clip at its own size shows it, and the crop moves it. */
static void known_content_comes_out(void **state)
{
    (void)state;
    uint8_t whole[40 * 24 * 3 + 64], middle[32 * 24 * 3 + 64];
    bool more;
    sb_video *video;
    make_clip("test_video.avi", "40x24", "ffv1");
    assert_int_equal(sb_video_open(&video, "test_video.avi", &(sb_video_options){40, 24, {0, 0}, "bilinear", 1}),
                     SB_OK);
    assert_int_equal(sb_video_about(video)->w, 40);
    assert_int_equal(sb_video_about(video)->n_frames, N_FRAMES);
    assert_int_equal(sb_video_next(video, whole, &more), SB_OK);
    sb_video_close(video);
    /* Green at (x, 0): luma 16 + 3x and neutral chroma there, widened from 219 to 255 levels. */
    for (int x = 0; x < 40; x++) {
        int expected = 3 * x * 255 / 219;
        if (abs(whole[3 * x + 1] - expected) > 4) fail_msg("column %d is %d, not %d", x, whole[3 * x + 1], expected);
    }
    assert_int_equal(sb_video_open(&video, "test_video.avi", &(sb_video_options){32, 24, {4, 3}, "bilinear", 1}),
                     SB_OK);
    assert_int_equal(sb_video_next(video, middle, &more), SB_OK);
    sb_video_close(video);
    for (int y = 0; y < 24; y++)
        assert_memory_equal(middle + y * 96 + 12, whole + y * 120 + 24, 72); /* away from the edge */
    unlink("test_video.avi");
}

/* Pixel i of a picture of 16x16 has the gray level i, at most 1 off. */
static void expect_ramp(const char *path)
{
    uint8_t rgb[256 * 3 + 64];
    bool more;
    sb_video *video;
    assert_int_equal(sb_video_open(&video, path, &(sb_video_options){16, 16, {0, 0}, "bilinear", 1}), SB_OK);
    assert_int_equal(sb_video_next(video, rgb, &more), SB_OK);
    assert_true(more);
    sb_video_close(video);
    for (int i = 0; i < 256 * 3; i++)
        if (abs(rgb[i] - i / 3) > 1) fail_msg("%s: pixel %d has the level %d", path, i / 3, rgb[i]);
}

static void write_pgm(const char *path, int most)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "P5 16 16 %d\n", most);
    for (int i = 0; i < 256; i++) {
        const int level = (i * most + 127) / 255;
        if (most > 255) fputc(level >> 8, file);
        fputc(level & 255, file);
    }
    assert_int_equal(fclose(file), 0);
}

static void gray_keeps_its_levels(void **state)
{
    (void)state;
    static const char *const ramps[] = {"ramp.pgm", "ramp.png", "ramp.tif"};
    static const int depths[] = {255, 1023, 4095, 65535};
    for (size_t i = 0; i < sizeof ramps / sizeof *ramps; i++) {
        char path[512];
        snprintf(path, sizeof path, SB_TEST_MEDIA "/%s", ramps[i]);
        expect_ramp(path);
    }
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        write_pgm("test_video.pgm", depths[i]);
        expect_ramp("test_video.pgm");
    }
    static const char *const forms[] = {"gray", "gray10le", "gray16le"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char command[128];
        snprintf(command, sizeof command, "bin/make_clip test_video.mkv 2 16x16 ffv1 %s", forms[i]);
        assert_int_equal(system(command), 0);
        expect_ramp("test_video.mkv");
    }
    unlink("test_video.pgm");
    unlink("test_video.mkv");
}

/* Colors that are RGB in the file are the same after scaling, at most 1 off. */
static void rgb_keeps_its_colors(void **state)
{
    (void)state;
    static const uint8_t color[] = {200, 40, 90};
    uint8_t rgb[8 * 8 * 3 + 64];
    bool more;
    sb_video *video;
    assert_int_equal(system("bin/make_clip test_video.mkv 1 16x16 ffv1 bgr0"), 0);
    assert_int_equal(sb_video_open(&video, "test_video.mkv", &(sb_video_options){8, 8, {0, 0}, "bilinear", 1}), SB_OK);
    assert_int_equal(sb_video_next(video, rgb, &more), SB_OK);
    sb_video_close(video);
    for (int i = 0; i < 8 * 8 * 3; i++)
        if (abs(rgb[i] - color[i % 3]) > 1) fail_msg("pixel %d, color %d has the level %d", i / 3, i % 3, rgb[i]);
    unlink("test_video.mkv");
}

/* What an edit list hides is not missing. */
static void trimmed_clip_is_whole(void **state)
{
    (void)state;
    uint8_t rgb[16 * 16 * 3 + 64];
    bool more = true;
    sb_video *video;
    const sb_video_options options = {16, 16, {0, 0}, "bilinear", 1};
    assert_int_equal(sb_video_open(&video, SB_TEST_MEDIA "/trimmed.mp4", &options), SB_OK);
    const sb_video_facts *facts = sb_video_about(video);
    while (more) assert_int_equal(sb_video_next(video, rgb, &more), SB_OK);
    assert_int_equal(facts->n_stated, 100);
    assert_int_equal(facts->n_frames, 32);
    assert_int_equal(facts->n_decoded, 32);
    sb_video_close(video);
}

static void bad_files_are_sentences(void **state)
{
    (void)state;
    static const sb_video_options options = {64, 48, {0, 0}, "bilinear", 1};
    static const uint8_t wav[] =
        "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x8\0data\x8\0\0\0abcdefgh";
    sb_video *video;
    FILE *file = fopen("test_video.wav", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(wav, 1, sizeof wav - 1, file), sizeof wav - 1);
    fclose(file);
    assert_int_equal(sb_video_open(&video, "test_video.wav", &options), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), "test_video.wav: no video stream among its 1 stream");
    assert_null(video);
    unlink("test_video.wav");
    assert_int_equal(sb_video_open(&video, "no-such.mp4", &options), SB_E_USAGE);
    assert_string_equal(sb_message(), "no-such.mp4: No such file or directory");
}

static void shapes_in_words(void **state)
{
    (void)state;
    static const struct {
        long w, h;
        const char *text;
    } shapes[] = {{160, 120, "4:3"}, {1920, 1080, "16:9"}, {48, 32, "3:2"}, {7, 7, "1:1"}, {848, 480, "1.77:1"}};
    char text[SB_ASPECT_TEXT];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        sb_aspect_text(sb_aspect_of(shapes[i].w, shapes[i].h), text);
        assert_string_equal(text, shapes[i].text);
    }
    assert_false(sb_aspect_differs(sb_aspect_of(854, 480), sb_aspect_of(1920, 1080)));
    assert_true(sb_aspect_differs(sb_aspect_of(160, 120), sb_aspect_of(48, 32)));
    assert_true(sb_aspect_differs(sb_aspect_of(9, 16), sb_aspect_of(16, 9)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_in_words),         cmocka_unit_test(same_pixels_everywhere),
        cmocka_unit_test(known_content_comes_out), cmocka_unit_test(gray_keeps_its_levels),
        cmocka_unit_test(rgb_keeps_its_colors),    cmocka_unit_test(trimmed_clip_is_whole),
        cmocka_unit_test(bad_files_are_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
