/* A text as a data set: tokens to learn from, the held-out ones at its end, and the table of characters.
 *
 *     sb_text_source text = {.output = "text.h5"};
 *     SB_TRY(sb_text_source_append(&text, bytes, n));
 *     SB_TRY(sb_text_source_write(&text, &split, &provenance));
 *     sb_text_source_free(&text);
 */
#pragma once

#include "datasets/catalog/provenance.h"

#include <stdbool.h>

typedef struct sb_text_source {
    const char *output; /* the file that is written, for messages */
    char *bytes;
    size_t n, room;
} sb_text_source;

typedef struct sb_text_split {
    bool is_bytes;     /* each byte is a character; else each code point of UTF-8 */
    long hold_out;     /* tokens held out at the end; negative: a tenth, rounded up */
    const char *table; /* data set whose characters are taken; NULL: those that occur */
} sb_text_split;

/* The row of an option table for the member `split` of a verb's struct. */
#define SB_TEXT_HOLD_OUT_OPTION(type)                                                                                  \
    SB_OPTION_INT(type, split.hold_out, "--hold-out", "N", "-1", -1, 1000000000,                                       \
                  "characters held out at the end of the text; -1: a tenth")

/* SB_E_MEMORY leaves the text as it was. */
sb_status sb_text_source_append(sb_text_source *text, const char *bytes, size_t n);
void sb_text_source_free(sb_text_source *text);

/* Write the data set and say what is in it. SB_E_USAGE: the text has too few or too many characters, none is left to
 * learn from, it is no UTF-8, or a character is not in the table. */
sb_status sb_text_source_write(const sb_text_source *text, const sb_text_split *split, const sb_provenance *provenance);
