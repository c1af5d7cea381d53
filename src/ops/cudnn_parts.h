/* What cudnn.c (the library) and cudnn_convolve.c (shapes, algorithms, convolutions) share: its functions, declared
 * here so that no header of it is needed at build time. */
#ifndef SB_OPS_CUDNN_PARTS_H
#define SB_OPS_CUDNN_PARTS_H

#include "ops/cudnn.h"

typedef void *sb_cudnn_object; /* handles and descriptors */
enum { SB_CUDNN_SUCCESS = 0, SB_CUDNN_SHAPES_MAX = 64, SB_CUDNN_LIST_MAX = 32 };

/* cudnnMathType_t */
enum { SB_CUDNN_DEFAULT_MATH = 0, SB_CUDNN_TENSOR_OP_MATH = 1, SB_CUDNN_FMA_MATH = 3 };

/* cudnnConvolutionFwdAlgoPerf_t, and its twins of the gradients. */
typedef struct sb_cudnn_listed {
    int algorithm, status;
    float milliseconds;
    size_t n_bytes;
    int determinism, math, reserved[3];
} sb_cudnn_listed;

/* cudnnGetConvolution...Algorithm_v7 and cudnnFindConvolution...Algorithm: the best first. */
typedef int sb_cudnn_search(sb_cudnn_object, sb_cudnn_object, sb_cudnn_object, sb_cudnn_object, sb_cudnn_object,
                            int n_max, int *n, sb_cudnn_listed *);

typedef struct sb_cudnn_candidate {
    int algorithm, math;
} sb_cudnn_candidate;

/* How a work on a shape is computed: by candidate `at`, or by none that is left. */
typedef struct sb_cudnn_way {
    sb_cudnn_object convolution; /* descriptor, with the math type of the candidate */
    sb_cudnn_candidate candidate[SB_CUDNN_LIST_MAX];
    int n, at;
    bool is_listed;  /* the candidates are known */
    bool is_sized;   /* n_bytes is the memory of this candidate, with its math type */
    bool has_worked; /* this one it is, for good */
    size_t n_bytes;
} sb_cudnn_way;

/* One shape of convolution, described once. */
typedef struct sb_cudnn_described {
    sb_cudnn_shape shape;
    sb_cudnn_object x, y, filter;
    sb_cudnn_way way[SB_N_CUDNN_WORKS];
} sb_cudnn_described;

struct sb_cudnn {
    void *library;
    sb_cudnn_object handle;
    void *stream, *workspace; /* as it is to be started */
    const char *wanted;       /* version; NULL: any */
    sb_cudnn_choice choice;
    bool tf32;
    int n_shapes;
    sb_cudnn_described shape[SB_CUDNN_SHAPES_MAX];
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
    sb_cudnn_search *guess[SB_N_CUDNN_WORKS], *time[SB_N_CUDNN_WORKS];
    int (*size[SB_N_CUDNN_WORKS])(sb_cudnn_object, sb_cudnn_object, sb_cudnn_object, sb_cudnn_object, sb_cudnn_object,
                                  int algorithm, size_t *n_bytes);
    int (*convolve[SB_N_CUDNN_WORKS])(sb_cudnn_object, const void *alpha, sb_cudnn_object, const void *,
                                      sb_cudnn_object, const void *, sb_cudnn_object, int algorithm, void *workspace,
                                      size_t n_bytes, const void *beta, sb_cudnn_object, void *);
};

/* Give the descriptors of a shape back, those that are there. */
void sb_cudnn_forget(sb_cudnn *d, sb_cudnn_described *s);

#endif
