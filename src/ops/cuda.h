/* What the operations of the GPU backends are written against: work is put down on a list and done later, in order.
 *
 * An operation only puts work down (gpu->kernel, gpu->call); nothing waits. When the host asks for a result the list
 * is run; a list that has been run before, byte for byte, is run as the graph made of it then. A window of training is
 * such a list: one graph, one wait.
 *
 *     sb_gpu *gpu = sb_gpu_begin(ops, "error_forward", p);
 *     SB_GPU_EACH(gpu, sb_error_forward, sb_tensor_size(p), .a = a->x, .p = p->x, .e = e->x);
 */
#ifndef SB_OPS_CUDA_H
#define SB_OPS_CUDA_H

#include "ops/context.h"
#include "ops/kernels/all.h"

typedef struct sb_gpu sb_gpu;

/* Blocks of a tiled kernel. A number that grows with the frames belongs into x, which takes the most. */
typedef struct sb_grid {
    long x, y, z;
} sb_grid;

/* What every CUDA device takes of a launch, and what the kernels count in 32 bits: SB_EACH_MAX elements. More than that
 * is an error of the operation, told before anything is launched. */
enum { SB_GRID_X_MAX = 0x7fffffff, SB_GRID_YZ_MAX = 0xffff, SB_EACH_MAX = 0x7fffffff };

static inline long sb_blocks(long n, int size)
{
    return (n + size - 1) / size;
}

/* What an entry of the list belongs to, for the sentence of an error. */
typedef struct sb_gpu_label {
    const char *operation;
    int n, gates, c, h, w;
} sb_gpu_label;

/* Work that is not a kernel of ours: a copy, a call of a library. Issues it on the device's stream. */
typedef void sb_gpu_work(sb_gpu *gpu, const void *args);

struct sb_gpu {
    sb_context context;
    sb_gpu_label label;
    sb_status status; /* of the first error since ops->error told the last; until then nothing is put down or done */

    /* Put down: a kernel, the one way to a launch, which holds it to the limits above (an elementwise kernel's grid
     * follows from its n, which may be 0); other work. The args are copied. */
    void (*kernel)(sb_gpu *gpu, int kernel, sb_grid grid, const void *args, size_t n_bytes);
    void (*call)(sb_gpu *gpu, sb_gpu_work *work, const void *args, size_t n_bytes);
    /* The args of what was put down last, where it is this kernel, for an operation that can join it: one launch less
     * between the two, and a map that is not read again. NULL: something else was, or it is on its way already. */
    void *(*last)(sb_gpu *gpu, int kernel);
    void (*take_back)(sb_gpu *gpu); /* what `last` gave: it is part of what is put down next */
    /* Put down as part of an operation, under its name; ops->copy and ops->zero are operations themselves. */
    void (*copy)(sb_gpu *gpu, void *to, const void *from, size_t n_bytes);
    void (*zero)(sb_gpu *gpu, void *memory, size_t n_bytes);
    /* A copy of host bytes in device memory, there when the list runs and until it has run. Before anything else of its
     * operation is put down, and once in it: what is put down may run first to make room. NULL after an error. */
    void *(*stage)(sb_gpu *gpu, const void *host, size_t n_bytes);
    /* Device memory for what lies between two kernels of one operation; the same for all operations, and until the next
     * call the largest that there is. NULL after an error. */
    void *(*scratch)(sb_gpu *gpu, size_t n_bytes);
    /* Keep the first error, in the words of a library, as one of gpu->label. */
    void (*failed)(sb_gpu *gpu, const char *words);

    int processors;           /* fewer blocks than this leave some of the device idle */
    char place[32];           /* the device's address on its host, "0000:01:00.0"; "" where the CPU walks them */
    void *stream;             /* cudaStream_t; NULL where the CPU walks the kernels */
    struct sb_cublas *cublas; /* open in the backends that use them */
    void *cublas_workspace;   /* device memory that cuBLAS works in */
    struct sb_cudnn *cudnn;
    void *cudnn_workspace; /* device memory that its algorithms work in */
};

static inline sb_gpu *sb_gpu_of(sb_ops *ops)
{
    return (sb_gpu *)ops->context;
}

/* The device, and what the work that follows belongs to; shape: NULL if it has none. */
static inline sb_gpu *sb_gpu_begin(sb_ops *ops, const char *operation, const sb_tensor *shape)
{
    sb_gpu *gpu = sb_gpu_of(ops);
    gpu->label = (sb_gpu_label){.operation = operation};
    if (shape) gpu->label = (sb_gpu_label){operation, shape->n, shape->gates, shape->c, shape->h, shape->w};
    return gpu;
}

/* Put down an elementwise kernel for n elements; the rest names members of its args. */
#define SB_GPU_EACH(gpu, name, n_, ...)                                                                                \
    do {                                                                                                               \
        const name##_args sb_args_ = {.n = (long)(n_), __VA_ARGS__};                                                   \
        (gpu)->kernel(gpu, SB_KERNEL_##name, (sb_grid){0}, &sb_args_, sizeof sb_args_);                                \
    } while (0)

/* Put down a tiled kernel. */
#define SB_GPU_TILED(gpu, name, grid_, args_) (gpu)->kernel(gpu, SB_KERNEL_##name, grid_, args_, sizeof *(args_))

/* The slots of native-cuda, and what cublas and cudnn override; each starts from the one before. */
#define SB_CUDA_NOUNS(NOUN)                                                                                            \
    NOUN(point) NOUN(conv) NOUN(layer) NOUN(norm) NOUN(group_norm) NOUN(dense) NOUN(update)
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

#endif
