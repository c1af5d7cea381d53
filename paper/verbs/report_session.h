/* What the verbs begin with: read the results that the options name, group and measure them.
 *
 *     static const sb_option options[] = {SB_SESSION_READ, SB_SESSION_OUTPUT, SB_OPTION_END};
 *     sb_report_session w = {0};
 *     sb_status status = sb_report_session_open(&w, call);
 *     if (status == SB_OK) status = ...w.report...;
 *     return sb_report_session_close(&w, status);
 */
#ifndef SB_PAPER_VERBS_REPORT_SESSION_H
#define SB_PAPER_VERBS_REPORT_SESSION_H

#include "core/command/options.h"
#include "core/status.h"
#include "paper/report.h"

#include <stdbool.h>

typedef struct sb_report_session_options { /* of all verbs; each has the rows it needs in its table */
    const char *input, *output, *runs, *published, *claims, *text, *author;
    sb_allowed allowed;
    bool json;
} sb_report_session_options;

#define SB_SESSION_INPUT                                                                                               \
    SB_OPTION_NEEDED(sb_report_session_options, input, "--input", 'i', "DIR",                                          \
                     "folder that samebits-matrix collect wrote, or a bundle of it"),                                  \
        SB_OPTION_TEXT(sb_report_session_options, runs, "--runs", "DIR", NULL,                                         \
                       "what the column run is relative to, if not --input")
#define SB_SESSION_INCOMPLETE                                                                                          \
    SB_OPTION_FLAG(sb_report_session_options, allowed.incomplete, "--incomplete",                                      \
                   "also from incomplete or stale results; every page says so")
#define SB_SESSION_READ                                                                                                \
    SB_SESSION_INPUT,                                                                                                  \
        SB_OPTION_TEXT(sb_report_session_options, published, "--published", "DIR", NULL,                               \
                       "folder of published records, if not the one beside --input"),                                  \
        SB_SESSION_INCOMPLETE,                                                                                         \
        SB_OPTION_FLAG(sb_report_session_options, allowed.changed, "--changed",                                        \
                       "also from tables that were changed after they were collected; every page says so")
#define SB_SESSION_CLAIMS                                                                                              \
    SB_OPTION_TEXT(sb_report_session_options, claims, "--claims", "FILE", NULL,                                        \
                   "claims to judge, if not those of --input, or paper/claims.yaml where it has none")
#define SB_SESSION_JSON SB_OPTION_JSON(sb_report_session_options)
#define SB_SESSION_OUTPUT                                                                                              \
    SB_OPTION_NEEDED(sb_report_session_options, output, "--output", 'o', "DIR", "folder to write into; it is made")

typedef struct sb_report_session { /* start with {0} */
    sb_report_session_options options;
    sb_report report;
} sb_report_session;

/* The command's table must be over sb_report_session_options. Whatever comes back, the caller ends with
 * sb_report_session_close. */
sb_status sb_report_session_open(sb_report_session *work, const sb_call *call);

/* Free what open made; hands the status through. If it is SB_OK, what the report left out is told on stderr. */
sb_status sb_report_session_close(sb_report_session *work, sb_status status);

#endif
