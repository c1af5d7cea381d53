/* One thing to time: a network of some shape on a backend, with the times that the rounds gave it. */
#ifndef SB_INSPECT_BENCH_CASE_H
#define SB_INSPECT_BENCH_CASE_H

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
    /* prednet, inference, autoencoder, input, memory; of the networks that
     * classify those of their rows (bench_networks.h) */
    const char *study;
    const sb_bench_network *network; /* NULL: none of them */
    sb_settings setup;               /* with data: it learns from that file through the input pipeline */
    sb_size size;                    /* of a frame or an image */
    char variant[SB_VARIANT_MAX]; /* native's instruction set, OpenBLAS's kernel type, a GPU's libraries; no commas */
    double flop;                  /* of one window, counted as direct convolution */
    int samples; /* frames or images of one window; of a generation those that all its individuals see */

    sb_series seconds;          /* of one window */
    sb_series device_seconds;   /* the same, by the clock of a device; empty without one */
    sb_series gflops;           /* effective */
    sb_series gemm, peak;       /* the ceilings in GFLOP/s, measured right before */
    sb_series to_gemm, to_peak; /* gflops over them */
    sb_series speed_up;         /* over the same case on the first number of threads, in the same round */
    sb_series cpu_share;        /* CPU time over time times threads: 1 if no other program used the CPUs */
    sb_series memory_mib;       /* peak resident memory of a process that only does this */
    sb_series waits;            /* seconds of a window that learning waited for its batch; with data alone */
    sb_series waits_share;      /* the same over seconds */
} sb_bench_case;

/* Shape and backend are those of setup, which it copies; inference predicts, all other studies learn. SB_E_USAGE or
 * SB_E_MISSING if the backend cannot be opened. */
sb_status sb_bench_case_make(sb_bench_case *c, const char *study, const sb_settings *setup, sb_size size);

/* True if it trains, false if it only predicts. */
bool sb_bench_case_learns(const sb_bench_case *c);

bool sb_bench_case_is_video(const sb_bench_case *c);

/* True if its windows are generations of Deep GA. */
bool sb_bench_case_evolves(const sb_bench_case *c);

/* A network with start weights and its input, warmed up. Owned by the caller until sb_bench_trial_close. */
typedef struct sb_bench_trial {
    const sb_bench_case *c;
    sb_setup setup;
    uint8_t *input;     /* frames or images; of a network that classifies the labels of its batch */
    sb_real *values;    /* its batch */
    sb_input *pipeline; /* of a case with data */
    sb_trainer trainer;
    sb_run_lists lists; /* generations of a case that evolves */
    long update;        /* updates done */
} sb_bench_trial;

sb_status sb_bench_trial_open(sb_bench_trial *trial, const sb_bench_case *c);
void sb_bench_trial_close(sb_bench_trial *trial);

/* One whole window, learned or predicted. */
sb_status sb_bench_trial_window(sb_bench_trial *trial);

/* Open, windows until that number of seconds have passed (at least one), close: one more value of c->seconds and
 * cpu_share. */
sb_status sb_bench_case_time(sb_bench_case *c, double at_least);

/* Does the backend have a choice of instruction set? */
bool sb_bench_case_is_native(const sb_bench_case *c);

/* "direct" or "winograd"; "" where there is no choice. */
const char *sb_bench_case_arithmetic(const sb_bench_case *c);

/* "native/winograd", "openblas" */
void sb_bench_case_backend(const sb_bench_case *c, char text[64]);

#endif
