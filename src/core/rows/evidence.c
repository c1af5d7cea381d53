#include "core/rows/evidence.h"

const char *const sb_evidence_name[SB_N_EVIDENCES] = {
#define NAME(id, name) name,
    SB_EVIDENCES(NAME)};
