/* Which frames of a video an update learns from: the arithmetic of the data loader (data/loader.h), which describes
 * the order, for programs that need the frames of a run without training.
 *
 *     const sb_frames frames = sb_windows_place(facts, 20, update);
 *     SB_TRY(sb_dataset_read(dataset, (size_t)frames.first, (size_t)frames.n + 1, bytes));
 */
#pragma once

#include "io/dataset.h"

typedef struct sb_frames {
    int64_t first; /* the first input; targets are first + 1 .. first + n */
    int n;         /* terms of the loss */
    bool reset;    /* a sequence starts here: nothing is known of frames before `first` */
} sb_frames;

/* Updates that one pass over the video gives with windows of that number of frames. */
long sb_windows_count(const sb_dataset_facts *facts, int length);

/* The window of update 1, 2, ...; after the last one the next pass begins. There must be a window. */
sb_frames sb_windows_place(const sb_dataset_facts *facts, int length, long update);

/* The same by sequences: how many windows number `sequence` has, and its window k = 0, 1, ... */
long sb_windows_count_in(const sb_dataset_facts *facts, int length, size_t sequence);
sb_frames sb_windows_place_in(const sb_dataset_facts *facts, int length, size_t sequence, long k);
