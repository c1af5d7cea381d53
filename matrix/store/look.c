#include "matrix/store/look.h"

#include "matrix/data/data_source.h"

#include <stdio.h>

/* Neighbouring cells mostly have one data set, so that the last answer is kept. */
static bool lacks_data(sb_looker *looker, const sb_data_source *source)
{
    char text[SB_PATH_MAX + 64];
    if (looker->asked == source) return looker->lacks;
    looker->asked = source;
    looker->lacks = sb_data_source_find(source, looker->data, looker->mirror, text) == SB_DATA_SOURCE_WANTED;
    int used = snprintf(looker->why, SB_WHY, "the data set %.40s is ", source->name);
    snprintf(looker->why + used, (size_t)(SB_WHY - used), "%.*s", SB_WHY - used - 1, text);
    return looker->lacks;
}

void sb_look(sb_store_look *look, sb_looker *looker, const sb_cell *cell, sb_store_trust trust)
{
    sb_store_see(look, looker->results, cell, trust, looker->stamps);
    if (look->state != SB_STATE_MISSING && look->state != SB_STATE_STALE) return;
    if (!cell->data || !lacks_data(looker, cell->data)) return;
    look->state = SB_STATE_DATA_MISSING;
    snprintf(look->why, sizeof look->why, "%s", looker->why);
}
