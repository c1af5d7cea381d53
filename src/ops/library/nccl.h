/* NCCL, opened at run time: libnccl.so.2, or what SAMEBITS_NCCL names. It moves memory of one device to another one, and
 * adds.
 *
 *     SB_TRY(sb_nccl_open_library(&nccl));
 *     SB_TRY(sb_nccl_make_id(nccl, id));                  by one rank, who tells the others
 *     SB_TRY(sb_nccl_meet(nccl, id, rank, size));         by all
 *     ... until sb_nccl_is_settled
 *     SB_TRY(sb_nccl_swap(nccl, send, receive, stream));  on the stream, in order with all else there
 *     ... until sb_nccl_is_settled; then whatever follows may be put on the stream
 *     sb_nccl_close(nccl);
 *
 * No call waits for other ranks: NCCL is told so ("blocking" is 0). So who waits can give up, and close it. What fails is
 * SB_E_IO, "NCCL 2.27.3: meeting the other ranks: ...". */
#ifndef SB_OPS_NCCL_H
#define SB_OPS_NCCL_H

#include "core/status.h"
#include "ops/real.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_NCCL_ID = 128 };

typedef struct sb_nccl sb_nccl;

/* SB_E_MISSING: there is none, or it is older than 2.14. */
sb_status sb_nccl_open_library(sb_nccl **nccl);
const char *sb_nccl_version(const sb_nccl *nccl); /* "2.27.3" */

/* What is under way is given up: other ranks are not waited for, and work of it on a stream ends. NULL is fine. */
void sb_nccl_close(sb_nccl *nccl);

/* The name of a meeting. */
sb_status sb_nccl_make_id(const sb_nccl *nccl, char id[SB_NCCL_ID]);

/* Begin to meet the other ranks, with the device that the calling thread has chosen, which no other rank has. */
sb_status sb_nccl_meet(sb_nccl *nccl, const char id[SB_NCCL_ID], int rank, int size);

/* Whether the last call has been done, or all of it been put on its stream. Before that no other call may follow, and no
 * other work on the stream. */
sb_status sb_nccl_is_settled(const sb_nccl *nccl, bool *settled);

/* Device memory, which stays the caller's. */
typedef struct sb_nccl_part {
    void *at;
    size_t n_bytes; /* 0: none */
} sb_nccl_part;

/* send[r] goes to rank r, and receive[r] comes from it: as many bytes as that rank sends here. */
sb_status sb_nccl_swap(const sb_nccl *nccl, const sb_nccl_part send[], const sb_nccl_part receive[], void *stream);

/* x[n] = the sum over the ranks, in an order that the library chooses. */
sb_status sb_nccl_sum(const sb_nccl *nccl, sb_real *x, size_t n, void *stream);

#endif
