/* samebits-data: from the net, a folder or arithmetic to the data set files that training reads. */
#define _POSIX_C_SOURCE 200809L
#include "core/interrupt.h"
#include "core/status.h"
#include "verbs.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct verb {
    const char *name, *subject; /* "convert", "mnist"; subject NULL: the verb stands alone */
    sb_status (*run)(int argc, char **argv);
    const char *summary;
} verb;

static const verb verbs[] = {
    {"list", NULL, sb_verb_list, "the data sets this program knows, and which are here"},
    {"fetch", NULL, sb_verb_fetch, "bring a data set's files into the cache, checked"},
    {"convert", "mnist", sb_verb_convert_mnist, "the four MNIST files -> mnist.h5"},
    {"convert", "video", sb_verb_convert_video, "videos, or folders of videos or images -> clip.h5"},
    {"convert", "fpsi", sb_verb_convert_fpsi, "the eight FPSI videos of the study, from your folder -> fpsi.h5"},
    {"verify", NULL, sb_verb_verify, "read everything in data set files, check it, print the digest"},
    {"synth", "walk", sb_verb_synth_walk, "make a first-person walk, the same bytes everywhere"},
    {"synth", "digits", sb_verb_synth_digits, "make handwritten-like digits, the same bytes everywhere"},
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static void print_help(FILE *out)
{
    fprintf(out, "usage: samebits-data VERB [options]\n"
                 "data sets for samebits: fetch, convert, check, make\n\n");
    for (int i = 0; i < N_VERBS; i++)
        fprintf(out, "  %-8s%-9s%s\n", verbs[i].name, verbs[i].subject ? verbs[i].subject : "", verbs[i].summary);
    fprintf(out, "\n'samebits-data VERB --help' lists a verb's options.\n"
                 "exit codes: 0 done, 1 failed or differs, 2 usage, 4 data missing, 5 nothing found, 7 damaged data\n");
}

static bool is_help(const char *word)
{
    return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "help") == 0;
}

/* The words that may follow a verb: "mnist|video|fpsi". */
static void list_subjects(const char *name, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < N_VERBS && used < size; i++)
        if (strcmp(verbs[i].name, name) == 0 && verbs[i].subject)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "|" : "", verbs[i].subject);
}

static sb_status run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return sb_fail(SB_E_USAGE, "samebits-data: wants a verb");
    }
    if (is_help(argv[1])) {
        print_help(stdout);
        return SB_OK;
    }
    bool known = false;
    for (int i = 0; i < N_VERBS; i++) {
        if (strcmp(verbs[i].name, argv[1]) != 0) continue;
        known = true;
        if (!verbs[i].subject) return verbs[i].run(argc - 2, argv + 2);
        if (argc > 2 && strcmp(verbs[i].subject, argv[2]) == 0) return verbs[i].run(argc - 3, argv + 3);
    }
    if (!known) return sb_fail(SB_E_USAGE, "samebits-data: unknown verb '%s' (see 'samebits-data --help')", argv[1]);
    if (argc > 2 && is_help(argv[2])) {
        print_help(stdout);
        return SB_OK;
    }
    char subjects[128];
    list_subjects(argv[1], subjects, sizeof subjects);
    if (argc == 2) return sb_fail(SB_E_USAGE, "samebits-data %s: wants one of %s next", argv[1], subjects);
    return sb_fail(SB_E_USAGE, "samebits-data %s: wants one of %s next, not '%s'", argv[1], subjects, argv[2]);
}

int main(int argc, char **argv)
{
    sb_interrupt_catch();
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is then an error of write, like a full disk */
    signal(SIGPIPE, SIG_IGN); /* so is a server that hangs up */
    sb_status status = run(argc, argv);
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}
