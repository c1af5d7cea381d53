/* A command line being put together: words for posix_spawn, or one text for people and records. */
#pragma once

#include "core/status.h"
#include "core/text/writer.h"

#include <stdbool.h>

enum { SB_ARGV_MAX = 96 };

typedef struct sb_argv { /* start with {0}; ends in a NULL, as argv does */
    char *item[SB_ARGV_MAX + 1];
    int n;
    bool lost; /* a word could not be added: too many, or no memory */
} sb_argv;

void sb_argv_add(sb_argv *argv, const char *word);
void sb_argv_add_pair(sb_argv *argv, const char *option, const char *value);

/* The arguments of a text between blanks and line ends; no quoting. */
void sb_argv_add_split(sb_argv *argv, const char *text);

/* SB_E_MEMORY if a word was lost on the way. */
sb_status sb_argv_check(const sb_argv *argv);

/* The arguments in one text with single blanks, for records. The caller frees; NULL: no memory. */
char *sb_argv_text(const sb_argv *argv);

/* The arguments as a shell needs them, into a document of sb_shell (core/text/shell.h), or as one line from malloc.
 * SB_E_USAGE: one of them holds a line end or another control character. */
void sb_argv_write(sb_writer *shell, const sb_argv *argv);
sb_status sb_argv_line(const sb_argv *argv, char **line);

void sb_argv_free(sb_argv *argv);
