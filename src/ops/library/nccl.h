/* NCCL, opened at run time: libnccl.so.2, or the file named by SAMEBITS_NCCL. It copies memory between devices and adds
 * it.
 *
 *     SB_TRY(sb_nccl_open_library(&nccl));
 *     SB_TRY(sb_nccl_make_id(nccl, id));                  by one rank, which sends id to the others
 *     SB_TRY(sb_nccl_meet(nccl, id, rank, size));         by all
 *     ... until sb_nccl_is_settled
 *     SB_TRY(sb_nccl_swap(nccl, send, receive, stream));  on the stream, in order with all else there
 *     ... until sb_nccl_is_settled; then whatever follows may be put on the stream
 *     sb_nccl_close(nccl);
 *
 * No call waits for other ranks ("blocking" is 0). So the caller decides how long to wait, and can close it at any
 * time. A failure is SB_E_IO, "NCCL 2.27.3: meeting the other ranks: ...". */
#pragma once

#include "core/status.h"
#include "ops/real.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_NCCL_ID = 128 };

typedef struct sb_nccl sb_nccl;

/* SB_E_MISSING: the library is absent, or older than 2.14. */
sb_status sb_nccl_open_library(sb_nccl **nccl);
const char *sb_nccl_version(const sb_nccl *nccl); /* "2.27.3" */

/* Cancel all work, also on streams, without waiting for other ranks, and close. NULL does nothing. */
void sb_nccl_close(sb_nccl *nccl);

/* Make the identifier of a new group of ranks. */
sb_status sb_nccl_make_id(const sb_nccl *nccl, char id[SB_NCCL_ID]);

/* Begin to connect to the other ranks, with the calling thread's current device. No other rank may use that device. */
sb_status sb_nccl_meet(sb_nccl *nccl, const char id[SB_NCCL_ID], int rank, int size);

/* Set *settled: has the last call ended, or put all its work on its stream? Until then make no other call and put no
 * other work on the stream. */
sb_status sb_nccl_is_settled(const sb_nccl *nccl, bool *settled);

/* Device memory, which stays the caller's. */
typedef struct sb_nccl_part {
    void *at;
    size_t n_bytes; /* 0: none */
} sb_nccl_part;

/* Send send[r] to rank r and receive receive[r] from it; its n_bytes must be what that rank sends. */
sb_status sb_nccl_swap(const sb_nccl *nccl, const sb_nccl_part send[], const sb_nccl_part receive[], void *stream);

/* x[n] = the sum over the ranks, in an order that the library chooses. */
sb_status sb_nccl_sum(const sb_nccl *nccl, sb_real *x, size_t n, void *stream);
