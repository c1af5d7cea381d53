/* cuDNN, opened at run time: the first of libcudnn.so.9 and .8 that starts here, or what SAMEBITS_CUDNN names.
 * Convolutions of n images in NCHW, stride 1, by its documented C interfaces of versions 8 and 9: the functions for
 * convolutions alone, and the graph API.
 *
 * TF32 is off unless asked for: plain multiplications and additions (CUDNN_FMA_MATH; of the graph API engines without
 * tensor cores). An environment that says otherwise is refused (ops/library/library.h). The algorithms' memory is
 * limited, for each choice as its row has it (core/rows/cudnn_choices.h).
 *
 * For each shape and work there is a list of candidates: fixed pairs of an algorithm and a math type or those that
 * cuDNN lists, or the engine configurations that its heuristic lists, mode A first and the fallback after it. The
 * first that this card supports within the limit is taken when the convolution is first computed, and kept: a candidate
 * that has computed once is never given up, so that all windows of a run are computed alike. With the graph API it is
 * an execution plan, made once; beta and how far the addresses are aligned, at most 16 bytes, belong to the shape. */
#ifndef SB_OPS_CUDNN_H
#define SB_OPS_CUDNN_H

#include "core/rows/cudnn_choices.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_cudnn sb_cudnn;

typedef struct sb_cudnn_shape {
    int n, in, out, h, w; /* h x w: of the output */
    int kernel, padding;
} sb_cudnn_shape;

/* Does one start here, on a device that is there? If not, why holds the sentence. */
bool sb_cudnn_found(char *why, size_t size);

/* Of the one that this process has started last; where it has started none, of the first that opens. */
bool sb_cudnn_found_version(char *version, size_t size);

typedef enum sb_cudnn_choice {
#define ROW(ID, name, api, RULE, MIB) SB_CUDNN_##ID,
    SB_CUDNN_CHOICES(ROW)
#undef ROW
        SB_N_CUDNN_CHOICES
} sb_cudnn_choice;
extern const char *const sb_cudnn_choice_name[SB_N_CUDNN_CHOICES]; /* "deterministic", "heuristic", ... */

/* Bytes of device memory that all algorithms of a choice work in, one after the other: the limit itself. choice: by its
 * name, NULL being the first. SB_E_USAGE: no such choice. */
sb_status sb_cudnn_workspace(const char *choice, size_t *n_bytes);

/* Work goes to the stream (cudaStream_t); workspace holds what sb_cudnn_workspace says, and stays the caller's.
 * version: "8.9" or "8.9.6", and no other is taken; NULL, "any": whichever starts. SB_E_MISSING: no library, or none of
 * that version and with the choice's functions starts; SB_E_USAGE: no such choice, by its name, NULL being the first, or
 * the environment changes the arithmetic. */
sb_status sb_cudnn_open_library(sb_cudnn **dnn, void *stream, void *workspace, const char *choice, const char *version,
                                bool tf32);
void sb_cudnn_close(sb_cudnn *dnn); /* NULL is fine */
const char *sb_cudnn_version(const sb_cudnn *dnn);

typedef enum sb_cudnn_work { SB_CUDNN_FORWARD, SB_CUDNN_DATA, SB_CUDNN_FILTER, SB_N_CUDNN_WORKS } sb_cudnn_work;

/* result = beta result + the work of (a, b): FORWARD y of (x, w), DATA dx of (w, dy), FILTER dw of (x, dy). The first
 * call for a shape and a work chooses, and must not be part of a graph that is being recorded. Where the choice is of
 * fixed algorithms and not the first one is taken, a line on stderr says so. NULL, or what went wrong; then nothing was
 * computed, and the next call begins anew. */
const char *sb_cudnn_convolve(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const void *a,
                              const void *b, float beta, void *result);

#endif
