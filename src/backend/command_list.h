/* A command list: GPU work that is recorded, run later, and compared with other lists. */
#pragma once

#include "ops/cuda.h"

typedef struct sb_command_list {
    char *bytes;             /* the entries in order */
    size_t used, size, last; /* last: offset of the last entry */
    int n;
} sb_command_list;

/* Append work with a copy of its args, which may be given in two pieces. False: not enough memory. */
bool sb_command_list_add(sb_command_list *list, sb_gpu_work *work, const sb_gpu_label *label, const void *args,
                         size_t n_args, const void *more, size_t n_more);

/* The args of the last entry if that entry is this work; they stay the list's and are valid until the next call. NULL:
 * the list is empty or its last entry is other work. */
void *sb_command_list_last(sb_command_list *list, sb_gpu_work *work);
/* Remove that entry. Until the next entry is added, sb_command_list_last returns NULL. */
void sb_command_list_take_back(sb_command_list *list);

/* An entry as the list's reader sees it; args stay the list's. */
typedef struct sb_list_entry {
    sb_gpu_work *work;
    const sb_gpu_label *label;
    const void *args;
} sb_list_entry;

/* Set *entry to the entry at *at, an offset that begins at 0 and moves to the next entry. False: there are no more. */
bool sb_command_list_next(const sb_command_list *list, size_t *at, sb_list_entry *entry);

/* Run one entry; sets gpu->label. */
void sb_list_entry_run(const sb_list_entry *entry, sb_gpu *gpu);

/* Run the entries in order. Stops when gpu->status is an error, because later entries would use wrong numbers.
 * after_each, unless NULL, is called after each entry that succeeded. */
void sb_command_list_run(const sb_command_list *list, sb_gpu *gpu, void (*after_each)(sb_gpu *gpu));

bool sb_command_list_same(const sb_command_list *a, const sb_command_list *b);
bool sb_command_list_copy(sb_command_list *to, const sb_command_list *from); /* false: not enough memory */
void sb_command_list_free(sb_command_list *list);
