/* Help texts at the width of the terminal. */
#pragma once

#include <stdio.h>

/* In a line, where its further lines begin: the mark is not printed. Without one they begin two places after the first
 * letter. */
#define SB_WRAP_HERE "\001"

/* Columns of the terminal that a stream writes to, or what COLUMNS says; 0: neither, lines stay as long as they are. */
int sb_wrap_columns(FILE *out);

/* Print lines, each broken at blanks, or after '|', to that number of columns. */
void sb_wrap(FILE *out, const char *text, int columns);
