/* JSON files of forms that others lay down, or that are data rather than the answer of a verb (core/text/json.h):
 * jansson, the one writer of this language, takes a tree.
 *
 *     json_t *root = json_pack("{s:o, s:i}", "name", sb_json_tree_text("run %s", name), "seed", 1);
 *     sb_writer *out = sb_writer_open(&sb_json_tree);
 *     sb_json_tree_write(out, root);
 */
#pragma once

#include "core/text/writer.h"

#include <jansson.h>

extern const sb_language sb_json_tree;

/* A text: JSON is UTF-8 alone, so that what is not plain is replaced as in any other document. NULL: not enough memory.
 */
json_t *sb_json_tree_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* null where the value is not finite: JSON knows no NaN. */
json_t *sb_json_tree_real(double value);

/* The document and a line end; takes the tree. NULL, memory was short: sb_writer_close says so. */
void sb_json_tree_write(sb_writer *out, json_t *tree);
