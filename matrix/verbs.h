/* The verbs of samebits-matrix: parse argv (which starts behind the verb), call, print. */
#ifndef SB_MATRIX_VERBS_H
#define SB_MATRIX_VERBS_H

#include "core/status.h"

sb_status sb_verb_list(int argc, char **argv);
sb_status sb_verb_plan(int argc, char **argv);
sb_status sb_verb_why(int argc, char **argv);
sb_status sb_verb_doctor(int argc, char **argv);
sb_status sb_verb_run(int argc, char **argv);
sb_status sb_verb_status(int argc, char **argv);
sb_status sb_verb_image(int argc, char **argv);
sb_status sb_verb_bundle(int argc, char **argv);
sb_status sb_verb_unbundle(int argc, char **argv);
sb_status sb_verb_submit(int argc, char **argv);
sb_status sb_verb_collect(int argc, char **argv);

#endif
