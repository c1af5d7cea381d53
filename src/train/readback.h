/* From a run file back to the options that made it: what replay and bisect train again. */
#ifndef SB_TRAIN_READBACK_H
#define SB_TRAIN_READBACK_H

#include "io/h5/h5.h"
#include "train/setup.h"

enum { SB_READBACK_WORD = SB_SETTING_TEXT, SB_READBACK_SETTINGS = SB_N_SETTINGS };

/* One option of the command line and its value: "--threads" "2". */
typedef struct sb_readback_setting {
    const char *setting; /* its key (core/rows/setting.h): "threads" */
    const char *option;
    char value[SB_READBACK_WORD];
} sb_readback_setting;

typedef struct sb_readback {
    int n;
    sb_readback_setting item[SB_READBACK_SETTINGS];
} sb_readback;

/* All settings of a run that an option sets, but for --data. SB_E_INTEGRITY: /config lacks one. SB_E_USAGE: of another
 * precision than this program. */
sb_status sb_readback_read(sb_readback *readback, sb_h5 *run);

/* The same as the options of a verb; they point into readback and at data. */
sb_status sb_readback_options(const sb_readback *readback, const char *data, sb_settings *options);

/* SB_E_USAGE unless the run learned from the data set of that digest; data: its path, for the sentence. */
sb_status sb_readback_check_data(sb_h5 *run, const char *data, const char *digest);

/* The value of a setting; NULL if there is none of that name. */
const char *sb_readback_value(const sb_readback *readback, const char *setting);

#endif
