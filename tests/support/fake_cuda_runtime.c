#include "fake_cuda_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fake_cuda fake = {.failing_call = -1, .trap = -1, .n_devices = 1};

static cudaError_t last, sticky;

cudaError_t fake_give(cudaError_t error)
{
    if (error != cudaSuccess) last = error;
    fake.stale = last != cudaSuccess;
    return error;
}

static bool is_capturing(void);

cudaError_t fake_due(const char *function, cudaError_t error)
{
    if (sticky != cudaSuccess) return fake_give(sticky);
    if (fake.n_calls++ != fake.failing_call) return cudaSuccess;
    fake.failed = function;
    fake.failed_in_capture = is_capturing();
    return fake_give(error);
}

/* ---- things: streams, events, graphs, memory ---- */

static fake_thing *things; /* all that are open */
static cudaStream_t the_stream;

void *fake_open(fake_live kind)
{
    fake_thing *t = calloc(1, sizeof *t);
    if (!t) abort();
    t->kind = kind, t->next = things;
    things = t;
    fake.live[kind]++;
    return t;
}

static void free_thing(fake_thing **at)
{
    fake_thing *t = *at;
    *at = t->next;
    free(t->list.at);
    free(t->memory);
    free(t);
}

/* Where `what` is among the things, by itself or by its memory; NULL: nowhere, which is misuse. */
static fake_thing **find_thing(const void *what, fake_live kind)
{
    for (fake_thing **t = &things; *t; t = &(*t)->next)
        if ((*t)->kind == kind && (*t == what || ((*t)->memory && (*t)->memory == what))) return t;
    fake.misused = true;
    return NULL;
}

bool fake_is_open(const void *what, fake_live kind)
{
    return find_thing(what, kind) != NULL;
}

cudaError_t fake_close(const void *what, fake_live kind)
{
    fake_thing **t = find_thing(what, kind);
    if (!t) return fake_give(cudaErrorInvalidValue);
    fake.live[kind]--;
    free_thing(t);
    return cudaSuccess;
}

void fake_cuda_reset(void)
{
    while (things) free_thing(&things);
    the_stream = NULL;
    fake = (fake_cuda){.failing_call = -1, .trap = -1, .n_devices = 1};
    last = sticky = cudaSuccess;
}

/* ---- the stream ---- */

static bool is_capturing(void)
{
    return the_stream && the_stream->thing.flag;
}

void fake_perform(const fake_work *w)
{
    if (sticky != cudaSuccess) return;
    if (w->kernel >= 0) {
        if (fake.n_launches++ == fake.trap) {
            sticky = cudaErrorLaunchFailure;
            return;
        }
        if (!sb_kernels_walk((int)w->kernel, w->grid, w->args, SB_WALK_UP)) abort();
    } else if (w->from) {
        memmove(w->to, w->from, w->n_bytes);
    } else {
        memset(w->to, w->value, w->n_bytes);
    }
}

void fake_count_work(void)
{
    fake.n_work_after += fake.failed != NULL || sticky != cudaSuccess;
}

static cudaError_t put(cudaStream_t stream, const fake_work *w)
{
    if (!fake_is_open(stream, FAKE_STREAMS)) return fake_give(cudaErrorInvalidValue);
    fake_count_work();
    if (stream->thing.flag)
        fake_capture(&stream->thing.list, w);
    else
        fake_perform(w);
    return cudaSuccess;
}

/* What waits or takes memory ends a capture. */
static cudaError_t not_in_capture(void)
{
    return is_capturing() ? fake_give(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

/* ---- device and errors ---- */

cudaError_t cudaGetDeviceCount(int *n)
{
    if (fake.no_driver) return fake_give(cudaErrorInsufficientDriver);
    MAY_FAIL;
    *n = fake.n_devices;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    MAY_FAIL;
    *device = fake.device;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    MAY_FAIL;
    if (device < 0 || device >= fake.n_devices) return fake_give(cudaErrorInvalidValue);
    fake.device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    MAY_FAIL;
    *properties = (struct cudaDeviceProp){.name = "a stand-in", .totalGlobalMem = 1 << 30};
    properties->major = 9, properties->multiProcessorCount = 2;
    return device < fake.n_devices ? cudaSuccess : fake_give(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    MAY_FAIL;
    *value = attribute == cudaDevAttrClockRate ? 1980000 : 2619000;
    return device == 0 ? cudaSuccess : fake_give(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device)
{
    MAY_FAIL;
    snprintf(id, (size_t)size, "0000:%02x:00.0", 1 + device);
    return device < fake.n_devices ? cudaSuccess : fake_give(cudaErrorInvalidValue);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    MAY_FAIL;
    *version = fake.no_driver ? 11040 : 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    MAY_FAIL;
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = sticky != cudaSuccess ? sticky : last;
    last = cudaSuccess;
    fake.stale = false;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorLaunchFailure      ? "unspecified launch failure"
           : error == cudaErrorMemoryAllocation ? "out of memory"
           : error == cudaErrorUnknown          ? "failed as asked"
                                                : "another error";
}

/* ---- memory ---- */

static cudaError_t allocate(void **memory, size_t n_bytes, fake_live kind)
{
    if (not_in_capture() != cudaSuccess) return last;
    fake_thing *t = fake_open(kind);
    *memory = t->memory = aligned_alloc(256, (n_bytes + 256) / 256 * 256);
    if (!*memory) abort();
    return cudaSuccess;
}

static cudaError_t release(void *memory, fake_live kind)
{
    if (not_in_capture() != cudaSuccess) return last;
    return memory ? fake_close(memory, kind) : cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t n_bytes)
{
    MAY_FAIL_AS(cudaErrorMemoryAllocation);
    return allocate(memory, n_bytes, FAKE_MEMORY);
}

cudaError_t cudaFree(void *memory)
{
    MAY_FAIL;
    return release(memory, FAKE_MEMORY);
}

cudaError_t cudaMallocHost(void **memory, size_t n_bytes)
{
    MAY_FAIL_AS(cudaErrorMemoryAllocation);
    return allocate(memory, n_bytes, FAKE_PINNED);
}

cudaError_t cudaFreeHost(void *memory)
{
    MAY_FAIL;
    return release(memory, FAKE_PINNED);
}

cudaError_t cudaMemGetInfo(size_t *n_free, size_t *n_all)
{
    MAY_FAIL;
    *n_free = 256 << 20, *n_all = 1 << 30;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n_bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    MAY_FAIL;
    (void)kind;
    return put(stream, &(fake_work){.to = to, .from = from, .n_bytes = n_bytes, .kernel = -1});
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t n_bytes, cudaStream_t stream)
{
    MAY_FAIL;
    return put(stream, &(fake_work){.to = memory, .value = value, .n_bytes = n_bytes, .kernel = -1});
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    MAY_FAIL;
    (void)flags;
    *stream = the_stream = fake_open(FAKE_STREAMS);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    MAY_FAIL;
    the_stream = NULL;
    return fake_close(stream, FAKE_STREAMS);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    MAY_FAIL;
    if (!fake_is_open(stream, FAKE_STREAMS)) return fake_give(cudaErrorInvalidValue);
    return not_in_capture();
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    MAY_FAIL;
    if (!fake_is_open(stream, FAKE_STREAMS)) return fake_give(cudaErrorInvalidValue);
    return fake.never_idle ? fake_give(cudaErrorNotReady) : not_in_capture();
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    MAY_FAIL;
    *event = fake_open(FAKE_EVENTS);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    MAY_FAIL;
    return fake_close(event, FAKE_EVENTS);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    MAY_FAIL;
    if (!fake_is_open(event, FAKE_EVENTS) || !fake_is_open(stream, FAKE_STREAMS))
        return fake_give(cudaErrorInvalidValue);
    event->thing.flag = true;
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    MAY_FAIL;
    if (!fake_is_open(begin, FAKE_EVENTS) || !fake_is_open(end, FAKE_EVENTS)) return fake_give(cudaErrorInvalidValue);
    *milliseconds = 250;
    return begin->thing.flag && end->thing.flag ? cudaSuccess : fake_give(cudaErrorInvalidValue);
}

/* ---- kernels: in place of src/ops/kernels/kernels_cuda.cu ---- */

#define SIZE(name) sizeof(name##_args),
static const size_t args_size[] = {SB_KERNELS(SIZE, SIZE)};

int sb_kernels_can_depend(bool *can)
{
    *can = false;
    MAY_FAIL;
    *can = fake.kernels_wait;
    return cudaSuccess;
}

int sb_kernels_launch(int kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, const void *args, void *stream,
                      bool dependent)
{
    fake_work w = {.kernel = kernel, .grid = {grid_x, grid_y, grid_z}};
    MAY_FAIL;
    fake.misused |= dependent && !fake.kernels_wait;
    fake.n_dependent += dependent;
    fake.n_put += !dependent;
    if (args_size[kernel] > sizeof w.args) abort();
    memcpy(w.args, args, args_size[kernel]);
    return put(stream, &w);
}
