/* What the GPU backends share: the list of work (ops/cuda.h), memory, errors; and the machine below, which is a CUDA
 * device or, in tests, the CPU walking the kernels.
 *
 * What happens when something fails:
 * - The first error is kept with the operation it belongs to; ops->error tells it, once. Until then nothing more is put
 *   down or done: the list stops at the entry that failed, and ops->to_host gives zeros, never half a result.
 * - Work goes on while the host does something else, so an error of the arithmetic itself comes out of a later call.
 * The machine
 *   asks the device whether it does, and then the sentence says so instead of naming that call; with
 *   SAMEBITS_CUDA_SYNC=1 every entry is waited for, and the sentence names its operation and shape.
 * - An upload, a wait and a graph have names of their own in the sentence; none is told as the operation before it.
 * - A launch that is beyond the limits of a device is refused when it is put down (gpu->kernel).
 * - A graph is optional: what cannot be recorded is done one by one, which one line on stderr says.
 * - The device's clock is optional: without it the device's seconds are NAN, and nothing else changes.
 * - Memory that is short is an error of the operation that asked for it; what was allocated before stays owned and is
 *   released by sb_backend_close, which may be called after any error.
 */
#ifndef SB_BACKEND_GPU_H
#define SB_BACKEND_GPU_H

#include "backend/backend.h"
#include "backend/command_list.h"
#include "ops/cuda.h"

enum { SB_GRAPHS = 8, SB_SCRATCHES = 32 };

/* A list that was run before, and the graph that was recorded of it the second time. */
typedef struct sb_graph {
    sb_command_list list;
    bool tried;
    void *graph; /* NULL: nothing yet, or it cannot be one */
} sb_graph;

/* One row per kind of machine. All but allocate, download and wait put work on the stream and return. What fails tells
 * gpu->failed, but for what says otherwise. */
typedef struct sb_machine {
    void *(*allocate)(sb_gpu *gpu, size_t n_bytes); /* zeroed; NULL when short, reason in sb_message */
    void (*release)(sb_gpu *gpu, void *memory);
    void *(*allocate_host)(sb_gpu *gpu, size_t n_bytes); /* memory that upload reads from while others work */
    void (*release_host)(sb_gpu *gpu, void *memory);
    void (*upload)(sb_gpu *gpu, void *to, const void *from, size_t n_bytes);
    void (*download)(sb_gpu *gpu, void *to, const void *from, size_t n_bytes); /* waits */
    void (*copy)(sb_gpu *gpu, void *to, const void *from, size_t n_bytes);
    void (*zero)(sb_gpu *gpu, void *memory, size_t n_bytes);
    void (*launch)(sb_gpu *gpu, int kernel, sb_grid grid, const void *args);
    void (*wait)(sb_gpu *gpu);
    bool (*is_idle)(sb_gpu *gpu); /* does the stream have nothing left to do? Also where the work has failed */
    /* Mark where on the stream a list begins and where it ends, false: there is no clock; seconds from one to the
     * other, once it was waited for, negative: unknown. Neither is an error. */
    bool (*mark)(sb_gpu *gpu, bool end);
    double (*marked_seconds)(sb_gpu *gpu);
    /* A graph of what is put on the stream between the two, none of it done; NULL: gpu->failed knows why. After a
     * record that failed record_end is called all the same. */
    void (*record)(sb_gpu *gpu);
    void *(*record_end)(sb_gpu *gpu);
    void (*repeat)(sb_gpu *gpu, const sb_graph *graph);
    void (*forget)(sb_gpu *gpu, sb_graph *graph);
    void (*close)(sb_gpu *gpu);
} sb_machine;

typedef struct sb_gpu_backend {
    sb_gpu gpu;
    const sb_machine *machine;
    bool is_marked, is_timed; /* a list has run whose time is not yet counted; its marks were set */
    sb_command_list list;     /* put down, not yet done */
    sb_graph graph[SB_GRAPHS];
    int n_lists;              /* remembered so far: if it grows with every window, lists differ that should be equal */
    int n_graphs_made;        /* ever */
    char *stage, *stage_host; /* device memory and its host side */
    size_t stage_used, stage_size;
    void *scratch[SB_SCRATCHES]; /* the last is the largest; graphs may still point at the others */
    size_t scratch_size;
    int n_scratches;
    char words[480]; /* of the first error, while gpu.status is one */
} sb_gpu_backend;

/* A GPU backend on a machine: its table filled with native-cuda's operations, arithmetic chosen. The memory is the
 * caller's (calloc); closed by sb_backend_close, which frees it. */
void sb_gpu_open(sb_gpu_backend *backend, const sb_machine *machine, const sb_backend_options *options);

/* SAMEBITS_CUDA_SYNC is set: work is done one by one and waited for, so that an error names its operation. */
bool sb_gpu_one_by_one(void);

/* May the device place a kernel before the one ahead of it has ended? Unless SAMEBITS_CUDA_DEPENDENT_LAUNCH is 0;
 * asked: it is set and not 0, so that who asked is told where that cannot be. */
bool sb_gpu_dependent_wanted(bool *asked);

/* Host memory, zeroed, that the device copies to and from fast; NULL when short, reason in sb_message. */
void *sb_gpu_take_host(const sb_ops *ops, size_t n_bytes);
void sb_gpu_give_host(const sb_ops *ops, void *memory); /* NULL is fine */

/* For work that a library puts on the stream itself: all that was put down before goes there; and whether all there has
 * been done, or has failed, which ops->error tells. */
void sb_gpu_issue(const sb_ops *ops);
bool sb_gpu_is_idle(const sb_ops *ops);

/* Graphs made so far. */
int sb_gpu_graphs_made(const sb_ops *ops);

#endif
