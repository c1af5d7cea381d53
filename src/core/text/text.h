/* Texts of others: names, labels, paths and sentences from files, arguments and the environment. What a text may hold
 * is said here, once; how it is written into a language such as HTML, the writer of that language says (writer.h).
 *
 * A plain text is UTF-8 without control characters, without the marks that change the direction of what is shown, and
 * without codes that are no characters. Line ends and tabs are controls too; where lines are allowed it is said. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the plain character that text begins with, 1 to 4, and its code (may be NULL); 0: what stands there is
 * none. n: bytes of text. */
size_t sb_text_character(const char *text, size_t n, uint32_t *code);

/* The bytes of any character of UTF-8 that text begins with, 1 to 4, and its code; 0: what stands there is none. */
size_t sb_text_decode(const char *text, size_t n, uint32_t *code);

/* Are n bytes probably a text in UTF-16 without a mark of byte order? It may be valid UTF-8. */
bool sb_text_is_wide(const char *bytes, size_t n);

/* For the end of a sentence about n bytes that are no text in UTF-8: which encoding they probably have, and the command
 * that converts them. */
const char *sb_text_advice(const char *bytes, size_t n);

/* The same text after the mark of UTF-8 (EF BB BF) that some editors put first. */
char *sb_text_after_mark(char *text);

/* The bytes of a character of UTF-8 that text begins with and that is not plain, such as a control; 0: there stands
 * none. */
size_t sb_text_refused(const char *text, size_t n);

/* The bytes up to the first that belongs to no plain character, strlen(text) if all do; lines: '\n' and '\t' may be in
 * it too. */
size_t sb_text_plain_length(const char *text, bool lines);

/* What stands for a byte that cannot be shown: U+FFFD in UTF-8. */
#define SB_TEXT_UNKNOWN "\xEF\xBF\xBD"

/* A copy of the first n bytes in which every byte of no plain character is SB_TEXT_UNKNOWN; lines: '\n' and '\t' stay,
 * else they become blanks. The caller frees; NULL: no memory. */
char *sb_text_clean(const char *text, size_t n, bool lines);

/* Remove the beginning of a character that a copy of limited size cut in two, at the end of the text. */
void sb_text_trim(char *text);

/* Whether one of the first n bytes is a control character of ASCII: a line end, a tab, an escape. Such a text is no
 * path and no word that lists, scripts and logs could carry. */
bool sb_text_has_control(const char *text, size_t n);

/* Letters, digits, '.', '_' and '-', 63 at most, a letter or digit first: neither "..", nor an option, nor anything
 * that a shell, HTML, TeX or gnuplot would read as its own. */
bool sb_text_is_name(const char *text);
