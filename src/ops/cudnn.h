/* cuDNN, opened at run time: libcudnn.so.9 or .8, or what SAMEBITS_CUDNN names. 3x3 convolutions of one image in NCHW,
 * stride 1, padding 1, by its documented C interface of versions 7 to 9.
 *
 * TF32 is off (CUDNN_FMA_MATH) unless asked for. The algorithms' memory is at most 8 MiB, as the library of the study has
 * it (Chainer's max_workspace_size). */
#ifndef SB_OPS_CUDNN_H
#define SB_OPS_CUDNN_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_cudnn sb_cudnn;

typedef struct sb_cudnn_shape {
    int in, out, h, w;
} sb_cudnn_shape;

/* Is it here? If not, why holds the sentence. */
bool sb_cudnn_found(char *why, size_t size);
bool sb_cudnn_found_version(char *version, size_t size);

typedef enum sb_cudnn_choice {
    SB_CUDNN_DETERMINISTIC, /* the fixed ones that cuDNN documents as deterministic */
    SB_CUDNN_ATOMICS,       /* fixed ones whose gradients add with atomics */
    SB_CUDNN_HEURISTIC,     /* cuDNN's guess for each shape: what the library of the study does */
    SB_CUDNN_TIMED,         /* the fastest of a trial of each on this device: another one when the machine is busy */
    SB_N_CUDNN_CHOICES
} sb_cudnn_choice;
extern const char *const sb_cudnn_choice_name[SB_N_CUDNN_CHOICES]; /* "deterministic", "atomics", ... */

/* Work goes to the stream (cudaStream_t). SB_E_MISSING: no library, or it does not start; SB_E_USAGE: no such choice,
 * by its name, NULL being the first. */
sb_status sb_cudnn_open_library(sb_cudnn **dnn, void *stream, const char *choice, bool tf32);
void sb_cudnn_close(sb_cudnn *dnn); /* NULL is fine */
const char *sb_cudnn_version(const sb_cudnn *dnn);

typedef enum sb_cudnn_work { SB_CUDNN_FORWARD, SB_CUDNN_DATA, SB_CUDNN_FILTER } sb_cudnn_work;

/* Device memory that the work needs beside its arguments; the algorithm for this shape is chosen here. *words: NULL, or
 * what went wrong. */
size_t sb_cudnn_workspace(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const char **words);

/* result = beta result + the work of (a, b): FORWARD y of (x, w), DATA dx of (w, dy), FILTER dw of (x, dy). NULL, or
 * what went wrong. */
const char *sb_cudnn_convolve(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const void *a,
                              const void *b, float beta, void *result, void *workspace, size_t n_bytes);

#endif
