/* The verbs of samebits, in the order in which help lists them, a file each: the option table, the command, and what it
 * does. A row declares sb_verb_NAME, puts it into the program's table, and has CMake compile verbs/NAME.c. */
#pragma once

#include "core/command/options.h"

/* clang-format off */
#define SB_VERBS(VERB)                                                                                                 \
    VERB(train) VERB(evolve) VERB(step) VERB(eval) VERB(sample) VERB(texts) VERB(layers) VERB(info) VERB(check)        \
    VERB(bench) VERB(trace) VERB(replay) VERB(diff) VERB(bisect) VERB(found) VERB(gradients) VERB(hessian)             \
    VERB(chain) VERB(export) VERB(verify)
/* clang-format on */

#define SB_VERB_DECLARE(name) extern const sb_command sb_verb_##name;
SB_VERBS(SB_VERB_DECLARE)
