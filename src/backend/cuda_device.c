#include "backend/cuda_device.h"

#include "backend/cuda_nodes.h"
#include "ops/kernels/kernels_cuda.h"
#include "ops/library/cublas.h"
#include "ops/library/cudnn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cuda {
    sb_gpu_backend backend;
    cudaEvent_t mark[2]; /* beginning and end of the last list; NULL, one or both: the device has no clock */
    bool records;        /* the stream is being captured, and must not be waited for */
    bool dependent;      /* launches overlap (ops/kernels/kernels_cuda.h) */
    sb_cuda_nodes nodes; /* of the graph that is being captured */
    size_t n_before;     /* nodes that the next work waits for; 1 unless a graph is captured entry by entry */
} cuda;

static cudaStream_t stream_of(const sb_gpu *gpu)
{
    return gpu->stream;
}

/* An error on the device is returned by the next call of the runtime and by every one after it, a wait included. */
static bool is_of_earlier_work(sb_gpu *gpu)
{
    return !sb_gpu_one_by_one() && !((cuda *)gpu)->records &&
           sb_cuda_taken(cudaStreamSynchronize(stream_of(gpu))) != cudaSuccess;
}

static void check(sb_gpu *gpu, cudaError_t error)
{
    if (sb_cuda_taken(error) == cudaSuccess) return;
    if (is_of_earlier_work(gpu))
        gpu->label = (sb_gpu_label){.operation = "work put down before (SAMEBITS_CUDA_SYNC=1 names the operation)"};
    gpu->failed(gpu, cudaGetErrorString(error));
}

/* ---- the machine ---- */

/* An allocation also fails on a device that has failed: cudaErrorMemoryAllocation alone says that memory is short. */
static void say_allocation(size_t n_bytes, const char *kind, cudaError_t error)
{
    size_t n_free, n_all;
    char left[64] = "";
    if (error != cudaErrorMemoryAllocation) {
        sb_fail(SB_E_IO, "no %s: %s", kind, cudaGetErrorString(error));
        return;
    }
    if (sb_cuda_taken(cudaMemGetInfo(&n_free, &n_all)) == cudaSuccess)
        snprintf(left, sizeof left, ", %.1f of %.1f MiB free on the GPU", n_free / 1048576.0, n_all / 1048576.0);
    sb_fail(SB_E_MEMORY, "not enough %s: %.1f MiB asked%s (%s)", kind, n_bytes / 1048576.0, left,
            cudaGetErrorString(error));
}

static void *allocate(sb_gpu *gpu, size_t n_bytes)
{
    void *memory = NULL;
    cudaError_t error = sb_cuda_taken(cudaMalloc(&memory, n_bytes ? n_bytes : 1));
    if (error == cudaSuccess) {
        error = sb_cuda_taken(cudaMemsetAsync(memory, 0, n_bytes, stream_of(gpu)));
        if (error == cudaSuccess) return memory;
        sb_cuda_taken(cudaFree(memory));
    }
    say_allocation(n_bytes, "memory on the GPU", error);
    return NULL;
}

static void release(sb_gpu *gpu, void *memory)
{
    check(gpu, cudaFree(memory));
}

static void *allocate_host(sb_gpu *gpu, size_t n_bytes)
{
    void *memory = NULL;
    (void)gpu;
    cudaError_t error = sb_cuda_taken(cudaMallocHost(&memory, n_bytes));
    if (error == cudaSuccess) return memory;
    say_allocation(n_bytes, "pinned memory", error);
    return NULL;
}

static void release_host(sb_gpu *gpu, void *memory)
{
    check(gpu, cudaFreeHost(memory));
}

static void upload(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    check(gpu, cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyHostToDevice, stream_of(gpu)));
}

static void wait(sb_gpu *gpu)
{
    check(gpu, cudaStreamSynchronize(stream_of(gpu)));
}

static bool is_idle(sb_gpu *gpu)
{
    const cudaError_t error = sb_cuda_taken(cudaStreamQuery(stream_of(gpu)));
    if (error == cudaErrorNotReady) return false;
    check(gpu, error);
    return true;
}

static void download(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    if (n_bytes) check(gpu, cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyDeviceToHost, stream_of(gpu)));
    wait(gpu);
}

static void copy(sb_gpu *gpu, void *to, const void *from, size_t n_bytes)
{
    check(gpu, cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyDeviceToDevice, stream_of(gpu)));
}

static void zero(sb_gpu *gpu, void *memory, size_t n_bytes)
{
    check(gpu, cudaMemsetAsync(memory, 0, n_bytes, stream_of(gpu)));
}

static void launch(sb_gpu *gpu, int kernel, sb_grid grid, const void *args)
{
    unsigned x = (unsigned)grid.x, y = (unsigned)grid.y, z = (unsigned)grid.z;
    const bool dependent = ((cuda *)gpu)->dependent && ((cuda *)gpu)->n_before == 1;
    check(gpu, (cudaError_t)sb_kernels_launch(kernel, x, y, z, args, gpu->stream, dependent));
}

static void record(sb_gpu *gpu)
{
    cudaError_t error = cudaStreamBeginCapture(stream_of(gpu), cudaStreamCaptureModeThreadLocal);
    check(gpu, error);
    ((cuda *)gpu)->records = error == cudaSuccess;
}

static void *record_end(sb_gpu *gpu)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t runnable = NULL;
    sb_cuda_nodes *nodes = &((cuda *)gpu)->nodes;
    unsigned long long flags = 0;
    if (!((cuda *)gpu)->records) return NULL;
    cudaError_t error = sb_cuda_taken(cudaStreamEndCapture(stream_of(gpu), &graph));
    ((cuda *)gpu)->records = false;
    ((cuda *)gpu)->n_before = 1;
    if (error == cudaSuccess && nodes->n_urgent) {
        flags = cudaGraphInstantiateFlagUseNodePriority;
        error = sb_cuda_taken(sb_cuda_nodes_prioritize(nodes));
    }
    sb_cuda_nodes_free(nodes);
    if (error == cudaSuccess) error = sb_cuda_taken(cudaGraphInstantiateWithFlags(&runnable, graph, flags));
    if (error != cudaSuccess) runnable = NULL;
    if (graph) sb_cuda_taken(cudaGraphDestroy(graph));
    check(gpu, error);
    return runnable;
}

static void entry_begin(sb_gpu *gpu, int n, const int *before)
{
    cuda *d = (cuda *)gpu;
    check(gpu, sb_cuda_nodes_begin(&d->nodes, stream_of(gpu), n, before, &d->n_before));
}

static void entry_end(sb_gpu *gpu, bool is_urgent)
{
    check(gpu, sb_cuda_nodes_end(&((cuda *)gpu)->nodes, stream_of(gpu), is_urgent));
}

static void repeat(sb_gpu *gpu, const sb_graph *graph)
{
    check(gpu, cudaGraphLaunch(graph->graph, stream_of(gpu)));
}

static void forget(sb_gpu *gpu, sb_graph *graph)
{
    check(gpu, cudaGraphExecDestroy(graph->graph));
    graph->graph = NULL;
}

/* ---- the clock: optional, so an error of it is not an error of the work ---- */

static void close_clock(cuda *d)
{
    for (int i = 0; i < 2; i++) {
        if (d->mark[i]) sb_cuda_taken(cudaEventDestroy(d->mark[i]));
        d->mark[i] = NULL;
    }
}

static void open_clock(cuda *d)
{
    for (int i = 0; i < 2; i++)
        if (sb_cuda_taken(cudaEventCreate(&d->mark[i])) != cudaSuccess) d->mark[i] = NULL;
}

static bool mark(sb_gpu *gpu, bool end)
{
    cudaEvent_t event = ((cuda *)gpu)->mark[end];
    return event && sb_cuda_taken(cudaEventRecord(event, stream_of(gpu))) == cudaSuccess;
}

static double marked_seconds(sb_gpu *gpu)
{
    const cuda *d = (const cuda *)gpu;
    float milliseconds;
    if (sb_cuda_taken(cudaEventElapsedTime(&milliseconds, d->mark[0], d->mark[1])) != cudaSuccess) return -1;
    return 1e-3 * milliseconds;
}

/* What works on the stream is closed before it. No call is left that could return an error. */
static void close_device(sb_gpu *gpu)
{
    sb_cudnn_close(gpu->cudnn);
    sb_cublas_close(gpu->cublas);
    if (gpu->cudnn_workspace) sb_cuda_taken(cudaFree(gpu->cudnn_workspace));
    if (gpu->cublas_workspace) sb_cuda_taken(cudaFree(gpu->cublas_workspace));
    close_clock((cuda *)gpu);
    sb_cuda_taken(cudaStreamDestroy(stream_of(gpu)));
}

static const sb_machine machine = {
    .allocate = allocate,
    .release = release,
    .allocate_host = allocate_host,
    .release_host = release_host,
    .upload = upload,
    .download = download,
    .copy = copy,
    .zero = zero,
    .launch = launch,
    .wait = wait,
    .is_idle = is_idle,
    .mark = mark,
    .marked_seconds = marked_seconds,
    .record = record,
    .record_end = record_end,
    .entry_begin = entry_begin,
    .entry_end = entry_end,
    .repeat = repeat,
    .forget = forget,
    .close = close_device,
};

/* ---- opening ---- */

/* Dependent launches, where the device's code is made for them and the environment does not say no. */
static void choose_launches(cuda *d)
{
    static bool is_told; /* once in a process, which may open many backends */
    bool asked;
    if (!sb_gpu_dependent_wanted(&asked)) return;
    const cudaError_t error = sb_cuda_taken((cudaError_t)sb_kernels_can_depend(&d->dependent));
    if (d->dependent || !asked || is_told) return;
    is_told = true;
    fprintf(stderr, "samebits: launches do not overlap here: %s\n",
            error != cudaSuccess
                ? cudaGetErrorString(error)
                : "SAMEBITS_CUDA_DEPENDENT_LAUNCH wants a device of compute capability 9.0 and a build "
                  "for it, and toolkit and driver of CUDA 12.3 or later");
}

sb_status sb_cuda_device_open(sb_gpu_backend **backend, const sb_backend_options *options)
{
    struct cudaDeviceProp properties;
    cudaStream_t stream;
    char place[sizeof(((sb_gpu *)0)->place)];
    int device;
    cuda *d = calloc(1, sizeof *d);
    if (!d) return sb_fail(SB_E_MEMORY, "not enough memory for a backend");
    sb_gpu_backend *b = &d->backend;
    cudaError_t error = sb_cuda_taken(cudaGetDevice(&device));
    if (error == cudaSuccess) error = sb_cuda_taken(cudaGetDeviceProperties(&properties, device));
    if (error == cudaSuccess) error = sb_cuda_taken(cudaDeviceGetPCIBusId(place, sizeof place, device));
    if (error == cudaSuccess) error = sb_cuda_taken(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (error != cudaSuccess) {
        free(d);
        return sb_fail(SB_E_MISSING, "the GPU does not open: %s", cudaGetErrorString(error));
    }
    open_clock(d);
    d->n_before = 1;
    sb_gpu_open(b, &machine, options);
    b->gpu.stream = stream;
    memcpy(b->gpu.place, place, sizeof place);
    b->gpu.processors = properties.multiProcessorCount;
    snprintf(b->gpu.context.variant, sizeof b->gpu.context.variant, "sm_%d%d", properties.major, properties.minor);
    choose_launches(d);
    *backend = b;
    return SB_OK;
}
