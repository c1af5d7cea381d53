/* The input pipeline: the batches of a loader in the order of updates, made by the calling thread or ahead of it by
 * workers. Batches are functions of (seed, update), so mode, workers and depth change no bit.
 *
 *     sync       each batch is made when it is taken
 *     prefetch   workers make batches ahead, in a ring of `depth` slots
 *     resident   the bytes of the whole data set are in memory before the first batch; each is made from them when it is
 *                taken, and no file is read during training. Bytes of images are in memory in every mode
 *                (data/images.h). For a backend on a device, images are in its memory (data/resident.h), and a batch
 *                has their numbers
 *     fake       every batch is the first one: measures training without the cost of input; no valid result
 *
 *     SB_TRY(sb_input_open(&input, loader, &(sb_input_plan){SB_INPUT_PREFETCH, 2, 50}, 1, 250));
 *     SB_TRY(sb_input_take(input, &batch));       updates 1, 2, ..., 250
 *     sb_input_close(input);
 */
#pragma once

#include "data/loader.h"

#define SB_INPUT_MODES(ROW)                                                                                            \
    ROW(SYNC, "sync")                                                                                                  \
    ROW(PREFETCH, "prefetch")                                                                                          \
    ROW(RESIDENT, "resident")                                                                                          \
    ROW(FAKE, "fake")

#define SB_INPUT_MODE_ID(ID, name)   SB_INPUT_##ID,
#define SB_INPUT_MODE_WORD(ID, name) "|" name
typedef enum sb_input_mode { SB_INPUT_MODES(SB_INPUT_MODE_ID) SB_N_INPUT_MODES } sb_input_mode;

/* The words of the option. auto: resident for images, sync for video. */
#define SB_INPUT_WORDS "auto" SB_INPUT_MODES(SB_INPUT_MODE_WORD)
sb_input_mode sb_input_mode_of(const char *word, bool is_video);

enum { SB_INPUT_WORKERS = 64, SB_INPUT_BYTES = 256 << 20 }; /* most workers; most bytes of all batches in the ring */

typedef struct sb_input_plan {
    sb_input_mode mode;
    int workers, depth; /* for prefetch; the depth is reduced if its batches are more than SB_INPUT_BYTES */
    int rank, ranks;    /* the rank whose part of each batch is made; ranks 0: the whole batch */
    sb_ops *ops; /* for resident: the backend that learns from the batches, which must outlive the input; NULL: batches
                  * are for the host */
} sb_input_plan;

typedef struct sb_input sb_input;

/* Open for updates first .. last. The loader stays the caller's and must outlive the input; in mode resident it stays
 * resident. Starts threads that read the loader's data set, so close the input before the data set. On failure nothing
 * stays open. */
sb_status sb_input_open(sb_input **input, sb_loader *loader, const sb_input_plan *plan, long first, long last);
void sb_input_close(sb_input *input); /* ends all threads; NULL does nothing */

/* The batch of the next update. The input owns its memory, which is valid until the next call. Returns a failure of the
 * thread that made the batch. */
sb_status sb_input_take(sb_input *input, sb_batch *batch);

/* Copy the batch that was taken last to the host, so that its numbers can be hashed. Needed only if images are on a
 * device; else the batch does not change. Learning from it gives the same bits. */
sb_status sb_input_hold(sb_input *input, sb_batch *batch);

/* Costs of the input since the last call. */
typedef struct sb_input_times {
    long n_batches;
    double wait_s;         /* time in which the trainer waited for a batch or made it itself */
    double wait_workers_s; /* time in which workers waited for an empty slot, summed over workers */
    double queue_mean;     /* mean number of ready batches when one was taken */
    double queue_later;    /* the same without the first SB_RING_BEGINNING batches of the input */
    int queue_min;
    uint64_t n_bytes; /* of the batches */
} sb_input_times;

sb_input_times sb_input_take_times(sb_input *input);
