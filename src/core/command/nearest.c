#include "core/command/nearest.h"

#include <stdio.h>
#include <string.h>

enum { LETTERS_MAX = 255, PREFIX_LETTERS = 3 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t length_of(const char *text)
{
    return least(strlen(text), LETTERS_MAX);
}

/* row[i][j]: the edits that lead from the first i letters of a to the first j of b; three rows are kept. `anywhere`
 * counts neither the letters of b before the stretch nor those after it (P. Sellers, 1980). */
static size_t align(const char *a, const char *b, int anywhere)
{
    size_t row[3][LETTERS_MAX + 1], n = length_of(a), m = length_of(b);
    for (size_t j = 0; j <= m; j++) row[0][j] = anywhere ? 0 : j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = least(before[j - 1] + (a[i - 1] != b[j - 1]), least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    size_t best = row[n % 3][m];
    for (size_t j = 0; anywhere && j <= m; j++) best = least(best, row[n % 3][j]);
    return best;
}

size_t sb_edit_distance(const char *a, const char *b)
{
    return align(a, b, 0);
}

size_t sb_edit_distance_within(const char *part, const char *text)
{
    return align(part, text, 1);
}

size_t sb_nearest_allowed(size_t letters)
{
    return (letters + 1) / 4;
}

sb_nearest sb_nearest_begin(const char *word)
{
    return (sb_nearest){.word = word, .edits = sb_nearest_allowed(length_of(word)) + 1};
}

static void offer(sb_nearest *nearest, const char *name, size_t edits)
{
    if (edits >= nearest->edits) return;
    nearest->name = name;
    nearest->edits = edits;
}

void sb_nearest_offer(sb_nearest *nearest, const char *name)
{
    const size_t length = strlen(nearest->word), letters = length - strspn(nearest->word, "-");
    const int begins = letters >= PREFIX_LETTERS && strncmp(name, nearest->word, length) == 0;
    offer(nearest, name, begins ? 1 : sb_edit_distance(nearest->word, name));
}

void sb_nearest_offer_part(sb_nearest *nearest, const char *name)
{
    offer(nearest, name, sb_edit_distance_within(nearest->word, name));
}

const char *sb_nearest_guess(const char *words, const char *word, char guess[SB_NEAREST_GUESS])
{
    char name[2][64]; /* the one being offered, and the best so far */
    int best = 1;
    sb_nearest nearest = sb_nearest_begin(word);
    while (*words) {
        const size_t length = strcspn(words, "|"), edits = nearest.edits;
        snprintf(name[!best], sizeof *name, "%.*s", (int)length, words);
        sb_nearest_offer(&nearest, name[!best]);
        if (nearest.edits < edits) best = !best;
        words += length + (words[length] == '|');
    }
    *guess = 0;
    if (nearest.name) snprintf(guess, SB_NEAREST_GUESS, ", did you mean '%s'?", name[best]);
    return guess;
}
