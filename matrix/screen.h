/* Some lines at the bottom of a terminal that are written anew in place. On anything but a terminal it does nothing,
 * and not one control code is written.
 *
 *     sb_screen screen = sb_screen_begin();
 *     sb_screen_draw(&screen, "cell 1 ...\ncell 2 ...");
 *     sb_screen_clear(&screen);             now a line may be printed; the next draw puts the others below it
 */
#ifndef SB_MATRIX_SCREEN_H
#define SB_MATRIX_SCREEN_H

#include <stdbool.h>

enum { SB_SCREEN_TEXT = 16384 };

typedef struct sb_screen {
    bool terminal;              /* stderr is one */
    char shown[SB_SCREEN_TEXT]; /* what stands there, "" for nothing */
} sb_screen;

sb_screen sb_screen_begin(void);

/* The terminal's size now; 80 by 24 where it does not say. */
void sb_screen_size(int *columns, int *rows);

/* Replace what stands there. Lines are cut to the width, and the first ones left out where there are more than fit;
 * plain characters of one column each. */
void sb_screen_draw(sb_screen *screen, const char *lines);
void sb_screen_clear(sb_screen *screen);

#endif
