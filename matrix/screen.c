#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

sb_screen sb_screen_begin(void)
{
    const char *term = getenv("TERM");
    return (sb_screen){.terminal = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0)};
}

void sb_screen_size(int *columns, int *rows)
{
    struct winsize size = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
    *columns = known && size.ws_col ? size.ws_col : 80;
    *rows = known && size.ws_row ? size.ws_row : 24;
}

/* How many rows the text takes on a terminal of so many columns: one that became narrower has broken its lines. */
static int rows_of(const char *text, int columns)
{
    int rows = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        rows += length ? (int)((length - 1) / (size_t)columns) + 1 : 1;
        line += length + (line[length] == '\n');
    }
    return rows;
}

/* Back to where the shown lines begin, with nothing from there on. */
static void go_back(const sb_screen *screen, int columns)
{
    int rows = rows_of(screen->shown, columns);
    fputs("\r", stderr);
    if (rows > 1) fprintf(stderr, "\033[%dA", rows - 1);
    fputs("\033[J", stderr);
}

static const char *last_lines(const char *text, int n)
{
    const char *begin = text + strlen(text);
    while (begin > text && (begin[-1] != '\n' || --n > 0)) begin--;
    return begin;
}

/* Copy, each line cut one short of the width: a full last column would break some terminals' lines. */
static void cut_lines(char *out, const char *text, int columns)
{
    size_t used = 0, column = 0;
    for (; *text && used < SB_SCREEN_TEXT - 1; text++) {
        column = *text == '\n' ? 0 : column + 1;
        if (column < (size_t)columns) out[used++] = *text;
    }
    out[used] = 0;
}

void sb_screen_draw(sb_screen *screen, const char *lines)
{
    int columns, rows;
    if (!screen->terminal) return;
    sb_screen_size(&columns, &rows);
    go_back(screen, columns);
    cut_lines(screen->shown, last_lines(lines, rows > 1 ? rows - 1 : 1), columns);
    fputs(screen->shown, stderr);
    fflush(stderr);
}

void sb_screen_clear(sb_screen *screen)
{
    int columns, rows;
    if (!screen->terminal || !*screen->shown) return;
    sb_screen_size(&columns, &rows);
    go_back(screen, columns);
    *screen->shown = 0;
}
