#include "core/screen/screen_parts.h"

#include "core/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Colours of the terminal's own scheme, so that they fit dark and light ones (ECMA-48, 8.3.117). */
static const char *const codes[SB_N_ROLES] = {
    [SB_ROLE_NONE] = "\033[0m",  [SB_ROLE_GOOD] = "\033[32m", [SB_ROLE_BAD] = "\033[1;31m",
    [SB_ROLE_WARN] = "\033[33m", [SB_ROLE_FAINT] = "\033[2m",
};

static char token[SB_MARK_BYTES - 2]; /* zeros: no marks are made */

void sb_paint_begin(void)
{
    unsigned char drawn[sizeof token];
    if (getentropy(drawn, sizeof drawn) != 0) return;
    for (size_t i = 0; i < sizeof token; i++) token[i] = (char)('a' + drawn[i] % 26);
}

const char *sb_paint_mark(sb_role role, char mark[SB_MARK_BYTES + 1])
{
    *mark = 0;
    if (!*token) return mark;
    mark[0] = 1;
    memcpy(mark + 1, token, sizeof token);
    mark[SB_MARK_BYTES - 1] = (char)('0' + role);
    mark[SB_MARK_BYTES] = 0;
    return mark;
}

static bool is_mark(const char *text, size_t n)
{
    return n >= SB_MARK_BYTES && *token && *text == 1 && memcmp(text + 1, token, sizeof token) == 0 &&
           text[SB_MARK_BYTES - 1] >= '0' && text[SB_MARK_BYTES - 1] < '0' + SB_N_ROLES;
}

size_t sb_paint_unit(const char *text, size_t n, int *columns)
{
    *columns = !is_mark(text, n);
    if (!*columns) return SB_MARK_BYTES;
    const size_t length = sb_text_character(text, n, NULL), refused = sb_text_refused(text, n);
    return length ? length : refused ? refused : 1;
}

size_t sb_paint_unfinished(const char *text, size_t n)
{
    for (size_t back = 1; back < SB_MARK_BYTES && back <= n; back++) {
        const unsigned char byte = (unsigned char)text[n - back];
        const size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : byte == 1 ? SB_MARK_BYTES : 1;
        if (length > back) return back;
        if (byte < 0x20) return 0;
    }
    return 0;
}

/* What stands for the byte at text, which begins no plain character; *n_bytes: how many it stands for. */
static const char *stand_in(const char *text, size_t n, sb_paint paint, size_t *n_bytes, size_t *n_written)
{
    const size_t refused = sb_text_refused(text, n);
    *n_bytes = refused ? refused : 1;
    *n_written = 1;
    if (*text == '\n' || *text == '\t') return text;
    if (paint.exact && !refused) return text; /* of a path in another encoding */
    *n_written = strlen(SB_TEXT_UNKNOWN);
    return SB_TEXT_UNKNOWN;
}

char *sb_paint_text(const char *text, size_t n, sb_paint paint, size_t *n_out)
{
    char *painted = malloc(n * strlen(SB_TEXT_UNKNOWN) + 1), *out = painted;
    for (size_t used = 0; painted && used < n;) {
        const char *from = text + used;
        size_t n_bytes = sb_text_character(from, n - used, NULL), written = n_bytes;
        if (is_mark(from, n - used)) {
            const char *code = paint.coloured ? codes[from[SB_MARK_BYTES - 1] - '0'] : "";
            n_bytes = SB_MARK_BYTES; /* more than a code has */
            written = strlen(code);
            from = code;
        } else if (!n_bytes) {
            from = stand_in(from, n - used, paint, &n_bytes, &written);
        }
        memcpy(out, from, written);
        out += written;
        used += n_bytes;
    }
    if (painted) *n_out = (size_t)(out - painted);
    return painted;
}
