/* The verbs of samebits-matrix, each next to its option table and what it does. */
#pragma once

#include "core/command/options.h"

/* In the order of the help: X(VERB, FILE) is the constant sb_verb_VERB of verb_FILE.c. Nothing else lists them: the
 * program's sources come from here, too (matrix/CMakeLists.txt). */
#define SB_MATRIX_VERBS(X)                                                                                             \
    X(doctor, doctor)                                                                                                  \
    X(list, list)                                                                                                      \
    X(plan, plan)                                                                                                      \
    X(run, run)                                                                                                        \
    X(submit, submit)                                                                                                  \
    X(status, status)                                                                                                  \
    X(watch, watch)                                                                                                    \
    X(collect, collect)                                                                                                \
    X(compare, compare)                                                                                                \
    X(image_list, image)                                                                                               \
    X(image_build, image)                                                                                              \
    X(image_lock, image)                                                                                               \
    X(bundle, bundle)                                                                                                  \
    X(unbundle, bundle)

#define SB_VERB_ROW(verb, file) extern const sb_command sb_verb_##verb;
SB_MATRIX_VERBS(SB_VERB_ROW)
#undef SB_VERB_ROW
