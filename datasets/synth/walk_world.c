#include "datasets/synth/walk_render.h"

#include "datasets/synth/fixed.h"

#include <stdlib.h>

enum { HALF_STREET_M = 5, LOT_M = SB_BLOCK_M - 2 * HALF_STREET_M, WRAP = SB_WORLD_M - 1 };

sb_street sb_world_street(const sb_world *world, int along_x, int line)
{
    static const sb_street of[] = {SB_STREET_PAVED, SB_STREET_GREEN, SB_STREET_PAVED, SB_STREET_ASPHALT,
                                   SB_STREET_GREEN};
    return of[sb_pick(world->seed + 1, (uint32_t)along_x, (uint32_t)(line & (SB_WORLD_BLOCKS - 1)), 0, 4)];
}

static sb_world_cell *cell_at(sb_world *world, int x, int y)
{
    return &world->cell[y & WRAP][x & WRAP];
}

static void put_prop(sb_world *world, sb_surface surface, int32_t x, int32_t y, int32_t w, int32_t h)
{
    if (world->n_props == SB_WORLD_PROPS) return;
    uint8_t tint = (uint8_t)(sb_mix(world->seed + 3, (uint32_t)world->n_props, 0) & 7);
    world->prop[world->n_props++] = (sb_prop){x, y, w, h, (uint8_t)surface, tint};
}

/* A tree of some kind and size, at millimetres from the corner of a cell. */
static void put_tree(sb_world *world, int x_m, int y_m, uint32_t which)
{
    uint32_t seed = world->seed + 5;
    uint32_t place = (uint32_t)(y_m * SB_WORLD_M + x_m);
    int32_t x = x_m * SB_ONE + SB_MM(sb_pick(seed, place, 1, 200, 800));
    int32_t y = y_m * SB_ONE + SB_MM(sb_pick(seed, place, 2, 200, 800));
    int32_t size = SB_MM(sb_pick(seed, place, 3, 4600, 7600));
    sb_surface kind = SB_TREE_ROUND + (int)(which % 3);
    put_prop(world, kind, x, y, size, kind == SB_TREE_WIDE ? size * 9 / 10 : size);
}

static void put_bush(sb_world *world, int x_m, int y_m)
{
    uint32_t place = (uint32_t)(y_m * SB_WORLD_M + x_m);
    int32_t size = SB_MM(sb_pick(world->seed + 6, place, 0, 900, 1700));
    put_prop(world, SB_BUSH, x_m * SB_ONE + SB_ONE / 2, y_m * SB_ONE + SB_ONE / 2, size, size * 9 / 10);
}

/* ---- streets ---- */

/* A street has a carriageway (for a green one, a path) and sides. */
static sb_surface street_ground(sb_street street, int from_middle, int *is_carriageway)
{
    *is_carriageway = from_middle < (street == SB_STREET_GREEN ? 2 : 3);
    switch (street) {
    case SB_STREET_PAVED:
        return *is_carriageway ? SB_GROUND_PAVING : SB_GROUND_SLABS;
    case SB_STREET_GREEN:
        return *is_carriageway ? SB_GROUND_GRAVEL : SB_GROUND_GRASS;
    case SB_STREET_ASPHALT:
        return *is_carriageway ? SB_GROUND_ASPHALT : SB_GROUND_SLABS;
    }
    return SB_GROUND_GRASS;
}

/* How far a metre is from the middle of the nearest lattice line: 0 to 16. */
static int from_line(int m)
{
    int in = m & (SB_BLOCK_M - 1);
    return in < SB_BLOCK_M / 2 ? in : SB_BLOCK_M - 1 - in;
}

static int line_of(int m)
{
    return (m + SB_BLOCK_M / 2) / SB_BLOCK_M;
}

static sb_surface ground_at(const sb_world *world, int x, int y)
{
    int dx = from_line(x), dy = from_line(y); /* a street along y has its middle where dx is 0 */
    int inner_x, inner_y;
    sb_surface along_x = street_ground(sb_world_street(world, 1, line_of(y)), dy, &inner_x);
    sb_surface along_y = street_ground(sb_world_street(world, 0, line_of(x)), dx, &inner_y);
    if (dy >= HALF_STREET_M && dx >= HALF_STREET_M) return SB_GROUND_GRASS;
    if (dx >= HALF_STREET_M) return along_x;
    if (dy >= HALF_STREET_M) return along_y;
    /* Where streets cross, the carriageway of either goes through, and the harder ground wins. */
    if (inner_x != inner_y) return inner_x ? along_x : along_y;
    return along_x > along_y ? along_x : along_y;
}

static void lay_ground(sb_world *world)
{
    for (int y = 0; y < SB_WORLD_M; y++)
        for (int x = 0; x < SB_WORLD_M; x++) cell_at(world, x, y)->ground = (uint8_t)ground_at(world, x, y);
}

/* Trees, lamps and benches along one side of a street, `along` metres from its beginning. */
static void furnish_place(sb_world *world, sb_street street, int along_x, int line, int along, int side)
{
    int across = line * SB_BLOCK_M + (side ? 3 : -4);
    int x = along_x ? along : across, y = along_x ? across : along;
    uint32_t place = (uint32_t)(along * 64 + line * 4 + side * 2 + along_x);
    int chance = sb_pick(world->seed + 9, place, 0, 0, 99);
    int32_t middle = SB_ONE / 2;
    if (street == SB_STREET_GREEN && along % 7 == 3 && chance < 80)
        put_tree(world, x & WRAP, y & WRAP, sb_mix(world->seed, (uint32_t)line, (uint32_t)along_x) + (chance > 60));
    else if (street == SB_STREET_GREEN && along % 7 == 0 && chance < 30)
        put_bush(world, x & WRAP, y & WRAP);
    else if (street != SB_STREET_GREEN && (along & 15) == 4 + 8 * side)
        put_prop(world, SB_LAMP, x * SB_ONE + middle, y * SB_ONE + middle, SB_MM(480), SB_MM(3800));
    else if (street == SB_STREET_PAVED && (along & 15) == 11 - 8 * side && chance < 60)
        put_tree(world, x & WRAP, y & WRAP, 1);
    else if (along % 16 == 9 && chance < 45)
        put_prop(world, SB_BENCH, x * SB_ONE + middle, y * SB_ONE + middle, SB_MM(1600), SB_MM(850));
}

static void furnish_streets(sb_world *world)
{
    for (int along_x = 0; along_x < 2; along_x++)
        for (int line = 0; line < SB_WORLD_BLOCKS; line++)
            for (int along = 0; along < SB_WORLD_M; along++) {
                if (from_line(along) < HALF_STREET_M + 1) continue; /* crossings stay free */
                sb_street street = sb_world_street(world, along_x, line);
                for (int side = 0; side < 2; side++) furnish_place(world, street, along_x, line, along, side);
            }
}

/* ---- what stands between the streets; x0, y0: the corner of a lot of LOT_M metres ---- */

static void fill(sb_world *world, int x0, int y0, int x1, int y1, int height_dm, sb_surface wall, int tint)
{
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            sb_world_cell *cell = cell_at(world, x, y);
            cell->height = (uint8_t)height_dm;
            cell->wall = (uint8_t)wall;
            cell->tint = (uint8_t)tint;
        }
}

/* A wall of one metre around the lot, with an opening on two sides. */
static void enclose(sb_world *world, int x0, int y0, int height_dm, sb_surface wall, uint32_t lot)
{
    int end = LOT_M - 1, gate = sb_pick(world->seed + 12, lot, 0, 4, end - 6);
    fill(world, x0, y0, x0 + LOT_M, y0 + 1, height_dm, wall, 0);
    fill(world, x0, y0 + end, x0 + LOT_M, y0 + end + 1, height_dm, wall, 0);
    fill(world, x0, y0, x0 + 1, y0 + LOT_M, height_dm, wall, 0);
    fill(world, x0 + end, y0, x0 + end + 1, y0 + LOT_M, height_dm, wall, 0);
    fill(world, x0 + gate, y0, x0 + gate + 2, y0 + 1, 0, wall, 0);
    fill(world, x0, y0 + gate, x0 + 1, y0 + gate + 2, 0, wall, 0);
}

static sb_surface house_wall(const sb_world *world, uint32_t lot, uint32_t which)
{
    return SB_FACADE_PLASTER + 2 * sb_pick(world->seed + 13, lot, which, 0, 3);
}

/* Houses side by side on all four sides of the lot, each with its own height and colour. */
static void build_row(sb_world *world, int x0, int y0, uint32_t lot)
{
    static const int edge[] = {0, 6, 12, 17, LOT_M};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t house = i * 4 + k;
            int height = sb_pick(world->seed + 14, lot, house, 2, 4) * 30 + 4;
            int tint = sb_pick(world->seed + 15, lot, house, 0, 7);
            fill(world, x0 + edge[i], y0 + edge[k], x0 + edge[i + 1], y0 + edge[k + 1], height,
                 house_wall(world, lot, house), tint);
        }
}

static void build_villa(sb_world *world, int x0, int y0, uint32_t lot)
{
    int inset = sb_pick(world->seed + 16, lot, 0, 4, 6), storeys = sb_pick(world->seed + 16, lot, 1, 1, 2);
    enclose(world, x0, y0, sb_pick(world->seed + 16, lot, 2, 18, 21), SB_WALL_HEDGE, lot);
    fill(world, x0 + inset, y0 + inset, x0 + LOT_M - inset, y0 + LOT_M - inset, storeys * 30 + 30,
         house_wall(world, lot, 0), sb_pick(world->seed + 16, lot, 3, 0, 7));
    for (uint32_t i = 0; i < 4; i++)
        if (sb_pick(world->seed + 17, lot, i, 0, 2))
            put_tree(world, x0 + (i & 1 ? LOT_M - 3 : 2), y0 + (i & 2 ? LOT_M - 3 : 2), lot + i);
}

static void grow_park(sb_world *world, int x0, int y0, uint32_t lot)
{
    int middle = LOT_M / 2;
    for (int i = 0; i < LOT_M; i++)
        for (int k = -1; k < 1; k++) {
            cell_at(world, x0 + i, y0 + middle + k)->ground = SB_GROUND_GRAVEL;
            cell_at(world, x0 + middle + k, y0 + i)->ground = SB_GROUND_GRAVEL;
        }
    for (uint32_t i = 0; i < 16; i++) {
        int x = 1 + (int)(i % 4) * 5 + sb_pick(world->seed + 18, lot, 2 * i, 0, 3);
        int y = 1 + (int)(i / 4) * 5 + sb_pick(world->seed + 18, lot, 2 * i + 1, 0, 3);
        if (x > middle - 3 && x < middle + 2) continue;
        if (y > middle - 3 && y < middle + 2) continue;
        if (sb_pick(world->seed + 19, lot, i, 0, 3))
            put_tree(world, x0 + x, y0 + y, lot + i / 5);
        else
            put_bush(world, x0 + x, y0 + y);
    }
}

static void build_yard(sb_world *world, int x0, int y0, uint32_t lot)
{
    enclose(world, x0, y0, sb_pick(world->seed + 20, lot, 0, 20, 26), lot & 1 ? SB_WALL_BRICK : SB_WALL_STONE, lot);
    for (uint32_t i = 0; i < 6; i++)
        put_tree(world, x0 + sb_pick(world->seed + 21, lot, i, 2, LOT_M - 3),
                 y0 + sb_pick(world->seed + 22, lot, i, 2, LOT_M - 3), lot + i);
}

static void build_lots(sb_world *world)
{
    for (int by = 0; by < SB_WORLD_BLOCKS; by++)
        for (int bx = 0; bx < SB_WORLD_BLOCKS; bx++) {
            int x0 = bx * SB_BLOCK_M + HALF_STREET_M, y0 = by * SB_BLOCK_M + HALF_STREET_M;
            uint32_t lot = (uint32_t)(by * SB_WORLD_BLOCKS + bx);
            int kind = sb_pick(world->seed + 11, lot, 0, 0, 9);
            if (kind < 4)
                build_row(world, x0, y0, lot);
            else if (kind < 6)
                build_villa(world, x0, y0, lot);
            else if (kind < 8)
                grow_park(world, x0, y0, lot);
            else
                build_yard(world, x0, y0, lot);
        }
}

static void send_walkers(sb_world *world)
{
    for (uint32_t i = 0; i < SB_WORLD_WALKERS; i++) {
        uint32_t seed = world->seed + 30;
        int along_x = sb_pick(seed, i, 0, 0, 1), line = sb_pick(seed, i, 1, 0, SB_WORLD_BLOCKS - 1);
        int forwards = sb_pick(seed, i, 2, 0, 1);
        int is_green = sb_world_street(world, along_x, line) == SB_STREET_GREEN;
        /* On their right, and on a path nearer to its middle than on a pavement. */
        int across_mm = is_green ? sb_pick(seed, i, 3, 1000, 1800) : sb_pick(seed, i, 3, 1700, 3000);
        int right = along_x ? !forwards : forwards;
        int child = sb_pick(seed, i, 5, 0, 9) == 0;
        world->walker[i] = (sb_walker){
            .start = SB_MM(sb_pick(seed, i, 4, 0, SB_WORLD_M * 1000 - 1)),
            .across = line * SB_BLOCK_M * SB_ONE + SB_MM(right ? across_mm : -across_mm),
            .speed = SB_MM(sb_pick(seed, i, 6, 950, 1500)) * (forwards ? 1 : -1),
            .height = SB_MM(child ? sb_pick(seed, i, 7, 1150, 1450) : sb_pick(seed, i, 7, 1560, 1880)),
            .along_x = (uint8_t)along_x,
            .look = sb_mix(seed, i, 8),
        };
    }
}

sb_world *sb_world_make(uint32_t seed)
{
    sb_world *world = calloc(1, sizeof *world);
    if (!world) {
        sb_fail(SB_E_MEMORY, "samebits-data synth: not enough memory for the town");
        return NULL;
    }
    world->seed = sb_mix(seed, 1, 2);
    if (sb_surfaces_paint(world->texture, world->seed) != SB_OK) {
        free(world);
        return NULL;
    }
    lay_ground(world);
    build_lots(world);
    furnish_streets(world);
    send_walkers(world);
    sb_world_shine(world);
    return world;
}

void sb_world_free(sb_world *world)
{
    if (!world) return;
    sb_surfaces_free(world->texture);
    free(world);
}
