/* The verbs of samebits-data, one function each: parse argv (which starts behind the verb), call, print. A verb's
 * option table lives beside its function. */
#ifndef SB_DATASETS_VERBS_H
#define SB_DATASETS_VERBS_H

#include "core/status.h"

sb_status sb_verb_list(int argc, char **argv);
sb_status sb_verb_fetch(int argc, char **argv);
sb_status sb_verb_convert_mnist(int argc, char **argv);
sb_status sb_verb_convert_video(int argc, char **argv);
sb_status sb_verb_convert_fpsi(int argc, char **argv);
sb_status sb_verb_verify(int argc, char **argv);
sb_status sb_verb_synth_walk(int argc, char **argv);
sb_status sb_verb_synth_digits(int argc, char **argv);

#endif
