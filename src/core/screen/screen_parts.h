/* What screen.c and screen_paint.c share: from the bytes that a program prints to those that leave it. */
#pragma once

#include "core/screen/screen.h"

#include <stddef.h>

enum {
    SB_MARK_BYTES = 10
}; /* of a role's mark: 0x01, eight letters that differ from start to start, the role's letter */

/* Draw the letters of this process's marks, so that no text of others can hold one. */
void sb_paint_begin(void);

/* The mark of a role, as a string; SB_ROLE_NONE ends the role before it. */
const char *sb_paint_mark(sb_role role, char mark[SB_MARK_BYTES + 1]);

typedef struct sb_paint {
    bool coloured; /* marks become codes of color; else they go */
    bool exact;    /* bytes that are not UTF-8 stay: paths of another encoding, on their way to another program */
} sb_paint;

/* The bytes of the unit that text begins with: a mark, a character, or one byte that is none; *columns: its width. */
size_t sb_paint_unit(const char *text, size_t n, int *columns);

/* The bytes at the end of text that may be the beginning of a unit whose rest comes later. */
size_t sb_paint_unfinished(const char *text, size_t n);

/* A copy in which each control character but tab and line end is SB_TEXT_UNKNOWN, and all else that is not plain, too;
 * *n_out: its bytes. The caller frees; NULL: no memory. */
char *sb_paint_text(const char *text, size_t n, sb_paint paint, size_t *n_out);
