/* The tokens of a text data set in memory, and their windows of T + 1 tokens: T inputs, and for each the next token as its
 * target. The object does not change after it was opened, so threads may share it.
 *
 *     SB_TRY(sb_tokens_open(&tokens, dataset, 256, false));
 *     first = sb_tokens_start(&tokens, seed, (update - 1) * batch + place);      to learn from
 *     for (k = 0; k < sb_tokens_windows(&tokens, SB_PART_TEST); k++) ... token k * 256 is the first of window k ...
 */
#pragma once

#include "data/images.h"

typedef struct sb_tokens {
    size_t context; /* T */
    struct {
        size_t n;
        uint8_t *token;
    } part[SB_N_PARTS]; /* HOLD_OUT is empty: the held-out end of the text is its TEST part */
} sb_tokens;

/* SB_E_USAGE: there is not one window to learn from, or where nothing is learned (is_read_only), in no part. On failure
 * nothing stays open. */
sb_status sb_tokens_open(sb_tokens *tokens, sb_dataset *dataset, size_t context, bool is_read_only);
void sb_tokens_close(sb_tokens *tokens); /* one of zeros, too */

/* The first token of window number `number` = 0, 1, ... of a training: uniform over all places of the training part where
 * a window begins (docs/specification.md, section 12). */
size_t sb_tokens_start(const sb_tokens *tokens, uint64_t seed, uint64_t number);

/* The number of windows of a part that follow each other without a gap; the last target of one is the first input of the
 * next. A rest that is shorter than a window is in none. */
size_t sb_tokens_windows(const sb_tokens *tokens, sb_part part);

/* The window of a part that begins at token `first`, into [context + 1]. */
void sb_tokens_copy(const sb_tokens *tokens, sb_part part, size_t first, uint8_t *window);
