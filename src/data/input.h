/* The input pipeline: the batches of a loader, one update after the other, made in this thread or ahead of it by
 * others. Batches are functions of (seed, update), so that neither mode nor workers nor depth changes a bit of one.
 *
 *     sync       each batch is made when it is taken
 *     prefetch   workers make batches ahead, in a ring of `depth` slots
 *     resident   the bytes of the whole data set are in memory before the first batch; each is made from them when it is
 *                taken, and no file is read while learning goes on. Bytes of images are in every mode (data/images.h).
 *                Where the operations work on a device, images lie there (data/resident.h), and a batch says which
 *     fake       the first batch again and again: how fast learning would be if input took no time. No result
 *
 *     SB_TRY(sb_input_open(&input, loader, &(sb_input_plan){SB_INPUT_PREFETCH, 2, 50}, 1, 250));
 *     SB_TRY(sb_input_take(input, &batch));       updates 1, 2, ..., 250
 *     sb_input_close(input);
 */
#ifndef SB_DATA_INPUT_H
#define SB_DATA_INPUT_H

#include "data/loader.h"

#define SB_INPUT_MODES(ROW)                                                                                            \
    ROW(SYNC, "sync")                                                                                                  \
    ROW(PREFETCH, "prefetch")                                                                                          \
    ROW(RESIDENT, "resident")                                                                                          \
    ROW(FAKE, "fake")

#define SB_INPUT_MODE_ID(ID, name)   SB_INPUT_##ID,
#define SB_INPUT_MODE_WORD(ID, name) "|" name
typedef enum sb_input_mode { SB_INPUT_MODES(SB_INPUT_MODE_ID) SB_N_INPUT_MODES } sb_input_mode;

/* The words of the option. auto: images are resident, video is read as it is needed. */
#define SB_INPUT_WORDS "auto" SB_INPUT_MODES(SB_INPUT_MODE_WORD)
sb_input_mode sb_input_mode_of(const char *word, bool is_video);

enum { SB_INPUT_WORKERS = 64, SB_INPUT_BYTES = 256 << 20 }; /* at most; bytes of all batches in the ring */

typedef struct sb_input_plan {
    sb_input_mode mode;
    int workers, depth; /* of prefetch; a ring of less depth where this many batches are more than SB_INPUT_BYTES */
    int rank, ranks;    /* whose part of each batch; ranks 0: all of it */
    sb_ops *ops; /* of resident: what works on the batches, and outlives the input; NULL: they are for the host */
} sb_input_plan;

typedef struct sb_input sb_input;

/* For updates first .. last. The loader stays the caller's and must outlive the input; it stays resident.
 * Threads are started, which read the loader's data set; close the input before the data set. On failure
 * nothing stays open. */
sb_status sb_input_open(sb_input **input, sb_loader *loader, const sb_input_plan *plan, long first, long last);
void sb_input_close(sb_input *input); /* wakes and ends all threads; NULL is fine */

/* The batch of the next update. Its memory is the input's until the next call. What went wrong with it in another
 * thread is returned here. */
sb_status sb_input_take(sb_input *input, sb_batch *batch);

/* Have the batch that was taken last lie on the host whole, for a hash of its numbers; so it is but where images lie on
 * a device. Learning from it gives the same bits. */
sb_status sb_input_hold(sb_input *input, sb_batch *batch);

/* What input has cost since this was asked for last. */
typedef struct sb_input_times {
    long n_batches;
    double wait_s;         /* that learning waited for a batch, or made it itself */
    double wait_workers_s; /* that workers waited for an empty slot, all together */
    double queue_mean;     /* batches that were ready when one was taken */
    double queue_later;    /* the same without the first SB_RING_BEGINNING of all that were taken */
    int queue_min;
    uint64_t n_bytes; /* of the batches */
} sb_input_times;

sb_input_times sb_input_take_times(sb_input *input);

#endif
