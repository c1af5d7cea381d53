/* The FPSI videos: no longer served, so that the user's folder is their only source. It holds the eight videos, or what
 * the study's group made of them and published as figshare record 5483668: a selection of their frames at 160x120. */
#pragma once

#include "datasets/convert/clip.h"

#include "core/status.h"

#include <stdbool.h>

/* Tell on stderr which eight videos are needed, which of them the folder holds, where to look and what to do. Returns
 * SB_E_MISSING with one sentence. folder NULL: there is none yet. */
sb_status sb_fpsi_explain(const char *folder);

enum { SB_FPSI_WIDTH = 160, SB_FPSI_HEIGHT = 120, SB_FPSI_ORDER = 160 };

/* The selection in a folder, sequence by sequence, as the group's published scripts (prednet_in_chainer) hold frames:
 *
 *     sequence_list.txt      names a list of frames a line, in the order of training
 *     NAME/train_list.txt    names a frame a line; next to it test_list.txt, frames that were not trained on
 *     NAME/frame_0000000.jpg
 *
 * Without sequence_list.txt each subfolder is a sequence, by name, or the folder is one; without train_list.txt the
 * images or videos of a folder are, by their numbers. The record itself could not be looked into (it refuses robots),
 * so that its layout is taken to be that.
 *
 * *found: there is such a thing; order says what gave the order. SB_E_INTEGRITY: a list names what is not there. The
 * caller frees media, also after a failure. */
sb_status sb_fpsi_selection(sb_media *media, const char *folder, bool *found, char order[SB_FPSI_ORDER]);
