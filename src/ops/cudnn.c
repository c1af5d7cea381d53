/* The few functions of cuDNN that are used, declared here so that no header of it is needed at build time. */
#include "ops/cudnn.h"

#include "ops/library.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *object; /* handles and descriptors */
enum { SUCCESS = 0, FLOAT = 0, NCHW = 0, CROSS_CORRELATION = 1, SHAPES_MAX = 64, WORKS = 3 };
enum { DEFAULT_MATH = 0, FMA_MATH = 3 };
enum { WORKSPACE_LIMIT = 8 << 20, TRIALS_MAX = 16 };

/* CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM; BWD_DATA_ALGO_1 and 0; BWD_FILTER_ALGO_1 and 0 */
enum { FORWARD_ALGORITHM = 1, DETERMINISTIC_ALGORITHM = 1, ATOMIC_ALGORITHM = 0 };

const char *const sb_cudnn_choice_name[SB_N_CUDNN_CHOICES] = {"deterministic", "atomics", "heuristic", "timed"};

/* One shape of convolution, described once. */
typedef struct described {
    sb_cudnn_shape shape;
    object x, y, filter, convolution;
    bool chosen[WORKS];
    int algorithm[WORKS];
} described;

/* cudnnConvolutionFwdAlgoPerf_t, and its twins of the gradients. */
typedef struct trial {
    int algorithm, status;
    float milliseconds;
    size_t n_bytes;
    int determinism, math, reserved[3];
} trial;

/* cudnnGetConvolution...Algorithm_v7 and cudnnFindConvolution...Algorithm: the best first. */
typedef int search(object, object, object, object, object, int n_max, int *n, trial *);

struct sb_cudnn {
    void *library;
    object handle;
    sb_cudnn_choice choice;
    bool tf32;
    int n_shapes;
    described shape[SHAPES_MAX];
    char words[160], version[32];
    size_t (*get_version)(void);
    const char *(*error_string)(int status);
    int (*create)(object *), (*destroy)(object), (*set_stream)(object, void *stream);
    int (*create_tensor)(object *), (*destroy_tensor)(object);
    int (*create_filter)(object *), (*destroy_filter)(object);
    int (*create_convolution)(object *), (*destroy_convolution)(object);
    int (*set_tensor)(object, int format, int type, int n, int c, int h, int w);
    int (*set_filter)(object, int type, int format, int k, int c, int h, int w);
    int (*set_convolution)(object, int pad_h, int pad_w, int u, int v, int dilation_h, int dilation_w, int mode,
                           int type);
    int (*set_math)(object, int math);
    search *guess[WORKS], *time[WORKS];
    int (*workspace[WORKS])(object, object, object, object, object, int algorithm, size_t *n_bytes);
    int (*convolve[WORKS])(object, const void *alpha, object, const void *, object, const void *, object, int algorithm,
                           void *workspace, size_t n_bytes, const void *beta, object, void *);
};

static sb_status load(sb_cudnn *d)
{
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so.8", NULL};
#define AT(member) (void (**)(void)) & d->member
    const sb_symbol symbols[] = {{"cudnnGetVersion", AT(get_version)},
                                 {"cudnnGetErrorString", AT(error_string)},
                                 {"cudnnCreate", AT(create)},
                                 {"cudnnDestroy", AT(destroy)},
                                 {"cudnnSetStream", AT(set_stream)},
                                 {"cudnnCreateTensorDescriptor", AT(create_tensor)},
                                 {"cudnnDestroyTensorDescriptor", AT(destroy_tensor)},
                                 {"cudnnCreateFilterDescriptor", AT(create_filter)},
                                 {"cudnnDestroyFilterDescriptor", AT(destroy_filter)},
                                 {"cudnnCreateConvolutionDescriptor", AT(create_convolution)},
                                 {"cudnnDestroyConvolutionDescriptor", AT(destroy_convolution)},
                                 {"cudnnSetTensor4dDescriptor", AT(set_tensor)},
                                 {"cudnnSetFilter4dDescriptor", AT(set_filter)},
                                 {"cudnnSetConvolution2dDescriptor", AT(set_convolution)},
                                 {"cudnnSetConvolutionMathType", AT(set_math)},
                                 {"cudnnGetConvolutionForwardAlgorithm_v7", AT(guess[SB_CUDNN_FORWARD])},
                                 {"cudnnGetConvolutionBackwardDataAlgorithm_v7", AT(guess[SB_CUDNN_DATA])},
                                 {"cudnnGetConvolutionBackwardFilterAlgorithm_v7", AT(guess[SB_CUDNN_FILTER])},
                                 {"cudnnFindConvolutionForwardAlgorithm", AT(time[SB_CUDNN_FORWARD])},
                                 {"cudnnFindConvolutionBackwardDataAlgorithm", AT(time[SB_CUDNN_DATA])},
                                 {"cudnnFindConvolutionBackwardFilterAlgorithm", AT(time[SB_CUDNN_FILTER])},
                                 {"cudnnGetConvolutionForwardWorkspaceSize", AT(workspace[SB_CUDNN_FORWARD])},
                                 {"cudnnGetConvolutionBackwardDataWorkspaceSize", AT(workspace[SB_CUDNN_DATA])},
                                 {"cudnnGetConvolutionBackwardFilterWorkspaceSize", AT(workspace[SB_CUDNN_FILTER])},
                                 {"cudnnConvolutionForward", AT(convolve[SB_CUDNN_FORWARD])},
                                 {"cudnnConvolutionBackwardData", AT(convolve[SB_CUDNN_DATA])},
                                 {"cudnnConvolutionBackwardFilter", AT(convolve[SB_CUDNN_FILTER])},
                                 {0}};
#undef AT
    sb_status status = sb_library_open(&d->library, "cuDNN", "SAMEBITS_CUDNN", names, symbols);
    if (status != SB_OK) return status;
    unsigned version = (unsigned)d->get_version(), major = version >= 90000 ? 10000 : 1000;
    snprintf(d->version, sizeof d->version, "%u.%u.%u", version / major, version % major / 100, version % 100);
    return SB_OK;
}

bool sb_cudnn_found(char *why, size_t size)
{
    sb_cudnn d = {0};
    bool found = load(&d) == SB_OK;
    if (!found) snprintf(why, size, "%s", sb_message());
    sb_library_close(d.library);
    return found;
}

bool sb_cudnn_found_version(char *version, size_t size)
{
    sb_cudnn d = {0};
    bool found = load(&d) == SB_OK;
    snprintf(version, size, "%s", d.version);
    sb_library_close(d.library);
    return found;
}

static sb_status find_choice(const char *name, sb_cudnn_choice *choice)
{
    for (*choice = 0; *choice < SB_N_CUDNN_CHOICES; (*choice)++)
        if (!name || strcmp(name, sb_cudnn_choice_name[*choice]) == 0) return SB_OK;
    return sb_fail(SB_E_USAGE, "unknown cudnn algorithm '%.32s' (one of deterministic, atomics, heuristic, timed)",
                   name);
}

sb_status sb_cudnn_open_library(sb_cudnn **dnn, void *stream, const char *choice, bool tf32)
{
    sb_cudnn_choice chosen;
    *dnn = NULL;
    SB_TRY(find_choice(choice, &chosen));
    sb_cudnn *d = calloc(1, sizeof *d);
    if (!d) return sb_fail(SB_E_MEMORY, "not enough memory for cuDNN");
    sb_status status = load(d);
    if (status == SB_OK) {
        int code = d->create(&d->handle);
        if (code == SUCCESS) code = d->set_stream(d->handle, stream);
        if (code != SUCCESS)
            status = sb_fail(SB_E_MISSING, "cuDNN %s does not start: %s", d->version, d->error_string(code));
    }
    d->choice = chosen;
    d->tf32 = tf32;
    if (status == SB_OK)
        *dnn = d;
    else
        sb_cudnn_close(d);
    return status;
}

void sb_cudnn_close(sb_cudnn *dnn)
{
    if (!dnn) return;
    for (int i = 0; i < dnn->n_shapes; i++) {
        described *s = &dnn->shape[i];
        if (s->x) dnn->destroy_tensor(s->x);
        if (s->y) dnn->destroy_tensor(s->y);
        if (s->filter) dnn->destroy_filter(s->filter);
        if (s->convolution) dnn->destroy_convolution(s->convolution);
    }
    if (dnn->handle) dnn->destroy(dnn->handle);
    sb_library_close(dnn->library);
    free(dnn);
}

const char *sb_cudnn_version(const sb_cudnn *dnn)
{
    return dnn->version;
}

/* Each call in turn until one fails. */
static int describe(sb_cudnn *d, described *s)
{
    const sb_cudnn_shape *at = &s->shape;
    int code = d->create_tensor(&s->x);
    if (code == SUCCESS) code = d->create_tensor(&s->y);
    if (code == SUCCESS) code = d->create_filter(&s->filter);
    if (code == SUCCESS) code = d->create_convolution(&s->convolution);
    if (code == SUCCESS) code = d->set_tensor(s->x, NCHW, FLOAT, 1, at->in, at->h, at->w);
    if (code == SUCCESS) code = d->set_tensor(s->y, NCHW, FLOAT, 1, at->out, at->h, at->w);
    if (code == SUCCESS) code = d->set_filter(s->filter, FLOAT, NCHW, at->out, at->in, 3, 3);
    if (code == SUCCESS) code = d->set_convolution(s->convolution, 1, 1, 1, 1, 1, 1, CROSS_CORRELATION, FLOAT);
    if (code == SUCCESS) code = d->set_math(s->convolution, d->tf32 ? DEFAULT_MATH : FMA_MATH);
    return code;
}

static const char *failed(sb_cudnn *d, const char *what, int code)
{
    snprintf(d->words, sizeof d->words, "cuDNN's %s gives %s", what, d->error_string(code));
    return d->words;
}

static described *find(sb_cudnn *d, const sb_cudnn_shape *shape, const char **words)
{
    for (int i = 0; i < d->n_shapes; i++)
        if (memcmp(&d->shape[i].shape, shape, sizeof *shape) == 0) return &d->shape[i];
    if (d->n_shapes == SHAPES_MAX) {
        *words = "more shapes of convolutions than there is room for";
        return NULL;
    }
    described *s = &d->shape[d->n_shapes++];
    s->shape = *shape;
    int code = describe(d, s);
    *words = code == SUCCESS ? NULL : failed(d, "description of a convolution", code);
    return code == SUCCESS ? s : NULL;
}

/* The descriptors in the order in which the work's functions take them: two arguments, the result. */
static void order(const described *s, sb_cudnn_work work, object *a, object *b, object *result)
{
    *a = work == SB_CUDNN_FORWARD ? s->x : work == SB_CUDNN_DATA ? s->filter : s->x;
    *b = work == SB_CUDNN_FORWARD ? s->filter : s->y;
    *result = work == SB_CUDNN_FORWARD ? s->y : work == SB_CUDNN_DATA ? s->x : s->filter;
}

/* The first of cuDNN's list that works, keeps the limit and uses no tensor cores where TF32 is off. */
static const char *search_algorithm(sb_cudnn *d, described *s, sb_cudnn_work work)
{
    object a, b, result;
    trial list[TRIALS_MAX];
    int n = 0;
    order(s, work, &a, &b, &result);
    search *of = d->choice == SB_CUDNN_TIMED ? d->time[work] : d->guess[work];
    int code = of(d->handle, a, b, s->convolution, result, TRIALS_MAX, &n, list);
    if (code != SUCCESS) return failed(d, "search for an algorithm", code);
    for (int i = 0; i < n; i++) {
        bool exact = list[i].math == DEFAULT_MATH || list[i].math == FMA_MATH;
        if (list[i].status != SUCCESS || list[i].n_bytes > WORKSPACE_LIMIT || !(exact || d->tf32)) continue;
        s->algorithm[work] = list[i].algorithm;
        return NULL;
    }
    return "cuDNN has no algorithm for this convolution that works within 8 MiB";
}

static const char *choose_algorithm(sb_cudnn *d, described *s, sb_cudnn_work work)
{
    if (s->chosen[work]) return NULL;
    s->chosen[work] = true;
    bool atomics = d->choice == SB_CUDNN_ATOMICS;
    s->algorithm[work] = work == SB_CUDNN_FORWARD ? FORWARD_ALGORITHM
                         : atomics                ? ATOMIC_ALGORITHM
                                                  : DETERMINISTIC_ALGORITHM;
    bool searched = d->choice == SB_CUDNN_HEURISTIC || d->choice == SB_CUDNN_TIMED;
    return searched ? search_algorithm(d, s, work) : NULL;
}

size_t sb_cudnn_workspace(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const char **words)
{
    object a, b, result;
    size_t n_bytes = 0;
    described *s = find(dnn, shape, words);
    if (s) *words = choose_algorithm(dnn, s, work);
    if (!s || *words) return 0;
    order(s, work, &a, &b, &result);
    int code = dnn->workspace[work](dnn->handle, a, b, s->convolution, result, s->algorithm[work], &n_bytes);
    *words = code == SUCCESS ? NULL : failed(dnn, "question for a workspace", code);
    return n_bytes;
}

const char *sb_cudnn_convolve(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const void *a,
                              const void *b, float beta, void *result, void *workspace, size_t n_bytes)
{
    const char *words = NULL;
    const float alpha = 1;
    object a_is, b_is, result_is;
    described *s = find(dnn, shape, &words);
    if (s) words = choose_algorithm(dnn, s, work);
    if (words) return words;
    order(s, work, &a_is, &b_is, &result_is);
    int code = dnn->convolve[work](dnn->handle, &alpha, a_is, a, b_is, b, s->convolution, s->algorithm[work], workspace,
                                   n_bytes, &beta, result_is, result);
    return code == SUCCESS ? NULL : failed(dnn, "convolution", code);
}
