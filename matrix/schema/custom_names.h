/* The names that a matrix file of commands adds to the settings: of axes, options and zip rows. They are read before the
 * file as a whole, because its schema depends on them. */
#pragma once

#include "core/status.h"
#include "matrix/schema/matrix_schema.h"

#include <stdbool.h>

typedef struct sb_custom_names {
    bool has_commands;
    char name[SB_CUSTOM_MAX][SB_CUSTOM_NAME];
    uint32_t n;
} sb_custom_names;

/* Does a file of commands have this setting of ours, too? seed, ulp, threads, hardware and data. */
bool sb_custom_names_share(unsigned id);

/* Has the name a meaning of its own, as a place in a command or a column of its table? */
bool sb_custom_names_taken(const char *name);

/* Is it a name that a place, an axis or a metric may have: small letters, digits and '_', a letter first, below SB_CUSTOM_NAME
 * bytes? */
bool sb_custom_names_plain(const char *name);

/* Of a file without commands there are none. SB_E_USAGE, "PATH:LINE: ...": a name that is no word, is that of another
 * setting, or is one too many. */
sb_status sb_custom_names_read(sb_custom_names *names, const char *path);
