/* What a program says, line by line, and some lines at the bottom of a terminal that are written anew in place.
 *
 *     sb_screen_begin();                        first in main (sb_program_main)
 *     sb_screen_draw("cell 1 ...\ncell 2 ...");
 *     fprintf(stderr, "a sentence\n");           takes the place of the drawn lines; the next draw puts them below it
 *     sb_screen_clear();
 *
 * There is one screen: stderr, where that is a terminal. On anything else drawing does nothing, and not one control code
 * is written.
 */
#ifndef SB_CORE_SCREEN_H
#define SB_CORE_SCREEN_H

#include <stdbool.h>

enum { SB_SCREEN_TEXT = 16384 };

/* From now on stdout and stderr leave the program line by line, each in one write: neither splits a line of the other,
 * nor of another program with the same file, and drawn lines are gone before a line is printed. */
void sb_screen_begin(void);

/* Is stderr a terminal that can be drawn on? */
bool sb_screen_is_terminal(void);

/* The terminal's size now; 80 by 24 where it does not say. */
void sb_screen_size(int *columns, int *rows);

/* Replace what stands there. Lines are cut to the width, and the first ones left out where there are more than fit;
 * plain characters of one column each. */
void sb_screen_draw(const char *lines);
void sb_screen_clear(void);

#endif
