/* One case of the benchmark: a network of some shape on a backend, with its times in all rounds. */
#pragma once

#include "data/input.h"
#include "inspect/bench/bench_networks.h"
#include "ops/context.h"
#include "train/trainer.h"

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
    /* prednet, inference, autoencoder, input, memory; for networks that classify the names of bench_networks.h */
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
