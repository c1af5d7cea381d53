#include "core/command/wrap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LEAST = 40, MOST = 120 };

int sb_wrap_columns(FILE *out)
{
    struct winsize size;
    const char *said = getenv("COLUMNS");
    int columns = said ? atoi(said) : 0;
    if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col) columns = size.ws_col;
    return columns <= 0 ? 0 : columns < LEAST ? LEAST : columns > MOST ? MOST : columns;
}

/* How much of n bytes goes into a line of `room` columns; the blank at the break belongs to neither line. */
static size_t cut(const char *text, size_t n, size_t room)
{
    size_t best = 0;
    if (n <= room) return n;
    for (size_t i = 1; i <= room; i++)
        if (text[i] == ' ' || text[i - 1] == '|') best = i;
    while (!best && room < n && text[room] != ' ') room++; /* a word longer than the line stays whole */
    return best ? best : room;
}

static void wrap_line(FILE *out, const char *line, size_t n, size_t columns)
{
    const char *mark = memchr(line, *SB_WRAP_HERE, n);
    size_t indent = mark ? (size_t)(mark - line) : strspn(line, " ") + 2, at = 0;
    if (mark) {
        fprintf(out, "%.*s", (int)indent, line);
        line = mark + 1, n -= indent + 1, at = indent;
    }
    if (indent > columns / 2) indent = columns / 3;
    for (size_t taken; columns && n > (columns > at ? columns - at : 1); line += taken, n -= taken) {
        taken = cut(line, n, columns > at ? columns - at : 1);
        fprintf(out, "%.*s\n%*s", (int)taken, line, (int)indent, "");
        while (taken < n && line[taken] == ' ') taken++;
        at = indent;
    }
    fprintf(out, "%.*s\n", (int)n, line);
}

void sb_wrap(FILE *out, const char *text, int columns)
{
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        wrap_line(out, line, n, (size_t)columns);
        line += n + (line[n] == '\n');
    }
}
