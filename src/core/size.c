#include "core/size.h"

#include <stdlib.h>
#include <string.h>

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

bool sb_size_reserve(void *list, size_t *room, size_t n, size_t bytes_each)
{
    enum { LEAST = 16 };
    if (n <= *room) return true;
    if (n > SB_SIZE_MAX / 2) return false;
    const size_t wanted = n + n / 2 + LEAST;
    void *memory;
    memcpy(&memory, list, sizeof memory);
    memory = sb_size_grow(memory, wanted, bytes_each);
    if (!memory) return false;
    memset((char *)memory + *room * bytes_each, 0, (wanted - *room) * bytes_each);
    memcpy(list, &memory, sizeof memory);
    *room = wanted;
    return true;
}
