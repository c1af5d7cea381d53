/* The end of a log: its last lines, for people. */
#ifndef SB_MATRIX_WATCH_TAIL_H
#define SB_MATRIX_WATCH_TAIL_H

#include <stddef.h>

enum { SB_TAIL_BYTES = 8192 };

/* The last n_lines lines of a text file, without the final line end; "" if there are none. Longer ends are cut to
 * SB_TAIL_BYTES. A line that was rewritten in place (carriage returns) counts as what it showed last. */
void sb_tail_read(char text[SB_TAIL_BYTES], const char *path, int n_lines);

#endif
