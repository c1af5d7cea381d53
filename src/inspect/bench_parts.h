/* What the rooms of the benchmark share. */
#ifndef SB_INSPECT_BENCH_PARTS_H
#define SB_INSPECT_BENCH_PARTS_H

#include "inspect/bench.h"
#include "inspect/bench_case.h"

enum { SB_CASES_MAX = 128, SB_CEILINGS_MAX = SB_CASES_MAX };

typedef struct sb_bench_ceiling {
    char isa[32];
    int threads;
    sb_series peak, gemm; /* GFLOP/s */
} sb_bench_ceiling;

typedef struct sb_bench_state {
    const sb_bench_options *options;
    char best_isa[32]; /* of this CPU, or the one that the environment asks for */
    int n_cases, n_ceilings;
    sb_bench_case cases[SB_CASES_MAX];
    sb_bench_ceiling ceiling[SB_CEILINGS_MAX];
} sb_bench_state;

/* Has it a choice of arithmetic and instruction set? */
bool sb_bench_is_native(const sb_setup_options *setup);

/* Every case of the parts asked for, in the order in which a round takes them, and a ceiling for each pair of
 * instruction set and threads among them. */
sb_status sb_bench_choose(sb_bench_state *state);

/* The ceiling that a case is held against; NULL: none yet. */
sb_bench_ceiling *sb_bench_ceiling_of(sb_bench_state *state, const sb_bench_case *c);

/* Tables for people, to stdout. */
void sb_bench_print(sb_bench_state *state);

/* The csv file: facts of the machine as comments, one row per case and measure. */
sb_status sb_bench_write_csv(sb_bench_state *state, const char *path);

#endif
