#include "ops/bounds.h"

#include <sanitizer/asan_interface.h>

/* Compiled with the sanitizer, so that touching the first bad byte gives its report. */
void sb_bounds_check(const void *begin, size_t bytes)
{
    const volatile char *bad = bytes ? __asan_region_is_poisoned((void *)begin, bytes) : NULL;
    if (bad) (void)*bad;
}
