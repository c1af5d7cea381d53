/* The verbs of samebits-report, each next to its option table and what it does. */
#pragma once

#include "core/command/options.h"

/* In the order of the help: X(VERB, FILE) is the constant sb_verb_VERB of verb_FILE.c. Nothing else lists them: the
 * program's sources come from here, too (paper/CMakeLists.txt). */
#define SB_REPORT_VERBS(X)                                                                                             \
    X(answer, answer)                                                                                                  \
    X(write, write)                                                                                                    \
    X(claims, claims)                                                                                                  \
    X(judge, judge)                                                                                                    \
    X(trace, trace)                                                                                                    \
    X(time, time)                                                                                                      \
    X(churn, churn)                                                                                                    \
    X(compare, compare)                                                                                                \
    X(export, exchange)                                                                                                \
    X(import, exchange)

#define SB_VERB_ROW(verb, file) extern const sb_command sb_verb_##verb;
SB_REPORT_VERBS(SB_VERB_ROW)
#undef SB_VERB_ROW
