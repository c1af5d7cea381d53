/* The verbs of samebits-matrix, each next to its option table and what it does. */
#ifndef SB_MATRIX_VERBS_VERBS_H
#define SB_MATRIX_VERBS_VERBS_H

#include "core/command/options.h"

extern const sb_command sb_verb_doctor, sb_verb_list, sb_verb_plan, sb_verb_run, sb_verb_submit, sb_verb_status,
    sb_verb_why, sb_verb_watch, sb_verb_collect, sb_verb_match, sb_verb_bundle, sb_verb_unbundle;

/* verb_image.c, verb_image_list.c: container images */
extern const sb_command sb_verb_image_list, sb_verb_image_build, sb_verb_image_lock, sb_verb_image_verify,
    sb_verb_image_save, sb_verb_image_load;

#endif
