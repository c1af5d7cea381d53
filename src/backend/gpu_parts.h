/* What gpu.c (the list of work) and gpu_memory.c (memory, and what goes between host and device) share. */
#ifndef SB_BACKEND_GPU_PARTS_H
#define SB_BACKEND_GPU_PARTS_H

#include "backend/gpu.h"

static inline sb_gpu_backend *sb_gpu_backend_of(const sb_ops *ops)
{
    return (sb_gpu_backend *)ops->context;
}

/* Keep the first error, as one of gpu.label. */
void sb_gpu_fail(sb_gpu_backend *b, sb_status status, const char *words);

/* What the backend does of itself, not as part of an operation, has a name of its own in the sentence of an error. */
static inline void sb_gpu_name(sb_gpu_backend *b, const char *what)
{
    b->gpu.label = (sb_gpu_label){.operation = what};
}

/* Put the list on the stream, unless there is an error. Keeps gpu.label: an operation that is being put down may need
 * the room of what was put down before. */
void sb_gpu_flush(sb_gpu_backend *b);

/* After a wait: the time of the list is counted, staged memory is free again. */
void sb_gpu_waited(sb_gpu_backend *b);

/* Flush and wait, also after an error: the host's side of staged memory must not change under a copy. */
void sb_gpu_finish(sb_gpu_backend *b);

/* Fill the slots for memory: gpu->stage and scratch, ops->allocate to ops->to_host. */
void sb_gpu_open_memory(sb_gpu *gpu);
void sb_gpu_close_memory(sb_gpu_backend *b);

#endif
