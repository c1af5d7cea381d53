/* The verbs that draw data sets, each next to its option table in synth_NAME.c. */
#ifndef SB_DATASETS_SYNTH_SYNTH_H
#define SB_DATASETS_SYNTH_SYNTH_H

#include "core/command/options.h"

extern const sb_command sb_verb_synth_walk, sb_verb_synth_motion, sb_verb_synth_digits, sb_verb_synth_shapes;

#endif
