/* Counts in sentences: printf("%zu cell%s", n, sb_plural(n)) says "1 cell" and "2 cells". "1 of 6 cells" needs none. */
#pragma once

#include <stddef.h>

static inline const char *sb_plural(size_t n)
{
    return n == 1 ? "" : "s";
}
