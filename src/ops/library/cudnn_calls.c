/* Convolutions by the functions that cuDNN has for each kind of them, deprecated since version 9: which algorithm
 * computes one, and the convolution itself. */
#include "ops/library/cudnn_parts.h"

#include <stdio.h>
#include <string.h>

enum { SUCCESS = SB_CUDNN_SUCCESS, FLOAT = 0, NCHW = 0, CROSS_CORRELATION = 1 };

/* ---- shapes ---- */

/* Give the descriptors of a shape back, those that are there. */
static void forget(sb_cudnn *d, sb_cudnn_described *s)
{
    if (s->x) d->destroy_tensor(s->x);
    if (s->y) d->destroy_tensor(s->y);
    if (s->filter) d->destroy_filter(s->filter);
    for (int work = 0; work < SB_N_CUDNN_WORKS; work++)
        if (s->way[work].convolution) d->destroy_convolution(s->way[work].convolution);
    *s = (sb_cudnn_described){0};
}

static int create(int (*function)(sb_cudnn_object *), sb_cudnn_object *made)
{
    int code = function(made);
    if (code != SUCCESS) *made = NULL;
    return code;
}

/* Each call in turn until one fails. */
static int describe(sb_cudnn *d, sb_cudnn_described *s)
{
    const sb_cudnn_shape *at = &s->shape;
    const int k = at->kernel, padding = at->padding, less = k - 1 - 2 * padding;
    int code = create(d->create_tensor, &s->x);
    if (code == SUCCESS) code = create(d->create_tensor, &s->y);
    if (code == SUCCESS) code = create(d->create_filter, &s->filter);
    if (code == SUCCESS) code = d->set_tensor(s->x, NCHW, FLOAT, at->n, at->in, at->h + less, at->w + less);
    if (code == SUCCESS) code = d->set_tensor(s->y, NCHW, FLOAT, at->n, at->out, at->h, at->w);
    if (code == SUCCESS) code = d->set_filter(s->filter, FLOAT, NCHW, at->out, at->in, k, k);
    for (int work = 0; work < SB_N_CUDNN_WORKS; work++) {
        sb_cudnn_object *convolution = &s->way[work].convolution;
        if (code == SUCCESS) code = create(d->create_convolution, convolution);
        if (code == SUCCESS)
            code = d->set_convolution(*convolution, padding, padding, 1, 1, 1, 1, CROSS_CORRELATION, FLOAT);
    }
    return code;
}

/* The shape as cuDNN knows it; NULL: *words says why, and of a new shape nothing is kept. */
static sb_cudnn_described *find(sb_cudnn *d, const sb_cudnn_shape *shape, const char **words)
{
    for (int i = 0; i < d->n_shapes; i++)
        if (memcmp(&d->shape[i].shape, shape, sizeof *shape) == 0) return &d->shape[i];
    if (d->n_shapes == SB_CUDNN_SHAPES_MAX) {
        *words = "more shapes of convolutions than there is room for";
        return NULL;
    }
    sb_cudnn_described *s = &d->shape[d->n_shapes];
    *s = (sb_cudnn_described){.shape = *shape};
    int code = describe(d, s);
    if (code == SUCCESS) {
        d->n_shapes++;
        return s;
    }
    *words = sb_cudnn_failed(d, "description of a convolution", code);
    forget(d, s);
    return NULL;
}

/* The descriptors in the order in which the work's functions take them: two arguments, the result. */
static void order(const sb_cudnn_described *s, sb_cudnn_work work, sb_cudnn_object *a, sb_cudnn_object *b,
                  sb_cudnn_object *result)
{
    *a = work == SB_CUDNN_FORWARD ? s->x : work == SB_CUDNN_DATA ? s->filter : s->x;
    *b = work == SB_CUDNN_FORWARD ? s->filter : s->y;
    *result = work == SB_CUDNN_FORWARD ? s->y : work == SB_CUDNN_DATA ? s->x : s->filter;
}

/* ---- candidates ---- */

/* The math type of a descriptor before cuDNN has said which one an algorithm is to have. */
static int own_math(const sb_cudnn *d)
{
    return d->tf32 ? SB_CUDNN_DEFAULT_MATH : SB_CUDNN_FMA_MATH;
}

/* Without TF32 plain multiplications and additions only. With it what may use tensor cores on float32, but not what
 * rounds to half precision first (CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION). */
static bool is_allowed(const sb_cudnn *d, int math)
{
    bool on_tensor_cores = math == SB_CUDNN_DEFAULT_MATH || math == SB_CUDNN_TENSOR_OP_MATH;
    return math == SB_CUDNN_FMA_MATH || (d->tf32 && on_tensor_cores);
}

/* The fixed algorithms, the one to prefer first, by cuDNN's numbers; -1 ends a row. All of the forward ones are
 * deterministic: IMPLICIT_PRECOMP_GEMM, IMPLICIT_GEMM, GEMM. Of the gradients' ALGO_0 and filter's ALGO_3 add with
 * atomics and are left out; ALGO_1, WINOGRAD, WINOGRAD_NONFUSED and FFT_TILING do not. */
enum { FIXED_MAX = 5 };
static const int deterministic[SB_N_CUDNN_WORKS][FIXED_MAX] = {
    [SB_CUDNN_FORWARD] = {1, 0, 2, -1}, [SB_CUDNN_DATA] = {1, 4, 5, 3, -1}, [SB_CUDNN_FILTER] = {1, 5, 6, -1}};

static bool is_fixed(const sb_cudnn *d)
{
    return d->row.rule == SB_CUDNN_RULE_DETERMINISTIC;
}

static void add_candidate(sb_cudnn_way *way, int algorithm, int math)
{
    way->candidate[way->n++] = (sb_cudnn_candidate){algorithm, math};
}

/* The algorithms of cuDNN's list that may be taken; it is told the math type that the run wants. */
static const char *search(sb_cudnn *d, const sb_cudnn_described *s, sb_cudnn_work work, sb_cudnn_way *way)
{
    sb_cudnn_object a, b, result;
    sb_cudnn_listed list[SB_CUDNN_LIST_MAX];
    int n = 0;
    order(s, work, &a, &b, &result);
    int code = d->set_math(way->convolution, own_math(d));
    if (code == SUCCESS) code = d->guess[work](d->handle, a, b, way->convolution, result, SB_CUDNN_LIST_MAX, &n, list);
    if (code != SUCCESS) return sb_cudnn_failed(d, "search for an algorithm", code);
    for (int i = 0; i < n; i++) {
        bool fits = list[i].status == SUCCESS && list[i].n_bytes <= d->row.workspace;
        if (fits && is_allowed(d, list[i].math)) add_candidate(way, list[i].algorithm, list[i].math);
    }
    return NULL;
}

static const char *list_candidates(sb_cudnn *d, const sb_cudnn_described *s, sb_cudnn_work work, sb_cudnn_way *way)
{
    const char *words = NULL;
    way->n = way->at = 0;
    if (is_fixed(d)) {
        for (const int *fixed = deterministic[work]; *fixed >= 0; fixed++) add_candidate(way, *fixed, own_math(d));
    } else {
        words = search(d, s, work, way);
    }
    way->is_listed = words == NULL;
    return words;
}

/* ---- convolutions ---- */

/* Not an error where cuDNN and the card are free to choose. */
static void say_replaced(const sb_cudnn *d, const sb_cudnn_described *s, sb_cudnn_work work, const sb_cudnn_way *way)
{
    if (!is_fixed(d) || way->at == 0 || way->has_worked) return;
    fprintf(stderr,
            "samebits: cuDNN %s: %s of %d to %d channels of %dx%d: algorithm %d is not supported here within %zu "
            "MiB; algorithm %d computes it\n",
            d->version, sb_cudnn_work_name[work], s->shape.in, s->shape.out, s->shape.h, s->shape.w,
            way->candidate[0].algorithm, d->row.workspace >> 20, way->candidate[way->at].algorithm);
}

/* The candidate's math type in the descriptor, and then the memory that it wants: that depends on both. */
static int prepare(sb_cudnn *d, const sb_cudnn_described *s, sb_cudnn_work work, sb_cudnn_way *way)
{
    sb_cudnn_object a, b, result;
    const sb_cudnn_candidate *c = &way->candidate[way->at];
    order(s, work, &a, &b, &result);
    int code = d->set_math(way->convolution, c->math);
    if (code == SUCCESS) code = d->size[work](d->handle, a, b, way->convolution, result, c->algorithm, &way->n_bytes);
    way->is_sized = code == SUCCESS;
    return code;
}

/* By the present candidate. *gives_way: this one does not work here, and has never worked. */
static int attempt(sb_cudnn *d, const sb_cudnn_described *s, sb_cudnn_work work, sb_cudnn_way *way,
                   const sb_cudnn_operands *x, bool *gives_way)
{
    const float alpha = 1;
    sb_cudnn_object a, b, result;
    order(s, work, &a, &b, &result);
    int code = way->is_sized ? SUCCESS : prepare(d, s, work, way);
    bool fits = way->n_bytes <= d->row.workspace;
    if (code == SUCCESS && fits)
        code =
            d->convolve[work](d->handle, &alpha, a, x->a, b, x->b, way->convolution, way->candidate[way->at].algorithm,
                              d->workspace, way->n_bytes, &x->beta, result, x->result);
    *gives_way = !way->has_worked && (sb_cudnn_is_unsupported(d, code) || (code == SUCCESS && !fits));
    return code;
}

static const char *convolve(sb_cudnn *d, sb_cudnn_work work, const sb_cudnn_shape *shape, const sb_cudnn_operands *of)
{
    const char *words = NULL;
    bool gives_way = true;
    sb_cudnn_described *s = find(d, shape, &words);
    if (!s) return words;
    sb_cudnn_way *way = &s->way[work];
    if (!way->is_listed) words = list_candidates(d, s, work, way);
    if (words) return words;
    for (; way->at < way->n; way->at++, way->is_sized = false) {
        int code = attempt(d, s, work, way, of, &gives_way);
        if (gives_way) continue;
        if (code != SUCCESS) return sb_cudnn_failed(d, "convolution", code);
        say_replaced(d, s, work, way);
        way->has_worked = true;
        return NULL;
    }
    way->is_listed = false;
    return sb_cudnn_none_left(d, work, shape);
}

static void close_all(sb_cudnn *d)
{
    for (int i = 0; i < d->n_shapes; i++) forget(d, &d->shape[i]);
}

#define AT(member) offsetof(sb_cudnn, member)
static const sb_cudnn_function functions[] = {
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
    {"cudnnGetConvolutionForwardWorkspaceSize", AT(size[SB_CUDNN_FORWARD])},
    {"cudnnGetConvolutionBackwardDataWorkspaceSize", AT(size[SB_CUDNN_DATA])},
    {"cudnnGetConvolutionBackwardFilterWorkspaceSize", AT(size[SB_CUDNN_FILTER])},
    {"cudnnConvolutionForward", AT(convolve[SB_CUDNN_FORWARD])},
    {"cudnnConvolutionBackwardData", AT(convolve[SB_CUDNN_DATA])},
    {"cudnnConvolutionBackwardFilter", AT(convolve[SB_CUDNN_FILTER])},
    {0}};

const sb_cudnn_api sb_cudnn_api_calls = {functions, convolve, close_all};
