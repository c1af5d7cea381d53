/* A cuBLAS, a cuDNN and an NVML for tests: the few functions that src/ops uses, computed on the CPU from their
 * documentation, one number at a time. They hold the callers to their shapes, orders and descriptors where there is no
 * device. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, NOT_SUPPORTED = 15, BAD_PARAM = 7 };

/* ---- cuBLAS: column-major ---- */

int cublasCreate_v2(void **handle);
int cublasDestroy_v2(void *handle);
int cublasGetProperty(int type, int *value);
int cublasSetStream_v2(void *handle, void *stream);
int cublasSetWorkspace_v2(void *handle, void *workspace, size_t n_bytes);
int cublasSetMathMode(void *handle, int mode);
int cublasSgemm_v2(void *handle, int a_op, int b_op, int m, int n, int k, const float *alpha, const float *a, int a_row,
                   const float *b, int b_row, const float *beta, float *c, int c_row);

int cublasCreate_v2(void **handle)
{
    *handle = malloc(1);
    return OK;
}

int cublasDestroy_v2(void *handle)
{
    free(handle);
    return OK;
}

int cublasGetProperty(int type, int *value)
{
    const int version[] = {13, 0, 2};
    return type >= 0 && type < 3 ? (*value = version[type], OK) : BAD_PARAM;
}

int cublasSetStream_v2(void *handle, void *stream)
{
    (void)stream;
    return handle ? OK : BAD_PARAM;
}

int cublasSetWorkspace_v2(void *handle, void *workspace, size_t n_bytes)
{
    return handle && workspace && n_bytes >= 4 << 20 ? OK : BAD_PARAM;
}

int cublasSetMathMode(void *handle, int mode)
{
    return handle && (mode == 0 || mode == 3) ? OK : NOT_SUPPORTED;
}

int cublasSgemm_v2(void *handle, int a_op, int b_op, int m, int n, int k, const float *alpha, const float *a, int a_row,
                   const float *b, int b_row, const float *beta, float *c, int c_row)
{
    if (!handle || a_row < (a_op ? k : m) || b_row < (b_op ? n : k) || c_row < m) return BAD_PARAM;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (double)a[a_op ? (size_t)i * a_row + l : (size_t)l * a_row + i] *
                       b[b_op ? (size_t)l * b_row + j : (size_t)j * b_row + l];
            float *to = &c[(size_t)j * c_row + i];
            *to = (float)(*alpha * sum) + (*beta == 0 ? 0 : *beta * *to);
        }
    return OK;
}

/* ---- cuDNN ---- */

typedef struct object {
    int kind, a, b, c, d; /* 't'ensor n c h w, 'f'ilter k c h w, 'c'onvolution pad, stride, mode, math */
} object;

static int create(void **made, int kind)
{
    object *o = calloc(1, sizeof *o);
    if (!o) return BAD_PARAM;
    o->kind = kind;
    *made = o;
    return OK;
}

#define CREATES(name, wanted)                                                                                          \
    int cudnnCreate##name(void **made);                                                                                \
    int cudnnDestroy##name(void *o);                                                                                   \
    int cudnnCreate##name(void **made)                                                                                 \
    {                                                                                                                  \
        return create(made, wanted);                                                                                   \
    }                                                                                                                  \
    int cudnnDestroy##name(void *o)                                                                                    \
    {                                                                                                                  \
        int right = ((object *)o)->kind == wanted;                                                                     \
        free(o);                                                                                                       \
        return right ? OK : BAD_PARAM;                                                                                 \
    }
CREATES(, 'h')
CREATES(TensorDescriptor, 't')
CREATES(FilterDescriptor, 'f')
CREATES(ConvolutionDescriptor, 'c')

size_t cudnnGetVersion(void);
const char *cudnnGetErrorString(int status);
int cudnnSetStream(object *handle, void *stream);
int cudnnSetTensor4dDescriptor(object *o, int format, int type, int n, int c, int h, int w);
int cudnnSetFilter4dDescriptor(object *o, int type, int format, int k, int c, int h, int w);
int cudnnSetConvolution2dDescriptor(object *o, int pad_h, int pad_w, int u, int v, int dilation_h, int dilation_w,
                                    int mode, int type);
int cudnnSetConvolutionMathType(object *o, int math);

size_t cudnnGetVersion(void)
{
    return 91300;
}

const char *cudnnGetErrorString(int status)
{
    return status == OK ? "CUDNN_STATUS_SUCCESS" : "CUDNN_STATUS_BAD_PARAM";
}

int cudnnSetStream(object *handle, void *stream)
{
    (void)stream;
    return handle->kind == 'h' ? OK : BAD_PARAM;
}

int cudnnSetTensor4dDescriptor(object *o, int format, int type, int n, int c, int h, int w)
{
    if (o->kind != 't' || format != 0 || type != 0 || n < 1 || c < 1 || h < 1 || w < 1) return BAD_PARAM;
    *o = (object){'t', n, c, h, w};
    return OK;
}

int cudnnSetFilter4dDescriptor(object *o, int type, int format, int k, int c, int h, int w)
{
    if (o->kind != 'f' || format != 0 || type != 0) return BAD_PARAM;
    *o = (object){'f', k, c, h, w};
    return OK;
}

int cudnnSetConvolution2dDescriptor(object *o, int pad_h, int pad_w, int u, int v, int dilation_h, int dilation_w,
                                    int mode, int type)
{
    int same = pad_h == 1 && pad_w == 1 && u == 1 && v == 1 && dilation_h == 1 && dilation_w == 1;
    o->a = 0; /* the math type a new descriptor has */
    return o->kind == 'c' && same && mode == 1 && type == 0 ? OK : BAD_PARAM;
}

int cudnnSetConvolutionMathType(object *o, int math)
{
    return o->kind == 'c' && (math == 3 || math == 0) ? (o->a = math, OK) : BAD_PARAM;
}

/* Every work sums the same products; sum says which of the three tensors a product is added to. */
typedef enum target { Y, X, W } target;

static int fits(const object *x, const object *w, const object *y)
{
    return x->kind == 't' && w->kind == 'f' && y->kind == 't' && x->b == w->b && y->b == w->a && w->c == 3 &&
           w->d == 3 && x->c == y->c && x->d == y->d;
}

static void convolve(const object *at, int out, float *x, float *w, float *y, target to)
{
    int in = at->b, rows = at->c, columns = at->d;
    for (int o = 0; o < out; o++)
        for (int i = 0; i < in; i++)
            for (int tap = 0; tap < 9; tap++)
                for (int r = 0; r < rows; r++)
                    for (int s = 0; s < columns; s++) {
                        int from_r = r + tap / 3 - 1, from_s = s + tap % 3 - 1;
                        if (from_r < 0 || from_r >= rows || from_s < 0 || from_s >= columns) continue;
                        float *x_at = &x[((size_t)i * rows + from_r) * columns + from_s];
                        float *y_at = &y[((size_t)o * rows + r) * columns + s],
                              *w_at = &w[((size_t)o * in + i) * 9 + tap];
                        if (to == Y) *y_at += *x_at * *w_at;
                        if (to == X) *x_at += *y_at * *w_at;
                        if (to == W) *w_at += *x_at * *y_at;
                    }
}

static void scale(float *x, size_t n, float beta)
{
    for (size_t i = 0; i < n; i++) x[i] = beta == 0 ? 0 : beta * x[i];
}

static size_t tensor_size(const object *o)
{
    return (size_t)o->a * o->b * o->c * o->d;
}

enum { WORKSPACE = 4096, NEEDS_TF32 = 5, GUESSED = 6, FASTEST = 7, LAST_ALGORITHM = 7 };

typedef struct trial {
    int algorithm, status;
    float milliseconds;
    size_t n_bytes;
    int determinism, math, reserved[3];
} trial;

/* A list as cuDNN gives it: what failed, what wants too much memory, what needs tensor cores, and then one to take. */
static int searched(const object *conv, int algorithm, int n_max, int *n, trial *list)
{
    const trial all[] = {{2, NOT_SUPPORTED, 0.1f, 0, 1, 0, {0}},
                         {3, OK, 0.2f, 9 << 20, 1, 0, {0}},
                         {NEEDS_TF32, OK, 0.3f, WORKSPACE, 1, 1, {0}},
                         {algorithm, OK, 0.4f, WORKSPACE, 1, conv->a, {0}}};
    for (*n = 0; *n < 4 && *n < n_max; (*n)++) list[*n] = all[*n];
    return OK;
}

/* Tensor cores only where the descriptor allows them. */
static int allowed(const object *conv, int algorithm)
{
    return algorithm <= 1 || algorithm == GUESSED || algorithm == FASTEST || (algorithm == NEEDS_TF32 && conv->a == 0);
}

/* For tests: bit n says that algorithm n has convolved since the last question. */
unsigned fake_cudnn_used(void);
static unsigned used;

unsigned fake_cudnn_used(void)
{
    unsigned was = used;
    used = 0;
    return was;
}

#define SEARCH(name, function, first, second, result, x_is, w_is, y_is, algorithm)                                     \
    int cudnn##function(void *handle, object *first, object *second, object *conv, object *result, int n_max, int *n,  \
                        trial *list);                                                                                  \
    int cudnn##function(void *handle, object *first, object *second, object *conv, object *result, int n_max, int *n,  \
                        trial *list)                                                                                   \
    {                                                                                                                  \
        if (!handle || conv->kind != 'c' || !fits(x_is, w_is, y_is)) return BAD_PARAM;                                 \
        return searched(conv, algorithm, n_max, n, list);                                                              \
    }
#define SEARCHES(name, first, second, result, x_is, w_is, y_is)                                                        \
    SEARCH(name, GetConvolution##name##Algorithm_v7, first, second, result, x_is, w_is, y_is, GUESSED)                 \
    SEARCH(name, FindConvolution##name##Algorithm, first, second, result, x_is, w_is, y_is, FASTEST)
SEARCHES(Forward, x, w, y, x, w, y)
SEARCHES(BackwardData, w, y, x, x, w, y)
SEARCHES(BackwardFilter, x, y, w, x, w, y)

#define WORK(name, first, second, result, x_is, w_is, y_is, to)                                                        \
    int cudnnGetConvolution##name##WorkspaceSize(void *handle, object *first, object *second, object *conv,            \
                                                 object *result, int algorithm, size_t *n_bytes);                      \
    int cudnnGetConvolution##name##WorkspaceSize(void *handle, object *first, object *second, object *conv,            \
                                                 object *result, int algorithm, size_t *n_bytes)                       \
    {                                                                                                                  \
        *n_bytes = WORKSPACE;                                                                                          \
        return handle && conv->kind == 'c' && allowed(conv, algorithm) && fits(x_is, w_is, y_is) ? OK : BAD_PARAM;     \
    }                                                                                                                  \
    int cudnnConvolution##name(void *handle, const float *alpha, object *first, float *first##_at, object *second,     \
                               float *second##_at, object *conv, int algorithm, void *workspace, size_t n_bytes,       \
                               const float *beta, object *result, float *result##_at);                                 \
    int cudnnConvolution##name(void *handle, const float *alpha, object *first, float *first##_at, object *second,     \
                               float *second##_at, object *conv, int algorithm, void *workspace, size_t n_bytes,       \
                               const float *beta, object *result, float *result##_at)                                  \
    {                                                                                                                  \
        if (!handle || conv->kind != 'c' || !allowed(conv, algorithm) || *alpha != 1 || !workspace ||                  \
            n_bytes < WORKSPACE || !fits(x_is, w_is, y_is))                                                            \
            return BAD_PARAM;                                                                                          \
        used |= 1u << algorithm;                                                                                       \
        scale(result##_at, tensor_size(result), *beta);                                                                \
        convolve(x_is, y_is->b, x_is##_at, w_is##_at, y_is##_at, to);                                                  \
        return OK;                                                                                                     \
    }
WORK(Forward, x, w, y, x, w, y, Y)
WORK(BackwardData, w, y, x, x, w, y, X)
WORK(BackwardFilter, x, y, w, x, w, y, W)

/* ---- NVML: one device, not cut into instances ---- */

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlSystemGetDriverVersion(char *version, unsigned size);
int nvmlDeviceGetHandleByPciBusId_v2(const char *pci_bus, void **device);
int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending);
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts);

int nvmlInit_v2(void)
{
    return OK;
}

int nvmlShutdown(void)
{
    return OK;
}

int nvmlSystemGetDriverVersion(char *version, unsigned size)
{
    return snprintf(version, size, "580.65.06") < (int)size ? OK : BAD_PARAM;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *pci_bus, void **device)
{
    static char the_device;
    *device = &the_device;
    return strcmp(pci_bus, "0000:01:00.0") == 0 ? OK : BAD_PARAM;
}

int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending)
{
    *current = *pending = 0;
    return device ? OK : BAD_PARAM;
}

int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts)
{
    *milliwatts = 699999;
    return device ? OK : BAD_PARAM;
}
