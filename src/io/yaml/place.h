/* Where something is in a YAML file. The schema loader forgets lines; people need them.
 *
 *     return sb_place_fail("demo.yaml", "studies/0/axes/threads/1", "threads wants a whole number, not '%s'", text);
 *     -> "demo.yaml:14: threads wants a whole number, not 'four'"
 *
 * A place is the way from the top of the document: keys, and for lists numbers from 0, joined by '/'.
 */
#pragma once

#include "core/status.h"

/* Is the file there and YAML at all, and every text in it plain (core/text/text.h), line ends aside? SB_E_USAGE with
 * the line if not; an empty file is an error too. */
sb_status sb_place_check(const char *path);

/* The line (from 1) of a place: of its key in a mapping (the last one of that name), of the item in a list. The nearest
 * line above it where the document ends before the place; 1 if the file cannot be read. */
int sb_place_line(const char *path, const char *place);

/* For each key of the mappings at a place, in which '*' is every item of a list: `take` gets the key and its place. A place that is not there has none. The first failure of `take` ends it. */
typedef sb_status sb_place_take(void *context, const char *place, const char *key);
sb_status sb_place_keys(const char *path, const char *pattern, sb_place_take *take, void *context);

/* SB_E_USAGE with the sentence "PATH:LINE: ...". */
sb_status sb_place_fail(const char *path, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
