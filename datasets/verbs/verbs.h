/* The verbs of samebits-data, each next to its option table and what it does. */
#pragma once

#include "core/command/options.h"
#include "datasets/convert/convert.h"
#include "datasets/synth/synth.h"

extern const sb_command sb_verb_list, sb_verb_fetch, sb_verb_verify, sb_verb_baselines;
