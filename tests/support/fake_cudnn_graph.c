/* The graph API of the tests' cuDNN: descriptors, each with a table of the attributes that it takes, engines that the
 * heuristic lists (fake_cuda_libraries.h), and plans that compute on the CPU. It refuses what the documentation forbids:
 * other types and counts, what is set after finalization or asked before it, what is missing, what does not fit
 * together, and descriptors that are not there (any more); to destroy such a one ends the program. */
#include "fake_cudnn.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int cudnnBackendCreateDescriptor(int kind, void **made);
int cudnnBackendDestroyDescriptor(void *o);
int cudnnBackendFinalize(void *o);
int cudnnBackendSetAttribute(void *o, int name, int type, int64_t n, const void *values);
int cudnnBackendGetAttribute(void *o, int name, int type, int64_t n_max, int64_t *n, void *values);
int cudnnBackendExecute(void *handle, void *plan, void *pack);

/* ---- the attributes ---- */

enum { CONVOLUTION = 1, ENGINE = 2, CONFIGURATION = 3, HEURISTIC = 4, PLAN = 5 };
enum { FORWARD = 10, FILTER = 11, DATA = 12, GRAPH = 15, PACK = 16, TENSOR = 17 };
enum { HANDLE = 0, DATA_TYPE = 1, INT64 = 3, FLOAT = 4, POINTER = 6, CONVOLUTION_MODE = 7, HEURISTIC_MODE = 8 };
enum { NOTE = 11, DESCRIPTOR = 15, BEHAVIOR_NOTE = 19 };
enum { VALUES_MAX = 4, ATTRIBUTES_MAX = 8 };

/* All are required before finalization; of: the kind of a descriptor. */
static const struct attribute {
    int kind, name, type, n, of;
} attributes[] = {{CONVOLUTION, 100, DATA_TYPE, 1, 0},
                  {CONVOLUTION, 101, CONVOLUTION_MODE, 1, 0},
                  {CONVOLUTION, 102, INT64, 2, 0},
                  {CONVOLUTION, 103, INT64, 2, 0},
                  {CONVOLUTION, 104, INT64, 2, 0},
                  {CONVOLUTION, 105, INT64, 2, 0},
                  {CONVOLUTION, 106, INT64, 1, 0},
                  {HEURISTIC, 200, HEURISTIC_MODE, 1, 0},
                  {HEURISTIC, 201, DESCRIPTOR, 1, GRAPH},
                  {PLAN, 400, HANDLE, 1, 0},
                  {PLAN, 401, DESCRIPTOR, 1, CONFIGURATION},
                  {FORWARD, 700, FLOAT, 1, 0},
                  {FORWARD, 701, FLOAT, 1, 0},
                  {FORWARD, 702, DESCRIPTOR, 1, CONVOLUTION},
                  {FORWARD, 703, DESCRIPTOR, 1, TENSOR},
                  {FORWARD, 704, DESCRIPTOR, 1, TENSOR},
                  {FORWARD, 705, DESCRIPTOR, 1, TENSOR},
                  {DATA, 706, FLOAT, 1, 0},
                  {DATA, 707, FLOAT, 1, 0},
                  {DATA, 708, DESCRIPTOR, 1, CONVOLUTION},
                  {DATA, 709, DESCRIPTOR, 1, TENSOR},
                  {DATA, 710, DESCRIPTOR, 1, TENSOR},
                  {DATA, 711, DESCRIPTOR, 1, TENSOR},
                  {FILTER, 712, FLOAT, 1, 0},
                  {FILTER, 713, FLOAT, 1, 0},
                  {FILTER, 714, DESCRIPTOR, 1, CONVOLUTION},
                  {FILTER, 715, DESCRIPTOR, 1, TENSOR},
                  {FILTER, 716, DESCRIPTOR, 1, TENSOR},
                  {FILTER, 717, DESCRIPTOR, 1, TENSOR},
                  {GRAPH, 800, HANDLE, 1, 0},
                  {GRAPH, 801, DESCRIPTOR, 1, 0},
                  {TENSOR, 900, INT64, 1, 0},
                  {TENSOR, 901, DATA_TYPE, 1, 0},
                  {TENSOR, 902, INT64, 4, 0},
                  {TENSOR, 903, INT64, 4, 0},
                  {TENSOR, 906, INT64, 1, 0},
                  {PACK, 1000, INT64, 3, 0},
                  {PACK, 1001, POINTER, 3, 0},
                  {PACK, 1003, POINTER, 1, 0}};
enum { N_ATTRIBUTES = sizeof attributes / sizeof *attributes };

static size_t size_of(int type)
{
    return type == INT64                                             ? sizeof(int64_t)
           : type == FLOAT                                           ? sizeof(float)
           : type == HANDLE || type == POINTER || type == DESCRIPTOR ? sizeof(void *)
                                                                     : sizeof(int);
}

/* ---- descriptors ---- */

typedef struct descriptor descriptor;
struct descriptor {
    int kind;
    bool is_finalized;
    int engine;        /* of an engine or a configuration that the heuristic gave */
    descriptor *graph; /* ... and what it is for */
    const struct attribute *set[ATTRIBUTES_MAX];
    union {
        int64_t integer[VALUES_MAX];
        int word[VALUES_MAX];
        float real[VALUES_MAX];
        void *pointer[VALUES_MAX];
    } value[ATTRIBUTES_MAX];
};

enum { LIVE_MAX = 8192 };
static descriptor *live[LIVE_MAX];

static int place_of(const void *o)
{
    int i = 0;
    while (i < LIVE_MAX && live[i] != o) i++;
    return i;
}

/* NULL, that is: not there, not of that kind, or, where it is to be, not finalized. */
static descriptor *known(void *o, int kind, bool is_finalized)
{
    descriptor *d = o && place_of(o) < LIVE_MAX ? o : NULL;
    return d && (!kind || d->kind == kind) && d->is_finalized == is_finalized ? d : NULL;
}

static bool is_operation(int kind)
{
    return kind >= FORWARD && kind <= DATA;
}

int cudnnBackendCreateDescriptor(int kind, void **made)
{
    bool exists = (kind >= CONVOLUTION && kind <= PLAN) || is_operation(kind) || (kind >= GRAPH && kind <= TENSOR);
    int place = place_of(NULL);
    *made = (void *)1; /* not to be destroyed */
    if (fake_is_due() || place == LIVE_MAX) return DNN_INTERNAL_ERROR;
    if (!exists) return DNN_NOT_SUPPORTED;
    descriptor *d = calloc(1, sizeof *d);
    if (!d) return DNN_INTERNAL_ERROR;
    d->kind = kind;
    *made = live[place] = d;
    fake_cudnn.n_live++;
    return DNN_OK;
}

int cudnnBackendDestroyDescriptor(void *o)
{
    int place = place_of(o);
    if (!o || place == LIVE_MAX) {
        fprintf(stderr, "fake cuDNN: a descriptor is destroyed that is not there\n");
        abort();
    }
    live[place] = NULL;
    fake_cudnn.n_live--;
    free(o);
    return DNN_OK;
}

/* Where the descriptor holds, or is to hold, the attribute; ATTRIBUTES_MAX: it does not. */
static int find(const descriptor *d, int name)
{
    int i = 0;
    while (i < ATTRIBUTES_MAX && d->set[i] && d->set[i]->name != name) i++;
    return i;
}

static const struct attribute *attribute_of(int kind, int name)
{
    for (int i = 0; i < N_ATTRIBUTES; i++)
        if (attributes[i].kind == kind && attributes[i].name == name) return &attributes[i];
    return NULL;
}

static bool is_value_right(const struct attribute *a, void *value)
{
    if (a->type == HANDLE) return value && ((fake_object *)value)->kind == 'h';
    if (a->type == DESCRIPTOR) return known(value, a->of, true);
    return true;
}

int cudnnBackendSetAttribute(void *o, int name, int type, int64_t n, const void *values)
{
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    descriptor *d = known(o, 0, false);
    const struct attribute *a = d ? attribute_of(d->kind, name) : NULL;
    if (!a || a->type != type || a->n != n || !values) return DNN_BAD_PARAM;
    void *first;
    if (size_of(type) == sizeof first) {
        memcpy(&first, values, sizeof first);
        if (!is_value_right(a, first)) return DNN_BAD_PARAM;
    }
    int i = find(d, name);
    d->set[i] = a;
    memcpy(&d->value[i], values, (size_t)n * size_of(type));
    return DNN_OK;
}

static const int64_t *integers(const descriptor *d, int name)
{
    return d->value[find(d, name)].integer;
}

static int word(const descriptor *d, int name)
{
    return d->value[find(d, name)].word[0];
}

static float real(const descriptor *d, int name)
{
    return d->value[find(d, name)].real[0];
}

/* A descriptor that it holds; NULL where that is not there any more. */
static descriptor *part(const descriptor *d, int name)
{
    return known(d->value[find(d, name)].pointer[0], 0, true);
}

/* ---- what fits together ---- */

static bool is_tensor_right(const descriptor *d)
{
    const int64_t *size = integers(d, 902), *stride = integers(d, 903), alignment = *integers(d, 900);
    bool is_packed = stride[3] == 1 && stride[2] == size[3] && stride[1] == size[2] * size[3] &&
                     stride[0] == size[1] * size[2] * size[3];
    bool is_filled = size[0] > 0 && size[1] > 0 && size[2] > 0 && size[3] > 0;
    return word(d, 901) == 0 && is_packed && is_filled && alignment > 0 && (alignment & (alignment - 1)) == 0;
}

static bool is_pair(const int64_t *pair, int64_t wanted)
{
    return pair[0] == wanted && pair[1] == wanted;
}

static bool is_convolution_right(const descriptor *d)
{
    return word(d, 100) == 0 && word(d, 101) == 1 && is_pair(integers(d, 102), 1) && is_pair(integers(d, 103), 1) &&
           is_pair(integers(d, 104), integers(d, 105)[0]) && integers(d, 105)[0] >= 0 && *integers(d, 106) == 2;
}

/* An operation's tensors by what they are to a convolution, and its other attributes. */
typedef struct operation {
    descriptor *x, *w, *y, *convolution;
    float alpha, beta;
    fake_target to;
} operation;

static operation operation_of(const descriptor *d)
{
    const int first = d->kind == FORWARD ? 700 : d->kind == DATA ? 706 : 712;
    const int x = d->kind == FORWARD ? 704 : d->kind == DATA ? 710 : 716;
    const int w = d->kind == FORWARD ? 703 : d->kind == DATA ? 709 : 715;
    const int y = d->kind == FORWARD ? 705 : d->kind == DATA ? 711 : 717;
    return (operation){.x = part(d, x),
                       .w = part(d, w),
                       .y = part(d, y),
                       .convolution = part(d, first + 2),
                       .alpha = real(d, first),
                       .beta = real(d, first + 1),
                       .to = d->kind == FORWARD ? FAKE_Y
                             : d->kind == DATA  ? FAKE_X
                                                : FAKE_W};
}

static bool is_operation_right(const descriptor *d)
{
    const operation o = operation_of(d);
    if (!o.x || !o.w || !o.y || !o.convolution || o.alpha != 1) return false;
    const int64_t *x = integers(o.x, 902), *w = integers(o.w, 902), *y = integers(o.y, 902);
    const int64_t padding = *integers(o.convolution, 105);
    return x[0] == y[0] && x[1] == w[1] && y[1] == w[0] && y[2] == x[2] + 2 * padding - w[2] + 1 &&
           y[3] == x[3] + 2 * padding - w[3] + 1;
}

/* ---- engines ---- */

enum { MODE_FALLBACK = 2, MODE_A = 3 };

static const struct engine {
    int mode, n_notes, note[3];
} engines[FAKE_ENGINES] = {[FAKE_TO_HALF] = {MODE_A, 2, {0, 1}},     [FAKE_SUMS_HALF] = {MODE_A, 2, {0, 2}},
                           [FAKE_UNKNOWN] = {MODE_A, 1, {21}},       [FAKE_TENSOR_CORES] = {MODE_A, 1, {0}},
                           [FAKE_ATOMICS] = {MODE_A, 2, {9, 4}},     [FAKE_WINOGRAD] = {MODE_A, 3, {5, 7, 9}},
                           [FAKE_PLAIN] = {MODE_A, 0, {0}},          [FAKE_FALLBACK_ATOMICS] = {MODE_FALLBACK, 1, {4}},
                           [FAKE_FALLBACK] = {MODE_FALLBACK, 1, {3}}};

static bool is_in(unsigned set, int engine)
{
    return set >> engine & 1;
}

static int refused(unsigned set, int engine, int code)
{
    fake_cudnn.n_refused += is_in(set, engine);
    return is_in(set, engine) ? code : DNN_OK;
}

static int finalize_heuristic(const descriptor *d)
{
    int mode = word(d, 200);
    if (mode != MODE_A && mode != MODE_FALLBACK) return DNN_BAD_PARAM;
    fake_cudnn.n_searches++;
    return is_in(fake_cudnn.unlisted, mode) ? DNN_NOT_SUPPORTED : DNN_OK;
}

static int finalize_plan(const descriptor *d)
{
    const descriptor *configuration = part(d, 401);
    return configuration ? refused(fake_cudnn.unsized, configuration->engine, DNN_NOT_SUPPORTED) : DNN_BAD_PARAM;
}

int cudnnBackendFinalize(void *o)
{
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    descriptor *d = known(o, 0, false);
    if (!d || d->kind == ENGINE || d->kind == CONFIGURATION) return DNN_BAD_PARAM;
    for (int i = 0; i < N_ATTRIBUTES; i++) {
        int at = find(d, attributes[i].name);
        if (attributes[i].kind == d->kind && (at == ATTRIBUTES_MAX || !d->set[at])) return DNN_BAD_PARAM;
    }
    int code = d->kind == HEURISTIC ? finalize_heuristic(d) : d->kind == PLAN ? finalize_plan(d) : DNN_OK;
    bool is_right = d->kind == TENSOR        ? is_tensor_right(d)
                    : d->kind == CONVOLUTION ? is_convolution_right(d)
                    : is_operation(d->kind)  ? is_operation_right(d)
                    : d->kind == GRAPH       ? part(d, 801) && is_operation(part(d, 801)->kind)
                                             : true;
    if (code == DNN_OK && !is_right) code = DNN_BAD_PARAM;
    d->is_finalized = code == DNN_OK;
    return code;
}

/* ---- what is asked ---- */

/* An engine into a descriptor of that kind that has nothing yet. */
static bool give(void *o, int kind, int engine, descriptor *graph)
{
    descriptor *d = known(o, kind, false);
    if (d) *d = (descriptor){.kind = kind, .is_finalized = true, .engine = engine, .graph = graph};
    return d;
}

/* How many there are counts one more than is given: as cuDNN 9.28 does, which leaves out what it cannot run. */
static int get_results(const descriptor *d, int64_t n_max, int64_t *n, void **results)
{
    *n = 0;
    for (int i = 0; i < FAKE_ENGINES; i++) {
        if (engines[i].mode != word(d, 200) || (n_max > 0 && *n == n_max)) continue;
        if (n_max > 0 && !give(results[*n], CONFIGURATION, i, part(d, 201))) return DNN_BAD_PARAM;
        ++*n;
    }
    *n += n_max == 0;
    return DNN_OK;
}

static int get_notes(const descriptor *d, int64_t n_max, int64_t *n, int *notes)
{
    *n = engines[d->engine].n_notes;
    for (int i = 0; i < *n && i < n_max; i++) notes[i] = engines[d->engine].note[i];
    return DNN_OK;
}

int cudnnBackendGetAttribute(void *o, int name, int type, int64_t n_max, int64_t *n, void *values)
{
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    descriptor *d = known(o, 0, true);
    if (!d || !n || (n_max > 0 && !values)) return DNN_BAD_PARAM;
    if (d->kind == HEURISTIC && name == 202 && type == DESCRIPTOR) return get_results(d, n_max, n, values);
    if (d->kind == ENGINE && name == 1303 && type == NOTE) return get_notes(d, n_max, n, values);
    if (d->kind == ENGINE && name == 1305 && type == BEHAVIOR_NOTE) {
        *n = d->engine == FAKE_WINOGRAD;
        if (*n && n_max) *(int *)values = 0;
        return DNN_OK;
    }
    if (n_max != 1) return DNN_BAD_PARAM;
    *n = 1;
    if (d->kind == ENGINE && name == 1301 && type == INT64) {
        *(int64_t *)values = d->engine;
        return DNN_OK;
    }
    if (d->kind == CONFIGURATION && name == 300 && type == DESCRIPTOR)
        return give(*(void **)values, ENGINE, d->engine, d->graph) ? DNN_OK : DNN_BAD_PARAM;
    if (d->kind != PLAN || name != 402 || type != INT64 || !part(d, 401)) return DNN_BAD_PARAM;
    *(int64_t *)values = is_in(fake_cudnn.large, part(d, 401)->engine) ? (int64_t)fake_cudnn.limit + 1 : FAKE_WORKSPACE;
    return DNN_OK;
}

/* ---- convolutions ---- */

static fake_object shape_of(const descriptor *tensor, int kind)
{
    const int64_t *size = integers(tensor, 902);
    return (fake_object){kind, (int)size[0], (int)size[1], (int)size[2], (int)size[3]};
}

/* The address that the pack has for a tensor, aligned as the tensor says; NULL: it has none. */
static float *address_of(const descriptor *pack, const descriptor *tensor)
{
    for (int i = 0; i < 3; i++) {
        void *address = pack->value[find(pack, 1001)].pointer[i];
        if (integers(pack, 1000)[i] == *integers(tensor, 906))
            return (uintptr_t)address % (uintptr_t)*integers(tensor, 900) == 0 ? address : NULL;
    }
    return NULL;
}

static int compute(const descriptor *d, const descriptor *pack)
{
    const operation o = operation_of(d);
    if (!o.x || !o.w || !o.y || !o.convolution) return DNN_BAD_PARAM;
    if (fake_cudnn.most_images && integers(o.x, 902)[0] > fake_cudnn.most_images) return DNN_NOT_SUPPORTED;
    float *x = address_of(pack, o.x), *w = address_of(pack, o.w), *y = address_of(pack, o.y);
    if (!x || !w || !y || !pack->value[find(pack, 1003)].pointer[0]) return DNN_BAD_PARAM;
    const fake_object x_is = shape_of(o.x, 't'), w_is = shape_of(o.w, 'f'), y_is = shape_of(o.y, 't');
    fake_convolve(&x_is, &w_is, &y_is, x, w, y, o.to, o.beta);
    return DNN_OK;
}

int cudnnBackendExecute(void *handle, void *plan, void *pack)
{
    if (fake_is_due()) return DNN_INTERNAL_ERROR;
    const descriptor *p = known(plan, PLAN, true), *addresses = known(pack, PACK, true);
    const descriptor *configuration = p ? part(p, 401) : NULL;
    const descriptor *graph = configuration ? known(configuration->graph, GRAPH, true) : NULL;
    if (!addresses || !graph || !part(graph, 801) || p->value[find(p, 400)].pointer[0] != handle) return DNN_BAD_PARAM;
    const int engine = configuration->engine;
    if (is_in(fake_cudnn.large, engine)) return DNN_BAD_PARAM;
    int code = refused(fake_cudnn.unsupported, engine, DNN_ARCH_MISMATCH);
    if (code == DNN_OK && is_in(fake_cudnn.broken, engine)) code = DNN_EXECUTION_FAILED;
    if (is_in(fake_cudnn.slow, engine)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (code == DNN_OK) code = compute(part(graph, 801), addresses);
    if (code == DNN_OK) fake_cudnn.used |= 1u << engine;
    return code;
}
