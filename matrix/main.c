/* samebits-matrix: from a matrix file to cells, runs and collected tables. */
#define _POSIX_C_SOURCE 200809L
#include "matrix/verbs/verbs.h"

#include "core/command/program.h"
#include "core/machine/interrupt.h"

#include <signal.h>

static const sb_command *const commands[] = {
    &sb_verb_doctor,
    &sb_verb_list,
    &sb_verb_plan,
    &sb_verb_run,
    &sb_verb_submit,
    &sb_verb_status,
    &sb_verb_why,
    &sb_verb_watch,
    &sb_verb_collect,
    &sb_verb_match,
    &sb_verb_image_list,
    &sb_verb_image_build,
    &sb_verb_image_lock,
    &sb_verb_image_verify,
    &sb_verb_image_save,
    &sb_verb_image_load,
    &sb_verb_bundle,
    &sb_verb_unbundle,
    NULL,
};

static const sb_program program = {
    .name = "samebits-matrix",
    .summary = "run each configuration of a study, one cell each",
    .commands = commands,
    .epilogue = "example: samebits-matrix run -f matrix/demo.yaml -n 'prednet/.*/copy/' -j 2\n",
};

int main(int argc, char **argv)
{
    sb_interrupt_catch();
    signal(SIGCHLD, SIG_DFL); /* a parent that ignores it would hide from us how a cell ended */
    return sb_program_main(&program, argc, argv);
}
