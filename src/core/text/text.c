#include "core/text/text.h"

#include <stdlib.h>
#include <string.h>

/* The shortest form alone is valid (RFC 3629). */
size_t sb_text_decode(const char *text, size_t n, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    if (n == 0) return 0;
    size_t length = *byte < 0x80 ? 1 : *byte >> 5 == 6 ? 2 : *byte >> 4 == 14 ? 3 : *byte >> 3 == 30 ? 4 : 0;
    if (length == 0 || length > n) return 0;
    *code = length == 1 ? *byte : *byte & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (byte[i] >> 6 != 2) return 0;
        *code = *code << 6 | (byte[i] & 0x3F);
    }
    return *code >= least[length] && *code <= 0x10FFFF ? length : 0;
}

/* The place of the high bytes of UTF-16, 0 or 1; -1: it is none, or too short to tell. High bytes are below 0x20 in nearly
 * all alphabets, and zero in characters of ASCII, such as spaces. In UTF-8 such bytes are control characters, or the ends
 * of lines of one character, so two bytes and one byte in 32 must be zero. */
static int high_place(const char *bytes, size_t n)
{
    size_t n_zeros[2] = {0, 0}, n_low[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        n_zeros[i % 2] += bytes[i] == 0;
        n_low[i % 2] += (unsigned char)bytes[i] < 0x20;
    }
    const int place = n_zeros[1] != 0;
    const bool has_zeros = n_zeros[place] >= 2 && n_zeros[place] * 32 >= n && !n_zeros[!place];
    return n >= 8 && has_zeros && n_low[place] * 10 >= n / 2 * 9 ? place : -1;
}

bool sb_text_is_wide(const char *bytes, size_t n)
{
    return high_place(bytes, n) >= 0;
}

const char *sb_text_advice(const char *bytes, size_t n)
{
    const int place = high_place(bytes, n);
    if (n >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0))
        return "in UTF-16; 'iconv -f UTF-16 -t UTF-8 FILE >NEW' converts it";
    if (place >= 0)
        return place ? "in UTF-16; 'iconv -f UTF-16LE -t UTF-8 FILE >NEW' converts it"
                     : "in UTF-16; 'iconv -f UTF-16BE -t UTF-8 FILE >NEW' converts it";
    if (memchr(bytes, 0, n)) return "it holds a zero byte, so it is no text";
    return "perhaps in Latin-1; 'iconv -f ISO-8859-1 -t UTF-8 FILE >NEW' converts it";
}

/* Ranges of codes that are no plain character. */
static const struct {
    uint32_t first, last;
} refused[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     /* controls */
    {0x061C, 0x061C}, {0x200E, 0x200F}, /* marks of direction */
    {0x2028, 0x202E}, {0x2066, 0x2069}, /* ends of lines and paragraphs, directions */
    {0xD800, 0xDFFF},                   /* halves of UTF-16 pairs */
    {0xFDD0, 0xFDEF}, {0xFEFF, 0xFEFF}, /* no characters; the mark of byte order */
    {0xFFF9, 0xFFFB},                   /* controls of annotations */
};

size_t sb_text_character(const char *text, size_t n, uint32_t *code)
{
    uint32_t c;
    size_t length = sb_text_decode(text, n, &c);
    if (length == 0 || (c & 0xFFFE) == 0xFFFE) return 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (c >= refused[i].first && c <= refused[i].last) return 0;
    if (code) *code = c;
    return length;
}

size_t sb_text_refused(const char *text, size_t n)
{
    uint32_t code;
    return sb_text_character(text, n, NULL) == 0 ? sb_text_decode(text, n, &code) : 0;
}

static bool is_line(char c)
{
    return c == '\n' || c == '\t';
}

size_t sb_text_plain_length(const char *text, bool lines)
{
    size_t used = 0, n = strlen(text);
    while (used < n) {
        size_t length = lines && is_line(text[used]) ? 1 : sb_text_character(text + used, n - used, NULL);
        if (length == 0) break;
        used += length;
    }
    return used;
}

char *sb_text_clean(const char *text, size_t n, bool lines)
{
    static const char unknown[] = SB_TEXT_UNKNOWN;
    char *clean = malloc((sizeof unknown - 1) * n + 1), *out = clean;
    for (size_t used = 0, length; clean && used < n; used += length) {
        const char *from = text + used;
        size_t written = length = sb_text_character(from, n - used, NULL);
        if (length == 0) {
            length = written = 1;
            if (is_line(*from))
                from = lines ? from : " ";
            else
                from = unknown, written = sizeof unknown - 1;
        }
        memcpy(out, from, written);
        out += written;
    }
    if (clean) *out = 0;
    return clean;
}

void sb_text_trim(char *text)
{
    size_t n = strlen(text), tail = 0;
    while (tail < 3 && tail < n && ((unsigned char)text[n - 1 - tail] >> 6) == 2) tail++;
    if (tail == n) return;
    const unsigned char first = (unsigned char)text[n - 1 - tail];
    const size_t length = first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 1;
    if (length > tail + 1) text[n - 1 - tail] = 0;
}

bool sb_text_has_control(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F) return true;
    return false;
}

bool sb_text_is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t n = strspn(text, letters);
    return n > 0 && n < 64 && !text[n] && !strchr("._-", *text);
}

char *sb_text_after_mark(char *text)
{
    static const char mark[] = "\xEF\xBB\xBF";
    return strncmp(text, mark, sizeof mark - 1) == 0 ? text + sizeof mark - 1 : text;
}
