#include "core/rows/arithmetics.h"

#include <string.h>

const sb_arithmetic sb_arithmetics[] = {
#define ARITHMETIC(id, name, imitated, settings, summary) {name, summary, imitated},
    SB_ARITHMETICS(ARITHMETIC){0}};

const sb_arithmetic *sb_arithmetic_find(const char *name)
{
    if (!name) return sb_arithmetics;
    for (const sb_arithmetic *a = sb_arithmetics; a->name; a++)
        if (strcmp(a->name, name) == 0) return a;
    return NULL;
}

unsigned sb_arithmetic_imitated(const char *name)
{
    const sb_arithmetic *found = sb_arithmetic_find(name);
    return found ? found->imitated : 0;
}
