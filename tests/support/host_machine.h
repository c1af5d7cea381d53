/* A machine of backend/gpu.h in host memory, which does at once what it is told and launches nothing: tests replace the
 * slots that they look at. */
#pragma once

#include "support.h"

#include "backend/gpu.h"

#include <stdlib.h>
#include <string.h>

static inline void *host_allocate(sb_gpu *gpu, size_t n_bytes)
{
    (void)gpu;
    return calloc(1, n_bytes ? n_bytes : 1);
}

static inline void host_release(sb_gpu *gpu, void *memory)
{
    (void)gpu;
    free(memory);
}

static inline void host_copy(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    (void)gpu;
    if (n_bytes) memcpy(to, from, n_bytes);
}

static inline void host_zero(sb_gpu *gpu, void *memory, size_t n_bytes)
{
    (void)gpu;
    memset(memory, 0, n_bytes);
}

static inline void host_launch(sb_gpu *gpu, int kernel, sb_grid grid, const void *args)
{
    (void)gpu, (void)kernel, (void)grid, (void)args;
}

static inline void host_nothing(sb_gpu *gpu)
{
    (void)gpu;
}

static inline bool host_mark(sb_gpu *gpu, bool end)
{
    (void)gpu, (void)end;
    return true;
}

static inline double host_seconds(sb_gpu *gpu)
{
    (void)gpu;
    return 1;
}

static inline void *host_record_end(sb_gpu *gpu)
{
    return gpu;
}

static inline void host_repeat(sb_gpu *gpu, const sb_graph *graph)
{
    sb_command_list_run(&graph->list, gpu, NULL);
}

static inline void host_forget(sb_gpu *gpu, sb_graph *graph)
{
    (void)gpu;
    graph->graph = NULL;
}

static inline sb_machine host_machine(void)
{
    return (sb_machine){.allocate = host_allocate,
                        .release = host_release,
                        .allocate_host = host_allocate,
                        .release_host = host_release,
                        .upload = host_copy,
                        .download = host_copy,
                        .copy = host_copy,
                        .zero = host_zero,
                        .launch = host_launch,
                        .wait = host_nothing,
                        .mark = host_mark,
                        .marked_seconds = host_seconds,
                        .record = host_nothing,
                        .record_end = host_record_end,
                        .repeat = host_repeat,
                        .forget = host_forget,
                        .close = host_nothing};
}
