#define _GNU_SOURCE /* fopencookie; TIOCGWINSZ */
#include "core/screen.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static char shown[SB_SCREEN_TEXT]; /* what stands there, "" for nothing */

bool sb_screen_is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

/* -- lines -- */

static bool write_all(int fd, const char *text, size_t n_bytes)
{
    while (n_bytes) {
        ssize_t n = write(fd, text, n_bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text += n;
        n_bytes -= (size_t)n;
    }
    return true;
}

/* What a stream hands over: whole lines, but for very long ones and for what is flushed on purpose. */
static ssize_t print(void *context, const char *text, size_t n_bytes)
{
    int fd = (int)(intptr_t)context;
    if (fd == STDERR_FILENO || isatty(fd)) sb_screen_clear();
    return write_all(fd, text, n_bytes) ? (ssize_t)n_bytes : 0;
}

static FILE *by_lines(FILE *stream, int fd, char buffer[SB_SCREEN_TEXT])
{
    const cookie_io_functions_t functions = {.write = print};
    FILE *lines = fopencookie((void *)(intptr_t)fd, "w", functions);
    if (!lines) return stream;
    setvbuf(lines, buffer, _IOLBF, SB_SCREEN_TEXT);
    return lines;
}

/* In glibc both are variables that may be set ("Standard Streams" of its manual). */
void sb_screen_begin(void)
{
    static char out[SB_SCREEN_TEXT], err[SB_SCREEN_TEXT];
    stdout = by_lines(stdout, STDOUT_FILENO, out);
    stderr = by_lines(stderr, STDERR_FILENO, err);
}

/* -- drawing -- */

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

/* Control codes: back to where the shown lines begin, with nothing from there on. */
static void go_back(char codes[32], int columns)
{
    int rows = rows_of(shown, columns);
    if (rows > 1)
        snprintf(codes, 32, "\r\033[%dA\033[J", rows - 1);
    else
        snprintf(codes, 32, "\r\033[J");
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

void sb_screen_draw(const char *lines)
{
    static char text[SB_SCREEN_TEXT + 32]; /* in one write, so that nothing flickers */
    int columns, rows;
    if (!sb_screen_is_terminal()) return;
    sb_screen_size(&columns, &rows);
    go_back(text, columns);
    cut_lines(shown, last_lines(lines, rows > 1 ? rows - 1 : 1), columns);
    strcat(text, shown);
    write_all(STDERR_FILENO, text, strlen(text));
}

void sb_screen_clear(void)
{
    char codes[32];
    int columns, rows;
    if (!*shown) return;
    sb_screen_size(&columns, &rows);
    go_back(codes, columns);
    *shown = 0;
    write_all(STDERR_FILENO, codes, strlen(codes));
}
