/* Shared by the files of the benchmark. */
#pragma once

#include "backend/gpu.h"
#include "backend/profile.h"
#include "core/command/options.h"
#include "core/machine/facts.h"
#include "core/text/json.h"
#include "inspect/bench/bench.h"
#include "inspect/bench/bench_case.h"

/* A model of native-cuda, without a GPU: how long a window takes if its kernels run one after the other, and if each
 * runs as soon as its inputs are there (backend/dependences.h), in the list of operations that overlap (ops.h). The
 * second time is the longest path through the list: a bound from below, because kernels that run at the same time share
 * the device.
 *
 * The time of a launch comes from a table of measured times, or from peaks (bench_path_times.c). */

enum { SB_PATH_PROCESSORS = 132 }; /* of an H200, whose tables results/checks has: its tiles are chosen */

typedef struct sb_bench_path {
    sb_settings setup;
    const sb_bench_network *network; /* NULL: PredNet */
    sb_size size;
} sb_bench_path;

/* One entry of the list. */
typedef struct sb_path_launch {
    int kernel; /* SB_KERNEL_NAME; -1: a copy, or zeros */
    sb_grid grid;
    sb_ranges ranges;
    const char *operation;
    double us;
} sb_path_launch;

/* How many launches have a time from which source: this kernel on this grid was measured; this kernel, on other grids;
 * other kernels; nothing. */
typedef struct sb_path_sources {
    int measured, same_kernel, other_kernels, peaks;
} sb_path_sources;

/* Set the time of n launches. times: a csv file with kernel,grid,threads,registers,launches,mean_us, lines that begin
 * with '#' are comments; NULL: peaks alone. measured: the launches in the order in which they ran for the table.
 * SB_E_USAGE, SB_E_INTEGRITY: the file is missing, or no such table. */
sb_status sb_path_set_times(const char *times, int n_measured, const sb_path_launch *measured, int n,
                            sb_path_launch *launch, sb_path_sources *sources);

/* The name of a kernel; "copy" for -1. */
const char *sb_path_kernel(int kernel);

/* Record an update and print the model of it. */
sb_status sb_bench_path_print(const sb_bench_path *path, const char *times);

enum { SB_CASES_MAX = 128 };

/* The profile of one case. */
typedef struct sb_bench_operations {
    int windows;    /* windows over which the rows are summed; 0: not measured */
    double seconds; /* of those windows */
    int n_rows;
    sb_profile_row row[SB_PROFILE_ROWS_MAX];
} sb_bench_operations;

typedef struct sb_bench_state {
    const sb_bench_options *options;
    char best_isa[32]; /* the best of this CPU, or the one set in the environment */
    char blas_kernel[32];
    sb_list threads;
    int n_cases, n_memory, n_batches, n_paths;
    sb_bench_case cases[SB_CASES_MAX];       /* timed round after round */
    sb_bench_case memory[SB_CASES_MAX];      /* measured once */
    sb_bench_case batches[SB_BENCH_BATCHES]; /* making batches of input; timed in each round, too */
    sb_bench_path paths[SB_CASES_MAX];       /* modeled, not measured */
    sb_bench_case profiled;                  /* the case to be profiled; study NULL: none */
    sb_bench_operations operations;
} sb_bench_state;

/* -- what to measure -- */

/* Make all cases of the chosen parts, in the order of a round. */
sb_status sb_bench_choose(sb_bench_state *state);

/* -- how long -- */

/* Expected seconds of the whole benchmark, computed from counts: if a floating-point operation takes `per_flop`
 * seconds, each timing at least `least_s`, and the ceilings before it `ceilings_s`. */
double sb_bench_forecast(const sb_bench_state *state, double per_flop, double least_s, double ceilings_s);

/* -- how -- */

/* The instruction set whose peak is the ceiling of a case: the case's own, or the best of this CPU. */
const char *sb_bench_isa_of(const sb_bench_state *state, const sb_bench_case *c);

/* Seconds for measuring one ceiling. */
double sb_bench_ceiling_seconds(const sb_bench_state *state);

/* Measure the two ceilings with the case's number of threads. Adds one value to c->peak and c->gemm. */
sb_status sb_bench_measure_ceilings(const sb_bench_state *state, sb_bench_case *c);

/* Measure the peak memory of every case of state->memory, each in its own process, or in this one if nothing else is
 * measured. Call it before all other measurements, because a child process inherits the peak of its parent. */
sb_status sb_bench_measure_memory(sb_bench_state *state);

/* Profile state->profiled: one window for each round, and more until `at_least` seconds have passed. */
sb_status sb_bench_profile(sb_bench_state *state, double at_least);

/* -- what was measured, as rows -- */

typedef struct sb_bench_measure {
    const sb_bench_case *c;
    const char *study, *operation, *name, *unit; /* operation "": the whole window */
    char shape[48];                              /* shape of the operation; "": none */
    int n;                                       /* rounds, or windows */
    sb_spread spread;
} sb_bench_measure;

/* Visit every measured number, case by case, then the operations. */
typedef void sb_bench_visit(void *context, const sb_bench_measure *measure);
void sb_bench_each_measure(const sb_bench_state *state, sb_bench_visit *visit, void *context);

/* "3 48 96"; "": the network has no channels. */
enum { SB_BENCH_CHANNELS = 128 };
void sb_bench_channels(const sb_bench_case *c, char text[SB_BENCH_CHANNELS]);

/* Facts of date, program, backends and machine; the caller frees them. */
sb_status sb_bench_facts(sb_facts **facts);

/* -- for people, to stdout; for programs -- */

sb_status sb_bench_print_json(const sb_bench_state *state);

void sb_bench_print(const sb_bench_state *state);
void sb_bench_print_operations(const sb_bench_state *state);

/* Facts of the machine as comments, then one row per case and measure. */
sb_status sb_bench_write_csv(const sb_bench_state *state, const char *path);
