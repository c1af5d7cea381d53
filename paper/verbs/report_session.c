#include "paper/verbs/report_session.h"

#include <stdio.h>
#include <string.h>

static bool has_option(const sb_command *command, const char *name)
{
    for (const sb_option *option = command->options; option->name; option++)
        if (strcmp(option->name, name) == 0) return true;
    return false;
}

/* Claims are judged wherever the project's file of them is, unless the command says which or does not care. */
static void find_claims(sb_report_session_options *options, const sb_command *command)
{
    static const char own[] = "paper/claims.yaml";
    if (!options->claims && has_option(command, "--claims") && sb_file_exists(own)) options->claims = own;
}

sb_status sb_report_session_open(sb_report_session *work, const sb_call *call)
{
    const sb_report_session_options *o = &work->options;
    work->options = *(const sb_report_session_options *)call->values;
    find_claims(&work->options, call->command);
    const sb_report_sources sources = {o->input, o->runs, o->published, o->claims, o->allowed};
    return sb_report_open(&work->report, &sources);
}

static void tell(const char *what, const sb_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) fprintf(stderr, "samebits-report: %s: %s\n", what, notes->text[i]);
}

sb_status sb_report_session_close(sb_report_session *work, sb_status status)
{
    if (status == SB_OK) {
        tell("changed", &work->report.condition.changed);
        tell("incomplete", &work->report.condition.incomplete);
        tell("left out", &work->report.notes);
    }
    sb_report_close(&work->report);
    return status;
}
