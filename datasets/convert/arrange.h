/* A video's frames in another order: to ask whether what a network learns hangs on the order of the sequences, on the
 * direction of time or on motion at all.
 *
 *     SB_TRY(sb_arrange_open(&arrange, "clip.h5", frame_bytes));
 *     SB_TRY(sb_arrange_add(arrange, rgb));                        for each frame, as it is read
 *     SB_TRY(sb_arrange_plan(&options, &sequences));
 *     SB_TRY(sb_arrange_write(arrange, &options, &sequences, file));
 *     sb_arrange_close(arrange);
 *
 * Frames wait in a file without a name next to the output, so that a long video needs the disk and not the memory.
 */
#ifndef SB_DATASETS_CONVERT_ARRANGE_H
#define SB_DATASETS_CONVERT_ARRANGE_H

#include "core/command/options.h"
#include "io/h5/h5.h"

typedef struct sb_arrange_options {
    sb_list order; /* sequences, counted from 1, as they are to come; those not named are left out. n = 0: as read */
    bool reverse;  /* each sequence from its last frame to its first */
    bool still;    /* the first frame of each sequence in place of all its frames */
} sb_arrange_options;

/* The rows of an option table for the member `clip.arrange` of a verb's struct. */
#define SB_ARRANGE_OPTIONS(type)                                                                                       \
    SB_OPTION_LIST(type, clip.arrange.order, "--order", NULL, 1, 1e9,                                                  \
                   "order of the sequences, counted from 1; the others are left out"),                                 \
        SB_OPTION_FLAG(type, clip.arrange.reverse, "--reverse", "reverse each sequence"),                              \
        SB_OPTION_FLAG(type, clip.arrange.still, "--still", "repeat the first frame of each sequence")

/* One sequence of the output: which frames, as they were read, it is made of. */
typedef struct sb_span {
    int64_t first, n;
} sb_span;

typedef struct sb_spans {
    sb_span *item; /* [n], the caller's */
    int n;
} sb_spans;

/* Do the options ask for anything? Without it frames need not wait. */
bool sb_arrange_is_asked(const sb_arrange_options *options);

/* From the sequences as they were read to those that are to come. SB_E_USAGE: one is named twice or is not there, or
 * options that contradict each other. */
sb_status sb_arrange_plan(const sb_arrange_options *options, sb_spans *spans);

typedef struct sb_arrange sb_arrange;
sb_status sb_arrange_open(sb_arrange **arrange, const char *path, size_t frame_bytes);
void sb_arrange_close(sb_arrange *arrange); /* NULL is fine */
sb_status sb_arrange_add(sb_arrange *arrange, const uint8_t *rgb);

/* Append the frames of the spans to /frames of the file. */
sb_status sb_arrange_write(sb_arrange *arrange, const sb_arrange_options *options, const sb_spans *spans, sb_h5 *file);

#endif
