/* A CUDA device as a machine of backend/gpu.h: memory, one stream, graphs by stream capture; and the three backends
 * that run on it. The only file, with ops/kernels_cuda.cu, that touches the CUDA runtime, which is linked statically
 * and opens the driver itself.
 *
 * Not yet run on a device: what is proved without one is the list of work and the kernels (tests/test_gpu.c). */
#include "backend/context.h"
#include "backend/gpu.h"
#include "backend/nvml.h"
#include "ops/cublas.h"
#include "ops/cudnn.h"
#include "ops/kernels_cuda.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cuda {
    sb_gpu_backend backend;
    cudaEvent_t mark[2]; /* beginning and end of the last list; NULL, both: the device has no clock */
    bool records;        /* the stream is being captured, and must not be waited for */
} cuda;

static cudaStream_t stream_of(const sb_gpu *gpu)
{
    return gpu->stream;
}

/* Around every call of the runtime that may fail: it keeps an error and hands it out again where somebody asks for the
 * last one, as libraries do, unless it is taken back. */
static cudaError_t taken(cudaError_t error)
{
    if (error != cudaSuccess) cudaGetLastError();
    return error;
}

/* What fails on the device comes out of whatever call is next, and out of every call after it, a wait among them. */
static bool is_of_earlier_work(sb_gpu *gpu)
{
    return !sb_gpu_one_by_one() && !((cuda *)gpu)->records &&
           taken(cudaStreamSynchronize(stream_of(gpu))) != cudaSuccess;
}

static void check(sb_gpu *gpu, cudaError_t error)
{
    if (taken(error) == cudaSuccess) return;
    if (is_of_earlier_work(gpu))
        gpu->label = (sb_gpu_label){.operation = "work put down before (SAMEBITS_CUDA_SYNC=1 names the operation)"};
    gpu->failed(gpu, cudaGetErrorString(error));
}

/* ---- the machine ---- */

/* Short memory is one reason among others: a device that has failed gives none either. */
static void say_allocation(size_t n_bytes, const char *kind, cudaError_t error)
{
    size_t n_free, n_all;
    char left[64] = "";
    if (error != cudaErrorMemoryAllocation) {
        sb_fail(SB_E_IO, "no %s: %s", kind, cudaGetErrorString(error));
        return;
    }
    if (taken(cudaMemGetInfo(&n_free, &n_all)) == cudaSuccess)
        snprintf(left, sizeof left, ", %.1f of %.1f MiB free on the GPU", n_free / 1048576.0, n_all / 1048576.0);
    sb_fail(SB_E_MEMORY, "not enough %s: %.1f MiB asked%s (%s)", kind, n_bytes / 1048576.0, left,
            cudaGetErrorString(error));
}

static void *allocate(sb_gpu *gpu, size_t n_bytes)
{
    void *memory = NULL;
    cudaError_t error = taken(cudaMalloc(&memory, n_bytes ? n_bytes : 1));
    if (error == cudaSuccess) {
        error = taken(cudaMemsetAsync(memory, 0, n_bytes, stream_of(gpu)));
        if (error == cudaSuccess) return memory;
        taken(cudaFree(memory));
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
    cudaError_t error = taken(cudaMallocHost(&memory, n_bytes));
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
    check(gpu, (cudaError_t)sb_kernels_launch(kernel, x, y, z, args, gpu->stream));
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
    if (!((cuda *)gpu)->records) return NULL;
    cudaError_t error = taken(cudaStreamEndCapture(stream_of(gpu), &graph));
    ((cuda *)gpu)->records = false;
    if (error == cudaSuccess) error = taken(cudaGraphInstantiateWithFlags(&runnable, graph, 0));
    if (error != cudaSuccess) runnable = NULL;
    if (graph) taken(cudaGraphDestroy(graph));
    check(gpu, error);
    return runnable;
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

/* ---- the clock: without it everything is computed as with it, and an error of it is none of the work's ---- */

static void close_clock(cuda *d)
{
    for (int i = 0; i < 2; i++) {
        if (d->mark[i]) taken(cudaEventDestroy(d->mark[i]));
        d->mark[i] = NULL;
    }
}

static void open_clock(cuda *d)
{
    for (int i = 0; i < 2; i++)
        if (taken(cudaEventCreate(&d->mark[i])) != cudaSuccess) {
            d->mark[i] = NULL;
            close_clock(d);
            return;
        }
}

static bool mark(sb_gpu *gpu, bool end)
{
    cudaEvent_t event = ((cuda *)gpu)->mark[end];
    return event && taken(cudaEventRecord(event, stream_of(gpu))) == cudaSuccess;
}

static double marked_seconds(sb_gpu *gpu)
{
    const cuda *d = (const cuda *)gpu;
    float milliseconds;
    if (taken(cudaEventElapsedTime(&milliseconds, d->mark[0], d->mark[1])) != cudaSuccess) return -1;
    return 1e-3 * milliseconds;
}

/* What works on the stream goes before it; an error here has nobody left to tell. */
static void close_device(sb_gpu *gpu)
{
    sb_cudnn_close(gpu->cudnn);
    sb_cublas_close(gpu->cublas);
    if (gpu->cublas_workspace) taken(cudaFree(gpu->cublas_workspace));
    close_clock((cuda *)gpu);
    taken(cudaStreamDestroy(stream_of(gpu)));
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
    .mark = mark,
    .marked_seconds = marked_seconds,
    .record = record,
    .record_end = record_end,
    .repeat = repeat,
    .forget = forget,
    .close = close_device,
};

/* ---- opening ---- */

/* The driver is too old for the runtime inside this program, or there is none. */
static void say_driver(char *why, size_t size)
{
    int driver = 0, runtime = 0;
    taken(cudaDriverGetVersion(&driver));
    taken(cudaRuntimeGetVersion(&runtime));
    if (driver)
        snprintf(why, size,
                 "no CUDA device: its driver serves CUDA %d.%d and this program wants %d.%d; update it, or "
                 "build with that toolkit",
                 driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    else
        snprintf(why, size, "no CUDA device: no NVIDIA driver here");
}

bool sb_native_cuda_available(char *why, size_t size)
{
    int n = 0;
    cudaError_t error = taken(cudaGetDeviceCount(&n));
    if (error == cudaSuccess && n > 0) return true;
    if (error == cudaErrorInsufficientDriver)
        say_driver(why, size);
    else
        snprintf(why, size, "no CUDA device: %s", error == cudaSuccess ? "none found" : cudaGetErrorString(error));
    return false;
}

bool sb_cublas_available(char *why, size_t size)
{
    return sb_native_cuda_available(why, size) && sb_cublas_found(why, size);
}

bool sb_cudnn_available(char *why, size_t size)
{
    return sb_cublas_available(why, size) && sb_cudnn_found(why, size);
}

static sb_status open_device(sb_gpu_backend **backend, const sb_backend_options *options)
{
    struct cudaDeviceProp properties;
    cudaStream_t stream;
    cuda *d = calloc(1, sizeof *d);
    if (!d) return sb_fail(SB_E_MEMORY, "not enough memory for a backend");
    sb_gpu_backend *b = &d->backend;
    cudaError_t error = taken(cudaGetDeviceProperties(&properties, 0));
    if (error == cudaSuccess) error = taken(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (error != cudaSuccess) {
        free(d);
        return sb_fail(SB_E_MISSING, "the GPU does not open: %s", cudaGetErrorString(error));
    }
    open_clock(d);
    sb_gpu_open(b, &machine, options);
    b->gpu.stream = stream;
    b->gpu.processors = properties.multiProcessorCount;
    snprintf(b->gpu.context.variant, sizeof b->gpu.context.variant, "sm_%d%d", properties.major, properties.minor);
    *backend = b;
    return SB_OK;
}

/* On failure nothing stays open. */
static sb_status opened(sb_gpu_backend *b, sb_status status, sb_ops **ops)
{
    *ops = &b->gpu.context.ops;
    if (status == SB_OK) return SB_OK;
    sb_backend_close(*ops);
    *ops = NULL;
    return status;
}

sb_status sb_native_cuda_open(sb_ops **ops, const sb_backend_options *options)
{
    sb_gpu_backend *b;
    SB_TRY(open_device(&b, options));
    return opened(b, SB_OK, ops);
}

static void add_variant(sb_gpu *gpu, const char *name, const char *version)
{
    char *variant = gpu->context.variant;
    size_t n = strlen(variant);
    snprintf(variant + n, sizeof gpu->context.variant - n, " %s %s", name, version);
}

static sb_status add_cublas(sb_gpu *gpu, const sb_backend_options *options)
{
    gpu->cublas_workspace = allocate(gpu, SB_CUBLAS_WORKSPACE);
    if (!gpu->cublas_workspace) return SB_E_MEMORY;
    SB_TRY(sb_cublas_open_library(&gpu->cublas, gpu->stream, gpu->cublas_workspace, options->tf32));
    gpu->context.ops.name = "cublas";
    add_variant(gpu, "cuBLAS", sb_cublas_version(gpu->cublas));
    if (options->tf32) add_variant(gpu, "with", "TF32");
    sb_conv_cublas(&gpu->context.ops);
    sb_dense_cublas(&gpu->context.ops);
    return SB_OK;
}

sb_status sb_cublas_open(sb_ops **ops, const sb_backend_options *options)
{
    sb_gpu_backend *b;
    SB_TRY(open_device(&b, options));
    return opened(b, add_cublas(&b->gpu, options), ops);
}

static sb_status add_cudnn(sb_gpu *gpu, const sb_backend_options *options)
{
    const char *choice = options->cudnn_algorithm;
    SB_TRY(add_cublas(gpu, options));
    SB_TRY(sb_cudnn_open_library(&gpu->cudnn, gpu->stream, choice, options->tf32));
    gpu->context.ops.name = "cudnn";
    add_variant(gpu, "cuDNN", sb_cudnn_version(gpu->cudnn));
    if (choice && strcmp(choice, sb_cudnn_choice_name[0]) != 0) add_variant(gpu, "algorithms", choice);
    sb_conv_cudnn(&gpu->context.ops);
    return SB_OK;
}

sb_status sb_cudnn_open(sb_ops **ops, const sb_backend_options *options)
{
    sb_gpu_backend *b;
    SB_TRY(open_device(&b, options));
    return opened(b, add_cudnn(&b->gpu, options), ops);
}

/* ---- facts ---- */

static void add_clock(sb_facts *facts, const char *name, enum cudaDeviceAttr attribute)
{
    int khz;
    if (taken(cudaDeviceGetAttribute(&khz, attribute, 0)) == cudaSuccess) sb_facts_add(facts, name, "%d", khz / 1000);
}

static void add_device_facts(sb_facts *facts)
{
    struct cudaDeviceProp device;
    char pci_bus[32];
    if (taken(cudaGetDeviceProperties(&device, 0)) != cudaSuccess) return;
    sb_facts_add(facts, "gpu", "%s", device.name);
    sb_facts_add(facts, "gpu_sm", "%d.%d", device.major, device.minor);
    sb_facts_add(facts, "gpu_processors", "%d", device.multiProcessorCount);
    sb_facts_add(facts, "gpu_memory_mib", "%zu", device.totalGlobalMem >> 20);
    add_clock(facts, "gpu_clock_mhz", cudaDevAttrClockRate);
    add_clock(facts, "gpu_memory_clock_mhz", cudaDevAttrMemoryClockRate);
    sb_facts_add(facts, "gpu_ecc", "%s", device.ECCEnabled ? "on" : "off");
    if (taken(cudaDeviceGetPCIBusId(pci_bus, sizeof pci_bus, 0)) == cudaSuccess) sb_nvml_facts(facts, pci_bus);
}

static void add_version(sb_facts *facts, const char *name, int version)
{
    sb_facts_add(facts, name, "%d.%d", version / 1000, version % 1000 / 10);
}

void sb_cuda_facts(sb_facts *facts)
{
    int driver, runtime;
    char why[256], version[32];
    if (!sb_native_cuda_available(why, sizeof why)) return;
    add_device_facts(facts);
    if (taken(cudaDriverGetVersion(&driver)) == cudaSuccess) add_version(facts, "cuda_driver", driver);
    if (taken(cudaRuntimeGetVersion(&runtime)) == cudaSuccess) add_version(facts, "cuda_runtime", runtime);
    if (sb_cublas_found_version(version, sizeof version)) sb_facts_add(facts, "cublas", "%s", version);
    if (sb_cudnn_found_version(version, sizeof version)) sb_facts_add(facts, "cudnn", "%s", version);
}
