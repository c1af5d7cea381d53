#include "core/command/options.h"
#include "datasets/synth/fixed.h"
#include "datasets/synth/synth.h"
#include "datasets/synth/walk_texture.h"

#include <math.h>

/* One picture that moves evenly to the left: the simplest video with motion in it. Whole-number arithmetic, as the walk
 * (fixed.h). */

enum { LOG2_PERIOD = 8, LOG2_CELL = 4 };
_Static_assert(1 << LOG2_PERIOD == SB_MOTION_PERIOD, "the texture is one period");
_Static_assert(SB_MOTION_SUBPIXELS << LOG2_PERIOD == 1 << 16, "a period is what sb_texture_at takes: Q16");

static sb_texel paint(uint32_t seed, int x, int y)
{
    int rgb[3];
    for (uint32_t c = 0; c < 3; c++) rgb[c] = sb_noise_sum(sb_mix(seed, c, 0), x, y, LOG2_CELL, LOG2_PERIOD);
    return sb_texel_of(rgb[0], rgb[1], rgb[2]);
}

sb_status sb_motion_make(sb_motion *motion, uint32_t seed, int w, int h, uint32_t speed)
{
    *motion = (sb_motion){.w = w, .h = h, .speed = speed};
    return sb_texture_paint(&motion->picture, LOG2_PERIOD, LOG2_PERIOD, paint, seed);
}

void sb_motion_free(sb_motion *motion)
{
    sb_texture_free(&motion->picture);
}

void sb_motion_draw(const sb_motion *motion, uint32_t frame, uint8_t *rgb)
{
    const uint32_t moved = frame * motion->speed; /* whole periods drop out of it, also where it wraps */
    for (uint32_t y = 0; y < (uint32_t)motion->h; y++)
        for (uint32_t x = 0; x < (uint32_t)motion->w; x++) {
            sb_texel texel =
                sb_texture_at(&motion->picture, 0, x * SB_MOTION_SUBPIXELS + moved, y * SB_MOTION_SUBPIXELS);
            for (int c = 0; c < 3; c++) *rgb++ = (uint8_t)(texel >> 8 * c);
        }
}

typedef struct values {
    sb_synth_video video;
    double speed;
} values;

static const sb_option options[] = {
    SB_SYNTH_VIDEO_OPTIONS(values, "motion.h5", "number of sequences, each of another picture", "seed of the picture"),
    SB_OPTION_REAL(values, speed, "--speed", "PIXELS", "1", 0, 128,
                   "pixels that the picture moves left per frame, in steps of 1/256"),
    SB_OPTION_END,
};

typedef struct drawing {
    sb_size size;
    uint32_t speed, frame; /* frame: which comes next */
    sb_motion motion;
} drawing;

static sb_status begin(void *state, uint32_t seed, long n)
{
    drawing *d = state;
    (void)n;
    d->frame = 0;
    return sb_motion_make(&d->motion, seed, d->size.w, d->size.h, d->speed);
}

static void draw(void *state, uint8_t *rgb)
{
    drawing *d = state;
    sb_motion_draw(&d->motion, d->frame++, rgb);
}

static void end(void *state)
{
    drawing *d = state;
    sb_motion_free(&d->motion);
}

static sb_status synth_motion(const sb_call *call)
{
    const values *v = call->values;
    drawing d = {.size = v->video.size, .speed = (uint32_t)lround(v->speed * SB_MOTION_SUBPIXELS)};
    return sb_synth_video_write(call->command, v, &v->video, &(sb_synth_artist){begin, draw, end}, &d);
}

const sb_command sb_verb_synth_motion = {
    .program = "samebits-data",
    .verb = "synth motion",
    .summary = "make a video of one picture that moves evenly, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue =
        "The picture is noise of several sizes that repeats after 256 pixels. At the speed 0 the video stands still.\n",
    .run = synth_motion,
};
