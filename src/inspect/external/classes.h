/* Which operations of other frameworks count as one: the same step under other names, in-place or not. */
#ifndef SB_INSPECT_CLASSES_H
#define SB_INSPECT_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

enum { SB_CLASS_TEXT = 96 };

/* "native_batch_norm" and "cudnn_batch_norm" give "batch_norm", "add_" gives "add". */
void sb_class_of(const char *operation, char text[SB_CLASS_TEXT]);

/* Do such operations move numbers and compute none? The one that reads and writes the same bits is looked through. */
bool sb_class_is_copy(const char *operation);

/* Do they fill memory with constants, so that it has no past? */
bool sb_class_is_fill(const char *operation);

#endif
