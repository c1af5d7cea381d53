/* The canonical record of a cell: {"backend":"native","data":"walk","data_make":"synth walk --seed 1",...,"seed":3}.
 * Keys sorted, no blanks, numbers as JSON numbers, only the settings that are set: a cell that does not set a setting
 * keeps its hash when that setting is added. */
#pragma once

#include "core/rows/setting.h"
#include "core/status.h"
#include "io/run/runfile.h"

enum { SB_RECORD_BYTES = SB_RUN_TEXT }; /* room for a record, which is in the run file */

/* *record is the caller's to free. data_make: the command line that makes the data set; runs of blanks count as one. */
sb_status sb_record_make(char **record, const char *const value[SB_N_SETTINGS], const char *data_make);

/* Called for each key whose value differs, in the order of names; NULL: the record does not have it. */
typedef void sb_record_change(void *context, const char *key, const char *before, const char *after);

/* What is another value in the second record. SB_E_INTEGRITY: one of them is no record. */
sb_status sb_record_compare(const char *before, const char *after, sb_record_change *change, void *context);
