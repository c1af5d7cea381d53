/* samebits: train, and find out whether two trainings are the same to the bit. */
#include "core/status.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    sb_verb *run;
    const char *summary;
} verbs[] = {
    {"train", sb_verb_train, "train a network; run again: goes on where it stopped"},
    {"step", sb_verb_step, "train a few windows and print the hash of all weights"},
    {"eval", sb_verb_eval, "loss of a finished run on a data set"},
    {"predict", sb_verb_predict, "predicted frames as PNG, beside the true ones"},
    {"layers", sb_verb_layers, "the layers of a network and their parameters, as csv"},
    {"info", sb_verb_info, "this machine, the backends it can run, versions"},
    {"check", sb_verb_check, "hold a backend against a golden file"},
    {"bench", sb_verb_bench, "how fast each backend is here, beside this machine's ceilings"},
    {"trace", sb_verb_trace, "what every operation of one update reads and writes, as hashes"},
    {"replay", sb_verb_replay, "does this machine repeat the bits of a run"},
    {"diff", sb_verb_diff, "do two runs have the same bits, and if not, where do they part"},
    {"bisect", sb_verb_bisect, "why do they part: the operation, the number, the setting"},
};

enum { VERBS = sizeof verbs / sizeof *verbs };

static void print_help(FILE *out)
{
    fprintf(out, "usage: samebits VERB [options]\n\n");
    for (int i = 0; i < VERBS; i++) fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(
        out,
        "\n'samebits VERB --help' shows the options of a verb. Exit codes: 0 holds, 1 differs or failed, 2 usage,\n"
        "4 hardware missing, 5 nothing to compare, 7 integrity, 130 and 143 interrupted (the same command goes on).\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return sb_exit_code(SB_E_USAGE);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return 0;
    }
    for (int i = 0; i < VERBS; i++) {
        if (strcmp(argv[1], verbs[i].name) != 0) continue;
        sb_status status = verbs[i].run(argc, argv);
        if (status == SB_OK && (fflush(stdout) != 0 || ferror(stdout)))
            status = sb_fail(SB_E_IO, "samebits: cannot write to standard output");
        if (status != SB_OK) {
            fflush(stdout); /* what was found before what it means */
            fprintf(stderr, "%s\n", sb_message());
        }
        return sb_exit_code(status);
    }
    fprintf(stderr, "samebits: no verb '%s'; 'samebits --help' lists them\n", argv[1]);
    return sb_exit_code(SB_E_USAGE);
}
