#include "core/rows/activations.h"

#include <string.h>

sb_activation sb_activation_find(const char *name)
{
    static const char *const names[] = {
#define NAME(id, name) name,
        SB_ACTIVATIONS(NAME)};
    sb_activation id = 0;
    while (id < SB_N_ACTIVATIONS && strcmp(names[id], name) != 0) id++;
    return id;
}
