/* A text as a data set: tokens to learn from, the held-out ones at its end, and the table of characters.
 *
 *     sb_text_source text = {.output = "text.h5"};
 *     SB_TRY(sb_text_source_append(&text, "a.txt", bytes, n));
 *     SB_TRY(sb_text_source_write(&text, &split, &provenance));
 *     sb_text_source_free(&text);
 */
#pragma once

#include "datasets/catalog/provenance.h"

#include <stdbool.h>

enum { SB_TEXT_FILES = 64 };

typedef struct sb_text_source {
    const char *output; /* the file that is written, for messages */
    char *bytes;
    size_t n, room;
    int n_files; /* 0: the text comes from no file */
    struct {
        const char *path;
        size_t end; /* of its bytes */
    } file[SB_TEXT_FILES];
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

/* With a table a token is what it is in the table's data set. SB_E_USAGE if `is_given` and split->is_bytes says the other,
 * or if the data set is no text. */
sb_status sb_text_split_settle(sb_text_split *split, bool is_given);

/* Append a file's bytes; the path stays the caller's. SB_E_MEMORY leaves the text as it was. */
sb_status sb_text_source_append(sb_text_source *text, const char *path, const char *bytes, size_t n);
void sb_text_source_free(sb_text_source *text);

/* Write the data set and say what is in it. SB_E_USAGE: the text has too few or too many characters, none is left to
 * learn from, a file is no UTF-8, or a character is not in the table. */
sb_status sb_text_source_write(const sb_text_source *text, const sb_text_split *split, const sb_provenance *provenance);
