/* What tests set in the NCCL of fake_nccl.c and read from it, by dlsym "fake_nccl". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FAKE_NCCL_LOG = 256 };

typedef struct fake_nccl_call {
    char what; /* 's'end, 'r'eceive, 'a'll-reduce, '(' and ')' of a group */
    int peer;
    size_t n;
    void *at, *stream;
} fake_nccl_call;

typedef struct fake_nccl_state {
    /* set by a test */
    long failing_call;  /* the call with this number, from 0, fails; -1: none */
    int looks;          /* so many looks after a call until it has settled */
    bool never_settles; /* another rank does not come */
    bool loses_rank;    /* what has not settled fails: another rank has gone */

    /* what it saw */
    long n_calls;
    fake_nccl_call log[FAKE_NCCL_LOG];
    int n_log;
    int rank, ranks;
    bool misused; /* a call before the last one has settled, or with values that are none */
    int n_live;   /* communicators */
} fake_nccl_state;
