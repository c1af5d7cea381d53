#include "paper/verbs/report_session.h"

#include "paper/files/output.h"

#include <stdio.h>
#include <string.h>

void sb_report_tell(const char *what, const sb_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) fprintf(stderr, "samebits-report: %s: %s\n", what, notes->text[i]);
}

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

static void close_program(sb_program_session_data *s)
{
    sb_program_claims_free(&s->claims);
    sb_program_results_free(&s->results);
}

static sb_status do_program(const sb_call *call, sb_program_verb *verb)
{
    SB_OWNED(close_program) sb_program_session_data s = {.options = *(const sb_report_session_options *)call->values};
    SB_TRY(sb_program_results_read(&s.results, s.options.input));
    SB_TRY(sb_condition_accept(&s.results.state, s.options.input, s.options.allowed));
    SB_TRY(read_claims(&s));
    SB_TRY(verb(call, &s));
    sb_report_tell("changed", &s.results.state.changed);
    sb_report_tell("incomplete", &s.results.state.incomplete);
    return SB_OK;
}

static bool has_option(const sb_command *command, const char *name)
{
    for (const sb_option *option = command->options; option->name; option++)
        if (strcmp(option->name, name) == 0) return true;
    return false;
}

/* Claims are judged by every verb that cares: those that the command names, else those that the results carry, else the
 * project's, wherever these are. */
static const char *usual_claims(const sb_command *command)
{
    static const char project[] = "paper/claims.yaml";
    return has_option(command, "--claims") && sb_file_exists(project) ? project : NULL;
}

static sb_status open_session(sb_report_session *work, const sb_call *call)
{
    const sb_report_session_options *o = &work->options;
    work->options = *(const sb_report_session_options *)call->values;
    const sb_report_sources sources = {.folder = o->input,
                                       .runs = o->runs,
                                       .published = o->published,
                                       .claims = o->claims,
                                       .usual = usual_claims(call->command),
                                       .allowed = o->allowed};
    return sb_report_open(&work->report, &sources);
}

static void close_session(sb_report_session *work)
{
    sb_report_close(&work->report);
}

sb_status sb_report_session_do(const sb_call *call, sb_report_verb *verb, sb_program_verb *of_program)
{
    SB_OWNED(close_session) sb_report_session work = {0};
    if (of_program && sb_commands_are_in(((const sb_report_session_options *)call->values)->input))
        return do_program(call, of_program);
    SB_TRY(open_session(&work, call));
    SB_TRY(verb(call, &work));
    sb_report_tell("changed", &work.report.condition.changed);
    sb_report_tell("incomplete", &work.report.condition.incomplete);
    sb_report_tell("skipped", &work.report.notes);
    return SB_OK;
}
