#include "fake_cuda_runtime.h"

#include "ops/kernels/kernels_cuda.h"
#include "ops/kernels/kernels_host.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fake_cuda fake = {.failing_call = -1, .trap = -1, .n_devices = 1};

static cudaError_t last, sticky;

static cudaError_t give(cudaError_t error)
{
    if (error != cudaSuccess) last = error;
    fake.stale = last != cudaSuccess;
    return error;
}

static bool is_capturing(void);

/* The error of the call that is being made. */
static cudaError_t due(const char *function, cudaError_t error)
{
    if (sticky != cudaSuccess) return give(sticky);
    if (fake.n_calls++ != fake.failing_call) return cudaSuccess;
    fake.failed = function;
    fake.failed_in_capture = is_capturing();
    return give(error);
}

#define MAY_FAIL_AS(error)                                                                                             \
    do {                                                                                                               \
        cudaError_t due_ = due(__func__, error);                                                                       \
        if (due_ != cudaSuccess) return due_;                                                                          \
    } while (0)
#define MAY_FAIL MAY_FAIL_AS(cudaErrorUnknown)

/* ---- things: streams, events, graphs, memory ---- */

enum { BEFORE_MAX = 256 };

typedef struct work {
    int n_before, before[BEFORE_MAX]; /* of a node of a graph: the nodes that it waits for */
    void *to;
    const void *from;
    size_t n_bytes;
    int value;
    long kernel; /* -1: a copy or, where from is NULL, a fill */
    int priority;
    sb_grid grid;
    char args[1024];
} work;

typedef struct list {
    work *at;
    size_t n;
} list;

typedef struct thing {
    fake_live kind;
    bool flag;    /* a stream is captured, an event is recorded */
    list list;    /* of a stream: captured; of a graph */
    void *memory; /* of an allocation */
    struct thing *next;
} thing;

struct CUstream_st {
    thing thing;
};
struct CUevent_st {
    thing thing;
};
struct CUgraph_st {
    thing thing;
};
struct CUgraphExec_st {
    thing thing;
};

static thing *things; /* all that are open */
static cudaStream_t the_stream;
static cudaGraph_t the_graph;                   /* that was captured last: its nodes are known by their numbers */
static cudaGraphNode_t next_before[BEFORE_MAX]; /* of the next captured work: numbers of nodes, from 1 */
static size_t n_next_before;

static void *open_thing(fake_live kind)
{
    thing *t = calloc(1, sizeof *t);
    if (!t) abort();
    t->kind = kind, t->next = things;
    things = t;
    fake.live[kind]++;
    return t;
}

static void free_thing(thing **at)
{
    thing *t = *at;
    *at = t->next;
    free(t->list.at);
    free(t->memory);
    free(t);
}

/* Where `what` is among the things, by itself or by its memory; NULL: nowhere, which is misuse. */
static thing **find_thing(const void *what, fake_live kind)
{
    for (thing **t = &things; *t; t = &(*t)->next)
        if ((*t)->kind == kind && (*t == what || ((*t)->memory && (*t)->memory == what))) return t;
    fake.misused = true;
    return NULL;
}

static bool is_thing(const void *what, fake_live kind)
{
    return find_thing(what, kind) != NULL;
}

static cudaError_t close_thing(const void *what, fake_live kind)
{
    thing **t = find_thing(what, kind);
    if (!t) return give(cudaErrorInvalidValue);
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

static void perform(const work *w)
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

static void append(list *l, const work *w)
{
    l->at = realloc(l->at, sizeof *l->at * (l->n + 1));
    if (!l->at) abort();
    l->at[l->n++] = *w;
}

static list copy_of(const list *l)
{
    list c = {0};
    for (size_t i = 0; i < l->n; i++) append(&c, &l->at[i]);
    return c;
}

/* As a node of the graph that is captured. */
static void capture(list *captured, const work *w)
{
    work node = *w;
    node.n_before = (int)n_next_before;
    for (size_t i = 0; i < n_next_before; i++) node.before[i] = (int)(uintptr_t)next_before[i] - 1;
    append(captured, &node);
    next_before[0] = (cudaGraphNode_t)(uintptr_t)captured->n;
    n_next_before = 1;
}

static bool is_ready(const work *node, const bool *is_done)
{
    for (int k = 0; k < node->n_before; k++)
        if (!is_done[node->before[k]]) return false;
    return true;
}

/* Of the nodes that may run, always the one that was captured last. */
static void perform_graph(const list *graph)
{
    bool *is_done = calloc(graph->n + 1, sizeof *is_done);
    if (!is_done) abort();
    for (size_t done = 0; done < graph->n; done++) {
        size_t n_ready = 0, latest = 0;
        for (size_t i = 0; i < graph->n; i++)
            if (!is_done[i] && is_ready(&graph->at[i], is_done)) latest = i, n_ready++;
        if (n_ready == 0) abort();
        fake.n_choices += n_ready > 1;
        perform(&graph->at[latest]);
        is_done[latest] = true;
    }
    free(is_done);
}

static cudaError_t put(cudaStream_t stream, const work *w)
{
    if (!is_thing(stream, FAKE_STREAMS)) return give(cudaErrorInvalidValue);
    fake.n_work_after += fake.failed != NULL || sticky != cudaSuccess;
    if (stream->thing.flag)
        capture(&stream->thing.list, w);
    else
        perform(w);
    return cudaSuccess;
}

/* What waits or takes memory ends a capture. */
static cudaError_t not_in_capture(void)
{
    return is_capturing() ? give(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

/* ---- device and errors ---- */

cudaError_t cudaGetDeviceCount(int *n)
{
    if (fake.no_driver) return give(cudaErrorInsufficientDriver);
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
    if (device < 0 || device >= fake.n_devices) return give(cudaErrorInvalidValue);
    fake.device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    MAY_FAIL;
    *properties = (struct cudaDeviceProp){.name = "a stand-in", .totalGlobalMem = 1 << 30};
    properties->major = 9, properties->multiProcessorCount = 2;
    return device < fake.n_devices ? cudaSuccess : give(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    MAY_FAIL;
    *value = attribute == cudaDevAttrClockRate ? 1980000 : 2619000;
    return device == 0 ? cudaSuccess : give(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device)
{
    MAY_FAIL;
    snprintf(id, (size_t)size, "0000:%02x:00.0", 1 + device);
    return device < fake.n_devices ? cudaSuccess : give(cudaErrorInvalidValue);
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
    thing *t = open_thing(kind);
    *memory = t->memory = aligned_alloc(256, (n_bytes + 256) / 256 * 256);
    if (!*memory) abort();
    return cudaSuccess;
}

static cudaError_t release(void *memory, fake_live kind)
{
    if (not_in_capture() != cudaSuccess) return last;
    return memory ? close_thing(memory, kind) : cudaSuccess;
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
    return put(stream, &(work){.to = to, .from = from, .n_bytes = n_bytes, .kernel = -1});
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t n_bytes, cudaStream_t stream)
{
    MAY_FAIL;
    return put(stream, &(work){.to = memory, .value = value, .n_bytes = n_bytes, .kernel = -1});
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    MAY_FAIL;
    (void)flags;
    *stream = the_stream = open_thing(FAKE_STREAMS);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    MAY_FAIL;
    the_stream = NULL;
    return close_thing(stream, FAKE_STREAMS);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    MAY_FAIL;
    if (!is_thing(stream, FAKE_STREAMS)) return give(cudaErrorInvalidValue);
    return not_in_capture();
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    MAY_FAIL;
    if (!is_thing(stream, FAKE_STREAMS)) return give(cudaErrorInvalidValue);
    return fake.never_idle ? give(cudaErrorNotReady) : not_in_capture();
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    MAY_FAIL;
    *event = open_thing(FAKE_EVENTS);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    MAY_FAIL;
    return close_thing(event, FAKE_EVENTS);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    MAY_FAIL;
    if (!is_thing(event, FAKE_EVENTS) || !is_thing(stream, FAKE_STREAMS)) return give(cudaErrorInvalidValue);
    event->thing.flag = true;
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    MAY_FAIL;
    if (!is_thing(begin, FAKE_EVENTS) || !is_thing(end, FAKE_EVENTS)) return give(cudaErrorInvalidValue);
    *milliseconds = 250;
    return begin->thing.flag && end->thing.flag ? cudaSuccess : give(cudaErrorInvalidValue);
}

/* ---- graphs ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    MAY_FAIL;
    (void)mode;
    if (!is_thing(stream, FAKE_STREAMS) || stream->thing.flag) return give(cudaErrorInvalidValue);
    stream->thing.flag = true;
    n_next_before = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **node, const cudaGraphEdgeData **edge,
                                     size_t *n)
{
    MAY_FAIL;
    (void)id, (void)graph, (void)edge;
    if (!is_thing(stream, FAKE_STREAMS)) return give(cudaErrorInvalidValue);
    *status = stream->thing.flag ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    *node = next_before, *n = n_next_before;
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *node,
                                                const cudaGraphEdgeData *edge, size_t n, unsigned flags)
{
    MAY_FAIL;
    if (!is_thing(stream, FAKE_STREAMS) || !stream->thing.flag || edge || flags != cudaStreamSetCaptureDependencies)
        return give(cudaErrorInvalidValue);
    if (n > BEFORE_MAX) abort();
    for (size_t i = 0; i < n; i++) next_before[i] = node[i];
    n_next_before = n;
    return cudaSuccess;
}

/* Ends the capture also where it fails. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (!is_thing(stream, FAKE_STREAMS) || !stream->thing.flag) {
        fake.misused = true;
        return give(cudaErrorInvalidValue);
    }
    list captured = stream->thing.list;
    cudaError_t error = due(__func__, cudaErrorStreamCaptureInvalidated);
    stream->thing.flag = false;
    stream->thing.list = (list){0};
    *graph = NULL;
    if (error != cudaSuccess) {
        free(captured.at);
        return error;
    }
    *graph = the_graph = open_thing(FAKE_GRAPHS);
    (*graph)->thing.list = captured;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    MAY_FAIL;
    *least = FAKE_LEAST, *greatest = FAKE_GREATEST;
    return cudaSuccess;
}

/* NULL: no such node. */
static work *find_node(cudaGraphNode_t node)
{
    const size_t number = (size_t)(uintptr_t)node;
    if (!the_graph || !is_thing(the_graph, FAKE_GRAPHS)) return NULL;
    return number >= 1 && number <= the_graph->thing.list.n ? &the_graph->thing.list.at[number - 1] : NULL;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    MAY_FAIL;
    const work *w = find_node(node);
    if (!w) return give(cudaErrorInvalidValue);
    *type = w->kernel >= 0 ? cudaGraphNodeTypeKernel : w->from ? cudaGraphNodeTypeMemcpy : cudaGraphNodeTypeMemset;
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue *value)
{
    MAY_FAIL;
    work *w = find_node(node);
    if (!w || w->kernel < 0 || attribute != cudaLaunchAttributePriority) return give(cudaErrorInvalidValue);
    w->priority = value->priority;
    return cudaSuccess;
}

/* Priorities that the instantiation does not ask for have no effect. */
static void see_priorities(const list *graph, bool use)
{
    if (graph->n > FAKE_NODES) abort();
    fake.n_nodes = (int)graph->n;
    for (size_t i = 0; i < graph->n; i++) {
        fake.priority[i] = graph->at[i].priority;
        fake.misused |= !use && graph->at[i].priority != FAKE_LEAST;
    }
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *runnable, cudaGraph_t graph, unsigned long long flags)
{
    MAY_FAIL_AS(cudaErrorMemoryAllocation);
    if (!is_thing(graph, FAKE_GRAPHS)) return give(cudaErrorInvalidValue);
    see_priorities(&graph->thing.list, flags & cudaGraphInstantiateFlagUseNodePriority);
    *runnable = open_thing(FAKE_RUNNABLE_GRAPHS);
    (*runnable)->thing.list = copy_of(&graph->thing.list);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    MAY_FAIL;
    return close_thing(graph, FAKE_GRAPHS);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t runnable)
{
    MAY_FAIL;
    return close_thing(runnable, FAKE_RUNNABLE_GRAPHS);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t runnable, cudaStream_t stream)
{
    MAY_FAIL;
    if (!is_thing(runnable, FAKE_RUNNABLE_GRAPHS) || !is_thing(stream, FAKE_STREAMS))
        return give(cudaErrorInvalidValue);
    fake.n_work_after += fake.failed != NULL || sticky != cudaSuccess;
    perform_graph(&runnable->thing.list);
    return cudaSuccess;
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
    work w = {.kernel = kernel, .grid = {grid_x, grid_y, grid_z}};
    MAY_FAIL;
    fake.misused |= dependent && !fake.kernels_wait;
    fake.n_dependent += dependent;
    fake.n_put += !dependent;
    if (args_size[kernel] > sizeof w.args) abort();
    memcpy(w.args, args, args_size[kernel]);
    return put(stream, &w);
}
