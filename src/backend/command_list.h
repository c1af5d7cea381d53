/* A list of work, put down to be done later, and compared with another one. */
#ifndef SB_BACKEND_COMMAND_LIST_H
#define SB_BACKEND_COMMAND_LIST_H

#include "ops/cuda.h"

typedef struct sb_command_list {
    char *bytes;             /* entries one after another */
    size_t used, size, last; /* last: where the last entry begins */
    int n;
} sb_command_list;

/* Append work with its args, which may come in two pieces. False when memory is short. */
bool sb_command_list_add(sb_command_list *list, sb_gpu_work *work, const sb_gpu_label *label, const void *args,
                         size_t n_args, const void *more, size_t n_more);

/* The args of the last entry, where it is this work: the list's, until the next call. NULL: it is not, or there is none. */
void *sb_command_list_last(sb_command_list *list, sb_gpu_work *work);
/* Take that entry off; then sb_command_list_last gives NULL until the next one is added. */
void sb_command_list_take_back(sb_command_list *list);

/* Do it in order, until gpu->status is an error: what follows would work on wrong numbers. gpu->label says at each
 * entry what is done; after_each, unless NULL, is called after each that succeeded. */
void sb_command_list_run(const sb_command_list *list, sb_gpu *gpu, void (*after_each)(sb_gpu *gpu));

bool sb_command_list_same(const sb_command_list *a, const sb_command_list *b);
bool sb_command_list_copy(sb_command_list *to, const sb_command_list *from); /* false when memory is short */
void sb_command_list_free(sb_command_list *list);

#endif
