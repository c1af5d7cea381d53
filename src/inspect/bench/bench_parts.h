/* What the files of the benchmark share. */
#ifndef SB_INSPECT_BENCH_PARTS_H
#define SB_INSPECT_BENCH_PARTS_H

#include "backend/profile.h"
#include "core/machine/facts.h"
#include "core/text/json.h"
#include "inspect/bench/bench.h"
#include "inspect/bench/bench_case.h"
#include "inspect/bench/bench_input.h"

enum { SB_CASES_MAX = 128 };

/* Where one case spends its time. */
typedef struct sb_bench_operations {
    int windows;    /* that the rows are sums over; 0: not asked for */
    double seconds; /* of those windows */
    int n_rows;
    sb_profile_row row[SB_PROFILE_ROWS_MAX];
} sb_bench_operations;

typedef struct sb_bench_state {
    const sb_bench_options *options;
    char best_isa[32]; /* of this CPU, or the one that the environment asks for */
    char blas_kernel[32];
    sb_list threads;
    int n_cases, n_memory, n_batches;
    sb_bench_case cases[SB_CASES_MAX];       /* timed round after round */
    sb_bench_case memory[SB_CASES_MAX];      /* measured once */
    sb_bench_case batches[SB_BENCH_BATCHES]; /* of input; timed in each round, too */
    sb_bench_case profiled;                  /* its operations; study NULL: not asked for */
    sb_bench_operations operations;
} sb_bench_state;

/* -- what to measure -- */

/* Every case of the parts asked for, in the order in which a round takes them. */
sb_status sb_bench_choose(sb_bench_state *state);

/* -- how long -- */

/* Seconds that the whole benchmark takes where a floating-point operation of every case takes `per_flop` seconds, a
 * time is made of `least_s` at least, and the ceilings before each take `ceilings_s`. From counts alone. */
double sb_bench_forecast(const sb_bench_state *state, double per_flop, double least_s, double ceilings_s);

/* -- how -- */

/* The instruction set whose peak a case is compared with: its own, or the best of this CPU. */
const char *sb_bench_isa_of(const sb_bench_state *state, const sb_bench_case *c);

/* Seconds that a ceiling takes. */
double sb_bench_ceiling_seconds(const sb_bench_state *state);

/* The two ceilings at a case's threads, now: one more value of c->peak and c->gemm. */
sb_status sb_bench_measure_ceilings(const sb_bench_state *state, sb_bench_case *c);

/* Peak memory of every case of state->memory, each in a process of its own; that process is this one if nothing else
 * is asked for. Comes before all other measurements: a child inherits the peak of its parent. */
sb_status sb_bench_measure_memory(sb_bench_state *state);

/* The operations of state->profiled: as many windows as there are rounds, or more until that number of seconds have
 * passed. */
sb_status sb_bench_profile(sb_bench_state *state, double at_least);

/* -- what was measured, as rows -- */

typedef struct sb_bench_measure {
    const sb_bench_case *c;
    const char *study, *operation, *name, *unit; /* operation "": the whole window */
    char shape[48];                              /* of the operation, "": none */
    int n;                                       /* rounds, or windows */
    sb_spread spread;
} sb_bench_measure;

/* Every number, case by case, then the operations. */
typedef void sb_bench_visit(void *context, const sb_bench_measure *measure);
void sb_bench_each_measure(const sb_bench_state *state, sb_bench_visit *visit, void *context);

/* "3 48 96"; "" of a network without channels. */
enum { SB_BENCH_CHANNELS = 128 };
void sb_bench_channels(const sb_bench_case *c, char text[SB_BENCH_CHANNELS]);

/* Date, program, backends, machine; the caller frees. */
sb_status sb_bench_facts(sb_facts **facts);

/* -- for people, to stdout; for programs -- */

sb_status sb_bench_print_json(const sb_bench_state *state);

void sb_bench_print(const sb_bench_state *state);
void sb_bench_print_operations(const sb_bench_state *state);

/* Facts of the machine as comments, then one row per case and measure. */
sb_status sb_bench_write_csv(const sb_bench_state *state, const char *path);

#endif
