/* A CUDA runtime for tests: one device that is this processor, its kernels walked as sb_kernels_walk does, on a stream
 * that does its work at once, but for a capture. Any call can be made to fail. */
#pragma once

#include <stdbool.h>

typedef enum fake_live {
    FAKE_MEMORY,
    FAKE_PINNED,
    FAKE_STREAMS,
    FAKE_EVENTS,
    FAKE_GRAPHS,
    FAKE_RUNNABLE_GRAPHS,
    FAKE_KINDS
} fake_live;

enum {
    FAKE_NODES = 1024,
    FAKE_LEAST = 0,
    FAKE_GREATEST = -5
}; /* nodes that are looked at; priorities, the greatest first */

typedef struct fake_cuda {
    /* set by a test */
    long failing_call; /* the call with this number fails, counted from 0 as below; -1: none */
    long trap;         /* the launch with this number fails on the device, when it runs: so does every later call */
    bool no_driver;
    bool never_idle;   /* the stream has work that does not end */
    bool kernels_wait; /* the device's code is made for dependent launches */
    int n_devices;     /* one, until a test says otherwise */

    /* what it saw */
    long n_calls, n_launches;
    long n_choices;           /* times that more than one node of a graph could run next */
    long n_put, n_dependent;  /* launches put on the stream: in its order, and dependent ones */
    int n_nodes;              /* of the graph that was instantiated last */
    int priority[FAKE_NODES]; /* of each of its nodes */
    const char *failed;       /* the function of failing_call; NULL: it has not come */
    bool failed_in_capture;
    long n_work_after; /* launches, copies and graphs put on the stream after the failure */
    bool stale;        /* an error that was not taken back */
    bool misused;      /* a call that the runtime's documentation forbids, such as to release a thing twice */
    int device;        /* that was chosen */
    int live[FAKE_KINDS];
} fake_cuda;

extern fake_cuda fake;

/* As at the start of a process; what is open is given back. */
void fake_cuda_reset(void);
