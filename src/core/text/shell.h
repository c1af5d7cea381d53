/* The language of shell lines for sb_writer (core/text/writer.h): a %s is one word, in single quotes where the shell
 * would read something in it as its own. It is exact: a path is carried as it is or not at all, and one with a line end
 * would be a command of its own to many who read such a line.
 *
 *     sb_write(line, "make cell MATRIX=%s CELL=/%.8s", matrix, hash);
 */
#pragma once

#include "core/text/writer.h"

extern const sb_language sb_shell;
