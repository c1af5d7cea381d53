/* Shared by cudnn.c (the library), cudnn_calls.c and cudnn_graph.c (convolutions by each of its interfaces): its
 * functions, declared here so that no header of it is needed at build time. */
#pragma once

#include "ops/library/cudnn.h"

#include <stdint.h>

typedef void *sb_cudnn_object; /* handles and descriptors */
/* With several frames at once, windows of each length have shapes of their own. */
enum { SB_CUDNN_SUCCESS = 0, SB_CUDNN_SHAPES_MAX = 512, SB_CUDNN_PLANS_MAX = 768, SB_CUDNN_LIST_MAX = 32 };

/* The arguments and the result of a convolution. */
typedef struct sb_cudnn_operands {
    const void *a, *b;
    float beta;
    void *result;
} sb_cudnn_operands;

/* ---- the two interfaces ---- */

/* A function of cuDNN, and the member of sb_cudnn that gets its address. */
typedef struct sb_cudnn_function {
    const char *name;
    size_t member;
} sb_cudnn_function;

typedef struct sb_cudnn_api {
    const sb_cudnn_function *functions; /* that it needs in addition to the library's, ended by a row without a name */
    const char *(*convolve)(sb_cudnn *d, sb_cudnn_work work, const sb_cudnn_shape *shape, const sb_cudnn_operands *of);
    void (*close)(sb_cudnn *d); /* frees what convolve has kept */
} sb_cudnn_api;
extern const sb_cudnn_api sb_cudnn_api_calls, sb_cudnn_api_graph;

/* RULE in core/rows/cudnn_choices.h. */
typedef enum sb_cudnn_rule { SB_CUDNN_RULE_DETERMINISTIC, SB_CUDNN_RULE_GUESSED, SB_CUDNN_RULE_TIMED } sb_cudnn_rule;

/* Bytes after the workspace for results that are only timed. */
enum { SB_CUDNN_TRIAL = 128 << 20 };

typedef struct sb_cudnn_choice_row {
    const sb_cudnn_api *api;
    sb_cudnn_rule rule;
    size_t workspace; /* bytes: the limit */
} sb_cudnn_choice_row;

/* ---- one function for each kind of convolution ---- */

/* cudnnMathType_t */
enum { SB_CUDNN_DEFAULT_MATH = 0, SB_CUDNN_TENSOR_OP_MATH = 1, SB_CUDNN_FMA_MATH = 3 };

/* cudnnConvolutionFwdAlgoPerf_t, and its twins of the gradients. */
typedef struct sb_cudnn_listed {
    int algorithm, status;
    float milliseconds;
    size_t n_bytes;
    int determinism, math, reserved[3];
} sb_cudnn_listed;

/* cudnnGetConvolution...Algorithm_v7: the best first. */
typedef int sb_cudnn_search(sb_cudnn_object, sb_cudnn_object, sb_cudnn_object, sb_cudnn_object, sb_cudnn_object,
                            int n_max, int *n, sb_cudnn_listed *);

typedef struct sb_cudnn_candidate {
    int algorithm, math;
} sb_cudnn_candidate;

/* How a work on a shape is computed: by candidate `at`; none if all candidates failed. */
typedef struct sb_cudnn_way {
    sb_cudnn_object convolution; /* descriptor, with the math type of the candidate */
    sb_cudnn_candidate candidate[SB_CUDNN_LIST_MAX];
    int n, at;
    bool is_listed;  /* the candidates are known */
    bool is_sized;   /* n_bytes is the memory of this candidate, with its math type */
    bool has_worked; /* this candidate is used for all later calls */
    size_t n_bytes;
} sb_cudnn_way;

/* One shape of convolution, described once. */
typedef struct sb_cudnn_described {
    sb_cudnn_shape shape;
    sb_cudnn_object x, y, filter;
    sb_cudnn_way way[SB_N_CUDNN_WORKS];
} sb_cudnn_described;

/* ---- the graph API ---- */

/* Descriptors in the order in which they were made, each perhaps of those before it. */
enum { SB_CUDNN_MADE_MAX = 8 }; /* for a plan: x, w, y, convolution, operation, graph, configuration, plan */
typedef struct sb_cudnn_made {
    int n;
    int code; /* of the first call that failed; later calls are skipped */
    sb_cudnn_object object[SB_CUDNN_MADE_MAX];
} sb_cudnn_made;

/* What an execution plan computes. alignment: in bytes, of x, w, y or their gradients. */
typedef struct sb_cudnn_planned {
    sb_cudnn_shape shape;
    sb_cudnn_work work;
    float beta;
    int alignment[3];
} sb_cudnn_planned;

/* One that has computed once. */
typedef struct sb_cudnn_plan {
    sb_cudnn_planned of;
    sb_cudnn_object plan; /* of the last configuration made */
    sb_cudnn_made made;
    int mode, place; /* the heuristic's mode, 0 or 1, and the place of the configuration in its list */
    long engine;     /* cuDNN's number of the engine */
    double us;       /* of one run; 0: not timed */
} sb_cudnn_plan;

/* cudnnBackend... */
typedef struct sb_cudnn_backend {
    int (*create)(int kind, sb_cudnn_object *), (*destroy)(sb_cudnn_object), (*finalize)(sb_cudnn_object);
    int (*set)(sb_cudnn_object, int name, int type, int64_t n, const void *);
    int (*get)(sb_cudnn_object, int name, int type, int64_t n_max, int64_t *n, void *);
    int (*execute)(sb_cudnn_object handle, sb_cudnn_object plan, sb_cudnn_object pack);
} sb_cudnn_backend;

/* A batch for which no candidate works here. */
typedef struct sb_cudnn_refusal {
    sb_cudnn_shape shape;
    sb_cudnn_work work;
} sb_cudnn_refusal;

struct sb_cudnn {
    void *library;
    sb_cudnn_object handle;
    void *stream, *workspace; /* as it is to be started */
    const char *wanted;       /* version; NULL: any */
    sb_cudnn_choice choice;
    sb_cudnn_choice_row row;
    bool tf32;
    sb_cudnn_wait *wait; /* NULL: the library computes at once */
    void *waiter;
    int n_shapes, n_plans; /* of the interface that computes: shapes described, or plans made */
    sb_cudnn_described shape[SB_CUDNN_SHAPES_MAX];
    sb_cudnn_plan plan[SB_CUDNN_PLANS_MAX];
    sb_cudnn_refusal refused[SB_CUDNN_SHAPES_MAX];
    int n_refused;
    char words[256], version[32];
    size_t (*get_version)(void);
    const char *(*error_string)(int status);
    int (*create)(sb_cudnn_object *), (*destroy)(sb_cudnn_object), (*set_stream)(sb_cudnn_object, void *stream);
    int (*create_tensor)(sb_cudnn_object *), (*destroy_tensor)(sb_cudnn_object);
    int (*create_filter)(sb_cudnn_object *), (*destroy_filter)(sb_cudnn_object);
    int (*create_convolution)(sb_cudnn_object *), (*destroy_convolution)(sb_cudnn_object);
    int (*set_tensor)(sb_cudnn_object, int format, int type, int n, int c, int h, int w);
    int (*set_filter)(sb_cudnn_object, int type, int format, int k, int c, int h, int w);
    int (*set_convolution)(sb_cudnn_object, int pad_h, int pad_w, int u, int v, int dilation_h, int dilation_w,
                           int mode, int type);
    int (*set_math)(sb_cudnn_object, int math);
    sb_cudnn_search *guess[SB_N_CUDNN_WORKS];
    int (*size[SB_N_CUDNN_WORKS])(sb_cudnn_object, sb_cudnn_object, sb_cudnn_object, sb_cudnn_object, sb_cudnn_object,
                                  int algorithm, size_t *n_bytes);
    int (*convolve[SB_N_CUDNN_WORKS])(sb_cudnn_object, const void *alpha, sb_cudnn_object, const void *,
                                      sb_cudnn_object, const void *, sb_cudnn_object, int algorithm, void *workspace,
                                      size_t n_bytes, const void *beta, sb_cudnn_object, void *);
    sb_cudnn_backend backend;
};

/* ---- messages of both ---- */

extern const char *const sb_cudnn_work_name[SB_N_CUDNN_WORKS]; /* "forward convolution", ... */

/* Is that CUDNN_STATUS_NOT_SUPPORTED or one of its subcodes? */
bool sb_cudnn_is_unsupported(const sb_cudnn *d, int code);

/* The messages that sb_cudnn_convolve returns. */
const char *sb_cudnn_failed(sb_cudnn *d, const char *what, int code);
const char *sb_cudnn_none_left(sb_cudnn *d, sb_cudnn_work work, const sb_cudnn_shape *shape);

/* x, w and y, tensors of the shape by the graph API, the convolution and its operation, the last one returned: what can
 * be made without a device. made->code is the first failed call's. */
sb_cudnn_object sb_cudnn_graph_operation(sb_cudnn *d, const sb_cudnn_planned *of, sb_cudnn_made *made);
void sb_cudnn_graph_drop(sb_cudnn *d, sb_cudnn_made *made, int n); /* all after the first n */

/* Call each for the engine configurations that the heuristic lists for a convolution, the best first, then those of the
 * fallback. The configuration and the plan are valid until each returns. code: of making the plan; n_bytes: the memory
 * that the plan works in. A message that each returns ends the visit. Returns this message, the message of a failed call
 * of the heuristic, or NULL. */
typedef const char *sb_cudnn_each(void *context, bool is_fallback, sb_cudnn_object configuration, sb_cudnn_object plan,
                                  int code, int64_t n_bytes);
const char *sb_cudnn_graph_each(sb_cudnn *d, sb_cudnn_work work, const sb_cudnn_shape *shape,
                                const sb_cudnn_operands *of, sb_cudnn_each *each, void *context);

/* May the choice of d take an engine with that numerical note? */
bool sb_cudnn_graph_allows(const sb_cudnn *d, int note);

/* Read number, notes and is_allowed of a configuration's engine; its behavior notes only if they are asked for. A code
 * of cuDNN. */
int sb_cudnn_graph_engine(sb_cudnn *d, sb_cudnn_object configuration, bool with_behavior, sb_cudnn_engine *e);

/* Compute a convolution by a plan; a code of cuDNN. */
int sb_cudnn_graph_run(sb_cudnn *d, sb_cudnn_object plan, sb_cudnn_work work, const sb_cudnn_operands *of);
