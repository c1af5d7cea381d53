/* What verbs do with the results of a study of commands: read them, and their claims, then the verb's own part.
 *
 *     if (sb_commands_are_in(options->input)) return sb_program_session(call, answer_program);
 */
#ifndef SB_PAPER_VERBS_PROGRAM_SESSION_H
#define SB_PAPER_VERBS_PROGRAM_SESSION_H

#include "paper/program/program_claims.h"
#include "paper/program/program_results.h"
#include "paper/results/recordings.h"
#include "paper/verbs/report_session.h"

typedef struct sb_program_session_data {
    sb_report_session_options options;
    sb_program_results results;
    sb_program_claims claims;
    bool has_claims;
} sb_program_session_data;

typedef sb_status sb_program_verb(const sb_call *call, sb_program_session_data *session);

/* The claims are from --claims, else from the results. */
sb_status sb_program_session(const sb_call *call, sb_program_verb *verb);

#endif
