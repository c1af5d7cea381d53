/* Shared by the GPU backends: the command list (ops/cuda.h), memory and errors. They run on an sb_machine: a CUDA
 * device or, in tests, a CPU that executes the kernels.
 *
 * Failures:
 * - The first error is kept with its operation; ops->error returns it once. Until then no work is recorded or run: the
 *   list stops at the entry that failed, and ops->to_host gives zeros, never a partial result.
 * - The device works while the host continues, so a later call reports an error of the arithmetic. In this case the
 *   message says so instead of naming that call. With SAMEBITS_CUDA_SYNC=1 the host waits for every entry, and the
 *   message names its operation and shape.
 * - An upload, a wait and a graph have their own names in messages.
 * - A launch beyond the limits of a device is refused when it is recorded (gpu->kernel).
 * - A graph is optional: if it cannot be made, the entries run one by one, and one line on stderr says so.
 * - The device's clock is optional: without it the device's seconds are NAN.
 * - Too little memory is an error of the operation that needs it. Memory that was allocated before stays owned and is
 *   released by sb_backend_close, which may be called after any error.
 */
#pragma once

#include "backend/backend.h"
#include "backend/command_list.h"
#include "ops/kernels/ranges.h"

enum { SB_GRAPHS = 8, SB_SCRATCHES = 32 };

/* A list that was run before. When it runs a second time, a graph is made of it. */
typedef struct sb_graph {
    sb_command_list list;
    bool tried;
    void *graph; /* NULL: not made yet, or making it failed */
} sb_graph;

/* One row for each kind of machine. All functions except allocate, download and wait put work on the stream and return.
 * They report a failure to gpu->failed unless stated otherwise. */
typedef struct sb_machine {
    void *(*allocate)(sb_gpu *gpu, size_t n_bytes); /* zeroed; NULL: not enough memory, reason in sb_message */
    void (*release)(sb_gpu *gpu, void *memory);
    void *(*allocate_host)(sb_gpu *gpu, size_t n_bytes); /* host memory that upload reads asynchronously */
    void (*release_host)(sb_gpu *gpu, void *memory);
    void (*upload)(sb_gpu *gpu, void *to, const void *from, size_t n_bytes);
    void (*download)(sb_gpu *gpu, void *to, const void *from, size_t n_bytes); /* waits */
    void (*copy)(sb_gpu *gpu, void *to, const void *from, size_t n_bytes);
    void (*zero)(sb_gpu *gpu, void *memory, size_t n_bytes);
    void (*launch)(sb_gpu *gpu, int kernel, sb_grid grid, const void *args);
    void (*wait)(sb_gpu *gpu);
    bool (*is_idle)(sb_gpu *gpu); /* has the stream no work left? True, too, after its work failed */
    /* mark: mark the begin or the end of a list on the stream; false: there is no clock. marked_seconds: the time
     * between the two marks, after a wait; negative: unknown. Neither is an error. */
    bool (*mark)(sb_gpu *gpu, bool end);
    double (*marked_seconds)(sb_gpu *gpu);
    /* Make a graph of the work that is put on the stream between record and record_end; the work does not run.
     * record_end returns NULL after a failure, which gpu->failed received. It is also called after a record that
     * failed. */
    void (*record)(sb_gpu *gpu);
    void *(*record_end)(sb_gpu *gpu);
    /* Between record and record_end, around the work of each entry of a list. before: the n entries that it waits for,
     * numbered from 0; without these calls it waits for all earlier work. is_urgent: where the device cannot run all work
     * at once, this work goes first. NULL: the machine knows no other order. */
    void (*entry_begin)(sb_gpu *gpu, int n, const int *before);
    void (*entry_end)(sb_gpu *gpu, bool is_urgent);
    void (*repeat)(sb_gpu *gpu, const sb_graph *graph);
    void (*forget)(sb_gpu *gpu, sb_graph *graph);
    void (*close)(sb_gpu *gpu);
} sb_machine;

typedef struct sb_gpu_backend {
    sb_gpu gpu;
    const sb_machine *machine;
    bool is_marked, is_timed; /* a list has run and its time is not yet counted; both of its marks were set */
    sb_command_list list;     /* recorded, not yet run */
    sb_graph graph[SB_GRAPHS];
    int n_lists;              /* lists stored so far; if this grows with every window, lists differ that should be
                               * equal */
    int n_graphs_made;        /* ever */
    char *stage, *stage_host; /* device memory and its host side */
    size_t stage_used, stage_size;
    void *scratch[SB_SCRATCHES]; /* the last is the largest; graphs may still use the others */
    size_t scratch_size;
    int n_scratches;
    char words[480]; /* message of the first error, while gpu.status is an error */
} sb_gpu_backend;

/* Fill a GPU backend's table with the operations of native-cuda and choose the arithmetic. `backend` is from calloc;
 * sb_backend_close frees it. */
void sb_gpu_open(sb_gpu_backend *backend, const sb_machine *machine, const sb_backend_options *options);

/* Is SAMEBITS_CUDA_SYNC set? Then the host waits for each entry, so that an error names its operation. */
bool sb_gpu_one_by_one(void);

/* May the device start a kernel before the previous one has ended? True unless SAMEBITS_CUDA_DEPENDENT_LAUNCH is 0.
 * *asked: the variable is set and not 0, so the user must be told if the device cannot do this. */
bool sb_gpu_dependent_wanted(bool *asked);

/* Is SAMEBITS_CUDA_BRANCHES set? Then an entry of a graph waits only for the entries that it depends on
 * (dependences.h). */
bool sb_gpu_branches_wanted(void);

/* Is SAMEBITS_CUDA_BRANCHES "priorities"? Then, in addition, the kernels of the longest paths through the graph go before
 * the others. */
bool sb_gpu_priorities_wanted(void);

/* Host memory, zeroed, with fast copies to and from the device; NULL: not enough memory, reason in sb_message. */
void *sb_gpu_take_host(const sb_ops *ops, size_t n_bytes);
void sb_gpu_give_host(const sb_ops *ops, void *memory); /* NULL does nothing */

/* For a library that puts work on the stream itself. issue: put all recorded work on the stream first. is_idle: has all
 * work on the stream ended, or failed (ops->error)? */
void sb_gpu_issue(const sb_ops *ops);
bool sb_gpu_is_idle(const sb_ops *ops);

/* The device memory that an entry of a list reads and writes. Calls of libraries are unknown work. */
void sb_gpu_ranges(const sb_list_entry *entry, sb_ranges *ranges);

/* The kernel of an entry and its grid; -1: the entry is other work. */
int sb_gpu_kernel_of(const sb_list_entry *entry, sb_grid *grid);

/* A GPU of that number of processors that only records: operations go to the command list as on a device, and nothing
 * runs; what comes back to the host is zero. For looking at lists where there is no device. overlaps: as in ops.h. */
sb_status sb_gpu_plan_open(sb_ops **ops, const sb_backend_options *options, int processors, bool overlaps);

/* The list that ran last for the first time, if it was long enough for a graph; the backend's, until another one runs.
 * NULL: there is none. */
const sb_command_list *sb_gpu_last_list(const sb_ops *ops);

/* Run an entry n_times as a graph of its own. Each of `rounds` runs this graph twice in a row and times the second run.
 * seconds [rounds]: of one run of the entry, by the device's clock; negative where the clock failed. Fails as
 * ops->error. */
sb_status sb_gpu_time_entry(sb_ops *ops, const sb_list_entry *entry, int n_times, int rounds, double *seconds);

/* Number of graphs made so far. */
int sb_gpu_graphs_made(const sb_ops *ops);
