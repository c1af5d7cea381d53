#include "core/screen/screen_parts.h"

#include <errno.h>
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

typedef struct channel { /* stdout or stderr */
    int fd;
    char held[SB_MARK_BYTES]; /* the beginning of a character that was cut by the end of a buffer */
    size_t n_held;
    FILE *stream;
    bool keeps_bytes; /* unless it is a terminal */
} channel;

static channel out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

static bool wants_colour(int fd)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fd) && !(none && *none) && !(term && strcmp(term, "dumb") == 0);
}

/* What a stream hands over: whole lines, but for very long ones and for what is flushed on purpose. */
static ssize_t print(void *context, const char *text, size_t n_bytes)
{
    channel *c = context;
    size_t n = c->n_held + n_bytes, n_painted;
    char *whole = malloc(n + 1);
    if (!whole) return 0;
    memcpy(whole, c->held, c->n_held);
    memcpy(whole + c->n_held, text, n_bytes);
    if (c->keeps_bytes && !isatty(c->fd)) {
        const bool is_written = write_all(c->fd, whole, n);
        c->n_held = 0;
        free(whole);
        return is_written ? (ssize_t)n_bytes : 0;
    }
    const sb_paint paint = {.coloured = wants_colour(c->fd), .exact = c->fd == STDOUT_FILENO && !isatty(c->fd)};
    const size_t unfinished = sb_paint_unfinished(whole, n);
    char *painted = sb_paint_text(whole, n - unfinished, paint, &n_painted);
    memcpy(c->held, whole + n - unfinished, unfinished);
    c->n_held = unfinished;
    free(whole);
    if (!painted) return 0;
    if (c->fd == STDERR_FILENO || isatty(c->fd)) sb_screen_clear();
    const bool written = write_all(c->fd, painted, n_painted);
    free(painted);
    return written ? (ssize_t)n_bytes : 0;
}

static FILE *by_lines(FILE *stream, channel *c, char buffer[SB_SCREEN_TEXT])
{
    const cookie_io_functions_t functions = {.write = print};
    c->stream = fopencookie(c, "w", functions);
    if (!c->stream) return stream;
    setvbuf(c->stream, buffer, _IOLBF, SB_SCREEN_TEXT);
    return c->stream;
}

/* In glibc both are variables that may be set ("Standard Streams" of its manual). */
void sb_screen_begin(void)
{
    static char out_buffer[SB_SCREEN_TEXT], err_buffer[SB_SCREEN_TEXT];
    sb_paint_begin();
    stdout = by_lines(stdout, &out, out_buffer);
    stderr = by_lines(stderr, &err, err_buffer);
}

void sb_screen_keep_bytes(void)
{
    out.keeps_bytes = true;
}

/* -- roles -- */

const char *sb_screen_paint(char *text, size_t size, sb_role role, const char *word)
{
    char begin[SB_MARK_BYTES + 1], end[SB_MARK_BYTES + 1];
    snprintf(text, size, "%s%s%s", sb_paint_mark(role, begin), word, sb_paint_mark(SB_ROLE_NONE, end));
    return text;
}

void sb_screen_word(FILE *stream, sb_role role, int width, const char *word)
{
    char mark[SB_MARK_BYTES + 1];
    const int length = (int)strlen(word);
    const bool ours = stream && (stream == out.stream || stream == err.stream) && role != SB_ROLE_NONE;
    if (ours) fputs(sb_paint_mark(role, mark), stream);
    fputs(word, stream);
    if (ours) fputs(sb_paint_mark(SB_ROLE_NONE, mark), stream);
    fprintf(stream, "%*s", width > length ? width - length : 0, "");
}

/* -- drawing -- */

void sb_screen_size(int *columns, int *rows)
{
    struct winsize size = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
    *columns = known && size.ws_col ? size.ws_col : 80;
    *rows = known && size.ws_row ? size.ws_row : 24;
}

/* How many rows the text takes on a terminal of this many columns: one that became narrower has broken its lines. */
static int rows_of(const char *text, int columns)
{
    int rows = 0;
    for (const char *line = text; *line;) {
        const char *end = line + strcspn(line, "\n");
        int width, length = 0;
        for (const char *at = line; at < end; length += width) at += sb_paint_unit(at, (size_t)(end - at), &width);
        rows += length ? (length - 1) / columns + 1 : 1;
        line = end + (*end == '\n');
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

/* Copy, each line cut one short of the width: a full last column would break some terminals' lines. Marks of roles
 * stay, so that what they begin also ends. */
static void cut_lines(char *copy, const char *text, int columns)
{
    size_t used = 0, left = strlen(text);
    int column = 0, width;
    for (size_t n; left; text += n, left -= n) {
        n = sb_paint_unit(text, left, &width);
        column = *text == '\n' ? 0 : column + width;
        if ((width && column >= columns) || used + n >= SB_SCREEN_TEXT) continue;
        memcpy(copy + used, text, n);
        used += n;
    }
    copy[used] = 0;
}

/* In one write, so that nothing flickers. */
void sb_screen_draw(const char *lines)
{
    char back[32];
    int columns, rows;
    size_t n_painted;
    if (!sb_screen_is_terminal()) return;
    sb_screen_size(&columns, &rows);
    go_back(back, columns);
    cut_lines(shown, last_lines(lines, rows > 1 ? rows - 1 : 1), columns);
    char *painted =
        sb_paint_text(shown, strlen(shown), (sb_paint){.coloured = wants_colour(STDERR_FILENO)}, &n_painted);
    char *text = painted ? malloc(sizeof back + n_painted) : NULL;
    if (text) {
        const size_t n_back = strlen(back);
        memcpy(text, back, n_back);
        memcpy(text + n_back, painted, n_painted);
        write_all(STDERR_FILENO, text, n_back + n_painted);
    }
    free(text);
    free(painted);
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
