/* The benchmark. A case is a study, backend, arithmetic, instruction set and number of threads. Each round times all
 * cases once, so that noise of the machine affects all of them. Right before each case two ceilings are measured with
 * the same number of threads: the FMA peak, and OpenBLAS's product of two 2048 x 2048 matrices.
 *
 *     sb_bench_options options = {.size = {160, 120}, ...};
 *     return sb_bench(&options);            tables to stdout, progress to stderr, options.output as csv
 *
 * Effective GFLOP/s count every window as direct convolution (bench_case.h), so arithmetics can be compared. They may
 * exceed the peak.
 */
#pragma once

#include "core/command/options.h"
#include "core/status.h"
#include "core/text/json.h"

#include <stdbool.h>

typedef struct sb_bench_options {
    /* prednet, inference, autoencoder, input, operations, memory; empty: all of these. Networks that classify
     * (bench_case.h), and the parts path, NAME-path, kernels and NAME-kernels (bench_parts.h), are measured only if
     * named here */
    sb_texts only;
    sb_texts kernels; /* BACKEND or BACKEND/ARITHMETIC; empty: native/winograd, native/direct, openblas */
    sb_texts isas;    /* for native; empty: the best */
    sb_list threads;  /* n = 0: 1 and the number of CPUs */
    sb_size size;
    sb_list channels;
    long window, rounds;
    sb_list batches, widths; /* for networks that classify; n = 0: batches of bench_case.h and the network's own
                                * widths */
    long blocks, heads, width, context; /* of gpt */
    const char *data;          /* data set that these networks learn from, through the input pipeline; NULL: always the
                                * same batch */
    sb_texts tiles;            /* kernels: also with these values of SAMEBITS_CUDA_TILES; all: each name */
    const char *times;         /* path: measured times of kernels; NULL: times follow from peaks */
    bool quick;                /* one round of short windows: for a quick result and for tests */
    const char *output;        /* csv; NULL: none */
    bool json;                 /* print JSON to stdout instead of the tables */
    const sb_command *command; /* the verb, for the head of the JSON */
} sb_bench_options;

extern const sb_json_key sb_bench_keys[];

/* Measure and print. SB_E_USAGE: a part, backend, arithmetic or shape does not exist. SB_E_MISSING: this machine cannot
 * run a requested one. The csv file is written only after all cases were measured. */
sb_status sb_bench(const sb_bench_options *options);
