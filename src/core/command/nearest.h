/* "Did you mean": of many names the one that is most like a misspelt word.
 *
 *     sb_nearest nearest = sb_nearest_begin("trian");
 *     for (int i = 0; i < n; i++) sb_nearest_offer(&nearest, verb[i].name);
 *     if (nearest.name) printf("did you mean '%s'?", nearest.name);
 */
#pragma once

#include <stddef.h>

typedef struct sb_nearest {
    const char *word; /* what was typed; it must outlive the search */
    const char *name; /* the nearest so far, as it was offered; NULL while none is near enough */
    size_t edits;     /* that lead from word to name */
} sb_nearest;

sb_nearest sb_nearest_begin(const char *word);

/* A name is near enough if a quarter of the word's letters must change at most (one of three letters is allowed), or if
 * the word is its beginning. Of two that are equally near the first one offered stays. */
void sb_nearest_offer(sb_nearest *nearest, const char *name);

/* The same where the word may be a part of the name, as in a search: what lies around the part costs nothing. */
void sb_nearest_offer_part(sb_nearest *nearest, const char *name);

/* ", did you mean 'prednet'?" for a misspelt one of `words` ("prednet|autoencoder"), else "", into guess. */
enum { SB_NEAREST_GUESS = 96 };
const char *sb_nearest_guess(const char *words, const char *word, char guess[SB_NEAREST_GUESS]);

/* How many letters must change, come, go or be swapped with their neighbor to make b of a (optimal string alignment).
 * Letters from the 256th on are not looked at. */
size_t sb_edit_distance(const char *a, const char *b);

/* The same between `part` and that stretch of `text` which is most like it: 0 if text contains part. */
size_t sb_edit_distance_within(const char *part, const char *text);

/* How many edits a word of that number of letters may have and still be taken for a misspelling. */
size_t sb_nearest_allowed(size_t letters);
