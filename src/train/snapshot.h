/* A copy, on the device, of the tensors that an update changes, so that an update can be tried and undone.
 *
 *     sb_snapshot learned;
 *     SB_TRY(sb_snapshot_open(&learned, learner, SB_SNAPSHOT_LEARNED));
 *     sb_snapshot_take(&learned);
 *     ... try something ...
 *     sb_snapshot_restore(&learned);
 *     sb_snapshot_close(&learned);
 */
#pragma once

#include "train/learner.h"

typedef enum sb_snapshot_part {
    SB_SNAPSHOT_LEARNED, /* weights and states of the optimizer */
    SB_SNAPSHOT_CARRIED, /* the carried states of the network */
} sb_snapshot_part;

enum { SB_SNAPSHOT_PIECES_MAX = SB_STATES_MAX + SB_STATES_MAX_OF_OPTIMIZER + 1 };

typedef struct sb_snapshot {
    sb_ops *ops;
    int n;
    struct {
        void *live, *copy; /* device */
        size_t n_bytes;
    } piece[SB_SNAPSHOT_PIECES_MAX];
    void *memory; /* of all copies */
} sb_snapshot;

/* Allocate memory for a snapshot; the learner must outlive it. SB_E_MEMORY leaves nothing open. */
sb_status sb_snapshot_open(sb_snapshot *snapshot, const sb_learner *learner, sb_snapshot_part part);
void sb_snapshot_close(sb_snapshot *snapshot); /* one of zeros, too */

void sb_snapshot_take(sb_snapshot *snapshot);
void sb_snapshot_restore(const sb_snapshot *snapshot);
