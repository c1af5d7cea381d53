/* Memory of the GPU backends: what a caller allocates, the stage through which host bytes go to the device, and scratch
 * that all operations share. */
#include "backend/gpu_parts.h"

#include "core/machine/clock.h"

#include <string.h>

enum { STAGE_BYTES = 1 << 23, SCRATCH_BYTES = 1 << 20 };

/* ---- the stage ---- */

static bool grow_stage(sb_gpu_backend *b, size_t n_bytes)
{
    size_t size = n_bytes > STAGE_BYTES ? n_bytes : STAGE_BYTES;
    sb_gpu_finish(b);
    if (b->gpu.status != SB_OK) return false;
    if (b->stage) b->machine->release(&b->gpu, b->stage);
    if (b->stage_host) b->machine->release_host(&b->gpu, b->stage_host);
    b->stage = b->machine->allocate(&b->gpu, size);
    b->stage_host = b->stage ? b->machine->allocate_host(&b->gpu, size) : NULL;
    b->stage_size = b->stage_host ? size : 0;
    return b->stage_size > 0;
}

static void *stage(sb_gpu *gpu, const void *host, size_t n_bytes)
{
    sb_gpu_backend *b = (sb_gpu_backend *)gpu;
    size_t rounded = (n_bytes + 63) / 64 * 64;
    if (gpu->status != SB_OK) return NULL;
    if (rounded > b->stage_size && !grow_stage(b, rounded)) {
        sb_gpu_fail(b, SB_E_MEMORY, sb_message());
        return NULL;
    }
    if (b->stage_used + rounded > b->stage_size) sb_gpu_finish(b);
    size_t at = b->stage_used;
    const double began = sb_clock_seconds();
    memcpy(b->stage_host + at, host, n_bytes);
    gpu->context.copy_seconds += sb_clock_seconds() - began;
    b->stage_used += rounded;
    return b->stage + at;
}

/* ---- scratch ---- */

/* The new one is at least twice as large as the one before, so that their number stays small. */
static void *grow_scratch(sb_gpu_backend *b, size_t n_bytes)
{
    size_t size = b->scratch_size ? 2 * b->scratch_size : SCRATCH_BYTES;
    if (size < n_bytes) size = n_bytes;
    assert(b->n_scratches < SB_SCRATCHES);
    void *memory = b->machine->allocate(&b->gpu, size);
    if (!memory) return NULL;
    b->scratch[b->n_scratches++] = memory;
    b->scratch_size = size;
    return memory;
}

static void *scratch(sb_gpu *gpu, size_t n_bytes)
{
    sb_gpu_backend *b = (sb_gpu_backend *)gpu;
    if (gpu->status != SB_OK) return NULL;
    if (n_bytes <= b->scratch_size) return b->scratch[b->n_scratches - 1];
    void *memory = grow_scratch(b, n_bytes);
    if (!memory) sb_gpu_fail(b, SB_E_MEMORY, sb_message());
    return memory;
}

/* ---- what a caller asks for ---- */

static void *allocate(sb_ops *ops, size_t n_bytes)
{
    sb_gpu_backend *b = sb_gpu_backend_of(ops);
    return b->machine->allocate(&b->gpu, n_bytes);
}

static void release(sb_ops *ops, void *memory)
{
    sb_gpu_backend *b = sb_gpu_backend_of(ops);
    sb_gpu_finish(b);
    sb_gpu_name(b, "release");
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

bool sb_gpu_transfer_ranges(const sb_list_entry *entry, sb_ranges *ranges)
{
    const transfer *t = entry->args;
    if (entry->work != issue_copy && entry->work != issue_zero) return false;
    ranges->n = 0, ranges->is_unknown = false, ranges->flop = 0;
    sb_ranges_add(ranges, t->from, t->n_bytes, true, false); /* NULL of zeros */
    sb_ranges_add(ranges, t->to, t->n_bytes, false, true);
    return true;
}

static void put_copy(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    gpu->call(gpu, issue_copy, &(transfer){to, from, n_bytes}, sizeof(transfer));
}

static void put_zero(sb_gpu *gpu, void *memory, size_t n_bytes)
{
    gpu->call(gpu, issue_zero, &(transfer){.to = memory, .n_bytes = n_bytes}, sizeof(transfer));
}

static void copy(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    put_copy(sb_gpu_begin(ops, "copy", NULL), to, from, n_bytes);
}

static void zero(sb_ops *ops, void *memory, size_t n_bytes)
{
    put_zero(sb_gpu_begin(ops, "zero", NULL), memory, n_bytes);
}

/* Host memory may be gone when this returns: what it holds goes through the stage, in pieces that fit. */
static void to_device(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "to_device", NULL);
    for (size_t done = 0, n; done < n_bytes; done += n) {
        n = n_bytes - done < STAGE_BYTES ? n_bytes - done : STAGE_BYTES;
        void *staged = stage(gpu, (const char *)from + done, n);
        if (!staged) return;
        put_copy(gpu, (char *)to + done, staged, n);
    }
}

static void to_host(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    sb_gpu_backend *b = sb_gpu_backend_of(ops);
    sb_gpu_flush(b);
    sb_gpu_name(b, "to_host");
    if (b->gpu.status == SB_OK)
        b->machine->download(&b->gpu, to, from, n_bytes);
    else
        b->machine->wait(&b->gpu);
    sb_gpu_waited(b);
    if (b->gpu.status != SB_OK) memset(to, 0, n_bytes);
}

void *sb_gpu_take_host(const sb_ops *ops, size_t n_bytes)
{
    sb_gpu_backend *b = sb_gpu_backend_of(ops);
    void *memory = b->machine->allocate_host(&b->gpu, n_bytes ? n_bytes : 1);
    if (memory) memset(memory, 0, n_bytes);
    return memory;
}

void sb_gpu_give_host(const sb_ops *ops, void *memory)
{
    sb_gpu_backend *b = sb_gpu_backend_of(ops);
    if (!memory) return;
    sb_gpu_finish(b);
    sb_gpu_name(b, "release");
    b->machine->release_host(&b->gpu, memory);
}

void sb_gpu_open_memory(sb_gpu *gpu)
{
    sb_ops *ops = &gpu->context.ops;
    gpu->copy = put_copy, gpu->zero = put_zero, gpu->stage = stage, gpu->scratch = scratch;
    ops->allocate = allocate, ops->release = release;
    ops->zero = zero, ops->copy = copy, ops->to_device = to_device, ops->to_host = to_host;
}

void sb_gpu_close_memory(sb_gpu_backend *b)
{
    if (b->stage) b->machine->release(&b->gpu, b->stage);
    if (b->stage_host) b->machine->release_host(&b->gpu, b->stage_host);
    for (int i = 0; i < b->n_scratches; i++) b->machine->release(&b->gpu, b->scratch[i]);
}
