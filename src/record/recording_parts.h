/* Shared by recording.c and recording_link.c. */
#pragma once

#include "core/file.h"
#include "core/status.h"
#include "record/external_file.h"
#include "record/record_journal.h"

#include "samebits.h"

#include <assert.h>

struct sb_recording {
    char path[SB_PATH_MAX];
    sb_external all;
    sb_record_journal *journal;
    double checkpoint_seconds;
    double clock, saved; /* times at which the last entry ended and the file was written */
    bool in_link, is_new;
    sb_chain_link link;            /* the entry that was begun; room: capacity of its lists */
    size_t room[SB_PARTS], forms_room;
};

/* Add a record to the journal and apply it. A failure undoes both. */
sb_status sb_recording_put(sb_recording *r, sb_change change, const sb_bytes *b);

sb_status sb_recording_fail_memory(const sb_recording *r);
