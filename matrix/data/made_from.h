/* The files that a data set was made of: are they still the same? A data set keeps the digest of each source; its file
 * name has only the digest of the arguments that made it, so another video with an old name would not be noticed. */
#ifndef SB_MATRIX_DATA_MADE_FROM_H
#define SB_MATRIX_DATA_MADE_FROM_H

#include "matrix/process/argv.h"

#include "core/status.h"

/* The arguments of the command that makes the data set at path, which is there. Sources are those that are files; a source
 * that was not touched since the data set was made is not read. SB_E_INTEGRITY: one is another file now. */
sb_status sb_made_from_check(const sb_argv *make, const char *path);

#endif
