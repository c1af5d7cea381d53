#include "record/bytes.h"

#include "core/little_endian.h"
#include "core/size.h"
#include "core/text/text.h"

#include <stdlib.h>
#include <string.h>

void sb_bytes_add(sb_bytes *b, const void *data, size_t n)
{
    if (b->failed) return;
    if (n > SB_SIZE_MAX - b->n || !sb_size_reserve(&b->at, &b->room, b->n + n, 1)) {
        b->failed = true;
        return;
    }
    if (n) memcpy(b->at + b->n, data, n);
    b->n += n;
}

void sb_bytes_add_integer(sb_bytes *b, int64_t value)
{
    sb_little_endian_turn(&value, 1, sizeof value);
    sb_bytes_add(b, &value, sizeof value);
}

void sb_bytes_add_real(sb_bytes *b, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sb_bytes_add_integer(b, bits);
}

void sb_bytes_add_text(sb_bytes *b, const char *text)
{
    const size_t n = strlen(text);
    sb_bytes_add_integer(b, (int64_t)n);
    sb_bytes_add(b, text, n);
}

void sb_bytes_free(sb_bytes *b)
{
    free(b->at);
    *b = (sb_bytes){0};
}

static void take(sb_taken *t, void *data, size_t n)
{
    if (t->failed || t->n < n) {
        t->failed = true;
        memset(data, 0, n);
        return;
    }
    memcpy(data, t->at, n);
    t->at += n;
    t->n -= n;
}

int64_t sb_take_integer(sb_taken *t)
{
    int64_t value;
    take(t, &value, sizeof value);
    sb_little_endian_turn(&value, 1, sizeof value);
    return value;
}

double sb_take_real(sb_taken *t)
{
    const int64_t bits = sb_take_integer(t);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

sb_hash sb_take_hash(sb_taken *t)
{
    sb_hash hash;
    take(t, &hash, sizeof hash);
    return hash;
}

size_t sb_take_count(sb_taken *t, size_t bytes_each)
{
    const int64_t n = sb_take_integer(t);
    if (!t->failed && n >= 0 && (uint64_t)n <= t->n / bytes_each) return (size_t)n;
    t->failed = true;
    return 0;
}

static char *take_plain(sb_taken *t, bool lines)
{
    const size_t n = sb_take_count(t, 1);
    char *text = t->failed ? NULL : malloc(n + 1);
    if (!text) {
        t->failed = true;
        return NULL;
    }
    take(t, text, n);
    text[n] = 0;
    if (strlen(text) == n && sb_text_plain_length(text, lines) == n) return text;
    free(text);
    t->failed = true;
    return NULL;
}

char *sb_take_text(sb_taken *t)
{
    return take_plain(t, false);
}

char *sb_take_lines(sb_taken *t)
{
    return take_plain(t, true);
}
