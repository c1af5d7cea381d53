#include "matrix/watch/watch.h"

#include "core/machine/clock.h"
#include "io/run/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the end of a log -- */

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

/* -- progress -- */

/* The matrix file says it, or, where it says epochs, the trainer's progress line: "autoencoder 400/6000  loss ...". */
static long total_of(const sb_cell *cell, const sb_store *store)
{
    char line[SB_TAIL_BYTES];
    long total = 0;
    if (cell->value[SB_SETTING_UPDATES]) return strtol(cell->value[SB_SETTING_UPDATES], NULL, 10);
    sb_tail_read(line, store->log, 1);
    return sscanf(line, "%*s %*d/%ld ", &total) == 1 && total > 0 ? total : 0;
}

void sb_watch_look(sb_watch *watch, const sb_cell *cell, const sb_store *store)
{
    sb_record last;
    if (cell->study->command || !sb_journal_last(store->journal, &last)) return;
    double now = sb_clock_seconds();
    if (!watch->total) watch->total = total_of(cell, store);
    watch->update = (long)last.update;
    watch->loss = last.loss_last;
    if (watch->first_seen <= 0) {
        watch->first_seen = now;
        watch->first = watch->update;
    }
    double seconds = now - watch->first_seen;
    watch->rate = seconds > 0.5 ? (double)(watch->update - watch->first) / seconds : 0;
}

double sb_watch_left(const sb_watch *watch)
{
    if (watch->rate <= 0 || watch->total < watch->update) return -1;
    return (double)(watch->total - watch->update) / watch->rate;
}
