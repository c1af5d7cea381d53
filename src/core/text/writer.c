#include "core/text/writer.h"

#include "core/text/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct sb_writer {
    const sb_language *language;
    FILE *out;
    char *document;
    size_t n_bytes;
    bool borrowed;    /* the stream is the caller's */
    bool failed;      /* memory was short */
    char refused[80]; /* the beginning of a text that an exact language cannot carry; "": none */
};

/* What replaces a writer where there is no memory for one. */
static sb_writer none = {.failed = true};

sb_writer *sb_writer_open(const sb_language *language)
{
    sb_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return &none;
    writer->language = language;
    writer->out = open_memstream(&writer->document, &writer->n_bytes);
    writer->failed = !writer->out;
    return writer;
}

sb_writer *sb_writer_on(FILE *out, const sb_language *language)
{
    sb_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return &none;
    writer->language = language;
    writer->out = out;
    writer->borrowed = true;
    return writer;
}

/* -- texts -- */

static void write_text(sb_writer *writer, const char *text, size_t n, bool quoted)
{
    const sb_language *language = writer->language;
    if (language->exact && sb_text_has_control(text, n)) {
        char *shown = sb_text_clean(text, n, false);
        if (!*writer->refused) snprintf(writer->refused, sizeof writer->refused, "%s", shown ? shown : "a text");
        free(shown);
        return;
    }
    char *copy = language->exact ? strndup(text, n) : sb_text_clean(text, n, language->lines);
    if (copy)
        language->text(writer->out, copy, quoted);
    else
        writer->failed = true;
    free(copy);
}

void sb_write_text(sb_writer *writer, const char *text, size_t n)
{
    if (writer->out) write_text(writer, text, strnlen(text, n), false);
}

/* -- formats -- */

typedef struct conversion { /* "%-12.3lf" */
    char spec[32];          /* "%-12.3f": as printf takes it, numbers in their widest type */
    int precision;          /* -1: none */
    char size, kind;        /* 'l', 'L' for ll, 'z', 'j', 't', 'h' or 0; 'f' */
} conversion;

/* `format` stands after the '%'; returns what is after the conversion. */
static const char *take_conversion(const char *format, va_list *arguments, conversion *c)
{
    char precision[16] = "";
    size_t n_flags = strspn(format, "-+ #0123456789"), n_size;
    const char *end = format + n_flags;
    c->precision = -1;
    if (*end == '.') {
        bool star = *++end == '*';
        c->precision = star ? va_arg(*arguments, int) : (int)strtol(end, NULL, 10);
        end += star ? 1 : strspn(end, "0123456789");
        if (c->precision >= 0) snprintf(precision, sizeof precision, ".%d", c->precision);
    }
    n_size = strspn(end, "hlzjt");
    c->size = n_size == 2 && *end == 'l' ? 'L' : n_size ? *end : 0;
    c->kind = end[n_size];
    assert(n_flags < 8 && c->kind);
    snprintf(c->spec, sizeof c->spec, "%%%.*s%s%s%c", (int)n_flags, format, precision,
             strchr("diouxX", c->kind) ? "j" : "", c->kind);
    return end + n_size + 1;
}

static intmax_t take_signed(char size, va_list *arguments)
{
    switch (size) {
    case 'l':
        return va_arg(*arguments, long);
    case 'L':
        return va_arg(*arguments, long long);
    case 'z':
    case 't':
        return va_arg(*arguments, ptrdiff_t);
    case 'j':
        return va_arg(*arguments, intmax_t);
    default:
        return va_arg(*arguments, int);
    }
}

static uintmax_t take_unsigned(char size, va_list *arguments)
{
    switch (size) {
    case 'l':
        return va_arg(*arguments, unsigned long);
    case 'L':
        return va_arg(*arguments, unsigned long long);
    case 'z':
    case 't':
        return va_arg(*arguments, size_t);
    case 'j':
        return va_arg(*arguments, uintmax_t);
    default:
        return va_arg(*arguments, unsigned);
    }
}

static void write_conversion(sb_writer *writer, const conversion *c, bool quoted, va_list *arguments)
{
    const char *text;
    char letter;
    switch (c->kind) {
    case 's':
        text = va_arg(*arguments, const char *);
        write_text(writer, text, c->precision < 0 ? strlen(text) : strnlen(text, (size_t)c->precision), quoted);
        break;
    case 'c':
        letter = (char)va_arg(*arguments, int);
        write_text(writer, &letter, 1, quoted);
        break;
    case 'd':
    case 'i':
        fprintf(writer->out, c->spec, take_signed(c->size, arguments));
        break;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        fprintf(writer->out, c->spec, take_unsigned(c->size, arguments));
        break;
    case '%':
        fputc('%', writer->out);
        break;
    default:
        assert(strchr("aAeEfFgG", c->kind));
        fprintf(writer->out, c->spec, va_arg(*arguments, double));
    }
}

/* A pointer to a va_list that came as a parameter is no pointer to a va_list everywhere; to a copy it is. */
void sb_write_list(sb_writer *writer, const char *format, va_list given)
{
    bool quoted = false;
    va_list arguments;
    va_copy(arguments, given);
    while (writer->out && *format) {
        size_t n = strcspn(format, "%");
        fwrite(format, 1, n, writer->out);
        for (const char *c = format; c < format + n; c++) quoted ^= *c == '\'';
        format += n;
        if (!*format) break;
        conversion c;
        format = take_conversion(format + 1, &arguments, &c);
        write_conversion(writer, &c, quoted, &arguments);
    }
    va_end(arguments);
}

void sb_write(sb_writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sb_write_list(writer, format, arguments);
    va_end(arguments);
}

void sb_write_raw(sb_writer *writer, sb_raw raw)
{
    if (writer->out) fputs(raw.markup, writer->out);
}

FILE *sb_writer_stream(sb_writer *writer, const sb_language *language)
{
    assert(writer->language == language || !writer->out);
    return writer->out;
}

void sb_writer_fail(sb_writer *writer)
{
    writer->failed = true;
}

/* -- the end -- */

/* Ends the stream; the document and what went wrong stay. */
static void end(sb_writer *writer)
{
    if (writer->out && !writer->borrowed) {
        bool whole = !ferror(writer->out);
        if (fclose(writer->out) != 0 || !whole) writer->failed = true;
    }
    writer->out = NULL;
}

static void free_writer(sb_writer *writer)
{
    if (writer != &none) free(writer);
}

static sb_status judge(const sb_writer *writer, const char *what)
{
    if (writer->failed) return sb_fail(SB_E_MEMORY, "%s: not enough memory", what);
    if (!*writer->refused) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: '%s' holds a line end or another control character, which %s cannot carry", what,
                   writer->refused, writer->language->name);
}

sb_status sb_writer_close(sb_writer *writer, const char *what, char **text, size_t *n_bytes)
{
    end(writer);
    sb_status status = judge(writer, what);
    *text = NULL;
    if (status == SB_OK) {
        *text = writer->document;
        if (n_bytes) *n_bytes = writer->n_bytes;
    } else {
        free(writer->document);
    }
    free_writer(writer);
    return status;
}

sb_status sb_writer_end(sb_writer *writer, const char *what)
{
    end(writer);
    sb_status status = judge(writer, what);
    free_writer(writer);
    return status;
}

void sb_writer_drop(sb_writer *writer)
{
    end(writer);
    free(writer->document);
    free_writer(writer);
}

/* -- plain -- */

static void write_plain(FILE *out, const char *text, bool quoted)
{
    (void)quoted;
    fputs(text, out);
}

const sb_language sb_lines = {.name = "a list of one line each", .text = write_plain, .exact = true};
const sb_language sb_plain = {.name = "a sentence", .text = write_plain, .lines = true};
