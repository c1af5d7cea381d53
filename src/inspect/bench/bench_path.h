/* A model of native-cuda, without a GPU: how long a window takes if its kernels run one after the other, and if each
 * runs as soon as its inputs are there (backend/dependences.h), in the list of operations that overlap (ops.h). The
 * second time is the longest path through the list: a bound from below, because kernels that run at the same time share
 * the device.
 *
 * The time of a launch comes from a table of measured times, or from peaks (bench_path_times.c). */
#pragma once

#include "backend/gpu.h"
#include "core/command/options.h"
#include "inspect/bench/bench_networks.h"

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
