/* samebits-report: from collected results to tables, figures and one page. */
#include "core/command/program.h"
#include "paper/verbs/verbs.h"

static const sb_command *const commands[] = {
    &sb_verb_answer,
    &sb_verb_tables,
    &sb_verb_numbers,
    &sb_verb_figures,
    &sb_verb_claims,
    &sb_verb_judge,
    &sb_verb_trace,
    &sb_verb_time,
    &sb_verb_churn,
    &sb_verb_compare,
    &sb_verb_export,
    &sb_verb_import,
    &sb_verb_html,
    &sb_verb_paper,
    NULL,
};

static const sb_program program = {
    .name = "samebits-report",
    .summary = "make tables, figures, a page and the paper from collected results",
    .commands = commands,
    .epilogue = "example: samebits-report html -i results/demo -o results/demo/report\n",
};

int main(int argc, char **argv)
{
    return sb_program_main(&program, argc, argv);
}
