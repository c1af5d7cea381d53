#include "core/rows/optimizers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define NAME(state)                                          #state,
#define ROW(A, id, name, title, states, kind, one, settings) {name, title, SB_##kind, SB_STATES_##id, {states NULL}},
const sb_optimizer_row sb_optimizers[SB_N_OPTIMIZERS + 1] = {
    SB_OPTIMIZERS(ROW, NAME, ){"none", "no optimiser", SB_ELEMENTWISE, 0, {NULL}}};

#define FITS(A, id, ...) static_assert(SB_STATES_##id <= SB_STATES_MAX_OF_OPTIMIZER, "room for the states of " #id);
SB_OPTIMIZERS(FITS, SB_NO_STATE, )

sb_optimizer_id sb_optimizer_find(const char *name)
{
    sb_optimizer_id id = 0;
    while (id < SB_N_OPTIMIZERS && strcmp(sb_optimizers[id].name, name) != 0) id++;
    return id;
}

void sb_optimizer_group(sb_optimizer_id id, int state, char group[SB_OPTIMIZER_GROUP])
{
    snprintf(group, SB_OPTIMIZER_GROUP, "%s/%s", sb_optimizers[id].name, sb_optimizers[id].state[state]);
}
