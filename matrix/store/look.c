#include "matrix/store/look.h"

#include "matrix/data/supply.h"

#include <stdio.h>

/* Neighbouring cells mostly have one data set, so that the last answer is kept. */
static bool lacks_data(sb_looker *looker, const sb_supply *supply)
{
    char text[SB_PATH_MAX + 64];
    if (looker->asked == supply) return looker->lacks;
    looker->asked = supply;
    looker->lacks = sb_supply_find(supply, looker->data, looker->mirror, text) == SB_SUPPLY_WANTED;
    int used = snprintf(looker->why, SB_WHY, "the data set %.40s is ", supply->name);
    snprintf(looker->why + used, (size_t)(SB_WHY - used), "%.*s", SB_WHY - used - 1, text);
    return looker->lacks;
}

void sb_look(sb_store_look *look, sb_looker *looker, const sb_cell *cell, sb_trust trust)
{
    sb_store_see(look, looker->results, cell, trust, looker->stamps);
    if (look->state != SB_STATE_MISSING && look->state != SB_STATE_STALE) return;
    if (!cell->data || !lacks_data(looker, cell->data)) return;
    look->state = SB_STATE_DATA_MISSING;
    snprintf(look->why, sizeof look->why, "%s", looker->why);
}
