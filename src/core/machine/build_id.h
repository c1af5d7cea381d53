/* The GNU build id of every object mapped into this process: which program, and which libraries, really computed. */
#pragma once

#include "core/machine/facts.h"

/* Adds `build_id` of the program itself, and `build_id_FILE` of each library that is mapped now, with `path_FILE`, also
 * of those opened at run time: ask again when more are open. Hex digits; an object that was linked without one is
 * "none". A fully static program is its own only object. Source: the PT_NOTE segments that dl_iterate_phdr(3) walks. */
void sb_build_id_facts(sb_facts *facts);
