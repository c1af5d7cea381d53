#include "matrix/cells/filter.h"

#include "core/hash.h"
#include "core/little_endian.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    const sb_cell *cell;
    size_t position; /* in the selection */
    uint64_t turn;
    bool planned;
} place;

static int by_arm(const void *a, const void *b)
{
    const place *x = a, *y = b;
    size_t length_x = (size_t)(strrchr(x->cell->name, '/') - x->cell->name);
    size_t length_y = (size_t)(strrchr(y->cell->name, '/') - y->cell->name);
    int arm = strncmp(x->cell->name, y->cell->name, length_x < length_y ? length_x : length_y);
    if (arm) return arm;
    if (length_x != length_y) return length_x < length_y ? -1 : 1;
    return x->position < y->position ? -1 : 1;
}

static int by_turn(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->turn != y->turn) return x->turn < y->turn ? -1 : 1;
    return x->position < y->position ? -1 : 1;
}

static bool same_arm(const sb_cell *a, const sb_cell *b)
{
    size_t length = (size_t)(strrchr(a->name, '/') + 1 - a->name);
    return strncmp(a->name, b->name, length) == 0;
}

static void give_turns(place *places, size_t n)
{
    qsort(places, n, sizeof *places, by_arm);
    for (size_t i = 1; i < n; i++)
        if (same_arm(places[i - 1].cell, places[i].cell)) places[i].turn = places[i - 1].turn + 1;
}

/* A draw per cell, which depends on nothing else: a filter does not change the order of the cells it leaves. */
static uint64_t draw(const sb_cell *cell, long seed)
{
    char text[SB_SHA256_TEXT + 24];
    uint64_t turn;
    int length = snprintf(text, sizeof text, "%ld %s", seed, cell->hash);
    sb_hash hash = sb_hash_of(text, (size_t)length, 1);
    memcpy(&turn, hash.byte, sizeof turn);
    sb_little_endian_turn(&turn, 1, sizeof turn);
    return turn;
}

sb_status sb_order_cells(const sb_cell **item, size_t n, const sb_selection *all, const char *name, long seed)
{
    if (!name || strcmp(name, "matrix") == 0) return SB_OK;
    SB_FREED place *places = calloc(all->n + 1, sizeof *places);
    if (!places) return sb_fail(SB_E_MEMORY, "not enough memory to order the cells");
    size_t found = 0;
    for (size_t i = 0; i < all->n; i++) {
        places[i] = (place){.cell = all->item[i], .position = i, .planned = found < n && item[found] == all->item[i]};
        found += places[i].planned;
    }
    if (strcmp(name, "random") == 0)
        for (size_t i = 0; i < all->n; i++) places[i].turn = draw(places[i].cell, seed);
    else
        give_turns(places, all->n);
    qsort(places, all->n, sizeof *places, by_turn);
    found = 0;
    for (size_t i = 0; i < all->n; i++)
        if (places[i].planned) item[found++] = places[i].cell;
    return SB_OK;
}
