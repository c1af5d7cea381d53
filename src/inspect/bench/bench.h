/* How fast is it? Cases (study, backend, arithmetic, instruction set, threads) are timed in turn, round after round, so
 * that a noisy machine hits all alike. Right before each case, with its number of threads, come the two ceilings: the
 * FMA peak, and OpenBLAS's product of two 2048 x 2048 matrices.
 *
 *     sb_bench_options options = {.size = {160, 120}, ...};
 *     return sb_bench(&options);            tables to stdout, progress to stderr, options.output as csv
 *
 * Effective GFLOP/s count a window as direct convolution whatever the arithmetic does (bench_flop.h), so that they
 * compare across arithmetics and may exceed the peak.
 */
#ifndef SB_INSPECT_BENCH_H
#define SB_INSPECT_BENCH_H

#include "core/command/options.h"
#include "core/status.h"
#include "core/text/json.h"

#include <stdbool.h>

typedef struct sb_bench_options {
    /* prednet, inference, autoencoder, input, operations, memory; none: all of these. Or the networks that
     * classify (bench_networks.h), which are measured only where they are named */
    sb_texts only;
    sb_texts kernels; /* BACKEND or BACKEND/ARITHMETIC; none: native/winograd, native/direct, openblas */
    sb_texts isas;    /* of native; none: the best */
    sb_list threads;  /* n = 0: 1 and as many as there are CPUs */
    sb_size size;
    sb_list channels;
    long window, rounds;
    sb_list batches, widths;   /* of the networks that classify; n = 0: as their rows, and the networks, say */
    const char *data;          /* that they learn from, through the input pipeline; NULL: one batch again and again */
    bool quick;                /* one round of short windows: for a first look and for tests */
    const char *output;        /* csv; NULL: none */
    bool json;                 /* to stdout in place of the tables */
    const sb_command *command; /* the verb, for its document */
} sb_bench_options;

extern const sb_json_key sb_bench_keys[];

/* SB_E_USAGE: a part, backend, arithmetic or shape that does not exist. SB_E_MISSING: this machine cannot run one of
 * those asked for. The csv file is written only when everything was measured. */
sb_status sb_bench(const sb_bench_options *options);

#endif
