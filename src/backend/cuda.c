/* The three backends on a CUDA device, and what is known of it. */
#include "backend/context.h"
#include "backend/cuda_device.h"
#include "backend/nvml.h"
#include "ops/library/cublas.h"
#include "ops/library/cudnn.h"

#include <stdio.h>
#include <string.h>

/* ---- opening ---- */

/* The driver is too old for the runtime inside this program, or there is none. */
static void say_driver(char *why, size_t size)
{
    int driver = 0, runtime = 0;
    sb_cuda_taken(cudaDriverGetVersion(&driver));
    sb_cuda_taken(cudaRuntimeGetVersion(&runtime));
    if (driver)
        snprintf(why, size,
                 "no CUDA device: its driver serves CUDA %d.%d and this program wants %d.%d; update it, or "
                 "build with that toolkit",
                 driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    else
        snprintf(why, size, "no CUDA device: no NVIDIA driver here");
}

/* A single device is already the current one; its first user opens it. */
sb_status sb_cuda_choose(int device)
{
    int n = 0;
    cudaError_t error = sb_cuda_taken(cudaGetDeviceCount(&n));
    if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver) return SB_OK; /* what opens one says so */
    if (error != cudaSuccess) return sb_fail(SB_E_MISSING, "GPUs cannot be counted: %s", cudaGetErrorString(error));
    if (n < 2) return SB_OK;
    error = sb_cuda_taken(cudaSetDevice(device % n));
    if (error == cudaSuccess) return SB_OK;
    return sb_fail(SB_E_MISSING, "GPU %d of %d cannot be used: %s", device % n, n, cudaGetErrorString(error));
}

bool sb_native_cuda_available(char *why, size_t size)
{
    int n = 0;
    cudaError_t error = sb_cuda_taken(cudaGetDeviceCount(&n));
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
    SB_TRY(sb_cuda_device_open(&b, options));
    return opened(b, SB_OK, ops);
}

static void add_variant(sb_gpu *gpu, const char *name, const char *version)
{
    char *variant = gpu->context.variant;
    size_t n = strlen(variant);
    snprintf(variant + n, sizeof gpu->context.variant - n, " %s %s", name, version);
}

/* Closed with the device. */
static sb_status take_workspace(sb_gpu *gpu, size_t n_bytes, void **workspace)
{
    *workspace = gpu->context.ops.allocate(&gpu->context.ops, n_bytes);
    return *workspace ? SB_OK : SB_E_MEMORY;
}

static sb_status add_cublas(sb_gpu *gpu, const sb_backend_options *options)
{
    SB_TRY(take_workspace(gpu, SB_CUBLAS_WORKSPACE, &gpu->cublas_workspace));
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
    SB_TRY(sb_cuda_device_open(&b, options));
    return opened(b, add_cublas(&b->gpu, options), ops);
}

static void wait_for_stream(void *gpu)
{
    ((sb_gpu_backend *)gpu)->machine->wait(gpu);
}

static void cudnn_facts(const sb_context *context, sb_facts *facts)
{
    sb_cudnn_facts(((const sb_gpu *)context)->cudnn, facts);
}

static sb_status add_cudnn(sb_gpu *gpu, const sb_backend_options *options)
{
    const char *choice = options->cudnn_algorithm;
    size_t n_bytes;
    SB_TRY(add_cublas(gpu, options));
    SB_TRY(sb_cudnn_workspace(choice, &n_bytes));
    SB_TRY(take_workspace(gpu, n_bytes, &gpu->cudnn_workspace));
    SB_TRY(sb_cudnn_open_library(&gpu->cudnn, gpu->stream, gpu->cudnn_workspace, choice, options->cudnn_version,
                                 options->tf32));
    sb_cudnn_wait_by(gpu->cudnn, wait_for_stream, gpu);
    gpu->context.facts = cudnn_facts;
    gpu->context.ops.name = "cudnn";
    add_variant(gpu, "cuDNN", sb_cudnn_version(gpu->cudnn));
    if (choice && strcmp(choice, sb_cudnn_choice_name[0]) != 0) add_variant(gpu, "algorithms", choice);
    sb_conv_cudnn(&gpu->context.ops);
    return SB_OK;
}

sb_status sb_cudnn_open(sb_ops **ops, const sb_backend_options *options)
{
    sb_gpu_backend *b;
    SB_TRY(sb_cuda_device_open(&b, options));
    return opened(b, add_cudnn(&b->gpu, options), ops);
}

/* ---- facts ---- */

static void add_clock(sb_facts *facts, const char *name, enum cudaDeviceAttr attribute, int device)
{
    int khz;
    if (sb_cuda_taken(cudaDeviceGetAttribute(&khz, attribute, device)) == cudaSuccess)
        sb_facts_add(facts, name, "%d", khz / 1000);
}

/* Of the device that this thread works on. */
static void add_device_facts(sb_facts *facts)
{
    struct cudaDeviceProp of;
    char pci_bus[32];
    int device;
    if (sb_cuda_taken(cudaGetDevice(&device)) != cudaSuccess) return;
    if (sb_cuda_taken(cudaGetDeviceProperties(&of, device)) != cudaSuccess) return;
    sb_facts_add(facts, "gpu", "%s", of.name);
    sb_facts_add(facts, "gpu_sm", "%d.%d", of.major, of.minor);
    sb_facts_add(facts, "gpu_processors", "%d", of.multiProcessorCount);
    sb_facts_add(facts, "gpu_memory_mib", "%zu", of.totalGlobalMem >> 20);
    add_clock(facts, "gpu_clock_mhz", cudaDevAttrClockRate, device);
    add_clock(facts, "gpu_memory_clock_mhz", cudaDevAttrMemoryClockRate, device);
    sb_facts_add(facts, "gpu_ecc", "%s", of.ECCEnabled ? "on" : "off");
    if (sb_cuda_taken(cudaDeviceGetPCIBusId(pci_bus, sizeof pci_bus, device)) == cudaSuccess)
        sb_nvml_facts(facts, pci_bus);
}

static void add_version(sb_facts *facts, const char *name, int version)
{
    sb_facts_add(facts, name, "%d.%d", version / 1000, version % 1000 / 10);
}

/* Also where there is no device: which libraries an image holds is known wherever it runs. */
static void add_library_facts(sb_facts *facts)
{
    char version[32];
    if (sb_cublas_found_version(version, sizeof version)) sb_facts_add(facts, "cublas", "%s", version);
    if (sb_cudnn_found_version(version, sizeof version)) sb_facts_add(facts, "cudnn", "%s", version);
}

void sb_cuda_facts(sb_facts *facts)
{
    int driver, runtime;
    char why[256];
    add_library_facts(facts);
    if (!sb_native_cuda_available(why, sizeof why)) return;
    add_device_facts(facts);
    if (sb_cuda_taken(cudaDriverGetVersion(&driver)) == cudaSuccess) add_version(facts, "cuda_driver", driver);
    if (sb_cuda_taken(cudaRuntimeGetVersion(&runtime)) == cudaSuccess) add_version(facts, "cuda_runtime", runtime);
}
