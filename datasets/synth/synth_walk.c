#include "core/interrupt.h"
#include "core/options.h"
#include "core/plural.h"
#include "core/progress.h"
#include "datasets/catalog/provenance.h"
#include "datasets/synth/walk_render.h"
#include "datasets/verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct values {
    const char *output;
    sb_size size;
    long n_frames, n_sequences, seed;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "walk.h5", "data set file to write"),
    SB_OPTION_SIZE(values, size, "--size", "160x120", 8, 1024, "frame size"),
    SB_OPTION_INT(values, n_frames, "--frames", "N", "5000", 1, 1000000, "frames in all, 30 to a second"),
    SB_OPTION_INT(values, n_sequences, "--sequences", "K", "1", 1, 64,
                  "walks they are shared out to, each in its own town"),
    SB_OPTION_INT(values, seed, "--seed", "N", "1", 0, 2147483647, "which town and way"),
    SB_OPTION_END,
};

typedef struct walk {
    const values *v;
    sb_h5 *file;
    uint8_t *rgb; /* [h][w][3] */
    long n_done;
    sb_progress progress;
} walk;

static sb_status draw_frames(walk *w, sb_renderer *renderer, sb_path *path, long n)
{
    for (long i = 0; i < n; i++) {
        sb_camera camera = sb_path_next(path);
        sb_renderer_draw(renderer, &camera, w->rgb);
        SB_TRY(sb_h5_append_rows(w->file, "frames", SB_U8, 1, w->rgb));
        sb_progress_show(&w->progress, (double)++w->n_done, "frames");
        if (sb_interrupt_signal())
            return sb_fail(SB_E_INTERRUPTED, "%s: interrupted, nothing was written", w->v->output);
    }
    return SB_OK;
}

static sb_status draw_sequence(walk *w, uint32_t seed, long n)
{
    sb_renderer *renderer = NULL;
    sb_path *path = NULL;
    sb_world *world = sb_world_make(seed);
    sb_status status = world ? SB_OK : SB_E_MEMORY;
    if (status == SB_OK) status = sb_renderer_make(&renderer, world, w->v->size.w, w->v->size.h);
    if (status == SB_OK) status = sb_path_make(&path, seed, (int)n);
    if (status == SB_OK) status = draw_frames(w, renderer, path, n);
    sb_path_free(path);
    sb_renderer_free(renderer);
    sb_world_free(world);
    return status;
}

static sb_status draw_all(walk *w)
{
    const values *v = w->v;
    int64_t starts[64];
    size_t dim[] = {1, (size_t)v->size.h, (size_t)v->size.w, 3};
    SB_TRY(sb_h5_create_rows(w->file, "frames", SB_U8, 4, dim));
    for (long k = 0; k < v->n_sequences; k++) {
        starts[k] = v->n_frames * k / v->n_sequences;
        long end = v->n_frames * (k + 1) / v->n_sequences;
        SB_TRY(draw_sequence(w, (uint32_t)(v->seed + k * 7919), end - (long)starts[k]));
    }
    SB_TRY(sb_h5_write(w->file, "sequence", SB_I64, 1, (size_t[]){(size_t)v->n_sequences}, starts, SB_H5_PLAIN));
    return sb_provenance_write(w->file, &(sb_provenance){
                                            .kind = "video",
                                            .source = "samebits-data synth walk",
                                            .licence = "Apache-2.0",
                                            .command = &sb_verb_synth_walk,
                                            .values = v,
                                        });
}

static sb_status synth_walk(const sb_call *call)
{
    const values *v = call->values;
    if (v->n_sequences > v->n_frames)
        return sb_fail(SB_E_USAGE, "samebits-data synth walk: --sequences %ld is more than --frames %ld",
                       v->n_sequences, v->n_frames);
    walk w = {.v = v, .rgb = malloc((size_t)v->size.w * (size_t)v->size.h * 3)};
    if (!w.rgb) return sb_fail(SB_E_MEMORY, "%s: not enough memory", v->output);
    sb_status status = sb_h5_create(&w.file, v->output, SB_SEAL_DATA);
    if (status == SB_OK) {
        w.progress = sb_progress_begin("synth walk", (double)v->n_frames);
        status = sb_h5_finish(w.file, draw_all(&w));
        sb_progress_end(&w.progress);
    }
    free(w.rgb);
    if (status == SB_OK)
        fprintf(stderr, "%s: %ld frame%s of %dx%d\n", v->output, v->n_frames, sb_plural((size_t)v->n_frames), v->size.w,
                v->size.h);
    return status;
}

const sb_command sb_verb_synth_walk = {
    .program = "samebits-data",
    .verb = "synth walk",
    .summary = "make a first-person walk through streets and parks, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue = "Whole-number arithmetic alone makes it: the same seed gives the same frames on every machine.\n",
    .run = synth_walk,
};
