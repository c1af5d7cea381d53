#include "io/characters.h"

#include "core/text/text.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_POINTS = 0x110000 };

/* The character that the text begins with: its bytes, 0 if it is no UTF-8. */
static size_t next(bool is_bytes, const char *text, size_t n, uint32_t *code)
{
    *code = (uint8_t)*text;
    if (is_bytes) return 1;
    const size_t length = sb_text_decode(text, n, code);
    return *code >> 11 == 0xD800 >> 11 ? 0 : length; /* halves of UTF-16 pairs */
}

static sb_status fail_encoding(const char *path, size_t at)
{
    return sb_fail(SB_E_USAGE, "%s: byte %zu is no UTF-8", path, at + 1);
}

size_t sb_characters_whole(const char *text, size_t n)
{
    uint32_t code;
    size_t at = 0;
    for (size_t length = 1; at < n && length; at += length) length = next(false, text + at, n - at, &code);
    return at;
}

/* Mark the codes that occur. */
static sb_status mark(bool *seen, const char *path, const char *text, size_t n, bool is_bytes)
{
    uint32_t code;
    for (size_t at = 0, length; at < n; at += length) {
        length = next(is_bytes, text + at, n - at, &code);
        if (length == 0) return fail_encoding(path, at);
        seen[code] = true;
    }
    return SB_OK;
}

sb_status sb_characters_collect(sb_characters *table, const char *path, const char *text, size_t n, bool is_bytes)
{
    SB_FREED bool *seen = calloc(CODE_POINTS, sizeof *seen);
    size_t n_codes = 0;
    *table = (sb_characters){.is_bytes = is_bytes};
    if (!seen) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    SB_TRY(mark(seen, path, text, n, is_bytes));
    for (int64_t code = 0; code < CODE_POINTS; code++)
        if (seen[code] && n_codes++ < SB_CHARACTERS_MAX) table->code[table->n++] = code;
    if (n_codes < 2)
        return sb_fail(SB_E_USAGE, "%s: %s", path, n ? "the same character all over; nothing can be learned" : "empty");
    if (n_codes <= SB_CHARACTERS_MAX) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: %zu different characters, and %d are the most; --as bytes takes any file", path,
                   n_codes, SB_CHARACTERS_MAX);
}

static int find(const sb_characters *table, int64_t code)
{
    int low = 0, high = table->n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (table->code[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->n && table->code[low] == code ? low : -1;
}

sb_status sb_characters_encode(const sb_characters *table, const char *path, const char *text, size_t n, uint8_t *token,
                               size_t *n_tokens)
{
    uint32_t code;
    *n_tokens = 0;
    for (size_t at = 0, length; at < n; at += length) {
        length = next(table->is_bytes, text + at, n - at, &code);
        if (length == 0) return fail_encoding(path, at);
        const int place = find(table, code);
        if (place < 0)
            return sb_fail(SB_E_USAGE, "%s: byte %zu is of %s%04X, which is not among the %d characters of the table",
                           path, at + 1, table->is_bytes ? "0x" : "U+", (unsigned)code, table->n);
        token[(*n_tokens)++] = (uint8_t)place;
    }
    return SB_OK;
}

size_t sb_characters_text(const sb_characters *table, uint8_t token, char bytes[SB_CHARACTER_BYTES])
{
    const uint32_t code = (uint32_t)table->code[token];
    if (table->is_bytes || code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    const size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = 1; i < n; i++) bytes[i] = (char)(0x80 | (code >> 6 * (n - 1 - i) & 0x3F));
    bytes[0] = (char)((0xF00 >> n & 0xFF) | code >> 6 * (n - 1));
    return n;
}

void sb_characters_name(const sb_characters *table, uint8_t token, char name[12])
{
    const unsigned code = (unsigned)table->code[token];
    const bool is_shown = code > ' ' && code < 0x7F && code != ',' && code != '"';
    snprintf(name, 12, is_shown ? "%c" : table->is_bytes ? "0x%02X" : "U+%04X", code);
}

bool sb_characters_equal(const sb_characters *a, const sb_characters *b)
{
    return a->n == b->n && a->is_bytes == b->is_bytes && memcmp(a->code, b->code, (size_t)a->n * sizeof *a->code) == 0;
}

/* ---- files ---- */

static const char *const words[] = {"characters", "bytes"};

sb_status sb_characters_write(const sb_characters *table, sb_h5 *file)
{
    const size_t n = (size_t)table->n;
    SB_TRY(sb_h5_write(file, "characters", SB_I64, 1, &n, table->code, SB_H5_PLAIN));
    return sb_h5_set_text(file, "characters", "as", words[table->is_bytes]);
}

static bool is_code(const sb_characters *table, int i)
{
    const int64_t code = table->code[i], most = table->is_bytes ? 0xFF : CODE_POINTS - 1;
    return code > (i ? table->code[i - 1] : -1) && code <= most;
}

sb_status sb_characters_read(sb_characters *table, sb_h5 *file)
{
    char as[16];
    sb_h5_shape shape;
    *table = (sb_characters){0};
    if (!sb_h5_exists(file, "characters")) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, "characters", &shape));
    SB_TRY(sb_h5_get_text(file, "characters", "as", as, sizeof as));
    table->is_bytes = strcmp(as, words[1]) == 0;
    bool holds = shape.n >= 2 && shape.n <= SB_CHARACTERS_MAX && (table->is_bytes || strcmp(as, words[0]) == 0);
    if (holds) SB_TRY(sb_h5_read(file, "characters", SB_I64, shape.n, table->code));
    for (table->n = 0; holds && (size_t)table->n < shape.n; table->n++) holds = is_code(table, table->n);
    if (holds) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: /characters is no ascending list of 2 to %d bytes or characters",
                   sb_h5_path(file), SB_CHARACTERS_MAX);
}
