#include "core/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void *sb_arena_take(sb_arena *arena, size_t n_bytes)
{
    size_t start = arena->used;
    arena->used += (n_bytes + SB_ARENA_ALIGN - 1) / SB_ARENA_ALIGN * SB_ARENA_ALIGN;
    if (!arena->base) return NULL;
    assert(arena->used <= arena->size);
    return arena->base + start;
}

sb_status sb_arena_reserve(sb_arena *arena)
{
    arena->size = arena->used ? arena->used : SB_ARENA_ALIGN;
    arena->used = 0;
    arena->base = aligned_alloc(SB_ARENA_ALIGN, arena->size);
    if (!arena->base) return sb_fail(SB_E_MEMORY, "not enough memory: %.1f MiB asked", arena->size / 1048576.0);
    memset(arena->base, 0, arena->size);
    return SB_OK;
}
