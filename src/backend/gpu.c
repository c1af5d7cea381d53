#include "backend/gpu.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists shorter than this are not worth a graph: tests, outputs, single copies. */
enum { GRAPH_LEAST = 32, STAGE_BYTES = 1 << 23, SCRATCH_BYTES = 1 << 20 };

bool sb_gpu_one_by_one(void)
{
    const char *value = getenv("SAMEBITS_CUDA_SYNC");
    return value && *value && strcmp(value, "0") != 0;
}

static sb_gpu_backend *backend_of(const sb_ops *ops)
{
    return (sb_gpu_backend *)ops->context;
}

/* ---- errors ---- */

static void fail_as(sb_gpu_backend *b, sb_status status, const char *words)
{
    const sb_gpu_label *l = &b->gpu.label;
    if (b->status != SB_OK) return;
    b->status = status;
    char shape[64] = "";
    if (l->c) snprintf(shape, sizeof shape, " on %dx%d channels of %dx%d", l->groups, l->c, l->h, l->w);
    snprintf(b->words, sizeof b->words, "%s: %s%s: %s", b->gpu.context.variant, l->operation, shape, words);
}

static void fail(sb_gpu *gpu, const char *words)
{
    fail_as((sb_gpu_backend *)gpu, SB_E_IO, words);
}

/* ---- the list ---- */

typedef struct launch {
    int kernel;
    sb_grid grid;
} launch;

static void issue_kernel(sb_gpu *gpu, const void *args)
{
    const launch *l = args;
    const sb_machine *machine = ((sb_gpu_backend *)gpu)->machine;
    machine->launch(gpu, l->kernel, l->grid, l + 1);
}

/* Work after an error would only add noise. */
static void put(sb_gpu_backend *b, sb_gpu_work *work, const void *args, size_t n_args, const void *more, size_t n_more)
{
    if (b->status != SB_OK) return;
    if (!sb_tape_add(&b->tape, work, &b->gpu.label, args, n_args, more, n_more))
        fail_as(b, SB_E_MEMORY, "not enough memory for the list of work");
}

static void put_kernel(sb_gpu *gpu, int kernel, sb_grid grid, const void *args, size_t n_bytes)
{
    launch l = {kernel, grid};
    put((sb_gpu_backend *)gpu, issue_kernel, &l, sizeof l, args, n_bytes);
}

static void put_call(sb_gpu *gpu, sb_gpu_work *work, const void *args, size_t n_bytes)
{
    put((sb_gpu_backend *)gpu, work, args, n_bytes, NULL, 0);
}

/* This list among those that were run before; NULL: it is new. */
static sb_graph *find_list(sb_gpu_backend *b)
{
    for (int i = 0; i < SB_GRAPHS; i++)
        if (sb_tape_same(&b->graph[i].tape, &b->tape)) return &b->graph[i];
    return NULL;
}

/* The oldest makes room. */
static void remember_list(sb_gpu_backend *b)
{
    sb_graph *kept = &b->graph[b->n_lists++ % SB_GRAPHS];
    if (kept->graph) b->machine->forget(&b->gpu, kept);
    kept->graph = NULL, kept->tried = false, kept->tape.used = 0;
    sb_tape_copy(&kept->tape, &b->tape); /* short of memory: it will be new again */
}

/* Nothing is done while it is recorded: what fails then, as where a library allocates, is done one by one, and if it is
 * wrong in itself it fails there. */
static void make_graph(sb_gpu_backend *b, sb_graph *kept)
{
    kept->tried = true;
    b->machine->record(&b->gpu);
    if (b->status == SB_OK) sb_tape_run(&kept->tape, &b->gpu);
    kept->graph = b->machine->record_end(&b->gpu);
    if (b->status == SB_OK) {
        b->n_graphs_made += kept->graph != NULL;
        return;
    }
    if (kept->graph) b->machine->forget(&b->gpu, kept);
    fprintf(stderr, "samebits: %s; slower without a graph of the window\n", b->words);
    b->status = SB_OK;
}

/* The graph of this list from its second time on, NULL: do it one by one. The first time shows the libraries what they
 * will be asked for: loading code, choosing an algorithm and taking memory must not happen while a graph is recorded. */
static const sb_graph *graph_of(sb_gpu_backend *b)
{
    sb_graph *kept = find_list(b);
    if (!kept) remember_list(b);
    if (kept && !kept->tried) make_graph(b, kept);
    return kept && kept->graph ? kept : NULL;
}

static void flush(sb_gpu_backend *b)
{
    if (b->status == SB_OK && b->tape.n > 0) {
        b->machine->mark(&b->gpu, false);
        if (b->stage_used) b->machine->upload(&b->gpu, b->stage, b->stage_host, b->stage_used);
        const sb_graph *graph = b->tape.n >= GRAPH_LEAST && !sb_gpu_one_by_one() ? graph_of(b) : NULL;
        if (graph)
            b->machine->repeat(&b->gpu, graph);
        else
            sb_tape_run(&b->tape, &b->gpu);
        b->machine->mark(&b->gpu, true);
        b->is_marked = true;
    }
    b->tape.used = 0, b->tape.n = 0;
}

/* After a wait. */
static void count_time(sb_gpu_backend *b)
{
    if (b->is_marked && b->status == SB_OK) b->gpu.context.device_seconds += b->machine->marked_seconds(&b->gpu);
    b->is_marked = false;
}

/* What was put down is done, and staged memory is free again. */
static void finish(sb_gpu_backend *b)
{
    flush(b);
    b->machine->wait(&b->gpu);
    count_time(b);
    b->stage_used = 0;
}

/* ---- memory ---- */

static bool grow_stage(sb_gpu_backend *b, size_t n_bytes)
{
    size_t size = n_bytes > STAGE_BYTES ? n_bytes : STAGE_BYTES;
    finish(b);
    if (b->stage) b->machine->release(&b->gpu, b->stage);
    if (b->stage_host) b->machine->release_host(&b->gpu, b->stage_host);
    b->stage = b->machine->allocate(&b->gpu, size);
    b->stage_host = b->machine->allocate_host(&b->gpu, size);
    b->stage_size = b->stage && b->stage_host ? size : 0;
    return b->stage_size > 0;
}

static void *stage(sb_gpu *gpu, const void *host, size_t n_bytes)
{
    sb_gpu_backend *b = (sb_gpu_backend *)gpu;
    size_t rounded = (n_bytes + 63) / 64 * 64;
    if (rounded > b->stage_size && !grow_stage(b, rounded)) {
        fail_as(b, SB_E_MEMORY, sb_message());
        return NULL;
    }
    if (b->stage_used + rounded > b->stage_size) finish(b);
    size_t at = b->stage_used;
    memcpy(b->stage_host + at, host, n_bytes);
    b->stage_used += rounded;
    return b->stage + at;
}

static void *scratch(sb_gpu *gpu, size_t n_bytes)
{
    sb_gpu_backend *b = (sb_gpu_backend *)gpu;
    if (n_bytes <= b->scratch_size) return b->scratch[b->n_scratches - 1];
    size_t size = b->scratch_size ? b->scratch_size : SCRATCH_BYTES;
    while (size < n_bytes) size *= 2;
    void *memory = b->n_scratches < SB_SCRATCHES ? b->machine->allocate(gpu, size) : NULL;
    if (!memory) {
        fail_as(b, SB_E_MEMORY, sb_message());
        return NULL;
    }
    b->scratch[b->n_scratches++] = memory;
    b->scratch_size = size;
    return memory;
}

static void *allocate(sb_ops *ops, size_t n_bytes)
{
    sb_gpu_backend *b = backend_of(ops);
    return b->machine->allocate(&b->gpu, n_bytes);
}

static void release(sb_ops *ops, void *memory)
{
    sb_gpu_backend *b = backend_of(ops);
    finish(b);
    b->machine->release(&b->gpu, memory);
}

typedef struct transfer {
    void *to;
    const void *from;
    size_t n_bytes;
} transfer;

static void issue_copy(sb_gpu *gpu, const void *args)
{
    const transfer *t = args;
    ((sb_gpu_backend *)gpu)->machine->copy(gpu, t->to, t->from, t->n_bytes);
}

static void issue_zero(sb_gpu *gpu, const void *args)
{
    const transfer *t = args;
    ((sb_gpu_backend *)gpu)->machine->zero(gpu, t->to, t->n_bytes);
}

static void copy(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "copy", NULL);
    gpu->call(gpu, issue_copy, &(transfer){to, from, n_bytes}, sizeof(transfer));
}

static void zero(sb_ops *ops, void *memory, size_t n_bytes)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "zero", NULL);
    gpu->call(gpu, issue_zero, &(transfer){.to = memory, .n_bytes = n_bytes}, sizeof(transfer));
}

/* Host memory may be gone when this returns: what it holds goes through the stage, in pieces that fit. */
static void to_device(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "to_device", NULL);
    for (size_t done = 0, n; done < n_bytes; done += n) {
        n = n_bytes - done < STAGE_BYTES ? n_bytes - done : STAGE_BYTES;
        void *staged = stage(gpu, (const char *)from + done, n);
        if (!staged) return;
        gpu->call(gpu, issue_copy, &(transfer){(char *)to + done, staged, n}, sizeof(transfer));
    }
}

static void to_host(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    sb_gpu_backend *b = backend_of(ops);
    flush(b);
    b->gpu.label = (sb_gpu_label){.operation = "to_host"};
    if (b->status == SB_OK) b->machine->download(&b->gpu, to, from, n_bytes);
    count_time(b);
    b->stage_used = 0; /* the download waited */
    if (b->status != SB_OK) memset(to, 0, n_bytes);
}

/* ---- opening ---- */

static sb_status error(sb_ops *ops)
{
    sb_gpu_backend *b = backend_of(ops);
    finish(b);
    sb_status status = b->status;
    b->status = SB_OK;
    return status == SB_OK ? SB_OK : sb_fail(status, "%s", b->words);
}

static void close_backend(sb_context *context)
{
    sb_gpu_backend *b = (sb_gpu_backend *)context;
    finish(b);
    for (int i = 0; i < SB_GRAPHS; i++) {
        if (b->graph[i].graph) b->machine->forget(&b->gpu, &b->graph[i]);
        sb_tape_free(&b->graph[i].tape);
    }
    sb_tape_free(&b->tape);
    if (b->stage) b->machine->release(&b->gpu, b->stage);
    if (b->stage_host) b->machine->release_host(&b->gpu, b->stage_host);
    for (int i = 0; i < b->n_scratches; i++) b->machine->release(&b->gpu, b->scratch[i]);
    b->machine->close(&b->gpu);
    free(b);
}

int sb_gpu_graphs_made(const sb_ops *ops)
{
    return backend_of(ops)->n_graphs_made;
}

/* As native does: narrower layers gain nothing from Winograd's transforms, and the bits must agree. */
enum { WIDE_CHANNELS = 16 };

void sb_gpu_open(sb_gpu_backend *backend, const sb_machine *machine, const sb_backend_options *options)
{
    bool winograd = options->arithmetic && strcmp(options->arithmetic, "winograd") == 0;
    backend->machine = machine;
    sb_gpu *gpu = &backend->gpu;
    gpu->kernel = put_kernel, gpu->call = put_call, gpu->stage = stage, gpu->scratch = scratch, gpu->failed = fail;
    gpu->context.threads = 1;
    gpu->context.close = close_backend;
    gpu->context.ops = (sb_ops){
        .name = "native-cuda",
        .context = &gpu->context,
        .host_memory = false,
        .allocate = allocate,
        .release = release,
        .zero = zero,
        .copy = copy,
        .to_device = to_device,
        .to_host = to_host,
        .error = error,
        .wide_channels = !winograd                ? INT_MAX
                         : options->wide_channels ? options->wide_channels
                                                  : WIDE_CHANNELS,
    };
    sb_ops_cuda(&gpu->context.ops);
}
