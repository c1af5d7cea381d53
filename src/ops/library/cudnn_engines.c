/* What an engine of cuDNN's graph API says about itself. The numbers are those of cudnn_graph.h of 9 and of
 * cudnn_backend.h of 8.9. */
#include "ops/library/cudnn_parts.h"

#include <assert.h>
#include <stdio.h>

enum {
    AN_ENGINE = 2,
    CONFIGURATION_ENGINE = 300,
    ENGINE_NUMBER = 1301,
    ENGINE_NUMERICAL = 1303,
    ENGINE_BEHAVIOR = 1305
};
enum { OF_INT64 = 3, OF_NUMERICAL = 11, OF_DESCRIPTOR = 15, OF_BEHAVIOR = 19, NOTES_MAX = 32 };

const char *const sb_cudnn_numerical_notes[] = {
    "tensor cores", "rounds inputs", "rounds sums", "FFT", "nondeterministic", "Winograd", "4x4",
    "6x6",          "13x13",         "strict NaN",  NULL};
const char *const sb_cudnn_behavior_notes[] = {"compiled at run time", "int8 filter",    "int8 bias",
                                               "native graph",         "needs cuBLASLt", NULL};

struct sb_cudnn_trial {
    sb_cudnn *dnn;
    sb_cudnn_object plan;
    sb_cudnn_work work;
    const sb_cudnn_operands *of;
};

const char *sb_cudnn_try(const sb_cudnn_trial *trial)
{
    const int code = sb_cudnn_graph_run(trial->dnn, trial->plan, trial->work, trial->of);
    return code == SB_CUDNN_SUCCESS ? NULL : sb_cudnn_failed(trial->dnn, "convolution", code);
}

/* ---- an engine ---- */

/* Notes as bits. *is_known: each has a bit. */
static int read_notes(sb_cudnn *d, sb_cudnn_object engine, int name, int type, unsigned *set, bool *is_known)
{
    int notes[NOTES_MAX];
    int64_t n = 0;
    const int code = d->backend.get(engine, name, type, NOTES_MAX, &n, notes);
    *set = 0, *is_known = code == SB_CUDNN_SUCCESS && n <= NOTES_MAX;
    for (int i = 0; *is_known && i < n; i++) {
        *is_known = notes[i] >= 0 && notes[i] < NOTES_MAX;
        if (*is_known) *set |= 1u << notes[i];
    }
    return code;
}

static int read_engine(sb_cudnn *d, sb_cudnn_object engine, sb_cudnn_engine *e)
{
    int64_t n = 0, number;
    int code = d->backend.get(engine, ENGINE_NUMBER, OF_INT64, 1, &n, &number);
    if (code != SB_CUDNN_SUCCESS) return code;
    e->number = (long)number;
    code = read_notes(d, engine, ENGINE_NUMERICAL, OF_NUMERICAL, &e->numerical, &e->is_allowed);
    for (int note = 0; note < NOTES_MAX && e->is_allowed; note++)
        if (e->numerical >> note & 1) e->is_allowed = sb_cudnn_graph_allows(d, note);
    return code;
}

int sb_cudnn_graph_engine(sb_cudnn *d, sb_cudnn_object configuration, bool with_behavior, sb_cudnn_engine *e)
{
    sb_cudnn_object engine = NULL;
    int64_t n = 0;
    bool is_known;
    int code = d->backend.create(AN_ENGINE, &engine);
    if (code != SB_CUDNN_SUCCESS) return code;
    code = d->backend.get(configuration, CONFIGURATION_ENGINE, OF_DESCRIPTOR, 1, &n, &engine);
    if (code == SB_CUDNN_SUCCESS) code = read_engine(d, engine, e);
    /* A cuDNN without such notes has none. */
    if (code == SB_CUDNN_SUCCESS && with_behavior)
        read_notes(d, engine, ENGINE_BEHAVIOR, OF_BEHAVIOR, &e->behavior, &is_known);
    d->backend.destroy(engine);
    return code;
}

/* ---- all of them ---- */

typedef struct tour {
    sb_cudnn *dnn;
    sb_cudnn_work work;
    const sb_cudnn_operands *of;
    sb_cudnn_look *look;
    void *context;
} tour;

static const char *visit(void *context, bool is_fallback, sb_cudnn_object configuration, sb_cudnn_object plan,
                         int planned, int64_t n_bytes)
{
    const tour *t = context;
    sb_cudnn *d = t->dnn;
    sb_cudnn_engine engine = {.is_fallback = is_fallback, .n_bytes = (long)n_bytes};
    const sb_cudnn_trial trial = {d, plan, t->work, t->of};
    char words[64];
    const int code = sb_cudnn_graph_engine(d, configuration, true, &engine);
    if (code != SB_CUDNN_SUCCESS) return sb_cudnn_failed(d, "list of engines", code);
    if (planned != SB_CUDNN_SUCCESS) {
        engine.refusal = sb_cudnn_failed(d, "execution plan", planned);
    } else if (n_bytes > (int64_t)d->row.workspace) {
        snprintf(words, sizeof words, "wants more than %zu MiB", d->row.workspace >> 20);
        engine.refusal = words;
    }
    t->look(t->context, &engine, engine.refusal ? NULL : &trial);
    return NULL;
}

const char *sb_cudnn_engines(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const void *a,
                             const void *b, float beta, void *result, sb_cudnn_look *look, void *context)
{
    const sb_cudnn_operands operands = {a, b, beta, result};
    tour t = {dnn, work, &operands, look, context};
    assert(dnn->row.api == &sb_cudnn_api_graph);
    return sb_cudnn_graph_each(dnn, work, shape, &operands, visit, &t);
}
