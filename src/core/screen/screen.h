/* What a program says, line by line, and some lines at the bottom of a terminal that are written anew in place.
 *
 *     sb_screen_begin();                        first in main (sb_program_main)
 *     sb_screen_draw("cell 1 ...\ncell 2 ...");
 *     fprintf(stderr, "a sentence\n");           takes the place of the drawn lines; the next draw puts them below it
 *     sb_screen_clear();
 *
 * All that a program prints goes through here: control characters in it, such as the escapes of a terminal in a label
 * or a sentence from an untrusted file, become U+FFFD before they reach a terminal or a log (sb_screen_keep_bytes is the exception). Colour is asked for by a
 * role, and shown on terminals alone, unless NO_COLOR is set or TERM is dumb (https://no-color.org); it never is the
 * only carrier of what it says, the word is.
 *
 * There is one screen: stderr, where that is a terminal. On anything else drawing does nothing, and not one control
 * code is written.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { SB_SCREEN_TEXT = 16384 };

/* From now on stdout and stderr leave the program line by line, each in one write: neither splits a line of the other,
 * nor of another program with the same file, and drawn lines are gone before a line is printed. */
void sb_screen_begin(void);

/* From now on stdout gets every byte unchanged unless it is a terminal: for a text that is data, such as one that a
 * network writes. A role cannot be printed to stdout after this call. */
void sb_screen_keep_bytes(void);

typedef enum sb_role {
    SB_ROLE_NONE,
    SB_ROLE_GOOD,  /* complete, holds, the same bits */
    SB_ROLE_BAD,   /* failed, FAILS, damaged */
    SB_ROLE_WARN,  /* missing, stale, undetermined */
    SB_ROLE_FAINT, /* what is less important */
    SB_N_ROLES,
} sb_role;

/* Print a word in the color of its role, then blanks up to the width; out: stdout, stderr, or any other stream, which
 * gets no colour. */
void sb_screen_word(FILE *out, sb_role role, int width, const char *word);

/* The word with the marks of its role, for sb_screen_draw; text: size bytes. Returns text. */
const char *sb_screen_paint(char *text, size_t size, sb_role role, const char *word);

/* Is stderr a terminal that can be drawn on? */
bool sb_screen_is_terminal(void);

/* The terminal's size now; 80 by 24 where it does not say. */
void sb_screen_size(int *columns, int *rows);

/* Replace what stands there. Lines are cut to the width, and the first ones left out where there are more than fit;
 * characters of one column each. */
void sb_screen_draw(const char *lines);
void sb_screen_clear(void);
