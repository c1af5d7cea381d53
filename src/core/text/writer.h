/* Documents in other languages: HTML, LaTeX, gnuplot, csv, Markdown, shell. They are put together in memory by a writer
 * that knows its language. The format of sb_write is ours and goes out as it is; what a %s stands for is a text of
 * others and goes through the language's one function, which leaves nothing in it that the language would read:
 *
 *     sb_writer *page = sb_writer_open(&sb_html);
 *     sb_write(page, "<td class=\"word\">%s</td>", cell->name);
 *     ...
 *     SB_TRY(sb_writer_close(page, path, &text, &n_bytes));
 *
 * Only this file and the languages have the stream of a writer, so there is no other way into a document.
 * Markup that is no literal of the call, such as a style sheet, is an sb_raw, which is made from a literal alone. */
#pragma once

#include "core/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct sb_language {
    const char *name; /* "HTML", for sentences */
    /* Write a text. It is plain (core/text/text.h), with line ends and tabs in it where `lines` says so; of an exact
     * language it is the very bytes of the caller. quoted: it stands between single quotes of the format. */
    void (*text)(FILE *out, const char *text, bool quoted);
    bool lines;
    bool exact; /* a text is written as it is or not at all: one with a control character in it fails the document */
} sb_language;

typedef struct sb_writer sb_writer;

/* Never NULL: where memory is short, sb_writer_close says so. */
sb_writer *sb_writer_open(const sb_language *language);

/* The same into a stream of the caller's, which stays open and knows whether writing failed: for documents too large
 * for memory. It ends with sb_writer_end. */
sb_writer *sb_writer_on(FILE *out, const sb_language *language);

/* printf without %n, %p and wide characters; %c is a text, too. A width of %s is not supported, a precision is. */
void sb_write(sb_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sb_write_list(sb_writer *writer, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

typedef struct sb_raw { /* markup of ours */
    const char *markup;
} sb_raw;
#define SB_RAW(literal) ((sb_raw){"" literal ""})
void sb_write_raw(sb_writer *writer, sb_raw raw);

/* One text from the first n bytes, as a %s would write it outside of quotes. */
void sb_write_text(sb_writer *writer, const char *text, size_t n);

/* The stream, for the languages' own files alone: they write what a format cannot say. */
FILE *sb_writer_stream(sb_writer *writer, const sb_language *language);

/* Memory was short while something was written from elsewhere: sb_writer_close says so. */
void sb_writer_fail(sb_writer *writer);

/* The document, from malloc, with a NUL after its n_bytes (may be NULL). SB_E_MEMORY; SB_E_USAGE: a text that an exact
 * language cannot carry, each with `what` in front of the sentence. Frees the writer; a failed call sets *text NULL. */
sb_status sb_writer_close(sb_writer *writer, const char *what, char **text, size_t *n_bytes);

/* The end of a writer on a stream: the same statuses. Frees the writer. */
sb_status sb_writer_end(sb_writer *writer, const char *what);

/* Frees the writer without a document. */
void sb_writer_drop(sb_writer *writer);

/* -- languages of no folder of their own -- */

/* A text of whole sentences that goes into another document, or to a terminal: nothing is replaced but what is not
 * plain. */
extern const sb_language sb_plain;

/* A list of names and paths, one a line, for programs. */
extern const sb_language sb_lines;
