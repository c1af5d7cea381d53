/* A list of work, put down to be done later, and compared with another one. */
#ifndef SB_BACKEND_TAPE_H
#define SB_BACKEND_TAPE_H

#include "ops/cuda.h"

typedef struct sb_tape {
    char *bytes; /* entries one behind the other */
    size_t used, size, last; /* last: where the last entry begins */
    int n;
} sb_tape;

/* Append work with its args, which may come in two pieces. False when memory is short. */
bool sb_tape_add(sb_tape *tape, sb_gpu_work *work, const sb_gpu_label *label, const void *args, size_t n_args,
                 const void *more, size_t n_more);

/* The args of the last entry, where it is this work: the tape's, until the next call. NULL: it is not, or there is none. */
void *sb_tape_last(sb_tape *tape, sb_gpu_work *work);
/* Take that entry off; then sb_tape_last gives NULL until the next one is added. */
void sb_tape_take_back(sb_tape *tape);

/* Do it in order, until gpu->status is an error: what follows would work on wrong numbers. gpu->label says at each
 * entry what is done; after_each, unless NULL, is called behind each that succeeded. */
void sb_tape_run(const sb_tape *tape, sb_gpu *gpu, void (*after_each)(sb_gpu *gpu));

bool sb_tape_same(const sb_tape *a, const sb_tape *b);
bool sb_tape_copy(sb_tape *to, const sb_tape *from); /* false when memory is short */
void sb_tape_free(sb_tape *tape);

#endif
