#include "io/yaml/claim_cells.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const sb_setting_id PARTS[] = {SB_SETTING_STUDY, SB_SETTING_DATA, SB_SETTING_BACKEND, SB_SETTING_HARDWARE,
                                      SB_SETTING_TARGET};
enum { N_PARTS = sizeof PARTS / sizeof *PARTS };

/* Without the version of cuDNN after it: "cudnn-8.9" is cudnn, "native-cuda" itself. */
static size_t backend_length(const char *part, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (part[i] == '-' && isdigit((unsigned char)part[i + 1])) return i;
    return n;
}

static bool is_one_of(const char *words, const char *part, size_t n)
{
    for (const char *word = words; word; word = strchr(word, '|')) {
        word += *word == '|';
        if (strcspn(word, "|") == n && strncmp(word, part, n) == 0) return true;
    }
    return false;
}

static bool selects(const sb_selector *selector, const char *name)
{
    for (int i = 0; i < N_PARTS; i++) {
        const char *wanted = selector->setting[PARTS[i]];
        const size_t n = strcspn(name, "/");
        if (!name[n]) return false;
        if (wanted && !is_one_of(wanted, name, PARTS[i] == SB_SETTING_BACKEND ? backend_length(name, n) : n)) return false;
        name += n + 1;
    }
    return true;
}

static int compare(const void *left, const void *right)
{
    const sb_named_cell *a = left, *b = right;
    const int by_name = strcmp(a->name, b->name);
    return by_name ? by_name : strncmp(a->hash, b->hash, SB_CLAIM_CELL_HASH);
}

size_t sb_named_cells_sort(sb_named_cell *cell, size_t n)
{
    size_t n_left = 0;
    if (n) qsort(cell, n, sizeof *cell, compare);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare(&cell[i], &cell[n_left - 1]) != 0) cell[n_left++] = cell[i];
    return n_left;
}

sb_status sb_claim_cells(const sb_claim *claim, const sb_named_cell *cell, size_t n, size_t *n_spoken,
                         char digest[SB_CLAIM_DIGEST])
{
    sb_writer *lines = sb_writer_open(&sb_lines);
    *n_spoken = 0;
    for (size_t i = 0; i < n; i++) {
        if (!selects(&claim->of, cell[i].name) && !selects(&claim->over, cell[i].name)) continue;
        sb_write(lines, "%s %.*s\n", cell[i].name, SB_CLAIM_CELL_HASH, cell[i].hash);
        ++*n_spoken;
    }
    return sb_claim_close_digest(lines, claim, digest);
}
