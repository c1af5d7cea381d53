/* What a process brings along that may change the bits or the speed of a run: the environment variables that the
 * libraries read, by their exact names. Others are not recorded, as they may hold keys, names and paths of people. */
#pragma once

#include "core/machine/facts.h"
#include "core/machine/home.h"

#include <stddef.h>

typedef struct sb_variable {
    const char *name, *reason;
} sb_variable;

extern const sb_variable sb_variables[];
extern const size_t sb_n_variables;

/* env_NAME for each of them that is set. Of a path the last part alone; what is no plain text (core/text/text.h) is
 * replaced there, and the home folder and its owner are hidden (sb_home_hide). */
void sb_environment_facts(sb_facts *facts);
