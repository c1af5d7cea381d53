/* The interface for operations of the GPU backends: they record work on a command list, which runs later, in order.
 *
 * An operation only records work (gpu->kernel, gpu->call) and never waits. The list runs when the host needs a result.
 * If the same list, byte for byte, ran before, it runs as a graph. A window of training is such a list: one graph, one
 * wait.
 *
 *     sb_gpu *gpu = sb_gpu_begin(ops, "error_forward", p);
 *     SB_GPU_EACH(gpu, sb_error_forward, sb_tensor_size(p), .a = a->x, .p = p->x, .e = e->x);
 */
#pragma once

#include "ops/context.h"
#include "ops/kernels/all.h"

typedef struct sb_gpu sb_gpu;

/* Number of blocks of a tiled kernel. A number that grows with the frames must be in x, which has the largest limit. */
typedef struct sb_grid {
    long x, y, z;
} sb_grid;

/* Limits of a launch on every CUDA device, and of elements, SB_EACH_MAX, because kernels count them in 32 bits. Above a
 * limit the operation fails before anything is launched. */
enum { SB_GRID_X_MAX = 0x7fffffff, SB_GRID_YZ_MAX = 0xffff, SB_EACH_MAX = 0x7fffffff };

static inline long sb_blocks(long n, int size)
{
    return (n + size - 1) / size;
}

/* The operation of a list's entry, for error messages. */
typedef struct sb_gpu_label {
    const char *operation;
    int n, gates, c, h, w;
} sb_gpu_label;

/* Work other than our kernels: a copy, or a call of a library. The function puts it on the device's stream. */
typedef void sb_gpu_work(sb_gpu *gpu, const void *args);

/* Newer forms of kernels and launches, which no device has measured yet. Each is off unless its environment variable is
 * set (docs/running.md). None changes a bit but the last two. */
typedef struct sb_gpu_forms {
    bool tiles;      /* SAMEBITS_CUDA_TILES: products with 8x8 results a thread, tiles chosen by a table */
    bool pixels;     /* SAMEBITS_CUDA_PIXELS: convolutions of few channels keep their sums in registers */
    bool transforms; /* SAMEBITS_CUDA_TRANSFORMS: several threads transform one tile */
    bool chunks;     /* SAMEBITS_CUDA_CHUNKS: samples at once by the memory of their operands; not in a trace */
    bool norms;      /* SAMEBITS_CUDA_NORMS: batch norm sums all rows at once and does not store dz */
    bool frames;     /* SAMEBITS_CUDNN_FRAMES: cuDNN forms weight gradients of several frames in one call: other bits */
    bool inputs;     /* SAMEBITS_CUDNN_INPUTS: the same, and one convolution for all inputs of a cell: other bits */

    const char *tile; /* SAMEBITS_CUDA_TILES: the tile to use where it can be; NULL: the table's (domain_tiles.h) */
} sb_gpu_forms;

struct sb_gpu {
    sb_context context;
    sb_gpu_forms forms;
    sb_gpu_label label;
    sb_status status; /* the first error since the last ops->error; while it is one, no work is recorded or run */

    /* Record a kernel, or other work. The args are copied. `kernel` checks the limits above; all launches go through
     * it. For an elementwise kernel the grid follows from its n, which may be 0. */
    void (*kernel)(sb_gpu *gpu, int kernel, sb_grid grid, const void *args, size_t n_bytes);
    void (*call)(sb_gpu *gpu, sb_gpu_work *work, const void *args, size_t n_bytes);
    /* The args of the last recorded entry if it is this kernel. An operation that can be merged with it saves a launch
     * and reads a map once less. NULL: the last entry is other work, or it was already issued. */
    void *(*last)(sb_gpu *gpu, int kernel);
    void (*take_back)(sb_gpu *gpu); /* remove the entry of `last`, because the next one includes it */
    /* Record a copy or zeros as part of an operation, with the operation's label. (ops->copy and ops->zero are
     * operations.) */
    void (*copy)(sb_gpu *gpu, void *to, const void *from, size_t n_bytes);
    void (*zero)(sb_gpu *gpu, void *memory, size_t n_bytes);
    /* Device memory with a copy of host bytes, valid while the list runs. Call it at most once in an operation, before
     * recording its work: earlier entries may run first to free memory. NULL after an error. */
    void *(*stage)(sb_gpu *gpu, const void *host, size_t n_bytes);
    /* Device memory for results between two kernels of one operation; all operations share it. Valid until the next
     * call. NULL after an error. */
    void *(*scratch)(sb_gpu *gpu, size_t n_bytes);
    /* Keep the first error, with a library's message and gpu->label. */
    void (*failed)(sb_gpu *gpu, const char *words);

    int processors;           /* of the device; fewer blocks than this leave some of them idle */
    char place[32];           /* the device's address on its host, "0000:01:00.0"; "" if a CPU executes the kernels */
    void *stream;             /* cudaStream_t; NULL if a CPU executes the kernels */
    struct sb_cublas *cublas; /* open in backends cublas and cudnn; else NULL */
    void *cublas_workspace;   /* device memory for cuBLAS */
    struct sb_cudnn *cudnn;   /* open in backend cudnn; else NULL */
    void *cudnn_workspace;    /* device memory for cuDNN's algorithms */
};

static inline sb_gpu *sb_gpu_of(sb_ops *ops)
{
    return (sb_gpu *)ops->context;
}

/* Begin an operation: set its label and return the device. shape: NULL if the operation has none. */
static inline sb_gpu *sb_gpu_begin(sb_ops *ops, const char *operation, const sb_tensor *shape)
{
    sb_gpu *gpu = sb_gpu_of(ops);
    gpu->label = (sb_gpu_label){.operation = operation};
    if (shape) gpu->label = (sb_gpu_label){operation, shape->n, shape->gates, shape->c, shape->h, shape->w};
    return gpu;
}

/* Record an elementwise kernel for n elements; the other arguments set members of its args. */
#define SB_GPU_EACH(gpu, name, n_, ...)                                                                                \
    do {                                                                                                               \
        const name##_args sb_args_ = {.n = (long)(n_), __VA_ARGS__};                                                   \
        (gpu)->kernel(gpu, SB_KERNEL_##name, (sb_grid){0}, &sb_args_, sizeof sb_args_);                                \
    } while (0)

/* Record a tiled kernel. */
#define SB_GPU_TILED(gpu, name, grid_, args_) (gpu)->kernel(gpu, SB_KERNEL_##name, grid_, args_, sizeof *(args_))

/* Functions that fill the slots of native-cuda, and those that cublas overrides, and on top of it cudnn. */
#define SB_CUDA_NOUNS(NOUN)                                                                                            \
    NOUN(point) NOUN(conv) NOUN(layer) NOUN(norm) NOUN(group_norm) NOUN(token) NOUN(attention) NOUN(dense) NOUN(update)
#define SB_CUDA_NOUN(noun) void sb_##noun##_cuda(sb_ops *ops);
SB_CUDA_NOUNS(SB_CUDA_NOUN)
static inline void sb_ops_cuda(sb_ops *ops)
{
#define SB_CUDA_FILL(noun) sb_##noun##_cuda(ops);
    SB_CUDA_NOUNS(SB_CUDA_FILL)
}
void sb_conv_cublas(sb_ops *ops);
void sb_dense_cublas(sb_ops *ops);
void sb_conv_cudnn(sb_ops *ops);
