/* Convolutions by cuDNN's graph API: tensors, a convolution and one operation on them are a graph; of the engine
 * configurations that its heuristic lists for that, the first that may be taken and works becomes an execution plan, or
 * the fastest one.
 * All numbers come from cudnn_graph.h of 9 and of cudnn_backend.h of 8.9, where they are the same. */
#include "ops/library/cudnn_parts.h"

#include "core/machine/clock.h"

#include <string.h>

enum { SUCCESS = SB_CUDNN_SUCCESS, FLOAT = 0, CROSS_CORRELATION = 1, CONFIGURATIONS_MAX = 128 };

/* cudnnBackendDescriptorType_t */
enum {
    A_CONVOLUTION = 1,
    A_CONFIGURATION = 3,
    A_HEURISTIC,
    A_PLAN,
    A_FORWARD_OPERATION = 10,
    A_FILTER_OPERATION,
    A_DATA_OPERATION,
    A_GRAPH = 15,
    A_VARIANT_PACK,
    A_TENSOR
};

/* cudnnBackendAttributeType_t */
enum {
    OF_HANDLE = 0,
    OF_DATA_TYPE = 1,
    OF_INT64 = 3,
    OF_FLOAT = 4,
    OF_POINTER = 6,
    OF_CONVOLUTION_MODE = 7,
    OF_HEURISTIC_MODE = 8,
    OF_DESCRIPTOR = 15
};

/* cudnnBackendAttributeName_t */
enum {
    CONVOLUTION_TYPE = 100,
    CONVOLUTION_MODE,
    CONVOLUTION_DILATIONS,
    CONVOLUTION_STRIDES,
    CONVOLUTION_POST_PADDINGS,
    CONVOLUTION_PRE_PADDINGS,
    CONVOLUTION_DIMENSIONS,
    HEURISTIC_MODE = 200,
    HEURISTIC_GRAPH,
    HEURISTIC_RESULTS,
    PLAN_HANDLE = 400,
    PLAN_CONFIGURATION,
    PLAN_WORKSPACE,
    FORWARD_ALPHA = 700,
    FORWARD_BETA,
    FORWARD_CONVOLUTION,
    FORWARD_W,
    FORWARD_X,
    FORWARD_Y,
    DATA_ALPHA,
    DATA_BETA,
    DATA_CONVOLUTION,
    DATA_W,
    DATA_DX,
    DATA_DY,
    FILTER_ALPHA,
    FILTER_BETA,
    FILTER_CONVOLUTION,
    FILTER_DW,
    FILTER_X,
    FILTER_DY,
    GRAPH_HANDLE = 800,
    GRAPH_OPERATIONS,
    TENSOR_ALIGNMENT = 900,
    TENSOR_TYPE,
    TENSOR_SIZES,
    TENSOR_STRIDES,
    TENSOR_NUMBER = 906,
    PACK_NUMBERS = 1000,
    PACK_POINTERS,
    PACK_WORKSPACE = 1003
};

/* cudnnBackendNumericalNote_t: what an engine does to numbers. */
enum { ON_TENSOR_CORES = 0, BY_FFT = 3, NONDETERMINISTIC = 4, BY_WINOGRAD = 5, STRICT_NAN = 9 };

/* cudnnBackendHeurMode_t, in the order in which they are asked. */
enum { MODE_A = 3, MODE_FALLBACK = 2, N_MODES = 2 };
static const int modes[N_MODES] = {MODE_A, MODE_FALLBACK};

/* Numbers of the tensors, by which a variant pack says which address is whose. */
static const int64_t number[] = {'x', 'w', 'y'};
enum { X, W, Y };

/* ---- descriptors ---- */

static sb_cudnn_object make(sb_cudnn *d, sb_cudnn_made *made, int kind)
{
    sb_cudnn_object o = NULL;
    if (made->code == SUCCESS) made->code = d->backend.create(kind, &o);
    if (made->code != SUCCESS) return NULL;
    return made->object[made->n++] = o;
}

static void set(sb_cudnn *d, sb_cudnn_made *made, sb_cudnn_object o, int name, int type, int64_t n, const void *values)
{
    if (made->code == SUCCESS) made->code = d->backend.set(o, name, type, n, values);
}

static void set_descriptor(sb_cudnn *d, sb_cudnn_made *made, sb_cudnn_object o, int name, sb_cudnn_object value)
{
    set(d, made, o, name, OF_DESCRIPTOR, 1, &value);
}

static void finish(sb_cudnn *d, sb_cudnn_made *made, sb_cudnn_object o)
{
    if (made->code == SUCCESS) made->code = d->backend.finalize(o);
}

void sb_cudnn_graph_drop(sb_cudnn *d, sb_cudnn_made *made, int n)
{
    while (made->n > n) d->backend.destroy(made->object[--made->n]);
    made->code = SUCCESS;
}

/* ---- what is to be computed ---- */

/* NCHW without gaps. */
static sb_cudnn_object make_tensor(sb_cudnn *d, sb_cudnn_made *made, int64_t its_number, int64_t alignment, int64_t n,
                                   int64_t c, int64_t h, int64_t w)
{
    const int64_t sizes[] = {n, c, h, w}, strides[] = {c * h * w, h * w, w, 1};
    sb_cudnn_object o = make(d, made, A_TENSOR);
    set(d, made, o, TENSOR_TYPE, OF_DATA_TYPE, 1, &(int){FLOAT});
    set(d, made, o, TENSOR_SIZES, OF_INT64, 4, sizes);
    set(d, made, o, TENSOR_STRIDES, OF_INT64, 4, strides);
    set(d, made, o, TENSOR_NUMBER, OF_INT64, 1, &its_number);
    set(d, made, o, TENSOR_ALIGNMENT, OF_INT64, 1, &alignment);
    finish(d, made, o);
    return o;
}

static sb_cudnn_object make_convolution(sb_cudnn *d, sb_cudnn_made *made, int padding)
{
    const int64_t paddings[] = {padding, padding}, ones[] = {1, 1};
    sb_cudnn_object o = make(d, made, A_CONVOLUTION);
    set(d, made, o, CONVOLUTION_TYPE, OF_DATA_TYPE, 1, &(int){FLOAT});
    set(d, made, o, CONVOLUTION_MODE, OF_CONVOLUTION_MODE, 1, &(int){CROSS_CORRELATION});
    set(d, made, o, CONVOLUTION_DIMENSIONS, OF_INT64, 1, &(int64_t){2});
    set(d, made, o, CONVOLUTION_PRE_PADDINGS, OF_INT64, 2, paddings);
    set(d, made, o, CONVOLUTION_POST_PADDINGS, OF_INT64, 2, paddings);
    set(d, made, o, CONVOLUTION_STRIDES, OF_INT64, 2, ones);
    set(d, made, o, CONVOLUTION_DILATIONS, OF_INT64, 2, ones);
    finish(d, made, o);
    return o;
}

/* The operation of a work, and the names of its attributes. */
static const struct {
    int kind, convolution, alpha, beta, x, w, y;
} operations[SB_N_CUDNN_WORKS] = {
    [SB_CUDNN_FORWARD] = {A_FORWARD_OPERATION, FORWARD_CONVOLUTION, FORWARD_ALPHA, FORWARD_BETA, FORWARD_X, FORWARD_W,
                          FORWARD_Y},
    [SB_CUDNN_DATA] = {A_DATA_OPERATION, DATA_CONVOLUTION, DATA_ALPHA, DATA_BETA, DATA_DX, DATA_W, DATA_DY},
    [SB_CUDNN_FILTER] = {A_FILTER_OPERATION, FILTER_CONVOLUTION, FILTER_ALPHA, FILTER_BETA, FILTER_X, FILTER_DW,
                         FILTER_DY}};

sb_cudnn_object sb_cudnn_graph_operation(sb_cudnn *d, const sb_cudnn_planned *of, sb_cudnn_made *made)
{
    const sb_cudnn_shape *s = &of->shape;
    const int k = s->kernel, less = k - 1 - 2 * s->padding;
    sb_cudnn_object x = make_tensor(d, made, number[X], of->alignment[X], s->n, s->in, s->h + less, s->w + less);
    sb_cudnn_object w = make_tensor(d, made, number[W], of->alignment[W], s->out, s->in, k, k);
    sb_cudnn_object y = make_tensor(d, made, number[Y], of->alignment[Y], s->n, s->out, s->h, s->w);
    sb_cudnn_object convolution = make_convolution(d, made, s->padding);
    sb_cudnn_object o = make(d, made, operations[of->work].kind);
    set_descriptor(d, made, o, operations[of->work].convolution, convolution);
    set_descriptor(d, made, o, operations[of->work].x, x);
    set_descriptor(d, made, o, operations[of->work].w, w);
    set_descriptor(d, made, o, operations[of->work].y, y);
    set(d, made, o, operations[of->work].alpha, OF_FLOAT, 1, &(float){1});
    set(d, made, o, operations[of->work].beta, OF_FLOAT, 1, &of->beta);
    finish(d, made, o);
    return o;
}

static sb_cudnn_object make_graph(sb_cudnn *d, const sb_cudnn_planned *of, sb_cudnn_made *made)
{
    sb_cudnn_object operation = sb_cudnn_graph_operation(d, of, made), o = make(d, made, A_GRAPH);
    set(d, made, o, GRAPH_HANDLE, OF_HANDLE, 1, &d->handle);
    set_descriptor(d, made, o, GRAPH_OPERATIONS, operation);
    finish(d, made, o);
    return o;
}

/* ---- engine configurations ---- */

/* What a mode of the heuristic lists for a graph, the best first. Those that were taken out of it are NULL. */
typedef struct listing {
    sb_cudnn_made heuristic;
    int n;
    sb_cudnn_object configuration[CONFIGURATIONS_MAX];
} listing;

static void drop_listing(sb_cudnn *d, listing *list)
{
    for (int i = 0; i < list->n; i++)
        if (list->configuration[i]) d->backend.destroy(list->configuration[i]);
    sb_cudnn_graph_drop(d, &list->heuristic, 0);
    list->n = 0;
}

/* The results are written into configurations that the caller has made; how many there are is asked first. */
static int list_results(sb_cudnn *d, sb_cudnn_object heuristic, listing *list)
{
    int64_t n = 0, n_given = 0;
    int code = d->backend.get(heuristic, HEURISTIC_RESULTS, OF_DESCRIPTOR, 0, &n, NULL);
    for (; code == SUCCESS && list->n < n && list->n < CONFIGURATIONS_MAX; list->n += code == SUCCESS)
        code = d->backend.create(A_CONFIGURATION, &list->configuration[list->n]);
    if (code != SUCCESS || list->n == 0) return code;
    code = d->backend.get(heuristic, HEURISTIC_RESULTS, OF_DESCRIPTOR, list->n, &n_given, list->configuration);
    while (code == SUCCESS && list->n > n_given) d->backend.destroy(list->configuration[--list->n]);
    return code;
}

/* A mode that knows nothing of such a graph lists nothing. */
static int list_configurations(sb_cudnn *d, sb_cudnn_object graph, int mode, listing *list)
{
    sb_cudnn_object o = make(d, &list->heuristic, A_HEURISTIC);
    set_descriptor(d, &list->heuristic, o, HEURISTIC_GRAPH, graph);
    set(d, &list->heuristic, o, HEURISTIC_MODE, OF_HEURISTIC_MODE, 1, &mode);
    finish(d, &list->heuristic, o);
    int code = list->heuristic.code;
    if (code == SUCCESS) code = list_results(d, o, list);
    return sb_cudnn_is_unsupported(d, code) ? SUCCESS : code;
}

/* As with the functions for convolutions alone: with TF32 tensor cores may be used on float32, but nothing may be
 * rounded to half precision first or be summed in less than float32. A note that is not known here forbids, too. */
bool sb_cudnn_graph_allows(const sb_cudnn *d, int note)
{
    return note == ON_TENSOR_CORES    ? d->tf32
           : note == NONDETERMINISTIC ? d->row.rule != SB_CUDNN_RULE_DETERMINISTIC
                                      : note >= BY_FFT && note <= STRICT_NAN; /* FFT, Winograd and its tiles */
}

/* ---- plans ---- */

static sb_cudnn_object make_plan(sb_cudnn *d, sb_cudnn_made *made, sb_cudnn_object configuration, int64_t *n_bytes)
{
    int64_t n = 0;
    sb_cudnn_object o = make(d, made, A_PLAN);
    set(d, made, o, PLAN_HANDLE, OF_HANDLE, 1, &d->handle);
    set_descriptor(d, made, o, PLAN_CONFIGURATION, configuration);
    finish(d, made, o);
    if (made->code == SUCCESS) made->code = d->backend.get(o, PLAN_WORKSPACE, OF_INT64, 1, &n, n_bytes);
    return o;
}

/* The addresses of x, w and y. */
static void order(sb_cudnn_work work, const sb_cudnn_operands *of, const void *address[3])
{
    address[X] = work == SB_CUDNN_DATA ? of->result : of->a;
    address[W] = work == SB_CUDNN_FORWARD ? of->b : work == SB_CUDNN_DATA ? of->a : of->result;
    address[Y] = work == SB_CUDNN_FORWARD ? of->result : of->b;
}

static int execute(sb_cudnn *d, sb_cudnn_object plan, sb_cudnn_work work, const sb_cudnn_operands *of)
{
    sb_cudnn_made made = {0};
    const void *address[3];
    order(work, of, address);
    sb_cudnn_object o = make(d, &made, A_VARIANT_PACK);
    set(d, &made, o, PACK_NUMBERS, OF_INT64, 3, number);
    set(d, &made, o, PACK_POINTERS, OF_POINTER, 3, address);
    set(d, &made, o, PACK_WORKSPACE, OF_POINTER, 1, &d->workspace);
    finish(d, &made, o);
    int code = made.code;
    if (code == SUCCESS) code = d->backend.execute(d->handle, plan, o);
    sb_cudnn_graph_drop(d, &made, 0);
    return code;
}

/* A plan of the configuration, which is the plan's from now on, computes the convolution. *gives_way: it may not, or
 * does not work here. Then, and where it fails, nothing of it is kept. */
static const char *attempt(sb_cudnn *d, sb_cudnn_plan *p, sb_cudnn_object configuration, const sb_cudnn_operands *of,
                           bool *gives_way)
{
    const char *what = "list of engines";
    const int n = p->made.n;
    int64_t n_bytes = 0;
    bool may = false;
    p->made.object[p->made.n++] = configuration;
    sb_cudnn_engine engine = {0};
    int code = sb_cudnn_graph_engine(d, configuration, false, &engine);
    p->engine = engine.number, may = engine.is_allowed;
    if (code == SUCCESS && may) {
        what = "execution plan";
        p->plan = make_plan(d, &p->made, configuration, &n_bytes);
        code = p->made.code;
        may = n_bytes <= (int64_t)d->row.workspace;
    }
    if (code == SUCCESS && may) what = "convolution", code = execute(d, p->plan, p->of.work, of);
    *gives_way = sb_cudnn_is_unsupported(d, code) || (code == SUCCESS && !may);
    if (code != SUCCESS || !may) sb_cudnn_graph_drop(d, &p->made, n);
    return code == SUCCESS || *gives_way ? NULL : sb_cudnn_failed(d, what, code);
}

/* ---- the choice ---- */

enum { TIMED_MAX = 16, ROUNDS = 5, RUNS = 4 }; /* candidates that are timed; rounds of that number of runs */

/* A search among configurations. best: the one that is taken, without the descriptors of the graph; made.n is 0 while
 * there is none. */
typedef struct search {
    sb_cudnn_operands operands;
    sb_cudnn_plan best;
    bool is_timed;
    int n_timed;
} search;

static size_t result_bytes(sb_cudnn_work work, const sb_cudnn_shape *s)
{
    const size_t less = (size_t)(s->kernel - 1 - 2 * s->padding), h = (size_t)s->h, w = (size_t)s->w;
    const size_t x = (size_t)s->n * (size_t)s->in * (h + less) * (w + less), y = (size_t)s->n * (size_t)s->out * h * w;
    const size_t weights = (size_t)s->in * (size_t)s->out * (size_t)(s->kernel * s->kernel);
    return sizeof(float) * (work == SB_CUDNN_FORWARD ? y : work == SB_CUDNN_DATA ? x : weights);
}

/* The median time of a run. */
static int time_plan(sb_cudnn *d, sb_cudnn_plan *p, const sb_cudnn_operands *of)
{
    double us[ROUNDS];
    int code = SUCCESS;
    for (int round = 0; round < ROUNDS; round++) {
        if (d->wait) d->wait(d->waiter);
        const double began = sb_clock_seconds();
        for (int run = 0; code == SUCCESS && run < RUNS; run++) code = execute(d, p->plan, p->of.work, of);
        if (d->wait) d->wait(d->waiter);
        const double passed = (sb_clock_seconds() - began) * 1e6 / RUNS;
        int at = round;
        for (; at > 0 && us[at - 1] > passed; at--) us[at] = us[at - 1];
        us[at] = passed;
    }
    p->us = us[ROUNDS / 2];
    return code;
}

/* A configuration, which is the search's from now on. */
static const char *try_configuration(sb_cudnn *d, sb_cudnn_plan *candidate, sb_cudnn_object configuration, search *s)
{
    bool gives_way;
    const char *words = attempt(d, candidate, configuration, &s->operands, &gives_way);
    if (words || gives_way) return words;
    if (s->is_timed) {
        const int code = time_plan(d, candidate, &s->operands);
        if (code != SUCCESS) words = sb_cudnn_failed(d, "convolution", code);
        s->n_timed++;
    }
    const bool is_better = !words && (s->best.made.n == 0 || candidate->us < s->best.us);
    sb_cudnn_graph_drop(d, is_better ? &s->best.made : &candidate->made, 0);
    if (is_better) s->best = *candidate;
    return words;
}

static bool is_over(const search *s)
{
    return s->is_timed ? s->n_timed == TIMED_MAX : s->best.made.n > 0;
}

static const char *try_all(sb_cudnn *d, const sb_cudnn_plan *p, sb_cudnn_object graph, search *s)
{
    const char *words = NULL;
    for (int mode = 0; mode < N_MODES && !is_over(s) && !words; mode++) {
        listing list = {0};
        int code = list_configurations(d, graph, modes[mode], &list);
        if (code != SUCCESS) words = sb_cudnn_failed(d, "list of engines", code);
        for (int i = 0; i < list.n && !is_over(s) && !words; i++) {
            sb_cudnn_object configuration = list.configuration[i];
            sb_cudnn_plan candidate = {.of = p->of, .mode = mode, .place = i};
            list.configuration[i] = NULL;
            words = try_configuration(d, &candidate, configuration, s);
        }
        drop_listing(d, &list);
    }
    return words;
}

/* The descriptors of the best candidate after those of the graph. */
static void take_best(sb_cudnn_plan *p, search *s)
{
    const sb_cudnn_made of_graph = p->made;
    *p = s->best;
    p->made = of_graph;
    for (int i = 0; i < s->best.made.n; i++) p->made.object[p->made.n++] = s->best.made.object[i];
}

/* Computes it by the first configuration that may and can, or by the fastest one. Results that are timed go after the
 * workspace, because a run adds to its result; one without room there is not timed. */
static const char *choose(sb_cudnn *d, sb_cudnn_plan *p, const sb_cudnn_operands *of)
{
    search s = {.operands = *of};
    s.is_timed = d->row.rule == SB_CUDNN_RULE_TIMED && result_bytes(p->of.work, &p->of.shape) <= SB_CUDNN_TRIAL;
    if (s.is_timed) s.operands.result = (char *)d->workspace + d->row.workspace;
    sb_cudnn_object graph = make_graph(d, &p->of, &p->made);
    if (p->made.code != SUCCESS) return sb_cudnn_failed(d, "description of a convolution", p->made.code);
    const char *words = try_all(d, p, graph, &s);
    if (words) sb_cudnn_graph_drop(d, &s.best.made, 0);
    if (words) return words;
    if (s.best.made.n == 0) return sb_cudnn_none_left(d, p->of.work, &p->of.shape);
    take_best(p, &s);
    const int code = s.is_timed ? execute(d, p->plan, p->of.work, of) : SUCCESS;
    return code == SUCCESS ? NULL : sb_cudnn_failed(d, "convolution", code);
}

/* ---- convolutions ---- */

static int alignment_of(const void *address)
{
    int bytes = 16;
    while ((uintptr_t)address % (unsigned)bytes) bytes /= 2;
    return bytes;
}

static sb_cudnn_planned planned_of(sb_cudnn_work work, const sb_cudnn_shape *shape, const sb_cudnn_operands *of)
{
    sb_cudnn_planned planned = {.shape = *shape, .work = work, .beta = of->beta};
    const void *address[3];
    order(work, of, address);
    for (int i = 0; i < 3; i++) planned.alignment[i] = alignment_of(address[i]);
    return planned;
}

static const char *convolve(sb_cudnn *d, sb_cudnn_work work, const sb_cudnn_shape *shape, const sb_cudnn_operands *of)
{
    const sb_cudnn_planned planned = planned_of(work, shape, of);
    for (int i = 0; i < d->n_plans; i++)
        if (memcmp(&d->plan[i].of, &planned, sizeof planned) == 0) {
            int code = execute(d, d->plan[i].plan, work, of);
            return code == SUCCESS ? NULL : sb_cudnn_failed(d, "convolution", code);
        }
    if (d->n_plans == sizeof d->plan / sizeof *d->plan) return "more shapes of convolutions than there is room for";
    sb_cudnn_plan *p = &d->plan[d->n_plans];
    *p = (sb_cudnn_plan){.of = planned};
    const char *words = choose(d, p, of);
    if (words)
        sb_cudnn_graph_drop(d, &p->made, 0);
    else
        d->n_plans++;
    return words;
}

static void close_all(sb_cudnn *d)
{
    for (int i = 0; i < d->n_plans; i++) sb_cudnn_graph_drop(d, &d->plan[i].made, 0);
}

/* ---- all configurations ---- */

int sb_cudnn_graph_run(sb_cudnn *d, sb_cudnn_object plan, sb_cudnn_work work, const sb_cudnn_operands *of)
{
    return execute(d, plan, work, of);
}

static const char *visit_mode(sb_cudnn *d, sb_cudnn_object graph, int mode, sb_cudnn_each *each, void *context)
{
    listing list = {0};
    const int code = list_configurations(d, graph, mode, &list);
    const char *words = code == SUCCESS ? NULL : sb_cudnn_failed(d, "list of engines", code);
    for (int i = 0; i < list.n && !words; i++) {
        sb_cudnn_made made = {0};
        int64_t n_bytes = 0;
        sb_cudnn_object plan = make_plan(d, &made, list.configuration[i], &n_bytes);
        words = each(context, mode == MODE_FALLBACK, list.configuration[i], plan, made.code, n_bytes);
        sb_cudnn_graph_drop(d, &made, 0);
    }
    drop_listing(d, &list);
    return words;
}

const char *sb_cudnn_graph_each(sb_cudnn *d, sb_cudnn_work work, const sb_cudnn_shape *shape,
                                const sb_cudnn_operands *of, sb_cudnn_each *each, void *context)
{
    const sb_cudnn_planned planned = planned_of(work, shape, of);
    sb_cudnn_made made = {0};
    const char *words = NULL;
    sb_cudnn_object graph = make_graph(d, &planned, &made);
    if (made.code != SUCCESS) words = sb_cudnn_failed(d, "description of a convolution", made.code);
    for (int mode = 0; mode < N_MODES && !words; mode++) words = visit_mode(d, graph, modes[mode], each, context);
    sb_cudnn_graph_drop(d, &made, 0);
    return words;
}

#define AT(member) offsetof(sb_cudnn, backend.member)
static const sb_cudnn_function functions[] = {{"cudnnBackendCreateDescriptor", AT(create)},
                                              {"cudnnBackendDestroyDescriptor", AT(destroy)},
                                              {"cudnnBackendFinalize", AT(finalize)},
                                              {"cudnnBackendSetAttribute", AT(set)},
                                              {"cudnnBackendGetAttribute", AT(get)},
                                              {"cudnnBackendExecute", AT(execute)},
                                              {0}};

const sb_cudnn_api sb_cudnn_api_graph = {functions, convolve, close_all};
