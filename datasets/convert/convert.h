/* The verbs that convert files of others, each next to its option table in convert_NAME.c. */
#pragma once

#include "core/command/options.h"
#include "core/status.h"
#include "datasets/catalog/catalog.h"

extern const sb_command sb_verb_convert_mnist, sb_verb_convert_cifar10, sb_verb_convert_video, sb_verb_convert_fpsi,
    sb_verb_convert_public, sb_verb_convert_text;

/* Compare each video's frames in a data set with the hash that its row of the catalog states. SB_OK as well where nothing
 * can be compared: another converter, name or size. SB_E_INTEGRITY: the first video that differs, and the libraries. */
sb_status sb_known_frames_check(const char *path, const sb_catalog_entry *catalog);
