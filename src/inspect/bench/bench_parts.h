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

/* The work of a launch, and how long it takes at the peaks of an H200. */
typedef struct sb_path_work {
    double flop;             /* of products; 0: elementwise */
    double n_bytes;          /* read and written, each range once */
    double flop_us, byte_us; /* the larger one is a bound from below */
} sb_path_work;

sb_path_work sb_path_work_of(const sb_path_launch *launch);

/* Open the network of a path on ops and make two updates, the second of which begins no sequence. Then call `look` with
 * the network still open: sb_gpu_last_list(ops) is the list of an update, and its memory is there. SB_E_USAGE: the list
 * is too short for a graph, or SAMEBITS_CUDA_SYNC is set; else what failed, or what look returned. */
typedef sb_status sb_path_look(void *context, sb_ops *ops);
sb_status sb_path_record(const sb_bench_path *path, sb_ops *ops, sb_path_look *look, void *context);

/* The entries of a list in order, without times; the caller frees them. NULL: not enough memory. */
sb_path_launch *sb_path_launches(const sb_command_list *list);

/* How many launches have a time from which source: this kernel on this grid was measured; this kernel, on other grids;
 * other kernels; nothing. */
typedef struct sb_path_sources {
    int measured, same_kernel, other_kernels, peaks;
} sb_path_sources;

/* Set the time of n launches. times: a csv file with kernel,grid,threads,registers,launches,us and, as the part `kernels`
 * writes it, flop,bytes; lines that begin with '#' are comments. NULL: peaks alone. A launch
 * whose kernel, grid, flop and bytes are those of rows has the mean time of these rows. measured: the launches in the
 * order in which they ran, for a table without flop and bytes. SB_E_USAGE, SB_E_INTEGRITY: the file is missing, or no such
 * table. */
sb_status sb_path_set_times(const char *times, int n_measured, const sb_path_launch *measured, int n,
                            sb_path_launch *launch, sb_path_sources *sources);

/* The name of a kernel, and the threads of one of its blocks; "copy" and 0 for -1. */
const char *sb_path_kernel(int kernel);
int sb_path_threads(int kernel);

/* Record an update and print the model of it. */
sb_status sb_bench_path_print(const sb_bench_path *path, const char *times);

/* -- the kernels of an update, each measured by itself on a GPU -- */

enum { SB_KERNEL_REPEATS = 64 }; /* of a launch in a graph of its own */

/* Launches of one kernel on one grid with the same work: ranges of the same sizes, as many operations. */
typedef struct sb_bench_kernel {
    sb_path_launch launch; /* us: median of the rounds */
    sb_list_entry entry;   /* the first of them; its args stay the list's */
    int launches;          /* in the list */
    sb_series us;          /* of each round */
} sb_bench_kernel;

/* The kernels of a network. setup.backend opens the GPU, or the CPU that walks kernels: then the times are of nothing,
 * because a graph there has no copy of its work. */
typedef struct sb_bench_kernels {
    sb_bench_path path;
    const char *tiles; /* value of SAMEBITS_CUDA_TILES; NULL: as the environment has it */
    int n;
    sb_bench_kernel *kernel; /* [n], in the order of the list */
} sb_bench_kernels;

/* Set n and kernel; the caller frees kernel. */
sb_status sb_bench_kernels_of(sb_bench_kernels *kernels, const sb_command_list *list);

/* Record an update of kernels[i].path and measure each kernel `rounds` times. With tiles, leave out the kernels that
 * kernels[0] to kernels[i - 1] have of the same network, backend and arithmetic. The caller frees kernels[i].kernel, also after a failure.
 * SB_E_MISSING: no GPU is here, or it has no clock. */
sb_status sb_bench_kernels_measure(sb_bench_kernels *kernels, int i, int rounds);

/* A table, the most time first; shares of peaks are of an H200. */
void sb_bench_kernels_print(const sb_bench_kernels *kernels);

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
    int n_cases, n_memory, n_batches, n_paths, n_kernels;
    sb_bench_case cases[SB_CASES_MAX];       /* timed round after round */
    sb_bench_case memory[SB_CASES_MAX];      /* measured once */
    sb_bench_case batches[SB_BENCH_BATCHES]; /* making batches of input; timed in each round, too */
    sb_bench_path paths[SB_CASES_MAX];       /* modeled, not measured */
    sb_bench_kernels kernels[SB_CASES_MAX];  /* measured by themselves */
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

/* Facts of the machine as comments, then one row per case and measure; of the part `kernels` one row per kernel. */
sb_status sb_bench_write_csv(const sb_bench_state *state, const char *path);
