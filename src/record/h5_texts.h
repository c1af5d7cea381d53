/* Lists of texts in a file: a data set of bytes, each text ends with a NUL. An empty list has no data set. */
#pragma once

#include "io/h5/h5.h"
#include "record/external.h"

sb_status sb_h5_write_texts(sb_h5 *file, const char *name, const sb_text_list *texts);

/* Read into an empty list, which stays empty if the data set does not exist. SB_E_INTEGRITY: not a list of texts. */
sb_status sb_h5_read_texts(sb_h5 *file, const char *name, sb_text_list *texts);
