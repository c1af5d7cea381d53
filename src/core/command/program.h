/* A program of several verbs: one table of them drives the search for the verb, help, --version and the exit code.
 *
 *     static const sb_command *const commands[] = {&sb_verb_train, &sb_verb_diff, NULL};
 *     static const sb_program program = {.name = "samebits", .summary = "train and compare", .commands = commands};
 *     int main(int argc, char **argv) { return sb_program_main(&program, argc, argv); }
 *
 * PROGRAM -h|--help|help        the verbs                  PROGRAM --version         version and revision
 * PROGRAM help VERB             as PROGRAM VERB --help     PROGRAM VERB -h|--help    its options
 * PROGRAM help --format man     a manual page, and completions: core/command/manual.h
 *
 * A verb of two words ("image lock") belongs to the group that its first word names; `PROGRAM image --help` lists the
 * group. The table holds all that can be said of a verb without running it, its options included: whatever lists verbs
 * or options reads it here.
 */
#pragma once

#include "core/command/options.h"

typedef struct sb_program {
    const char *name;                  /* "samebits-matrix" */
    const char *summary;               /* one line */
    const sb_command *const *commands; /* NULL ends them; the verbs of a group next to each other */
    const char *epilogue;              /* an example; may be NULL */
    bool (*speaks)(void); /* of processes with one command line: does this one say what is wrong with it? NULL: yes */
} sb_program;

/* What each exit code means, in lines: a program's help and its manual page have it. */
extern const char sb_program_exit_codes[];

/* Run the verb that argv names and return the exit code of the process. Data goes to stdout, the sentence of a failure
 * to stderr after it, unless it is empty: then another process has said it. Output that cannot be written is a failure,
 * too. */
int sb_program_main(const sb_program *program, int argc, char **argv);
