/* One case of the benchmark: a network of some shape on a backend, with its times in all rounds. */
#pragma once

#include "core/rows/setting.h"
#include "data/input.h"
#include "net/models.h"
#include "net/prednet/prednet.h"
#include "net/sequential/sequential.h"
#include "ops/context.h"
#include "train/trainer.h"

#include <stdint.h>

/* Floating-point operations of a window, counted as direct convolution: two for each weight of a kernel at every output
 * pixel, also where it meets zero padding, as libraries count. Only convolutions, dense layers and attention count;
 * elementwise operations are below one percent. */
typedef struct sb_flop {
    double forward, data_gradient, weight_gradient;
} sb_flop;

static inline double sb_flop_total(sb_flop flop)
{
    return flop.forward + flop.data_gradient + flop.weight_gradient;
}

/* One window of shape->window frames at the start of a sequence. Leaves out gradients that are not computed: of the
 * window's first inputs (R and the lowest E), and of the last frame's P_1, P_2, ..., which only the next window
 * reads. */
sb_flop sb_flop_prednet(const sb_prednet_shape *shape);

/* One update of a network of layers on a batch. Leaves out the gradient of the first learning layer's input, which is
 * not computed. SB_E_USAGE: a layer does not fit. */
sb_status sb_flop_layers(const sb_layer_list *list, int batch, sb_flop *flop);

/* The networks that classify images, and the one that predicts tokens, and what the benchmark measures of them: learning,
 * evaluation, evolution (not of tokens), and peak memory.
 *
 *     ROW(name, channels, side, classes, optimizer, has_arithmetic, batch, other_batch)
 *
 * name            the network, and the study that learns. NAME-evaluation predicts, NAME-evolution evaluates a
 *                 generation of individuals, each on the batch, NAME-memory learns once, NAME-path models a GPU,
 *                 NAME-kernels measures the kernels of one
 * channels, side  of the images; of text 1
 * classes         of the images; of text, its vocabulary: 65 as in the works of Shakespeare
 * has_arithmetic  are there layers that `winograd` and `direct` compute differently?
 * batch, other    images or windows of an update, and a second size; 0: no second size
 */

/* clang-format off */
#define SB_BENCH_NETWORKS(ROW)                                                                                         \
    ROW(resnet9, 3, 32, 10, "nesterov-buffer", true,  512, 0)                                                          \
    ROW(lenet,   1, 28, 10, "momentum-buffer", false, 32,  4096)                                                       \
    ROW(mlp,     1, 14, 10, "momentum-buffer", false, 256, 0)                                                          \
    ROW(gpt,     1, 1,  65, "adamw",           false, 8,   0)
/* clang-format on */

/* "|resnet9|resnet9-evaluation|...": the words for --only. */
#define SB_BENCH_NETWORK_PARTS(name, ...)                                                                              \
    "|" #name "|" #name "-evaluation|" #name "-evolution|" #name "-memory|" #name "-path|" #name "-kernels"

typedef struct sb_bench_network {
    const char *model, *evaluation, *evolution, *memory, *path, *kernels;
    sb_data_shape data;
    const char *optimizer;
    bool has_arithmetic;
    int n_batches;
    long batch[2];
} sb_bench_network;

#define SB_BENCH_NETWORK_ID(name, ...) SB_BENCH_##name,
enum { SB_BENCH_NETWORKS(SB_BENCH_NETWORK_ID) SB_N_BENCH_NETWORKS };
extern const sb_bench_network sb_bench_networks[SB_N_BENCH_NETWORKS];

/* The row of a model; NULL: there is none. */
const sb_bench_network *sb_bench_network_find(const char *model);

/* Set model and optimizer in settings. For resnet9 the network is the one usual in PyTorch (batch norm after pools,
 * celu), without ghost batch norm and whitening. */
void sb_bench_network_settings(const sb_bench_network *network, sb_settings *settings);

/* Floating-point operations of one update. SB_E_USAGE: the widths do not fit the network. */
sb_status sb_bench_network_flop(const sb_bench_network *network, const sb_settings *settings, sb_flop *flop);

enum { SB_ROUNDS_MAX = 99 };

typedef struct sb_series { /* one value per round */
    int n;
    double value[SB_ROUNDS_MAX];
} sb_series;

typedef struct sb_spread {
    double median, min, max;
} sb_spread;

void sb_series_add(sb_series *series, double value);
sb_spread sb_series_spread(const sb_series *series); /* zeros if it is empty */

typedef struct sb_bench_case {
    /* prednet, inference, autoencoder, input, memory; for networks that classify the names above */
    const char *study;
    const sb_bench_network *network; /* NULL: not a network that classifies */
    sb_settings setup;               /* if it has data, the case learns from that file through the input pipeline */
    sb_size size;                    /* of a frame or an image */
    char variant[SB_VARIANT_MAX]; /* native's instruction set, OpenBLAS's kernel type, a GPU's libraries; no commas */
    double flop;                  /* of one window, counted as direct convolution */
    int samples;                  /* frames or images of one window; for a generation, summed over its individuals */

    sb_series seconds;          /* of one window */
    sb_series device_seconds;   /* of one window, by the clock of a device; empty without a device */
    sb_series gflops;           /* effective */
    sb_series gemm, peak;       /* the ceilings in GFLOP/s, measured right before the case */
    sb_series to_gemm, to_peak; /* gflops over them */
    sb_series speed_up;         /* relative to the same case with the first number of threads, in the same round */
    sb_series subnormal;        /* share of the operations that met a subnormal number */
    sb_series cpu_share;        /* CPU time / (time * threads): 1 if no other program used the CPUs */
    sb_series memory_mib;       /* peak resident memory of a process that runs only this case */
    sb_series waits;            /* seconds of a window in which learning waited for its batch; only with data */
    sb_series waits_share;      /* waits / seconds */
} sb_bench_case;

/* Make a case; setup gives shape and backend and is copied. Study "inference" only predicts, all others learn.
 * SB_E_USAGE or SB_E_MISSING: the backend cannot be opened. */
sb_status sb_bench_case_make(sb_bench_case *c, const char *study, const sb_settings *setup, sb_size size);

/* Does the case train? False: it only predicts. */
bool sb_bench_case_learns(const sb_bench_case *c);

bool sb_bench_case_is_video(const sb_bench_case *c);

/* The tokens of a window of a case that learns from text; 0: it learns from something else. */
long sb_bench_case_tokens(const sb_bench_case *c);

/* Are its windows generations of Deep GA? */
bool sb_bench_case_evolves(const sb_bench_case *c);

/* A network with initial weights and its input, after a warm-up window. The caller owns it until
 * sb_bench_trial_close. */
typedef struct sb_bench_trial {
    const sb_bench_case *c;
    sb_setup setup;
    uint8_t *input;     /* frames or images; for a network that classifies, the labels of its batch; tokens */
    sb_real *values;    /* for a network that classifies: its batch */
    sb_input *pipeline; /* for a case with data */
    sb_trainer trainer;
    sb_run_lists lists; /* for a case that evolves: its generations */
    long update;        /* number of updates so far */
} sb_bench_trial;

sb_status sb_bench_trial_open(sb_bench_trial *trial, const sb_bench_case *c);
void sb_bench_trial_close(sb_bench_trial *trial);

/* Learn from, or predict, one whole window. */
sb_status sb_bench_trial_window(sb_bench_trial *trial);

/* Open a trial, run windows for `at_least` seconds (at least one window), and close it. Adds one value to c->seconds
 * and c->cpu_share. */
sb_status sb_bench_case_time(sb_bench_case *c, double at_least);

/* Is the backend native, which has several instruction sets? */
bool sb_bench_case_is_native(const sb_bench_case *c);

/* "direct" or "winograd"; "": the backend has only one arithmetic. */
const char *sb_bench_case_arithmetic(const sb_bench_case *c);

/* "native/winograd", "openblas" */
void sb_bench_case_backend(const sb_bench_case *c, char text[64]);

/* Input for benchmarks: made in memory, smooth like the study's data, always the same. */

/* n frames [h][w][3] of one smooth pattern that moves; the caller frees it; NULL: not enough memory. */
uint8_t *sb_bench_frames(int n, int w, int h);

/* n images [h][w] like digits: soft blots on black, four fifths of the pixels zero; the caller frees it; NULL: not
 * enough memory. */
uint8_t *sb_bench_digits(int n, int w, int h);

/* Time to make batches of images: from bytes in memory to normalized, augmented numbers, on one thread, as a worker of
 * the input pipeline does (data/input.h). Compared with the training speed of a network, this gives the number of
 * workers needed. */
enum { SB_BENCH_BATCHES = 4 }; /* kinds of batches */

/* Make case k of the batches: its study is "input", its variant names the augmentation. */
sb_status sb_bench_batches_make(sb_bench_case *c, int k);

/* Make batches for at least `at_least` seconds. Adds one value to c->seconds and c->cpu_share. */
sb_status sb_bench_batches_time(sb_bench_case *c, int k, double at_least);
