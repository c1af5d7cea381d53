/* A cuBLAS, a cuDNN and an NVML for tests: the few functions that src/ops uses, computed on the CPU from their
 * documentation, one number at a time. They hold the callers to their shapes, orders and descriptors where there is no
 * device, and refuse what a card may refuse (fake_cuda_libraries.h).
 *
 * The graph API of cuDNN is in fake_cudnn_graph.c.
 *
 * Built several times: FAKE_STARTS 0 is a library that opens and starts nowhere; FAKE_CUBLAS_MAJOR and
 * FAKE_CUDNN_VERSION are its versions. */
#include "fake_cudnn.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cuBLAS: column-major ---- */

enum { OK = 0, NOT_INITIALIZED = 1, BAD_PARAM = 7, NOT_SUPPORTED = 15 };

extern fake_cublas_state fake_cublas;
fake_cublas_state fake_cublas = {.failing_call = -1};

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
    if (!FAKE_STARTS || fake_cublas.failing_call == 0) return NOT_INITIALIZED;
    *handle = malloc(1);
    fake_cublas.n_live++;
    return OK;
}

int cublasDestroy_v2(void *handle)
{
    fake_cublas.n_live--;
    free(handle);
    return OK;
}

int cublasGetProperty(int type, int *value)
{
    const int version[] = {FAKE_CUBLAS_MAJOR, 0, 2};
    return type >= 0 && type < 3 ? (*value = version[type], OK) : BAD_PARAM;
}

int cublasSetStream_v2(void *handle, void *stream)
{
    (void)stream;
    return fake_cublas.failing_call == 1 ? NOT_SUPPORTED : handle ? OK : BAD_PARAM;
}

int cublasSetWorkspace_v2(void *handle, void *workspace, size_t n_bytes)
{
    if (fake_cublas.failing_call == 2) return NOT_SUPPORTED;
    return handle && workspace && n_bytes >= 4 << 20 ? OK : BAD_PARAM;
}

int cublasSetMathMode(void *handle, int mode)
{
    return fake_cublas.failing_call != 3 && handle && (mode == 0 || mode == 3) ? OK : NOT_SUPPORTED;
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

/* ---- cuDNN: a function for each kind of convolution ---- */

fake_cudnn_state fake_cudnn = {.failing_call = -1};

bool fake_is_due(void)
{
    return fake_cudnn.failing_call >= 0 && fake_cudnn.failing_call-- == 0;
}

typedef fake_object object;

static int create(void **made, int kind)
{
    if (!FAKE_STARTS) return DNN_NOT_INITIALIZED;
    object *o = fake_is_due() ? NULL : calloc(1, sizeof *o);
    *made = o ? o : (void *)1; /* not to be destroyed */
    if (!o) return DNN_INTERNAL_ERROR;
    o->kind = kind;
    fake_cudnn.n_live++;
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
        fake_cudnn.n_live -= right;                                                                                    \
        free(o);                                                                                                       \
        return right ? OK : DNN_BAD_PARAM;                                                                             \
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
int cudnnGetConvolution2dForwardOutputDim(object *convolution, object *x, object *filter, int *n, int *c, int *h,
                                          int *w);

size_t cudnnGetVersion(void)
{
    return FAKE_CUDNN_VERSION;
}

const char *cudnnGetErrorString(int status)
{
    return status == OK                     ? "CUDNN_STATUS_SUCCESS"
           : status == DNN_NOT_INITIALIZED  ? "CUDNN_STATUS_NOT_INITIALIZED"
           : status == DNN_BAD_PARAM        ? "CUDNN_STATUS_BAD_PARAM"
           : status == DNN_INTERNAL_ERROR   ? "CUDNN_STATUS_INTERNAL_ERROR"
           : status == DNN_EXECUTION_FAILED ? "CUDNN_STATUS_EXECUTION_FAILED"
                                            : "CUDNN_STATUS_NOT_SUPPORTED";
}

int cudnnSetStream(object *handle, void *stream)
{
    (void)stream;
    return fake_is_due() ? DNN_INTERNAL_ERROR : handle->kind == 'h' ? OK : DNN_BAD_PARAM;
}

int cudnnSetTensor4dDescriptor(object *o, int format, int type, int n, int c, int h, int w)
{
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    if (o->kind != 't' || format != 0 || type != 0 || n < 1 || c < 1 || h < 1 || w < 1) return DNN_BAD_PARAM;
    *o = (object){'t', n, c, h, w};
    return OK;
}

int cudnnSetFilter4dDescriptor(object *o, int type, int format, int k, int c, int h, int w)
{
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    if (o->kind != 'f' || format != 0 || type != 0) return DNN_BAD_PARAM;
    *o = (object){'f', k, c, h, w};
    return OK;
}

int cudnnSetConvolution2dDescriptor(object *o, int pad_h, int pad_w, int u, int v, int dilation_h, int dilation_w,
                                    int mode, int type)
{
    int same = pad_h >= 0 && pad_w == pad_h && u == 1 && v == 1 && dilation_h == 1 && dilation_w == 1;
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    o->a = 0, o->b = 1; /* the math type a new descriptor has */
    return o->kind == 'c' && same && mode == 1 && type == 0 ? OK : DNN_BAD_PARAM;
}

int cudnnGetConvolution2dForwardOutputDim(object *convolution, object *x, object *filter, int *n, int *c, int *h,
                                          int *w)
{
    if (convolution->kind != 'c' || x->kind != 't' || filter->kind != 'f') return DNN_BAD_PARAM;
    *n = x->a, *c = filter->a, *h = x->c, *w = x->d; /* padded, so that it keeps its size */
    return OK;
}

enum { DEFAULT = 0, TENSOR_OP = 1, ALLOW_CONVERSION = 2, FMA = 3 }; /* cudnnMathType_t */

int cudnnSetConvolutionMathType(object *o, int math)
{
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    return o->kind == 'c' && math >= 0 && math <= FMA ? (o->a = math, OK) : DNN_BAD_PARAM;
}

static int fits(const object *x, const object *w, const object *y)
{
    return x->kind == 't' && w->kind == 'f' && y->kind == 't' && x->b == w->b && y->b == w->a && w->c == w->d &&
           x->a == y->a && x->c - y->c == x->d - y->d && (y->c - x->c + w->c - 1) % 2 == 0;
}

/* One sample. The padding is what the sizes say. */
static void convolve(const object *at, const object *w_is, const object *y_is, float *x, float *w, float *y,
                     fake_target to)
{
    int in = at->b, rows = at->c, columns = at->d, out = y_is->b, kernel = w_is->c;
    int padding = (y_is->c - rows + kernel - 1) / 2;
    for (int o = 0; o < out; o++)
        for (int i = 0; i < in; i++)
            for (int tap = 0; tap < kernel * kernel; tap++)
                for (int r = 0; r < y_is->c; r++)
                    for (int s = 0; s < y_is->d; s++) {
                        int from_r = r + tap / kernel - padding, from_s = s + tap % kernel - padding;
                        if (from_r < 0 || from_r >= rows || from_s < 0 || from_s >= columns) continue;
                        float *x_at = &x[((size_t)i * rows + from_r) * columns + from_s];
                        float *y_at = &y[((size_t)o * y_is->c + r) * y_is->d + s],
                              *w_at = &w[((size_t)o * in + i) * kernel * kernel + tap];
                        if (to == FAKE_Y) *y_at += *x_at * *w_at;
                        if (to == FAKE_X) *x_at += *y_at * *w_at;
                        if (to == FAKE_W) *w_at += *x_at * *y_at;
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

void fake_convolve(const object *x_is, const object *w_is, const object *y_is, float *x, float *w, float *y,
                   fake_target to, float beta)
{
    const object *result = to == FAKE_Y ? y_is : to == FAKE_X ? x_is : w_is;
    fake_cudnn.n_convolved[to]++;
    scale(to == FAKE_Y ? y : to == FAKE_X ? x : w, tensor_size(result), beta);
    for (int i = 0; i < x_is->a; i++)
        convolve(x_is, w_is, y_is, x + i * tensor_size(x_is) / x_is->a, w, y + i * tensor_size(y_is) / y_is->a, to);
}

typedef struct trial {
    int algorithm, status;
    float milliseconds;
    size_t n_bytes;
    int determinism, math, reserved[3];
} trial;

/* A list as cuDNN gives it, for the descriptor's math type and for the default one: what failed, what wants too much
 * memory, what rounds to half precision, what needs tensor cores; then the one to take, by the default math type, which
 * allows TF32, and by the descriptor's; and at last one more. */
static int searched(const object *conv, int algorithm, int n_max, int *n, trial *list)
{
    const trial all[] = {{2, DNN_NOT_SUPPORTED, 0.1f, 0, 1, conv->a, {0}},
                         {3, OK, 0.2f, FAKE_LISTED_LIMIT + 1, 1, conv->a, {0}},
                         {FAKE_HALF, OK, 0.3f, FAKE_WORKSPACE, 1, ALLOW_CONVERSION, {0}},
                         {FAKE_ON_TENSOR_CORES, OK, 0.3f, FAKE_WORKSPACE, 1, TENSOR_OP, {0}},
                         {algorithm, OK, 0.4f, FAKE_WORKSPACE, 1, DEFAULT, {0}},
                         {algorithm, OK, 0.5f, FAKE_WORKSPACE, 1, conv->a, {0}},
                         {0, OK, 0.6f, FAKE_WORKSPACE, 0, conv->a, {0}}};
    fake_cudnn.n_searches++;
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    for (*n = 0; *n < (int)(sizeof all / sizeof *all) && *n < n_max; (*n)++) list[*n] = all[*n];
    return OK;
}

static bool is_in(unsigned set, int algorithm)
{
    return algorithm >= 0 && algorithm <= FAKE_GUESSED && (set >> algorithm & 1);
}

/* An algorithm works with the math types that it is listed with. */
static bool is_listed(const object *conv, int algorithm)
{
    return algorithm == FAKE_ON_TENSOR_CORES ? conv->a == TENSOR_OP
           : algorithm == FAKE_HALF          ? conv->a == ALLOW_CONVERSION
                                             : true;
}

/* Which must be described, and the memory that of the descriptor's math type. */
static int asked(const object *conv, int algorithm, size_t *n_bytes)
{
    *n_bytes = is_in(fake_cudnn.large, algorithm) ? fake_cudnn.limit + 1 : FAKE_WORKSPACE;
    fake_cudnn.n_refused += is_in(fake_cudnn.unsized, algorithm);
    return !conv->b                               ? DNN_BAD_PARAM
           : is_in(fake_cudnn.unsized, algorithm) ? DNN_NOT_SUPPORTED
           : is_listed(conv, algorithm)           ? OK
                                                  : DNN_BAD_PARAM;
}

static int begun(const object *conv, int n_images, int algorithm, const void *workspace, size_t n_bytes)
{
    if (fake_cudnn.most_images && n_images > fake_cudnn.most_images) return DNN_NOT_SUPPORTED;
    if (!conv->b || !is_listed(conv, algorithm) || !workspace || n_bytes != FAKE_WORKSPACE) return DNN_BAD_PARAM;
    fake_cudnn.n_refused += is_in(fake_cudnn.unsupported, algorithm);
    if (is_in(fake_cudnn.unsupported, algorithm)) return DNN_ARCH_MISMATCH;
    if (is_in(fake_cudnn.broken, algorithm)) return DNN_EXECUTION_FAILED;
    fake_cudnn.used |= 1u << algorithm;
    fake_cudnn.used_math |= 1u << conv->a;
    return OK;
}

#define SEARCH(name, function, first, second, result, x_is, w_is, y_is, algorithm)                                     \
    int cudnn##function(void *handle, object *first, object *second, object *conv, object *result, int n_max, int *n,  \
                        trial *list);                                                                                  \
    int cudnn##function(void *handle, object *first, object *second, object *conv, object *result, int n_max, int *n,  \
                        trial *list)                                                                                   \
    {                                                                                                                  \
        if (!handle || conv->kind != 'c' || !fits(x_is, w_is, y_is)) return DNN_BAD_PARAM;                             \
        return searched(conv, algorithm, n_max, n, list);                                                              \
    }
#define SEARCHES(name, first, second, result, x_is, w_is, y_is)                                                        \
    SEARCH(name, GetConvolution##name##Algorithm_v7, first, second, result, x_is, w_is, y_is, FAKE_GUESSED)
SEARCHES(Forward, x, w, y, x, w, y)
SEARCHES(BackwardData, w, y, x, x, w, y)
SEARCHES(BackwardFilter, x, y, w, x, w, y)

#define WORK(name, first, second, result, x_is, w_is, y_is, to)                                                        \
    int cudnnGetConvolution##name##WorkspaceSize(void *handle, object *first, object *second, object *conv,            \
                                                 object *result, int algorithm, size_t *n_bytes);                      \
    int cudnnGetConvolution##name##WorkspaceSize(void *handle, object *first, object *second, object *conv,            \
                                                 object *result, int algorithm, size_t *n_bytes)                       \
    {                                                                                                                  \
        if (!handle || conv->kind != 'c' || !fits(x_is, w_is, y_is)) return DNN_BAD_PARAM;                             \
        return asked(conv, algorithm, n_bytes);                                                                        \
    }                                                                                                                  \
    int cudnnConvolution##name(void *handle, const float *alpha, object *first, float *first##_at, object *second,     \
                               float *second##_at, object *conv, int algorithm, void *workspace, size_t n_bytes,       \
                               const float *beta, object *result, float *result##_at);                                 \
    int cudnnConvolution##name(void *handle, const float *alpha, object *first, float *first##_at, object *second,     \
                               float *second##_at, object *conv, int algorithm, void *workspace, size_t n_bytes,       \
                               const float *beta, object *result, float *result##_at)                                  \
    {                                                                                                                  \
        if (!handle || conv->kind != 'c' || *alpha != 1 || !fits(x_is, w_is, y_is)) return DNN_BAD_PARAM;              \
        int code = begun(conv, (x_is)->a, algorithm, workspace, n_bytes);                                              \
        if (code != OK) return code;                                                                                   \
        fake_convolve(x_is, w_is, y_is, x_is##_at, w_is##_at, y_is##_at, to, *beta);                                   \
        return OK;                                                                                                     \
    }
WORK(Forward, x, w, y, x, w, y, FAKE_Y)
WORK(BackwardData, w, y, x, x, w, y, FAKE_X)
WORK(BackwardFilter, x, y, w, x, w, y, FAKE_W)

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
