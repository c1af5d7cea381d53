#include "core/machine/home.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* May the character belong to a part of a path? */
static bool is_part(char c)
{
    return c && (isalnum((unsigned char)c) || strchr("._-+@", c) || (unsigned char)c >= 0x80);
}

/* Does an absolute path begin at the '/'? After a letter it is the middle of another, but for "-I/home". */
static bool begins_path(const char *text, const char *slash)
{
    const char *before = slash;
    while (before > text && is_part(before[-1])) before--;
    return before == slash || *before == '-';
}

/* Put a '~' in place of the n bytes at `at`. */
static void hide(char *at, size_t n)
{
    *at = '~';
    memmove(at + 1, at + n, strlen(at + n) + 1);
}

static void hide_home(char *text, const char *home)
{
    size_t n = strlen(home);
    while (n > 1 && home[n - 1] == '/') n--;
    if (n < 2 || *home != '/') return;
    for (char *at = text; *at; at++)
        if (strncmp(at, home, n) == 0 && !is_part(at[n]) && begins_path(text, at)) hide(at, n);
}

/* After the '/' that an absolute path begins with, each part that is the name. */
static void hide_owner(char *text, const char *owner)
{
    size_t n = strlen(owner);
    for (char *c = text; n && *c; c++) {
        if (*c != '/' || !begins_path(text, c)) continue;
        while (*c == '/') {
            if (strncmp(c + 1, owner, n) == 0 && !is_part(c[1 + n])) hide(c + 1, n);
            for (c++; is_part(*c) || *c == '~'; c++) continue;
        }
        if (!*c) return;
    }
}

void sb_home_hide(char *text)
{
    static const char *const owners[] = {"USER", "LOGNAME"};
    const char *home = getenv("HOME");
    if (home) hide_home(text, home);
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        const char *owner = getenv(owners[i]);
        if (owner) hide_owner(text, owner);
    }
}
