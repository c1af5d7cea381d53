/* samebits-matrix: from a matrix file to cells, runs and collected tables. */
#define _POSIX_C_SOURCE 200809L
#include "verbs.h"

#include "core/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    sb_status (*run)(int argc, char **argv);
    const char *summary;
} verbs[] = {
    {"doctor", sb_verb_doctor, "what this machine can run, and what is missing"},
    {"list", sb_verb_list, "the cells: name, hash, measured, emulated or absent here"},
    {"plan", sb_verb_plan, "what a run would do, how long it takes, how much disk"},
    {"run", sb_verb_run, "run the cells that are not complete"},
    {"submit", sb_verb_submit, "the same on a cluster, as job arrays of Slurm"},
    {"status", sb_verb_status, "how many cells are in which state"},
    {"why", sb_verb_why, "why a cell is in its state, and the command that runs it"},
    {"collect", sb_verb_collect, "the results of the complete cells as csv tables"},
    {"image", sb_verb_image, "container images: build, lock, verify, save, load"},
    {"bundle", sb_verb_bundle, "programs, images, data and matrix in one file"},
    {"unbundle", sb_verb_unbundle, "unpack such a file and check it"},
};

static void print_help(FILE *out)
{
    fprintf(out, "usage: samebits-matrix VERB -f FILE [options]\n"
                 "every hardware and library configuration of a study, one cell each\n\n");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(out,
            "\n'samebits-matrix VERB --help' lists a verb's options.\n"
            "  samebits-matrix run -f matrix/demo.yaml -n 'prednet/.*/copy/' -j 2\n"
            "exit codes: 0 holds, 1 a cell failed, 2 usage, 3 some cells not complete, 4 hardware or data missing,\n"
            "5 nothing selected or complete, 7 damaged data, 130/143 interrupted\n");
}

static sb_status run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return sb_fail(SB_E_USAGE, "samebits-matrix: wants a verb");
    }
    const char *verb = argv[1];
    if (strcmp(verb, "-h") == 0 || strcmp(verb, "--help") == 0 || strcmp(verb, "help") == 0) {
        print_help(stdout);
        return SB_OK;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, verb) == 0) return verbs[i].run(argc - 2, argv + 2);
    return sb_fail(SB_E_USAGE, "samebits-matrix: unknown verb '%s' (see 'samebits-matrix --help')", verb);
}

int main(int argc, char **argv)
{
    sb_interrupt_catch();
    signal(SIGCHLD, SIG_DFL); /* a parent that ignores it would hide from us how a cell ended */
    sb_status status = run(argc, argv);
    if (status == SB_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = sb_fail(SB_E_IO, "standard output cannot be written");
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}
