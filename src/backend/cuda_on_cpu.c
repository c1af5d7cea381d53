/* native-cuda without a device: its kernels walked by the CPU, its list of work and its graphs as they are. It proves
 * the logic of the kernels where there is no GPU, and is slow: for tests. */
#include "backend/context.h"
#include "backend/gpu.h"
#include "core/machine/clock.h"
#include "core/size.h"
#include "ops/kernels/kernels_host.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* calloc leaves fresh pages alone, which are zero: most of a stage is never touched. Its block is in front of what
 * is given away. */
static void *allocate(sb_gpu *gpu, size_t n_bytes)
{
    (void)gpu;
    char *block = n_bytes < SB_SIZE_MAX - ALIGNMENT ? sb_size_allocate(n_bytes + ALIGNMENT, 1) : NULL;
    if (!block) {
        sb_fail(SB_E_MEMORY, "not enough memory: %.1f MiB asked", n_bytes / 1048576.0);
        return NULL;
    }
    char *memory = block + ALIGNMENT - (uintptr_t)block % ALIGNMENT;
    memcpy(memory - sizeof block, &block, sizeof block);
    return memory;
}

static void release(sb_gpu *gpu, void *memory)
{
    (void)gpu;
    char *block;
    if (!memory) return;
    memcpy(&block, (char *)memory - sizeof block, sizeof block);
    free(block);
}

typedef struct cpu {
    sb_gpu_backend backend;
    bool records; /* work is noted, not done: a graph is being made */
    bool plans;   /* nothing is ever done */
    double mark[2];
} cpu;

static bool records(const sb_gpu *gpu)
{
    return ((const cpu *)gpu)->records || ((const cpu *)gpu)->plans;
}

static void copy(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    if (!records(gpu) && n_bytes) memcpy(to, from, n_bytes);
}

static void zero(sb_gpu *gpu, void *memory, size_t n_bytes)
{
    if (!records(gpu)) memset(memory, 0, n_bytes);
}

static void download(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    if (((const cpu *)gpu)->plans)
        memset(to, 0, n_bytes);
    else
        copy(gpu, to, from, n_bytes);
}

/* SAMEBITS_WALK=down: threads of a block in the other order. */
static void launch(sb_gpu *gpu, int kernel, sb_grid grid, const void *args)
{
    if (records(gpu)) return;
    const char *walk = getenv("SAMEBITS_WALK");
    if (!sb_kernels_walk(kernel, grid, args, walk && strcmp(walk, "down") == 0 ? SB_WALK_DOWN : SB_WALK_UP))
        gpu->failed(gpu, "not enough memory for a block");
}

static void nothing(sb_gpu *gpu)
{
    (void)gpu;
}

static bool is_idle(sb_gpu *gpu)
{
    (void)gpu;
    return true;
}

static bool mark(sb_gpu *gpu, bool end)
{
    ((cpu *)gpu)->mark[end] = sb_clock_seconds();
    return true;
}

static double marked_seconds(sb_gpu *gpu)
{
    return ((cpu *)gpu)->mark[1] - ((cpu *)gpu)->mark[0];
}

/* As a device does: what is recorded is not done; repeating does it. */
static void record(sb_gpu *gpu)
{
    ((cpu *)gpu)->records = true;
}

static void *record_end(sb_gpu *gpu)
{
    ((cpu *)gpu)->records = false;
    return gpu;
}

static void repeat(sb_gpu *gpu, const sb_graph *graph)
{
    sb_command_list_run(&graph->list, gpu, NULL);
}

static void forget(sb_gpu *gpu, sb_graph *graph)
{
    (void)gpu;
    graph->graph = NULL;
}

static const sb_machine machine = {
    .allocate = allocate,
    .release = release,
    .allocate_host = allocate,
    .release_host = release,
    .upload = copy,
    .download = download,
    .copy = copy,
    .zero = zero,
    .launch = launch,
    .wait = nothing,
    .is_idle = is_idle,
    .mark = mark,
    .marked_seconds = marked_seconds,
    .record = record,
    .record_end = record_end,
    .repeat = repeat,
    .forget = forget,
    .close = nothing,
};

static sb_status open_cpu(cpu **opened, const sb_backend_options *options, const char *name, const char *variant)
{
    cpu *c = *opened = calloc(1, sizeof *c);
    if (!c) return sb_fail(SB_E_MEMORY, "not enough memory for a backend");
    sb_gpu_open(&c->backend, &machine, options);
    sb_context *context = &c->backend.gpu.context;
    snprintf(context->variant, sizeof context->variant, "%s", variant);
    context->ops.name = name;
    return SB_OK;
}

sb_status sb_cuda_on_cpu_open(sb_ops **ops, const sb_backend_options *options)
{
    cpu *c;
    SB_TRY(open_cpu(&c, options, "cuda-on-cpu", "walked by the CPU"));
    c->backend.gpu.processors = 2; /* so that tests meet large and medium tiles */
    *ops = &c->backend.gpu.context.ops;
    return SB_OK;
}

sb_status sb_gpu_plan_open(sb_ops **ops, const sb_backend_options *options, int processors, bool overlaps)
{
    cpu *c;
    SB_TRY(open_cpu(&c, options, "native-cuda", "recorded only"));
    c->plans = true;
    c->backend.gpu.processors = processors;
    c->backend.gpu.context.ops.overlaps = overlaps;
    *ops = &c->backend.gpu.context.ops;
    return SB_OK;
}
