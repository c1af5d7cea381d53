#include "ops/cuda.h"

#include <string.h>

#define FORWARD_ROW(X, name, alone, busy)                                                                              \
    {#name,                                                                                                            \
     SB_KERNEL_sb_product_domain_##name,                                                                               \
     sb_product_domain_##name##_m,                                                                                     \
     sb_product_domain_##name##_n,                                                                                     \
     sb_product_domain_##name##_resident,                                                                              \
     alone,                                                                                                            \
     busy},
#define WEIGHT_ROW(X, name, alone, busy)                                                                               \
    {#name,                                                                                                            \
     SB_KERNEL_sb_product_weights_##name,                                                                              \
     sb_product_weights_##name##_m,                                                                                    \
     sb_product_weights_##name##_n,                                                                                    \
     sb_product_weights_##name##_resident,                                                                             \
     alone,                                                                                                            \
     busy},
static const sb_domain_tile forward_tiles[] = {SB_DOMAIN_FORWARD_TILES(FORWARD_ROW, )};
static const sb_domain_tile weight_tiles[] = {SB_DOMAIN_WEIGHT_TILES(WEIGHT_ROW, )};

static const sb_domain_tile *tiles_of(sb_domain_tile_kind kind)
{
    return kind == SB_DOMAIN_FORWARD ? forward_tiles : weight_tiles;
}

int sb_domain_tiles_count(sb_domain_tile_kind kind)
{
    return (int)(kind == SB_DOMAIN_FORWARD ? sizeof forward_tiles / sizeof *forward_tiles
                                           : sizeof weight_tiles / sizeof *weight_tiles);
}

const char *sb_domain_tiles_name(sb_domain_tile_kind kind, int i)
{
    return tiles_of(kind)[i].name;
}

static const sb_domain_tile *tile_named(sb_domain_tile_kind kind, const char *name)
{
    for (int i = 0; name && i < sb_domain_tiles_count(kind); i++)
        if (strcmp(tiles_of(kind)[i].name, name) == 0) return &tiles_of(kind)[i];
    return NULL;
}

const char *sb_domain_tiles_find(const char *name)
{
    const sb_domain_tile *tile = tile_named(SB_DOMAIN_FORWARD, name);
    if (!tile) tile = tile_named(SB_DOMAIN_WEIGHT, name);
    return tile ? tile->name : NULL;
}

typedef struct cost {
    double longest; /* cycles for one term of all chains, on the processor that has most blocks */
    double all;     /* the same of all blocks, where they fill the processors */
} cost;

static cost cost_of(const sb_domain_tile *tile, int m, int n, int points, int processors)
{
    const double blocks = (double)sb_blocks(m, tile->m) * (double)sb_blocks(n, tile->n) * points;
    const long of_processor = (long)((blocks + processors - 1) / processors);
    const double alone = (double)sb_blocks(of_processor, tile->resident) * tile->alone;
    const double together = (double)of_processor * tile->busy;
    return (cost){alone > together ? alone : together, blocks * tile->busy};
}

static bool is_less(cost a, cost b)
{
    return a.longest < b.longest || (a.longest == b.longest && a.all < b.all);
}

const sb_domain_tile *sb_domain_tile_for(sb_domain_tile_kind kind, int m, int n, int points, int processors,
                                         const char *name)
{
    const sb_domain_tile *best = tile_named(kind, name);
    if (best) return best;
    cost least = {0, 0};
    for (int i = 0; i < sb_domain_tiles_count(kind); i++) {
        const cost its_cost = cost_of(&tiles_of(kind)[i], m, n, points, processors);
        if (!best || is_less(its_cost, least)) best = &tiles_of(kind)[i], least = its_cost;
    }
    return best;
}
