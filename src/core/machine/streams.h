/* The three standard streams of a process that was started without some of them (`program <&- >&-`). */
#pragma once

/* Give each closed one of the descriptors 0, 1 and 2 a place that holds no data: else the next file that is opened takes
 * the number, and what is printed goes into that file. Reading finds the end. Printing to standard output fails, as its
 * reader would miss the result; what goes to standard error is lost. */
void sb_streams_fill(void);
