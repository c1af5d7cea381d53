#include "ops/kernels/kernels_host.h"

#include <stdlib.h>
#include <string.h>

/* With fma in hardware where there is one; the bits are the same. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define ON_THIS_CPU __attribute__((flatten, target_clones("fma", "default")))
#else
#define ON_THIS_CPU
#endif

/* Filled into shared memory and registers before a block starts: a NaN, so that what no one wrote shows. */
enum { UNWRITTEN = 0xff };

#define WALK_EACH(name)                                                                                                \
    ON_THIS_CPU static bool name##_walk(sb_grid grid, const void *args, sb_walk walk)                                  \
    {                                                                                                                  \
        (void)grid;                                                                                                    \
        const name##_args *k = args;                                                                                   \
        for (long i = 0; i < k->n; i++) name##_each(k, walk == SB_WALK_UP ? i : k->n - 1 - i);                         \
        return true;                                                                                                   \
    }

#define WALK_TILED(name)                                                                                               \
    static inline void name##_block(const name##_args *k, sb_spot at, sb_walk walk, name##_shared *shared,             \
                                    name##_own *own)                                                                   \
    {                                                                                                                  \
        memset(shared, UNWRITTEN, sizeof *shared);                                                                     \
        memset(own, UNWRITTEN, name##_threads * sizeof *own);                                                          \
        for (int step = 0; step < name##_steps(k, at); step++)                                                         \
            for (int t = 0; t < name##_threads; t++) {                                                                 \
                at.thread = walk == SB_WALK_UP ? t : name##_threads - 1 - t;                                           \
                name##_step(k, at, step, shared, &own[at.thread]);                                                     \
            }                                                                                                          \
    }                                                                                                                  \
    ON_THIS_CPU static bool name##_walk(sb_grid grid, const void *args, sb_walk walk)                                  \
    {                                                                                                                  \
        name##_shared *shared = malloc(sizeof *shared);                                                                \
        name##_own *own = malloc(name##_threads * sizeof *own);                                                        \
        bool is_room = shared && own;                                                                                  \
        for (int z = 0; is_room && z < (int)grid.z; z++)                                                               \
            for (int y = 0; y < (int)grid.y; y++)                                                                      \
                for (int x = 0; x < (int)grid.x; x++) name##_block(args, (sb_spot){x, y, z, 0}, walk, shared, own);    \
        free(own);                                                                                                     \
        free(shared);                                                                                                  \
        return is_room;                                                                                                \
    }

SB_KERNELS(WALK_EACH, WALK_TILED)

#define WALK_ROW(name) name##_walk,
bool sb_kernels_walk(int kernel, sb_grid grid, const void *args, sb_walk walk)
{
    static bool (*const walks[])(sb_grid, const void *, sb_walk) = {SB_KERNELS(WALK_ROW, WALK_ROW)};
    return walks[kernel](grid, args, walk);
}
