/* samebits-matrix: from a matrix file to cells, runs and collected tables. */
#include "matrix/verbs/verbs.h"

#include "core/command/program.h"
#include "core/machine/interrupt.h"

#include <signal.h>
#include <string.h>

#define VERB(verb, file) &sb_verb_##verb,
static const sb_command *const commands[] = {SB_MATRIX_VERBS(VERB) NULL};
#undef VERB

static const sb_program program = {
    .name = "samebits-matrix",
    .summary = "run each configuration of a study, one cell each",
    .commands = commands,
    .epilogue = "example: samebits-matrix run -f matrix/demo.yaml -n 'prednet/.*/copy/' -j 2\n",
};

int main(int argc, char **argv)
{
    static char status[] = "status", compare[] = "compare";
    sb_interrupt_catch();
    signal(SIGCHLD, SIG_DFL); /* a parent that ignores it would hide from us how a cell ended */
    if (argc > 1 && strcmp(argv[1], "why") == 0) argv[1] = status; /* of release 0.1, for one more release */
    if (argc > 1 && strcmp(argv[1], "match") == 0) argv[1] = compare;
    return sb_program_main(&program, argc, argv);
}
