#include "matrix/schema/matrix_schema.h"

#include "core/command/options.h"
#include "io/yaml/place.h"

#include <stdio.h>
#include <string.h>

#define OF_FRAMES "--size|--crop|--scaler|--frames|--sequence-starts|--order|--threads"
#define OF_ORDER  "--drop-first|--reverse|--still"
#define OF_ORIGIN "--name|--source|--url|--licence"
#define OF_PATHS  "--from|--table" /* whose value is a path */

/* A test holds these against the help of samebits-data: its other options write elsewhere, or read a cache. */
static const struct maker {
    const char *group, *verb;
    const char *options, *flags; /* with a value each; without */
    const char *arguments;       /* what plain words are; NULL: it takes none */
} makers[] = {
    {"synth", "walk", "--size|--frames|--sequences|--seed", "", NULL},
    {"synth", "motion", "--size|--frames|--sequences|--speed|--seed", "", NULL},
    {"synth", "digits", "--images|--test|--seed", "", NULL},
    {"synth", "shapes", "--images|--test|--seed", "", NULL},
    {"synth", "text", "--characters|--hold-out|--seed", "", NULL},
    {"convert", "mnist", "--from|" OF_ORIGIN, "--transpose", NULL},
    {"convert", "cifar10", "--from|--test|--test-file|" OF_ORIGIN, "", NULL},
    {"convert", "fpsi", "--from|" OF_FRAMES, OF_ORDER, NULL},
    {"convert", "public", "--from|--size|--threads", "", "names of its videos"},
    {"convert", "text", "--from|--as|--hold-out|--table|" OF_ORIGIN, "", "paths"},
    {"convert", "video", OF_FRAMES "|" OF_ORIGIN, OF_ORDER, "paths"},
};
enum { N_MAKERS = sizeof makers / sizeof *makers };

static const struct maker *find(const sb_argv *argv)
{
    for (size_t i = 0; argv->n >= 2 && i < N_MAKERS; i++)
        if (strcmp(makers[i].group, argv->item[0]) == 0 && strcmp(makers[i].verb, argv->item[1]) == 0)
            return &makers[i];
    return NULL;
}

static sb_status fail_verb(const char *path, const char *place, const char *make)
{
    char list[256] = "";
    for (size_t i = 0; i < N_MAKERS; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s'%s %s'",
                 !i                 ? ""
                 : i + 1 < N_MAKERS ? ", "
                                    : " or ",
                 makers[i].group, makers[i].verb);
    return sb_place_fail(path, place, "make begins with %s, not with '%.80s'", list, make);
}

/* "--images|--test" as "--images, --test" */
static sb_status fail_word(const char *path, const char *place, const struct maker *maker, const char *word)
{
    char list[256] = "";
    snprintf(list, sizeof list, "%s%s%s", maker->options, *maker->flags ? "|" : "", maker->flags);
    for (char *bar = list; (bar = strchr(bar, '|')) && strlen(list) + 2 < sizeof list; bar++) {
        memmove(bar + 2, bar + 1, strlen(bar));
        memcpy(bar, ", ", 2);
    }
    return sb_place_fail(path, place, "make: '%s %s' takes %s%s%s here, not '%.80s'", maker->group, maker->verb, list,
                         maker->arguments ? ", and " : "", maker->arguments ? maker->arguments : "", word);
}

/* How many words the option that begins here has; 0: not an option that a matrix file may contain. */
static int count_argv(const struct maker *maker, const char *word, const char *next)
{
    char name[32] = "";
    const size_t length = strcspn(word, "=");
    if (length >= sizeof name) return 0;
    memcpy(name, word, length);
    if (*maker->flags && sb_option_is_choice(maker->flags, word)) return 1;
    if (!sb_option_is_choice(maker->options, name)) return 0;
    if (word[length]) return 1;
    return next && *next != '-' ? 2 : 0;
}

static sb_status check_argv(const char *path, const char *place, const char *make, const sb_argv *argv)
{
    const struct maker *maker = find(argv);
    if (!maker) return fail_verb(path, place, make);
    for (int i = 2, n; i < argv->n; i += n) {
        const char *word = argv->item[i];
        n = *word == '-' ? count_argv(maker, word, argv->item[i + 1]) : maker->arguments != NULL;
        if (n == 0) return fail_word(path, place, maker, word);
    }
    return SB_OK;
}

sb_status sb_make_argv_check(const char *path, const char *place, const char *make)
{
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    sb_argv_add_split(&argv, make);
    SB_TRY(sb_argv_check(&argv));
    return check_argv(path, place, make, &argv);
}

/* No option of one verb is a flag of another, so the verb need not be known. */
static bool takes_text(const char *option)
{
    bool found = false;
    for (size_t i = 0; !found && i < N_MAKERS; i++) found = sb_option_is_choice(makers[i].options, option);
    return found && !sb_option_is_choice(OF_PATHS, option);
}

bool sb_make_argv_is_source(const sb_argv *argv, int i)
{
    const char *word = argv->item[i];
    return *word != '-' && strchr(word, '/') && !(i > 0 && takes_text(argv->item[i - 1]));
}
