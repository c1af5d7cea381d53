#include "core/text/shell.h"

#include <string.h>

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
    return *word && word[strspn(word, plain)] == 0;
}

/* A quote inside single quotes: '\''. */
static void write_shell(FILE *out, const char *text, bool quoted)
{
    bool marked = !is_plain(text);
    (void)quoted;
    if (marked) fputc('\'', out);
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            fputs("'\\''", out);
        else
            fputc(*c, out);
    if (marked) fputc('\'', out);
}

const sb_language sb_shell = {.name = "a line of a shell", .text = write_shell, .exact = true};
