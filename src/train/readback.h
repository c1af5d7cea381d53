/* Reads the settings of a run file back as options, so that replay and bisect can train the run again. */
#pragma once

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

/* Read all settings of a run that have an option, except --data. SB_E_INTEGRITY: /config lacks a setting. SB_E_USAGE:
 * the run has another precision than this program. */
sb_status sb_readback_read(sb_readback *readback, sb_h5 *run);

/* The same as the options of a verb. The texts of `options` point into readback and to data, which must outlive it. */
sb_status sb_readback_options(const sb_readback *readback, const char *data, sb_settings *options);

/* SB_E_USAGE unless the run learned from the data set with that digest. data: the path of the data set, for the
 * message. */
sb_status sb_readback_check_data(sb_h5 *run, const char *data, const char *digest);

/* The value of a setting; NULL: no setting has that name. */
const char *sb_readback_value(const sb_readback *readback, const char *setting);
