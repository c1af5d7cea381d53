#include "core/command/program.h"

#include "core/command/manual.h"
#include "core/command/usage.h"
#include "core/command/wrap.h"
#include "core/machine/streams.h"
#include "core/machine/version.h"
#include "core/screen/screen.h"

#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char sb_program_exit_codes[] =
    "exit codes: 0 holds, 1 differs or failed, 2 usage, 3 some cells could not run, 4 hardware, data or package\n"
    "missing, 5 nothing selected or measured, 6 undetermined, 7 integrity (hash, lock, data), 130 and 143 "
    "interrupted:\n"
    "the same command continues\n";

/* ---- the table ---- */

static bool has_option(const sb_command *command, const char *name)
{
    for (const sb_option *option = command->options; option && option->name; option++)
        if (strcmp(option->name, name) == 0) return true;
    return false;
}

/* A table that does not fit its program is a bug, and every start would show it. */
static void check_table(const sb_program *program)
{
    for (const sb_command *const *at = program->commands; *at; at++) {
        const sb_command *command = *at;
        assert(strcmp(command->program, program->name) == 0 && *command->verb && command->summary && command->run);
        assert((command->max_arguments > 0) == (command->arguments != NULL));
        for (const sb_option *option = command->options; option && option->name; option++)
            assert(option->offset < command->values_bytes && option->help);
        assert(has_option(command, "--json") == (command->json != NULL));
    }
}

/* The first word of a verb: of "image lock" the group "image". */
static size_t group_length(const sb_command *command)
{
    return strcspn(command->verb, " ");
}

static bool is_of_group(const sb_command *command, const char *word)
{
    const size_t length = group_length(command);
    return strlen(word) == length && strncmp(command->verb, word, length) == 0;
}

/* The command that argv[0 .. argc-1] begins with; *n_words: how many words its verb takes. NULL: none. */
static const sb_command *find_command(const sb_program *program, int argc, char **argv, int *n_words)
{
    for (const sb_command *const *at = program->commands; argc > 0 && *at; at++) {
        const char *second = (*at)->verb + group_length(*at);
        if (!is_of_group(*at, argv[0])) continue;
        *n_words = *second ? 2 : 1;
        if (!*second || (argc > 1 && strcmp(second + 1, argv[1]) == 0)) return *at;
    }
    return NULL;
}

static bool has_group(const sb_program *program, const char *word)
{
    const sb_command *const *at = program->commands;
    while (*at && !is_of_group(*at, word)) at++;
    return *at != NULL;
}

/* ---- help ---- */

static bool is_help(const char *word)
{
    return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "help") == 0;
}

/* group: its verbs alone; NULL: all. */
static void print_verbs(const sb_program *program, const char *group, FILE *out)
{
    int width = 0;
    for (const sb_command *const *at = program->commands; *at; at++)
        if ((int)strlen((*at)->verb) > width) width = (int)strlen((*at)->verb);
    for (const sb_command *const *at = program->commands; *at; at++)
        if (!group || is_of_group(*at, group))
            fprintf(out, "  %-*s  " SB_WRAP_HERE "%s\n", width, (*at)->verb, (*at)->summary);
}

static void write_help(const sb_program *program, FILE *out)
{
    fprintf(out, "usage: %s VERB [options]\n%s\n\n", program->name, program->summary);
    print_verbs(program, NULL, out);
    fprintf(out, "\n'%s VERB --help' shows the options of a verb, '%s --version' the version.\n%s%s", program->name,
            program->name, program->epilogue ? program->epilogue : "", sb_program_exit_codes);
}

static void write_group_help(const sb_program *program, const char *group, FILE *out)
{
    fprintf(out, "usage: %s %s VERB [options]\n\n", program->name, group);
    print_verbs(program, group, out);
    fprintf(out, "\n'%s %s VERB --help' shows the options of a verb.\n", program->name, group);
}

/* group: of its verbs alone; NULL: of the program */
static void print_help(const sb_program *program, const char *group, FILE *out)
{
    char *text = NULL;
    size_t n_bytes;
    FILE *memory = open_memstream(&text, &n_bytes);
    if (!memory) return;
    if (group)
        write_group_help(program, group, memory);
    else
        write_help(program, memory);
    if (fclose(memory) == 0) sb_wrap(out, text, sb_wrap_columns(out));
    free(text);
}

/* ---- one command line ---- */

static sb_status call_command(const sb_command *command, int n_words, char **whole, int argc, char **argv)
{
    bool help;
    sb_call call = {.command = command, .values = calloc(1, command->values_bytes + 1), .argv = whole};
    if (!call.values) return sb_fail(SB_E_MEMORY, "%s: not enough memory", command->program);
    sb_status status = sb_options_parse(command, argc - n_words, argv + n_words, call.values, &call.arguments, &help);
    if (status == SB_OK && !help) status = command->run(&call);
    free(call.values);
    return status;
}

/* group: the word after it is unknown; NULL: the first word is. */
static sb_status fail_unknown(const sb_program *program, const char *group, const char *word)
{
    char who[SB_USAGE_NAME], see[SB_USAGE_NAME + 8], best[SB_USAGE_NAME];
    sb_nearest nearest = sb_nearest_begin(word);
    for (const sb_command *const *at = program->commands; *at; at++) {
        char name[SB_USAGE_NAME];
        const size_t edits = nearest.edits;
        if (group && !is_of_group(*at, group)) continue;
        snprintf(name, sizeof name, "%s", group ? (*at)->verb + group_length(*at) + 1 : (*at)->verb);
        if (!group) name[group_length(*at)] = 0;
        sb_nearest_offer(&nearest, name);
        if (nearest.edits < edits) nearest.name = strcpy(best, name);
    }
    snprintf(who, sizeof who, "%s%s%s", program->name, group ? " " : "", group ? group : "");
    snprintf(see, sizeof see, "%s --help", who);
    return sb_usage_unknown(who, "verb", &nearest, see);
}

/* argv[0] is a group, and no verb of it follows. */
static sb_status run_group(const sb_program *program, int argc, char **argv)
{
    char who[SB_USAGE_NAME];
    if (argc > 1 && is_help(argv[1])) {
        print_help(program, argv[0], stdout);
        return SB_OK;
    }
    if (argc > 1) return fail_unknown(program, argv[0], argv[1]);
    print_help(program, argv[0], stderr);
    snprintf(who, sizeof who, "%s %s", program->name, argv[0]);
    return sb_usage_wants(who, "a verb");
}

/* `help`, `help VERB`, or `help --format FORMAT`. */
static sb_status run_help(const sb_program *program, int argc, char **argv)
{
    int n_words;
    if (argc == 2 && strcmp(argv[0], "--format") == 0) return sb_manual_write(program, argv[1], stdout);
    const sb_command *command = find_command(program, argc, argv, &n_words);
    if (command)
        sb_options_help(command, stdout);
    else if (argc > 0 && has_group(program, argv[0]))
        print_help(program, argv[0], stdout);
    else if (argc > 0)
        return fail_unknown(program, NULL, argv[0]);
    else
        print_help(program, NULL, stdout);
    return SB_OK;
}

static sb_status run(const sb_program *program, int argc, char **argv)
{
    int n_words;
    if (argc < 2) {
        print_help(program, NULL, stderr);
        return sb_usage_wants(program->name, "a verb");
    }
    if (is_help(argv[1])) return run_help(program, strcmp(argv[1], "help") == 0 ? argc - 2 : 0, argv + 2);
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s %s (revision %s)\n", program->name, sb_version(), sb_revision());
        return SB_OK;
    }
    const sb_command *command = find_command(program, argc - 1, argv + 1, &n_words);
    if (command) return call_command(command, n_words, argv, argc - 1, argv + 1);
    if (has_group(program, argv[1])) return run_group(program, argc - 1, argv + 1);
    return fail_unknown(program, NULL, argv[1]);
}

static bool has_to_say(const sb_program *program, sb_status status)
{
    return *sb_message() && (status != SB_E_USAGE || !program->speaks || program->speaks());
}

/* `| head` has read what it wants: that is no failure of ours. */
static bool has_reader(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) < 0 || !(out.revents & (POLLERR | POLLHUP));
}

int sb_program_main(const sb_program *program, int argc, char **argv)
{
    sb_streams_fill();
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is then an error of write, like a full disk */
    sb_screen_begin();
    check_table(program);
    sb_status status = run(program, argc, argv);
    if (status == SB_OK && (fflush(stdout) != 0 || ferror(stdout)) && has_reader())
        status = sb_fail(SB_E_IO, "%s: cannot write to standard output", program->name);
    if (status != SB_OK) {
        fflush(stdout); /* what was found before what it means */
        if (has_to_say(program, status)) fprintf(stderr, "%s\n", sb_message());
    }
    return sb_exit_code(status);
}
