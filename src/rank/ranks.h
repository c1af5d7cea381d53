/* Ranks: the processes that train one network together, started by a launcher (mpiexec, srun). This module moves bytes
 * between them and knows nothing of networks; what is moved, and in which order sums are formed, is train/reduce/reduce.h's.
 *
 *     mpiexec -n 4 samebits train ...
 *       samebits       four times: sees the launcher (launch.h), starts samebits-mpi and watches it
 *         samebits-mpi   the same program with an engine in it (engine.h): sb_ranks_open
 *           update k       shards of the rank -> gradient of its subtree           train/reduce/reduce.c
 *                          while the last of them goes backward, bucket by bucket:  train/reduce/exchange.c
 *                            spread: slice q of every rank's to rank q
 *                            rank q adds the pieces in the order of the tree
 *                            gather: the slices to all                             every rank: the same update
 *                          gather: losses of all shards, stop signals    train/reduce/reduce.c, train/run/run_ranks.c
 *           now and then   gather: hashes of batch and weights, running values; rank 0 alone writes files
 *
 * An engine is a row of functions: none where a process is alone, MPI where the program was linked with it. Whatever a
 * function waits for has a time limit. One rank that does not come, or fails, ends all:
 *
 *     SB_TRY(sb_ranks_open(&ranks, 300));
 *     SB_TRY(sb_ranks_gather(ranks, whole, n, sizeof *whole));
 *     ...
 *     status = sb_ranks_fail(ranks, status);      where it is not SB_OK: one sentence of all ranks, one exit code
 *     sb_ranks_close(ranks);
 *
 * NULL is a process that is alone: rank 0 of 1, for which every exchange is there already.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_RANKS_MAX = 16 };

typedef struct sb_ranks sb_ranks;

/* The ranks that the launcher started; *ranks is NULL where this process is alone. A rank that others wait for
 * longer than timeout_s seconds is lost. SB_E_USAGE: more than SB_RANKS_MAX, or no power of two. SB_E_MISSING: this
 * program has no engine for them. */
sb_status sb_ranks_open(sb_ranks **ranks, double timeout_s);
bool sb_ranks_can_open(void);         /* does this program have one? */
void sb_ranks_close(sb_ranks *ranks); /* NULL is fine. By all ranks, with nothing under way */

int sb_ranks_rank(const sb_ranks *ranks);
int sb_ranks_size(const sb_ranks *ranks);
const char *sb_ranks_engine(const sb_ranks *ranks); /* name and version: "MPICH 4.0.2"; "single" */

/* How n elements are cut into a slice for each rank, of equal length but for the last ones. */
typedef struct sb_slice {
    size_t first, n;
} sb_slice;
sb_slice sb_ranks_slice(const sb_ranks *ranks, size_t n, int rank);

/* Are two ranks on one host, by its name? And this rank's number on its host: 0, 1, ... */
bool sb_ranks_share_host(const sb_ranks *ranks, int a, int b);
int sb_ranks_number_on_host(const sb_ranks *ranks);

/* -- exchanges: called by all ranks, in the same order, by one thread of each at a time -- */

/* Slice q of `whole`, n elements of `each` bytes, goes to rank q; pieces[0], pieces[1], ... are this rank's slice as
 * the ranks 0, 1, ... have it, one after the other. */
sb_status sb_ranks_spread(sb_ranks *ranks, const void *whole, size_t n, size_t each, void *pieces);

/* Each rank has its own slice of `whole`; then all have all of it. */
sb_status sb_ranks_gather(sb_ranks *ranks, void *whole, size_t n, size_t each);

/* The same with one element of each rank: element r of `row` is rank r's. */
sb_status sb_ranks_collect(sb_ranks *ranks, void *row, size_t each);

/* Memory of one rank to all others. */
sb_status sb_ranks_share(sb_ranks *ranks, int from, void *memory, size_t n_bytes);

/* The sum over the ranks of n floats (`each` 4) or doubles (8), in an order that the engine chooses. */
sb_status sb_ranks_sum(sb_ranks *ranks, void *x, size_t n, size_t each);

/* An exchange that something other than the engine carries, such as a library of a device, and that was begun: until test
 * says that it has ended, with the time limit and the notes of other ranks as in every exchange. n_bytes: that this rank
 * hands over. What test returns is returned; after a failure the exchange is still under way. */
typedef sb_status sb_ranks_test(void *context, bool *ended);
sb_status sb_ranks_wait(sb_ranks *ranks, size_t n_bytes, sb_ranks_test *test, void *context);

/* Patient: other threads of this process compute meanwhile, and what waits for an exchange leaves them the CPU. Not
 * patient, as at first: everything waits for it. Any thread may say so, at any time. */
void sb_ranks_set_patient(sb_ranks *ranks, bool is_patient);

/* What exchanges have cost this rank: from the begin to the end of each, with the waiting for slower ranks, and bytes
 * that it had to hand over, however the engine moves them. */
typedef struct sb_rank_cost {
    int64_t exchanges, bytes;
    double seconds;
} sb_rank_cost;

/* Since the last call, or since the ranks were opened. */
sb_rank_cost sb_ranks_take_cost(sb_ranks *ranks);

/* Its seconds so far; nothing is taken. Not while an exchange is under way in another thread. */
double sb_ranks_cost_seconds(const sb_ranks *ranks);

/* -- agreement -- */

/* Are these lines, "key=value\n" each, the same on all ranks? SB_E_USAGE on every rank, with rank, key and both values
 * of the first that is not. */
sb_status sb_ranks_compare(sb_ranks *ranks, const char *lines);

/* All ranks call it with how their part went. SB_OK if all of them went well; else every rank has the status and the
 * sentence of the first that did not, with its number where others went well. */
sb_status sb_ranks_agree(sb_ranks *ranks, sb_status status);

/* Tell the other ranks that this one ends with status, and end them all: the process exits, with what the status says,
 * unless all of them end the same way by themselves. Then the status is returned, with its sentence on rank 0 alone.
 * Of one process the status is returned as it is. */
sb_status sb_ranks_fail(sb_ranks *ranks, sb_status status);
