/* cuDNN, opened at run time: the first of libcudnn.so.9 and .8 that starts here, or the file named by SAMEBITS_CUDNN.
 * Convolutions of n images in NCHW, stride 1, by the documented C interfaces of versions 8 and 9: the functions for
 * single convolutions, and the graph API.
 *
 * TF32 is off by default: CUDNN_FMA_MATH, or in the graph API engines without tensor cores. An environment that changes
 * this is refused (ops/library/library.h). The row of each choice limits the algorithms' memory
 * (core/rows/cudnn_choices.h).
 *
 * Each shape and work has a list of candidates: fixed pairs of an algorithm and a math type, the pairs that cuDNN
 * lists, or the engine configurations that its heuristic lists (mode A first, then the fallback). The first call for a
 * shape chooses the first candidate that this GPU supports within the memory limit. Later calls always use the same
 * candidate, so all windows of a run are computed alike. With the graph API a candidate is an execution plan, made once
 * for each shape, beta and alignment of the addresses (at most 16 bytes).
 *
 * `graph-timed` makes plans of up to 16 candidates and takes the fastest one: the median of five rounds after a first
 * run. Another run can choose otherwise, and then has other bits. */
#pragma once

#include "core/machine/facts.h"
#include "core/rows/cudnn_choices.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_cudnn sb_cudnn;

typedef struct sb_cudnn_shape {
    int n, in, out, h, w; /* images, channels, size of the output */
    int kernel, padding;
} sb_cudnn_shape;

/* Does a version start here, on an existing device? If not, `why` is set to a message. */
bool sb_cudnn_found(char *why, size_t size);

/* The version that this process started last, or if it started none, the first that opens. False: there is none. */
bool sb_cudnn_found_version(char *version, size_t size);

typedef enum sb_cudnn_choice {
#define ROW(ID, name, api, RULE, MIB) SB_CUDNN_##ID,
    SB_CUDNN_CHOICES(ROW)
#undef ROW
        SB_N_CUDNN_CHOICES
} sb_cudnn_choice;
extern const char *const sb_cudnn_choice_name[SB_N_CUDNN_CHOICES]; /* "deterministic", "heuristic", ... */

/* Bytes of device memory for the algorithms of a choice, which use it one after the other: the choice's limit, and for
 * `graph-timed` room for results. choice: its name; NULL: the first choice. SB_E_USAGE: no such choice. */
sb_status sb_cudnn_workspace(const char *choice, size_t *n_bytes);

/* Open the library; work goes to the stream (cudaStream_t). workspace has the size of sb_cudnn_workspace and stays the
 * caller's. choice: as above. version: only "8.9" or "8.9.6" is accepted; NULL, "any": any version that starts.
 * SB_E_MISSING: no library of that version with the choice's functions starts. SB_E_USAGE: no such choice, or the
 * environment changes the arithmetic. */
sb_status sb_cudnn_open_library(sb_cudnn **dnn, void *stream, void *workspace, const char *choice, const char *version,
                                bool tf32);
void sb_cudnn_close(sb_cudnn *dnn); /* NULL does nothing */
const char *sb_cudnn_version(const sb_cudnn *dnn);

/* For `graph-timed`: what waits until the work on the stream has ended. Without this call cuDNN must compute at once. */
typedef void sb_cudnn_wait(void *waiter);
void sb_cudnn_wait_by(sb_cudnn *dnn, sb_cudnn_wait *wait, void *waiter);

/* Add the engines that were chosen so far by the graph API, several in a fact: "cudnn_engines", "cudnn_engines_2", ...
 * Of each: the work, images x inputs-outputs, width x height of the output, A or F (fallback) and the place in that list
 * of the heuristic, cuDNN's number of the engine, and microseconds if it was timed. */
void sb_cudnn_facts(const sb_cudnn *dnn, sb_facts *facts);

typedef enum sb_cudnn_work { SB_CUDNN_FORWARD, SB_CUDNN_DATA, SB_CUDNN_FILTER, SB_N_CUDNN_WORKS } sb_cudnn_work;

/* ---- all engines for a convolution ---- */

/* An engine configuration of the graph API. */
typedef struct sb_cudnn_engine {
    bool is_fallback;    /* listed by the fallback of the heuristic; else by its mode A */
    long number;         /* of the engine */
    unsigned numerical;  /* bit n: note n of cudnnBackendNumericalNote_t */
    unsigned behavior;   /* bit n: note n of cudnnBackendBehaviorNote_t */
    bool is_allowed;     /* by the choice of the open library and its TF32 */
    long n_bytes;        /* of memory that it works in */
    const char *refusal; /* why it cannot run here; NULL: it can */
} sb_cudnn_engine;

/* Names of the notes: "tensor cores", ...; NULL after the last one that is known here. */
extern const char *const sb_cudnn_numerical_notes[], *const sb_cudnn_behavior_notes[];

/* The convolution by that configuration, to be put on the stream by sb_cudnn_try, which returns NULL or a message. */
typedef struct sb_cudnn_trial sb_cudnn_trial;
const char *sb_cudnn_try(const sb_cudnn_trial *trial);

/* Call look for each configuration that the heuristic lists for a convolution, the best first. trial is NULL where there
 * is a refusal. The choice must be one of the graph API. Returns NULL, or a message if the heuristic fails. */
typedef void sb_cudnn_look(void *context, const sb_cudnn_engine *engine, const sb_cudnn_trial *trial);
const char *sb_cudnn_engines(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const void *a,
                             const void *b, float beta, void *result, sb_cudnn_look *look, void *context);

/* ---- convolutions ---- */

/* result = beta result + the work of (a, b): FORWARD y of (x, w), DATA dx of (w, dy), FILTER dw of (x, dy). The first
 * call for a shape and a work chooses the candidate; it must not happen while a graph is recorded. If the choice has
 * fixed algorithms and the first is not usable, a line on stderr says which one is used. Returns NULL, or an error
 * message; then nothing was computed, and the next call chooses again. */
const char *sb_cudnn_convolve(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const void *a,
                              const void *b, float beta, void *result);

/* Has sb_cudnn_convolve found no candidate for this before? */
bool sb_cudnn_refused(const sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape);
