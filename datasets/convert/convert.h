/* The verbs that convert files of others, each next to its option table in convert_NAME.c. */
#ifndef SB_DATASETS_CONVERT_CONVERT_H
#define SB_DATASETS_CONVERT_CONVERT_H

#include "core/command/options.h"

extern const sb_command sb_verb_convert_mnist, sb_verb_convert_cifar10, sb_verb_convert_video, sb_verb_convert_fpsi,
    sb_verb_convert_public;

#endif
