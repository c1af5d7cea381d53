/* What a matrix file may ask of samebits-data: the verbs that make a data set, and their options that say what
 * is in it. Where files are written is the runner's to say, and a matrix file may be a stranger's.
 *
 *     SB_TRY(sb_make_argv_check("demo.yaml", "data/0/make", "synth walk --seed 1"));
 *     -> "demo.yaml:4: make: 'synth walk' takes --size, --frames, --sequences and --seed, not '-o'"
 */
#pragma once

#include "matrix/process/argv.h"

#include "core/status.h"

#include <stdbool.h>

/* SB_E_USAGE with the line: another verb, another option, or a value that is an option again. What the values mean is
 * checked by samebits-data. */
sb_status sb_make_argv_check(const char *path, const char *place, const char *make);

/* Is word i of such a command the path of a source? It is if it has a '/', unless it is an option, or the value of one
 * that takes no path: a URL and "GPL/MIT" are texts. */
bool sb_make_argv_is_source(const sb_argv *argv, int i);
