#define _POSIX_C_SOURCE 200809L
#include "matrix/watch/tail.h"

#include <stdio.h>
#include <string.h>

static size_t read_end(char text[SB_TAIL_BYTES], const char *path)
{
    size_t n = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    if (fseeko(file, 0, SEEK_END) == 0) {
        off_t size = ftello(file), room = SB_TAIL_BYTES - 1;
        if (fseeko(file, size > room ? size - room : 0, SEEK_SET) == 0) n = fread(text, 1, SB_TAIL_BYTES - 1, file);
    }
    fclose(file);
    return n;
}

/* Drop what a carriage return wrote over. */
static void keep_last_writing(char *text)
{
    char *out = text, *line = text;
    for (const char *in = text; *in; in++) {
        if (*in == '\r') {
            out = line;
            continue;
        }
        *out++ = *in;
        if (*in == '\n') line = out;
    }
    *out = 0;
}

void sb_tail_read(char text[SB_TAIL_BYTES], const char *path, int n_lines)
{
    size_t n = read_end(text, path);
    text[n] = 0;
    while (n && (text[n - 1] == '\n' || text[n - 1] == '\r')) text[--n] = 0;
    keep_last_writing(text);
    char *begin = text + strlen(text);
    while (begin > text && (begin[-1] != '\n' || --n_lines > 0)) begin--;
    memmove(text, begin, strlen(begin) + 1);
}
