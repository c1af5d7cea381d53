/* The FPSI videos: no longer served, so that the user's folder is their only source. */
#ifndef SB_DATASETS_FPSI_H
#define SB_DATASETS_FPSI_H

#include "core/status.h"

/* Tell on stderr which eight videos are needed, which of them the folder holds, where to look and what to do. Returns
 * SB_E_MISSING with one sentence. folder NULL: there is none yet. */
sb_status sb_fpsi_explain(const char *folder);

#endif
