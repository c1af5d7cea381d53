#include "paper/verbs/verbs.h"

#include "paper/claims/question.h"
#include "paper/program/program_results.h"
#include "paper/verbs/report_session.h"

#include <stdio.h>
#include <stdlib.h>

static const sb_option options[] = {SB_SESSION_READ, SB_SESSION_CLAIMS, SB_OPTION_END};

static sb_status print_text(sb_writer *out, sb_status status)
{
    char *text;
    size_t n_bytes;
    sb_status closed = sb_writer_close(out, "the answer", &text, &n_bytes);
    if (closed != SB_OK) return status == SB_OK ? closed : status;
    if (status == SB_OK) fwrite(text, 1, n_bytes, stdout);
    free(text);
    return status;
}

static sb_status answer_report(const sb_call *call, sb_report_session *w)
{
    const sb_report *report = &w->report;
    (void)call;
    const sb_question question = sb_question_of(&report->claims, &report->hardware, &report->arms);
    sb_writer *out = sb_writer_open(&sb_plain);
    sb_write(out, "%s\n", question.text);
    sb_question_write_claims(out, &question, NULL);
    return print_text(out, SB_OK);
}

static sb_status answer_program(const sb_call *call, sb_program_session_data *s)
{
    (void)call;
    sb_writer *out = sb_writer_open(&sb_plain);
    return print_text(out, sb_program_write_answer(out, &s->results, s->has_claims ? &s->claims : NULL));
}

static sb_status answer(const sb_call *call)
{
    return sb_report_session_do(call, answer_report, answer_program);
}

const sb_command sb_verb_answer = {
    .program = "samebits-report",
    .verb = "answer",
    .summary = "print the answer of the results in a few sentences",
    .options = options,
    .values_bytes = sizeof(sb_report_session_options),
    .epilogue = "Prints the question, what was found, the outcome of each claim with effect, interval and number of "
                "pairs, and\n"
                "what is not answered.\n"
                "'samebits-report trace LABEL' shows where a number comes from. The page shows the labels.\n"
                "exit codes: 0 done, 2 usage, 5 no results, 7 invalid results\n",
    .run = answer,
    .once = true,
};
