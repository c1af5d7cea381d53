/* Classes of other frameworks' operations: the same computation with different names, in place or not. */
#pragma once

#include <stdbool.h>

enum { SB_CLASS_TEXT = 96 };

/* "native_batch_norm" and "cudnn_batch_norm" give "batch_norm", "add_" gives "add". */
void sb_class_of(const char *operation, char text[SB_CLASS_TEXT]);

/* Does this class only move numbers? An operation of it that reads and writes the same bits is skipped. */
bool sb_class_is_copy(const char *operation);

/* Does this class fill memory with constants, so that earlier content does not matter? */
bool sb_class_is_fill(const char *operation);
