/* Finds why two runs differ: the first update, operation and number that differ, and which of the differing settings
 * causes it. Each of these settings is tried alone. */
#pragma once

#include "core/command/options.h"
#include "core/rows/setting.h"
#include "core/status.h"
#include "inspect/generations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct sb_bisect_options {
    const char *data;   /* the data set both learned from */
    const char *folder; /* traces and runs of the bisection are kept there; NULL: removed */
    bool quiet;
    bool json;       /* json and nudged are only for the verb */
    sb_texts nudged; /* traces of another program's runs whose initial weights were all moved by one rounding */
} sb_bisect_options;

/* The run whose bits a trial has. */
typedef enum sb_bisect_bits { SB_BITS_OF_A, SB_BITS_OF_B, SB_BITS_OF_NEITHER } sb_bisect_bits;

typedef struct sb_bisect_cause { /* a setting that differs between the runs */
    char name[32], value[2][64]; /* of A, of B */
    bool tried;                  /* tried alone; false if it is the only setting that differs */
    sb_bisect_bits in_a, in_b;   /* of A with B's setting, of B with A's */
} sb_bisect_cause;

enum { SB_BISECT_CAUSES = SB_N_SETTINGS };

typedef struct sb_bisect_facts { /* results, in addition to the printed sentences; starts as {0} */
    int64_t update;              /* the first that differs; 0: none known, unless other_differs */
    bool other_differs;          /* runs of another program differ, from `update` on, which may be 0 */
    const char *part;            /* the part of that entry that differs first; NULL: not compared by run files */
    bool elsewhere[2];           /* this machine does not reproduce the recorded run */
    const char *kind;            /* how the first operation differs; NULL: not searched */
    size_t n_operations, number; /* operations of that update; number of the first that differs, from 1; 0: none */
    char operation[160];
    sb_parents_compared selection; /* for runs without gradients; else all zero */
    sb_bisect_cause cause[SB_BISECT_CAUSES];
    int n_causes;
    struct { /* the operation of another program; NULL and "": not traced */
        const char *phase;
        char module[256], site[256], arguments[512];
        char tensors[1024]; /* for recordings: the first tensor that differs */
        char side;          /* 'a', 'b'; 0: both */
        bool has_carried;   /* sketches were compared and differ */
        double carried;     /* distance over the effect of one rounding: at the first mark above the limit, else the
                             * largest */
        char carried_at[256];
    } other;
} sb_bisect_facts;

/* Bisect two run files of the same network. Trains as much of them as needed: single updates, more if they diverge
 * late, and for runs without gradients all generations up to the divergence. SB_OK: the same bits. SB_E_DIFFERS: out
 * says where and why. SB_E_USAGE: different networks, or not their data set. SB_E_MISSING: this machine lacks a
 * backend. */
sb_status sb_bisect_runs(const char *path_a, const char *path_b, const sb_bisect_options *options,
                         sb_bisect_facts *facts, FILE *out);

/* Find the first operation that differs between two trace files of one update, for example from two machines. Trains
 * nothing. */
sb_status sb_bisect_traces(const char *path_a, const char *path_b, sb_bisect_facts *facts, FILE *out);
