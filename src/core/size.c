#include "core/size.h"

#include <stdlib.h>

bool sb_size_multiply(size_t a, size_t b, size_t *product)
{
    bool fits = b == 0 || a <= SB_SIZE_MAX / b;
    *product = fits ? a * b : 0;
    return fits;
}

void *sb_size_allocate(size_t n, size_t bytes_each)
{
    size_t n_bytes;
    if (!sb_size_multiply(n, bytes_each, &n_bytes)) return NULL;
    return calloc(n_bytes ? n_bytes : 1, 1);
}

void *sb_size_grow(void *memory, size_t n, size_t bytes_each)
{
    size_t n_bytes;
    if (!sb_size_multiply(n, bytes_each, &n_bytes)) return NULL;
    return realloc(memory, n_bytes ? n_bytes : 1);
}
