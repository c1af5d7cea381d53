/* Writing and reading of bytes: numbers least significant byte first, texts with their length. Reading past the end
 * gives zeros and sets `failed`, so a caller can check once at the end. */
#pragma once

#include "core/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_bytes { /* {0} is empty */
    uint8_t *at;
    size_t n, room;
    bool failed; /* not enough memory */
} sb_bytes;

void sb_bytes_add(sb_bytes *b, const void *data, size_t n);
void sb_bytes_add_integer(sb_bytes *b, int64_t value);
void sb_bytes_add_real(sb_bytes *b, double value);
void sb_bytes_add_text(sb_bytes *b, const char *text);
void sb_bytes_free(sb_bytes *b);

typedef struct sb_taken {
    const uint8_t *at;
    size_t n; /* bytes left */
    bool failed;
} sb_taken;

int64_t sb_take_integer(sb_taken *t);
double sb_take_real(sb_taken *t);
sb_hash sb_take_hash(sb_taken *t);
char *sb_take_text(sb_taken *t);  /* one plain line, the caller frees it; NULL only if failed */
char *sb_take_lines(sb_taken *t); /* the same for several lines */

/* Read a count of elements that have at least bytes_each bytes each. A count beyond the bytes left sets failed and
 * gives 0. */
size_t sb_take_count(sb_taken *t, size_t bytes_each);
