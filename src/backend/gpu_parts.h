/* Shared by gpu.c (the command list) and gpu_memory.c (memory, and copies between host and device). */
#pragma once

#include "backend/gpu.h"

static inline sb_gpu_backend *sb_gpu_backend_of(const sb_ops *ops)
{
    return (sb_gpu_backend *)ops->context;
}

/* Keep the first error, with gpu.label as its operation. */
void sb_gpu_fail(sb_gpu_backend *b, sb_status status, const char *words);

/* Name work of the backend that belongs to no operation, for messages. */
static inline void sb_gpu_name(sb_gpu_backend *b, const char *what)
{
    b->gpu.label = (sb_gpu_label){.operation = what};
}

/* Put the list on the stream, unless there is an error. Does not change gpu.label, because recording an operation may
 * cause a flush to free memory. */
void sb_gpu_flush(sb_gpu_backend *b);

/* Call after a wait: counts the time of the list and frees staged memory. */
void sb_gpu_waited(sb_gpu_backend *b);

/* Flush and wait, also after an error: the host must not write to staged memory during a copy. */
void sb_gpu_finish(sb_gpu_backend *b);

/* Set the ranges of a copy or of zeros; false: the entry is other work. */
bool sb_gpu_transfer_ranges(const sb_list_entry *entry, sb_ranges *ranges);

/* Fill the slots for memory: gpu->stage and scratch, ops->allocate to ops->to_host. */
void sb_gpu_open_memory(sb_gpu *gpu);
void sb_gpu_close_memory(sb_gpu_backend *b);
