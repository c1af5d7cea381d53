/* What the verbs begin with: read the results that the options name, group and measure them.
 *
 *     static const sb_option options[] = {SB_WORK_READ, SB_WORK_OUTPUT, SB_OPTION_END};
 *     sb_work w = {0};
 *     sb_status status = sb_work_open(&w, call);
 *     if (status == SB_OK) status = ...w.report...;
 *     return sb_work_close(&w, status);
 */
#ifndef SB_PAPER_VERBS_WORK_H
#define SB_PAPER_VERBS_WORK_H

#include "core/options.h"
#include "core/status.h"
#include "paper/report.h"

#include <stdbool.h>

typedef struct sb_work_options { /* of all verbs; each has the rows it needs in its table */
    const char *input, *output, *runs, *published, *claims, *text;
    sb_allowed allowed;
    bool json;
} sb_work_options;

#define SB_WORK_INPUT                                                                                                  \
    SB_OPTION_NEEDED(sb_work_options, input, "--input", 'i', "DIR",                                                    \
                     "folder that samebits-matrix collect wrote, or a bundle of it"),                                  \
        SB_OPTION_TEXT(sb_work_options, runs, "--runs", "DIR", NULL,                                                   \
                       "what the column run is relative to, if not --input")
#define SB_WORK_INCOMPLETE                                                                                             \
    SB_OPTION_FLAG(sb_work_options, allowed.incomplete, "--incomplete",                                                \
                   "also from incomplete or stale results; every page says so")
#define SB_WORK_READ                                                                                                   \
    SB_WORK_INPUT,                                                                                                     \
        SB_OPTION_TEXT(sb_work_options, published, "--published", "DIR", NULL,                                         \
                       "folder of published records, if not the one beside --input"),                                  \
        SB_WORK_INCOMPLETE,                                                                                            \
        SB_OPTION_FLAG(sb_work_options, allowed.changed, "--changed",                                                  \
                       "also from tables that were changed after they were collected; every page says so")
#define SB_WORK_CLAIMS(fallback)                                                                                       \
    SB_OPTION_TEXT(sb_work_options, claims, "--claims", "FILE", fallback,                                              \
                   "claims to judge; paper/claims.yaml where that is")
#define SB_WORK_JSON SB_OPTION_JSON(sb_work_options)
#define SB_WORK_OUTPUT                                                                                                 \
    SB_OPTION_NEEDED(sb_work_options, output, "--output", 'o', "DIR", "folder to write into; it is made")

typedef struct sb_work { /* start with {0} */
    sb_work_options options;
    sb_report report;
} sb_work;

/* The command's table must be over sb_work_options. Whatever comes back, the caller ends with sb_work_close. */
sb_status sb_work_open(sb_work *work, const sb_call *call);

/* Free what open made; hands the status through. If it is SB_OK, what the report left out is told on stderr. */
sb_status sb_work_close(sb_work *work, sb_status status);

#endif
