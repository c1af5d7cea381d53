/* What fake_cuda_runtime.c and fake_cuda_graph.c share: what is open, and the work of a stream or a graph. */
#pragma once

#include "fake_cuda_runtime.h"

#include "ops/kernels/kernels_cuda.h"
#include "ops/kernels/kernels_host.h"

#include <cuda_runtime_api.h>

#include <stddef.h>

enum { FAKE_BEFORE_MAX = 256 };

typedef struct fake_work {
    int n_before, before[FAKE_BEFORE_MAX]; /* of a node of a graph: the nodes that it waits for */
    void *to;
    const void *from;
    size_t n_bytes;
    int value;
    long kernel; /* -1: a copy or, where from is NULL, a fill */
    int priority;
    sb_grid grid;
    char args[1024];
} fake_work;

typedef struct fake_list {
    fake_work *at;
    size_t n;
} fake_list;

typedef struct fake_thing {
    fake_live kind;
    bool flag;      /* a stream is captured, an event is recorded */
    fake_list list; /* of a stream: captured; of a graph */
    void *memory;   /* of an allocation */
    struct fake_thing *next;
} fake_thing;

struct CUstream_st {
    fake_thing thing;
};
struct CUevent_st {
    fake_thing thing;
};
struct CUgraph_st {
    fake_thing thing;
};
struct CUgraphExec_st {
    fake_thing thing;
};

/* Returns the error, which is the last one from now on unless it is cudaSuccess. */
cudaError_t fake_give(cudaError_t error);

/* Counts a call of the function. Returns `error` if a test wants it to fail, or the error of a kernel that has failed. */
cudaError_t fake_due(const char *function, cudaError_t error);

#define MAY_FAIL_AS(error)                                                                                             \
    do {                                                                                                               \
        cudaError_t due_ = fake_due(__func__, error);                                                                  \
        if (due_ != cudaSuccess) return due_;                                                                          \
    } while (0)
#define MAY_FAIL MAY_FAIL_AS(cudaErrorUnknown)

/* A new thing, closed by fake_close or fake_cuda_reset. */
void *fake_open(fake_live kind);
cudaError_t fake_close(const void *what, fake_live kind);

/* Is it open? If not, the call is misuse. */
bool fake_is_open(const void *what, fake_live kind);

/* Counts work that is put on the stream after a failure. */
void fake_count_work(void);

/* Does the work, unless a kernel has failed. */
void fake_perform(const fake_work *w);

/* The work as a node of the graph that is captured. */
void fake_capture(fake_list *captured, const fake_work *w);
