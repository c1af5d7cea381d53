#include "core/command/options.h"
#include "datasets/synth/synth.h"
#include "datasets/synth/walk_render.h"

typedef struct values {
    sb_synth_video video;
} values;

static const sb_option options[] = {
    SB_SYNTH_VIDEO_OPTIONS(values, "walk.h5", "number of walks, each in its own town", "seed of the town and the way"),
    SB_OPTION_END,
};

typedef struct walk {
    sb_size size;
    sb_world *world;
    sb_renderer *renderer;
    sb_path *path;
} walk;

static sb_status begin(void *state, uint32_t seed, long n)
{
    walk *w = state;
    w->world = sb_world_make(seed);
    if (!w->world) return SB_E_MEMORY;
    SB_TRY(sb_renderer_make(&w->renderer, w->world, w->size.w, w->size.h));
    return sb_path_make(&w->path, seed, (int)n);
}

static void draw(void *state, uint8_t *rgb)
{
    walk *w = state;
    sb_camera camera = sb_path_next(w->path);
    sb_renderer_draw(w->renderer, &camera, rgb);
}

static void end(void *state)
{
    walk *w = state;
    sb_path_free(w->path);
    sb_renderer_free(w->renderer);
    sb_world_free(w->world);
    *w = (walk){.size = w->size};
}

static sb_status synth_walk(const sb_call *call)
{
    const values *v = call->values;
    walk w = {.size = v->video.size};
    return sb_synth_video_write(call->command, v, &v->video, &(sb_synth_artist){begin, draw, end}, &w);
}

const sb_command sb_verb_synth_walk = {
    .program = "samebits-data",
    .verb = "synth walk",
    .summary = "make a first-person walk through streets and parks, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue = "The program uses whole numbers only, so the same seed gives the same frames on every machine.\n",
    .run = synth_walk,
};
