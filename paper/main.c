/* samebits-report: from collected results to tables, figures and one page. */
#include "core/command/program.h"
#include "paper/verbs/verbs.h"

#include <stdlib.h>
#include <string.h>

#define VERB(verb, file) &sb_verb_##verb,
static const sb_command *const commands[] = {SB_REPORT_VERBS(VERB) NULL};
#undef VERB

static const sb_program program = {
    .name = "samebits-report",
    .summary = "make tables, figures, a page and the paper from collected results",
    .commands = commands,
    .epilogue = "example: samebits-report write -i results/demo -o results/demo/report\n",
};

/* Verbs of release 0.1, for one more release: `samebits-report html ...` is `samebits-report write --only page ...`. */
static const struct alias {
    const char *verb, *kind;
} aliases[] = {{"tables", "tables"}, {"numbers", "numbers"}, {"figures", "figures"}, {"html", "page"}, {"paper", "paper"}};

static int run_alias(const struct alias *alias, int argc, char **argv)
{
    char write[] = "write", only[] = "--only", kind[16];
    SB_FREED char **now = malloc(((size_t)argc + 3) * sizeof *now);
    if (!now) return 1;
    strcpy(kind, alias->kind);
    now[0] = argv[0];
    now[1] = write;
    now[2] = only;
    now[3] = kind;
    memcpy(now + 4, argv + 2, ((size_t)argc - 1) * sizeof *now); /* the last one is NULL */
    const int code = sb_program_main(&program, argc + 2, now);
    return code;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(argv[1], aliases[i].verb) == 0) return run_alias(&aliases[i], argc, argv);
    return sb_program_main(&program, argc, argv);
}
