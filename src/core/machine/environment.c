#include "core/machine/environment.h"

#include "core/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const sb_variable sb_variables[] = {
    {"OPENBLAS_CORETYPE",          "which kernels multiply: other sums, other bits"},
    {"OPENBLAS_NUM_THREADS",       "how products are cut among threads"},
    {"GOTO_NUM_THREADS",           "the same, its old name"},
    {"OPENBLAS_DEFAULT_NUM_THREADS", "the same, where nothing else says it"},
    {"OPENBLAS_L2_SIZE",           "how products are cut into blocks"},
    {"OPENBLAS_BLOCK_FACTOR",      "the same"},
    {"OPENBLAS_THREAD_TIMEOUT",    "how long its threads spin before they sleep"},
    {"OPENBLAS_MAIN_FREE",         "whether threads are bound to cores"},
    {"GOTOBLAS_MAIN_FREE",         "the same, its old name"},
    {"OMP_NUM_THREADS",            "threads where no option says how many"},
    {"OMP_THREAD_LIMIT",           "the most threads"},
    {"OMP_DYNAMIC",                "whether there may be fewer than asked for"},
    {"OMP_SCHEDULE",               "how loops are shared out"},
    {"OMP_PROC_BIND",              "whether threads stay where they are"},
    {"OMP_PLACES",                 "where threads are"},
    {"OMP_WAIT_POLICY",            "whether waiting threads spin"},
    {"OMP_STACKSIZE",              "memory of threads"},
    {"OMP_MAX_ACTIVE_LEVELS",      "threads of threads"},
    {"OMP_NESTED",                 "the same, its old name"},
    {"GOMP_CPU_AFFINITY",          "where threads are, gcc's OpenMP"},
    {"GOMP_SPINCOUNT",             "how long they spin, gcc's OpenMP"},
    {"GOMP_STACKSIZE",             "memory of threads, gcc's OpenMP"},
    {"KMP_AFFINITY",               "where threads are, clang's OpenMP"},
    {"KMP_BLOCKTIME",              "how long they spin, clang's OpenMP"},
    {"GLIBC_TUNABLES",             "which variants of functions the C library takes, and how memory is kept"},
    {"NVIDIA_TF32_OVERRIDE",       "TF32 in all libraries, whatever they are told: other bits"},
    {"CUBLAS_WORKSPACE_CONFIG",    "which algorithms cuBLAS has room for: other bits"},
    {"CUBLAS_EMULATE_SINGLE_PRECISION", "products of other numbers: other bits"},
    {"CUBLAS_EMULATE_DOUBLE_PRECISION", "the same"},
    {"CUBLAS_EMULATION_STRATEGY",  "when products are emulated"},
    {"CUBLASLT_WORKSPACE_SIZE",    "which algorithms cuBLASLt has room for"},
    {"CUDA_VISIBLE_DEVICES",       "which GPU it is"},
    {"CUDA_DEVICE_ORDER",          "which GPU is the first"},
    {"CUDA_FORCE_PTX_JIT",         "device code that the driver translates: other bits"},
    {"CUDA_DISABLE_PTX_JIT",       "none of it"},
    {"CUDA_CACHE_DISABLE",         "translated again at every start"},
    {"CUDA_MODULE_LOADING",        "when device code is loaded"},
    {"CUDA_LAUNCH_BLOCKING",       "whether kernels are waited for one by one"},
    {"CUDA_DEVICE_MAX_CONNECTIONS", "how many streams run side by side"},
    {"CUDA_SCALE_LAUNCH_QUEUES",   "how far launches run ahead"},
    {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "how much of a shared GPU there is"},
    {"CUDA_AUTO_BOOST",            "clocks of older GPUs"},
    {"NCCL_ALGO",                  "how NCCL adds: other bits of --reduce fast"},
    {"NCCL_PROTO",                 "the same"},
    {"NCCL_NVLS_ENABLE",           "whether the switch between GPUs adds: the same"},
    {"NCCL_COLLNET_ENABLE",        "whether the network adds: the same"},
    {"NCCL_NTHREADS",              "how NCCL shares out its work: the same"},
    {"NCCL_MIN_NCHANNELS",         "the same"},
    {"NCCL_MAX_NCHANNELS",         "the same"},
    {"NCCL_P2P_DISABLE",           "whether GPUs reach each other: speed"},
    {"SAMEBITS_ISA",               "the instruction set of the native kernels: speed alone"},
    {"SAMEBITS_WALK",              "how the CPU walks device code: speed alone"},
    {"SAMEBITS_CUDA_SYNC",         "whether each operation is waited for"},
    {"SAMEBITS_CUDA_DEPENDENT_LAUNCH", "whether a kernel is launched while the one before it runs"},
    {"SAMEBITS_CUDA_BRANCHES",     "whether kernels that do not depend on each other run at the same time, and which go first"},
    {"SAMEBITS_CUDA_TILES",        "which tiles the products of a GPU have: speed alone"},
    {"SAMEBITS_CUDA_PIXELS",       "how a GPU convolves maps of few channels: speed alone"},
    {"SAMEBITS_CUDA_TRANSFORMS",   "how a GPU transforms the tiles of winograd: speed alone"},
    {"SAMEBITS_CUDA_CHUNKS",       "how many samples a GPU convolves at once: speed alone"},
    {"SAMEBITS_CUDA_NORMS",        "how a GPU computes batch norm: speed alone"},
    {"SAMEBITS_CUDNN_FRAMES",      "how many frames cuDNN convolves at once: other bits"},
    {"SAMEBITS_CUDNN_INPUTS",      "how many inputs of a cell cuDNN convolves at once: other bits"},
    {"SAMEBITS_CUBLAS",            "which cuBLAS is opened: other bits"},
    {"SAMEBITS_CUDNN",             "which cuDNN is opened: other bits"},
    {"SAMEBITS_NCCL",              "which NCCL is opened"},
};
/* clang-format on */
const size_t sb_n_variables = sizeof sb_variables / sizeof *sb_variables;

static void add_variable(sb_facts *facts, const char *variable, const char *value)
{
    char name[sizeof facts->fact[0].name];
    const char *slash = strrchr(value, '/');
    if (slash) value = slash + 1;
    char *clean = sb_text_clean(value, strlen(value), false);
    snprintf(name, sizeof name, "env_%s", variable);
    if (clean) sb_facts_add(facts, name, "%s", clean);
    free(clean);
}

void sb_environment_facts(sb_facts *facts)
{
    for (size_t i = 0; i < sb_n_variables; i++) {
        const char *value = getenv(sb_variables[i].name);
        if (value) add_variable(facts, sb_variables[i].name, value);
    }
}
