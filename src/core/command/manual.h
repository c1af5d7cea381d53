/* What a program's table of verbs says (core/command/program.h), in the forms that systems install: a manual page, and
 * what shells complete. `PROGRAM help --format man|bash|zsh|fish|keys` prints them.
 *
 * The manual page is in man(7), section 1, all verbs with their options. Completions know verbs, options, and the words
 * of options that have a choice; after other options and for plain arguments they offer files. keys is the part of
 * docs/json.md that is made from the rows of each verb's --json (core/text/json.h): tables in Markdown.
 */
#pragma once

#include "core/command/program.h"

#include <stdio.h>

#define SB_MANUAL_FORMATS "man|bash|zsh|fish|keys"

/* SB_E_USAGE: no such format. */
sb_status sb_manual_write(const sb_program *program, const char *format, FILE *out);
