/* Why cells cannot run, counted: a machine without a GPU lacks it for hundreds of cells alike. */
#pragma once

#include "matrix/hardware/hardware.h"

#include <stddef.h>
#include <stdio.h>

enum { SB_REASONS_MAX = 32 };

typedef struct sb_reasons { /* start with {0} */
    char text[SB_REASONS_MAX][SB_WHY];
    size_t count[SB_REASONS_MAX];
    int n;
} sb_reasons;

/* Reasons beyond the last place but one count together, and are cut to SB_WHY. */
void sb_reasons_add(sb_reasons *reasons, const char *why);

/* "hardware missing for 40 cells: no GPU here", a line each; what: the words before "for". */
void sb_reasons_print(const sb_reasons *reasons, const char *what, FILE *out);
