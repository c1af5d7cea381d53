#include "core/command/options.h"
#include "datasets/synth/motion_draw.h"
#include "datasets/synth/synth.h"
#include "datasets/synth/synth_video.h"

#include <math.h>

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
