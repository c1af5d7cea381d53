#include "paper/verbs/program_session.h"

#include "paper/files/path.h"

/* Claims that the results carry were well formed when they were collected. */
static sb_status read_claims(sb_program_session_data *s)
{
    char own[SB_PATH_MAX];
    SB_TRY(sb_path_join(own, s->options.input, "%s", SB_COLLECTED_CLAIMS));
    const char *path = s->options.claims ? s->options.claims : own;
    if (!s->options.claims && !sb_file_exists(own)) return SB_OK;
    const sb_status status = sb_program_claims_judge(&s->claims, path, &s->results);
    s->has_claims = status == SB_OK;
    return status == SB_E_USAGE && !s->options.claims ? sb_fail(SB_E_INTEGRITY, "%s", sb_message()) : status;
}

sb_status sb_program_session(const sb_call *call, sb_program_verb *verb)
{
    sb_program_session_data s = {.options = *(const sb_report_session_options *)call->values};
    SB_TRY(sb_program_results_read(&s.results, s.options.input));
    sb_status status = sb_condition_accept(&s.results.state, s.options.input, s.options.allowed);
    if (status == SB_OK) status = read_claims(&s);
    if (status == SB_OK) status = verb(call, &s);
    if (status == SB_OK) {
        sb_report_tell("changed", &s.results.state.changed);
        sb_report_tell("incomplete", &s.results.state.incomplete);
    }
    if (s.has_claims) sb_program_claims_free(&s.claims);
    sb_program_results_free(&s.results);
    return status;
}
