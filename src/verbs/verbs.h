/* The verbs of samebits, one file each: the option table, the command, and what it does. */
#ifndef SB_VERBS_VERBS_H
#define SB_VERBS_VERBS_H

#include "core/command/options.h"

extern const sb_command sb_verb_bench, sb_verb_bisect, sb_verb_chain, sb_verb_check, sb_verb_diff, sb_verb_eval,
    sb_verb_evolve, sb_verb_export, sb_verb_found, sb_verb_gradients, sb_verb_hessian, sb_verb_info, sb_verb_layers, sb_verb_predict,
    sb_verb_replay, sb_verb_step, sb_verb_trace, sb_verb_train, sb_verb_verify;

#endif
