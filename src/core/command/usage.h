/* What is said to a command line that makes no sense: one sentence for each kind of mistake, the same in all programs.
 * Every function returns SB_E_USAGE with its sentence set. */
#pragma once

#include "core/command/nearest.h"
#include "core/command/options.h"
#include "core/status.h"

/* samebits train: unknown option '--qiet', did you mean '--quiet'? (see 'samebits train --help')
 * unknown backend 'cpu' (see 'samebits info')
 * who: "samebits train", or NULL where the caller cannot know; kind: what the word should have been a name of; see: the
 * command that lists the names. nearest: begun with the word, and all names offered to it. */
sb_status sb_usage_unknown(const char *who, const char *kind, const sb_nearest *nearest, const char *see);

/* samebits train: wants -o FILE: the run file (see 'samebits train --help')
 * An option that this command cannot do without; `name` is in its table. */
sb_status sb_usage_needed(const sb_command *command, const char *name);

/* samebits train: --lr wants a number in [0, 1], not '2' */
sb_status sb_usage_value(const sb_command *command, const sb_option *option, const char *text);

/* The same where a value is of the right form and still makes no sense; `wanted` completes "--digest wants ...". */
sb_status sb_usage_wanted(const sb_command *command, const char *name, const char *wanted, const char *text);

/* samebits train: --updates wants a value */
sb_status sb_usage_no_value(const sb_command *command, const sb_option *option);

/* samebits train: --updates is given twice; give it once */
sb_status sb_usage_twice(const sb_command *command, const sb_option *option);

/* samebits train: --quiet takes no value */
sb_status sb_usage_no_flag(const sb_command *command, const sb_option *option);

/* samebits train: unexpected argument 'b' (see 'samebits train --help') */
sb_status sb_usage_unexpected(const sb_command *command, const char *word);

/* samebits: wants a verb (see 'samebits --help'); what: "a verb", "RUN.h5" */
sb_status sb_usage_wants(const char *who, const char *what);

/* The name of a command as it is typed: "samebits train". */
enum { SB_USAGE_NAME = 64 };
const char *sb_usage_name(const sb_command *command, char text[SB_USAGE_NAME]);
