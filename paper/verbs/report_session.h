/* What the verbs begin with: read the results that the options name, group and measure them.
 *
 *     static const sb_option options[] = {SB_SESSION_READ, SB_SESSION_OUTPUT, SB_OPTION_END};
 *     static sb_status write(const sb_call *call, sb_report_session *w) { ...w->report...; }
 *     return sb_report_session_do(call, write, NULL);
 */
#pragma once

#include "core/command/options.h"
#include "core/status.h"
#include "paper/program/program_results.h"
#include "paper/report/report.h"
#include "paper/results/runs.h"

#include <stdbool.h>

typedef struct sb_report_session_options { /* of all verbs; each has the rows it needs in its table */
    const char *input, *output, *runs, *published, *claims, *only, *text, *author;
    sb_allowed allowed;
    bool json;
} sb_report_session_options;

#define SB_SESSION_INPUT                                                                                               \
    SB_OPTION_NEEDED(sb_report_session_options, input, "--input", 'i', "DIR",                                          \
                     "folder from 'samebits-matrix collect', or its bundle"),                                          \
        SB_OPTION_TEXT(sb_report_session_options, runs, "--runs", "DIR", NULL,                                         \
                       "folder of the run files; default: --input")
#define SB_SESSION_INCOMPLETE                                                                                          \
    SB_OPTION_FLAG(sb_report_session_options, allowed.incomplete, "--incomplete",                                      \
                   "accept incomplete or stale results; each page says so")
#define SB_SESSION_READ                                                                                                \
    SB_SESSION_INPUT,                                                                                                  \
        SB_OPTION_TEXT(sb_report_session_options, published, "--published", "DIR", NULL,                               \
                       "folder of published records; default: next to --input"),                                       \
        SB_SESSION_INCOMPLETE,                                                                                         \
        SB_OPTION_FLAG(sb_report_session_options, allowed.changed, "--changed",                                        \
                       "accept tables that were changed after collection; each page says so")
#define SB_SESSION_CLAIMS                                                                                              \
    SB_OPTION_TEXT(sb_report_session_options, claims, "--claims", "FILE", NULL,                                        \
                   "claims to judge; default: the claims of --input, else paper/claims.yaml")
#define SB_SESSION_JSON SB_OPTION_JSON(sb_report_session_options)
#define SB_SESSION_OUTPUT                                                                                              \
    SB_OPTION_NEEDED(sb_report_session_options, output, "--output", 'o', "DIR", "output folder; it is created")

typedef struct sb_report_session {
    sb_report_session_options options;
    sb_report report;
} sb_report_session;
typedef sb_status sb_report_verb(const sb_call *call, sb_report_session *session);

/* Results of a study of commands; the claims are from --claims, else from the results. */
typedef struct sb_program_session_data {
    sb_report_session_options options;
    sb_program_results results;
    sb_program_claims claims;
    bool has_claims;
} sb_program_session_data;
typedef sb_status sb_program_verb(const sb_call *call, sb_program_session_data *session);

/* Read, then the verb's own part, then what the report left out on stderr if that is SB_OK. of_program: the part of
 * results of a study of commands; NULL: they are as others. The command's table must be over
 * sb_report_session_options. */
sb_status sb_report_session_do(const sb_call *call, sb_report_verb *verb, sb_program_verb *of_program);

/* Each note on stderr: "samebits-report: skipped: ...". */
void sb_report_tell(const char *what, const sb_notes *notes);
