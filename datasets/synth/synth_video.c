#include "datasets/synth/synth.h"

#include "core/machine/interrupt.h"
#include "core/screen/progress.h"
#include "core/size.h"
#include "core/text/plural.h"
#include "datasets/catalog/provenance.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>

/* Pictures number first .. first + n - 1. */
static sb_status draw(const sb_pictures *p, const sb_pictures_values *v, size_t first, size_t n, uint8_t *pixels,
                      uint8_t *label)
{
    const size_t size = p->side * p->side * p->channels;
    for (size_t i = 0; i < n; i++) {
        label[i] = p->draw((uint32_t)v->seed, (uint32_t)(first + i), pixels + i * size);
        if (sb_interrupt_signal()) return sb_fail(SB_E_INTERRUPTED, "%s: interrupted, nothing was written", v->output);
    }
    return SB_OK;
}

/* They as the data sets `images` and `labels`. */
static sb_status write_half(sb_h5 *file, const sb_pictures *p, const sb_pictures_values *v, size_t first, size_t n,
                            const char *images, const char *labels)
{
    const size_t dim[] = {n, p->side, p->side, p->channels};
    SB_FREED uint8_t *pixels = sb_size_allocate(n, p->side * p->side * p->channels);
    SB_FREED uint8_t *label = sb_size_allocate(n, 1);
    if (!pixels || !label) return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu images", v->output, n);
    SB_TRY(draw(p, v, first, n, pixels, label));
    SB_TRY(sb_h5_write(file, images, SB_U8, p->channels > 1 ? 4 : 3, dim, pixels, SB_H5_PACKED));
    return sb_h5_write(file, labels, SB_U8, 1, dim, label, SB_H5_PACKED);
}

static sb_status write_all(sb_h5 *file, const sb_pictures *p, const sb_call *call)
{
    const sb_pictures_values *v = call->values;
    const size_t n = (size_t)v->n_images;
    SB_TRY(write_half(file, p, v, 0, n, "images", "labels"));
    SB_TRY(write_half(file, p, v, n, (size_t)v->n_test, "test_images", "test_labels"));
    if (p->classes) SB_TRY(sb_h5_set_text(file, "", "classes", p->classes));
    return sb_provenance_write(file, &(sb_provenance){
                                         .kind = p->kind,
                                         .source = p->source,
                                         .licence = "Apache-2.0",
                                         .command = call->command,
                                         .values = v,
                                     });
}

sb_status sb_pictures_write(const sb_pictures *pictures, const sb_call *call)
{
    const sb_pictures_values *v = call->values;
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, v->output, SB_SEAL_DATA));
    SB_TRY(sb_h5_finish(file, write_all(file, pictures, call)));
    fprintf(stderr, "%s: %ld image%s and %ld test image%s\n", v->output, v->n_images, sb_plural((size_t)v->n_images),
            v->n_test, sb_plural((size_t)v->n_test));
    return SB_OK;
}

typedef struct job {
    const sb_synth_video *video;
    const sb_synth_artist *artist;
    void *state; /* the artist's */
    sb_h5 *file;
    uint8_t *rgb; /* [h][w][3] */
    long n_done;
    sb_progress progress;
} job;

static sb_status draw_frames(job *j, long n)
{
    for (long i = 0; i < n; i++) {
        j->artist->draw(j->state, j->rgb);
        SB_TRY(sb_h5_append_rows(j->file, "frames", SB_U8, 1, j->rgb));
        sb_progress_show(&j->progress, (double)++j->n_done, "frames");
        if (sb_interrupt_signal())
            return sb_fail(SB_E_INTERRUPTED, "%s: interrupted, nothing was written", j->video->output);
    }
    return SB_OK;
}

static sb_status draw_sequence(job *j, uint32_t seed, long n)
{
    sb_status status = j->artist->begin(j->state, seed, n);
    if (status == SB_OK) status = draw_frames(j, n);
    j->artist->end(j->state);
    return status;
}

static sb_status draw_all(job *j, const sb_command *command, const void *values)
{
    const sb_synth_video *v = j->video;
    int64_t starts[SB_SYNTH_SEQUENCES];
    char source[80];
    size_t dim[] = {1, (size_t)v->size.h, (size_t)v->size.w, 3};
    SB_TRY(sb_h5_create_rows(j->file, "frames", SB_U8, 4, dim));
    for (long k = 0; k < v->n_sequences; k++) {
        starts[k] = v->n_frames * k / v->n_sequences;
        long end = v->n_frames * (k + 1) / v->n_sequences;
        SB_TRY(draw_sequence(j, (uint32_t)(v->seed + k * 7919), end - (long)starts[k]));
    }
    SB_TRY(sb_h5_write(j->file, "sequence", SB_I64, 1, (size_t[]){(size_t)v->n_sequences}, starts, SB_H5_PLAIN));
    snprintf(source, sizeof source, "%s %s", command->program, command->verb);
    return sb_provenance_write(j->file, &(sb_provenance){
                                            .kind = "video",
                                            .source = source,
                                            .licence = "Apache-2.0",
                                            .command = command,
                                            .values = values,
                                        });
}

sb_status sb_synth_video_write(const sb_command *command, const void *values, const sb_synth_video *video,
                               const sb_synth_artist *artist, void *state)
{
    if (video->n_sequences > video->n_frames)
        return sb_fail(SB_E_USAGE, "%s %s: --sequences %ld is more than --frames %ld", command->program, command->verb,
                       video->n_sequences, video->n_frames);
    job j = {.video = video, .artist = artist, .state = state};
    j.rgb = malloc((size_t)video->size.w * (size_t)video->size.h * 3);
    if (!j.rgb) return sb_fail(SB_E_MEMORY, "%s: not enough memory", video->output);
    sb_status status = sb_h5_create(&j.file, video->output, SB_SEAL_DATA);
    if (status == SB_OK) {
        j.progress = sb_progress_begin(command->verb, (double)video->n_frames);
        status = sb_h5_finish(j.file, draw_all(&j, command, values));
        sb_progress_end(&j.progress);
    }
    free(j.rgb);
    if (status == SB_OK)
        fprintf(stderr, "%s: %ld frame%s of %dx%d\n", video->output, video->n_frames,
                sb_plural((size_t)video->n_frames), video->size.w, video->size.h);
    return status;
}
