/* The characters of a text data set: the token of a character is its place in the table, and the table ascends. A
 * character is a byte or a code point of UTF-8.
 *
 *     SB_TRY(sb_characters_collect(&table, "a.txt", text, n, false));      those that occur
 *     SB_TRY(sb_characters_encode(&table, "a.txt", text, n, token, &n_tokens));
 *     n = sb_characters_text(&table, token[0], bytes);                      back again
 */
#pragma once

#include "io/h5/h5.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_CHARACTERS_MAX = 256, SB_CHARACTER_BYTES = 4 };

typedef struct sb_characters {
    int n;         /* 2 to SB_CHARACTERS_MAX; 0: no table */
    bool is_bytes; /* codes are bytes; else code points */
    int64_t code[SB_CHARACTERS_MAX]; /* [n], ascending */
} sb_characters;

/* The bytes at the beginning of a text that are whole characters of UTF-8; n if all are. */
size_t sb_characters_whole(const char *text, size_t n);

/* The characters that occur in n bytes. SB_E_USAGE, with the path, if there are fewer than two or more than
 * SB_CHARACTERS_MAX, or if the text is no UTF-8 and characters are code points. */
sb_status sb_characters_collect(sb_characters *table, const char *path, const char *text, size_t n, bool is_bytes);

/* The tokens of n bytes, at most n of them. SB_E_USAGE, with the path and the place, for a character that is not in the
 * table. */
sb_status sb_characters_encode(const sb_characters *table, const char *path, const char *text, size_t n, uint8_t *token,
                               size_t *n_tokens);

/* The bytes of a token: their number, 1 to 4. */
size_t sb_characters_text(const sb_characters *table, uint8_t token, char bytes[SB_CHARACTER_BYTES]);

/* How tables show a token: a letter, digit or mark of ASCII itself, else "U+000A" or "0x0A". */
void sb_characters_name(const sb_characters *table, uint8_t token, char name[12]);

bool sb_characters_equal(const sb_characters *a, const sb_characters *b);

/* The data set /characters of a file, whose attribute `as` is "bytes" or "characters". Reading: SB_E_INTEGRITY if it
 * is no table; n is 0 if the file has none. */
sb_status sb_characters_write(const sb_characters *table, sb_h5 *file);
sb_status sb_characters_read(sb_characters *table, sb_h5 *file);
