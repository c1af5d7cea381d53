/* The place where two traces of an update diverge, and its meaning. */
#pragma once

#include "inspect/trace/trace_file.h"

#include <stdio.h>

typedef enum sb_divergence_kind {
    SB_SAME_BITS,
    SB_OTHER_RESULT,    /* an operation read the same numbers and wrote different ones: the computation differs */
    SB_OTHER_INPUT,     /* an operation read different numbers, which no earlier operation wrote: its input differs */
    SB_OTHER_OPERATION, /* the updates have different operations: different networks or windows */
} sb_divergence_kind;

typedef struct sb_divergence {
    sb_divergence_kind kind;
    size_t row; /* the first row that differs, from 0 */
} sb_divergence;

sb_divergence sb_divergence_find(const sb_traced *a, const sb_traced *b);

/* The operation's name and the tensor that it writes: "conv_forward, gates of layer 2, frame 1". */
void sb_divergence_operation(const sb_trace_row *row, char *text, size_t size);

/* Print the row, tensor by tensor: the same bits or not, and if both kept their numbers, how many differ, by how many
 * units in the last place, and the first one. Then print the meaning. */
void sb_divergence_print(const sb_divergence *divergence, const sb_traced *a, const sb_traced *b, FILE *out);
