/* One block of memory per lifetime, laid out by one function that runs twice: the first time it counts, the second
 * time it hands out pointers. The same calls in the same order therefore describe and fill the layout.
 *
 *     for (sb_arena arena = {0};; ) {
 *         lay_out(net, &arena);
 *         if (arena.base) break;
 *         SB_TRY(sb_arena_reserve(&arena));
 *     }
 */
#pragma once

#include "core/status.h"

#include <stddef.h>

enum { SB_ARENA_ALIGN = 64 }; /* a cache line, and the widest vector */

typedef struct sb_arena {
    char *base;  /* NULL while counting */
    size_t used; /* bytes handed out so far */
    size_t size; /* bytes reserved */
} sb_arena;

/* The next n_bytes, aligned to SB_ARENA_ALIGN; NULL while counting. */
void *sb_arena_take(sb_arena *arena, size_t n_bytes);

/* End of the counting pass: reserve what was counted, zero it, and start over. SB_E_MEMORY says how much was asked. */
sb_status sb_arena_reserve(sb_arena *arena);
