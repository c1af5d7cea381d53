#include "paper/judge/distinct.h"

#include "core/size.h"
#include "io/seal.h"

#include <stdlib.h>
#include <string.h>

static sb_status compare(const char *const *path, const sb_seal *seal, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (*seal[i].sha256 && strcmp(seal[k].sha256, seal[i].sha256) == 0)
            return sb_fail(SB_E_USAGE, "%s and %s: the same run, named twice; name it once", path[k], path[i]);
    return SB_OK;
}

sb_status sb_distinct_check(const char *const *path, size_t n)
{
    sb_seal *seal = sb_size_allocate(n, sizeof *seal);
    if (!seal) return sb_fail(SB_E_MEMORY, "not enough memory for the seals of %zu runs", n);
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        if (!sb_seal_peek(path[i], &seal[i])) seal[i] = (sb_seal){0};
        status = compare(path, seal, i);
    }
    free(seal);
    return status;
}
