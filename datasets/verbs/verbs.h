/* The verbs of samebits-data, each beside its option table and what it does. */
#ifndef SB_DATASETS_VERBS_VERBS_H
#define SB_DATASETS_VERBS_VERBS_H

#include "core/command/options.h"

extern const sb_command sb_verb_list, sb_verb_fetch, sb_verb_convert_mnist, sb_verb_convert_cifar10,
    sb_verb_convert_video, sb_verb_convert_fpsi, sb_verb_convert_public, sb_verb_verify, sb_verb_baselines, sb_verb_synth_walk,
    sb_verb_synth_motion, sb_verb_synth_digits, sb_verb_synth_shapes;

#endif
