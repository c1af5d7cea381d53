#include "paper/verbs/report_session.h"

#include <stdio.h>
#include <string.h>

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

sb_status sb_report_session_open(sb_report_session *work, const sb_call *call)
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

void sb_report_tell(const char *what, const sb_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) fprintf(stderr, "samebits-report: %s: %s\n", what, notes->text[i]);
}

sb_status sb_report_session_close(sb_report_session *work, sb_status status)
{
    if (status == SB_OK) {
        sb_report_tell("changed", &work->report.condition.changed);
        sb_report_tell("incomplete", &work->report.condition.incomplete);
        sb_report_tell("skipped", &work->report.notes);
    }
    sb_report_close(&work->report);
    return status;
}
