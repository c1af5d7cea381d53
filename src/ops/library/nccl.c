/* The few functions of NCCL that are used, declared here so that no header of it is needed at build time: names and
 * numbers come from its documented C interface since 2.14. */
#include "ops/library/nccl.h"

#include "ops/library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *communicator;
enum { SUCCESS = 0, IN_PROGRESS = 7 };
enum { INT8 = 0, FLOAT32 = 7, FLOAT64 = 8 }; /* ncclDataType_t */
enum { SUM = 0 };                            /* ncclRedOp_t */

typedef struct unique_id {
    char bytes[SB_NCCL_ID];
} unique_id;

/* ncclConfig_t of 2.14, which newer libraries read by its size and version. */
typedef struct config {
    size_t size;
    unsigned magic, version;
    int blocking;
} config;
static const config without_waiting = {sizeof(config), 0xcafebeef, 21400, 0};

struct sb_nccl {
    void *library;
    communicator all; /* NULL: has not met them */
    int size;
    char version[16];
    int (*get_version)(int *version);
    const char *(*error)(int result);
    int (*make_id)(unique_id *);
    int (*meet)(communicator *, int size, unique_id, int rank, config *);
    int (*abort)(communicator);
    int (*state)(communicator, int *result);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *, size_t n, int type, int to, communicator, void *stream);
    int (*receive)(void *, size_t n, int type, int from, communicator, void *stream);
    int (*all_reduce)(const void *from, void *to, size_t n, int type, int operation, communicator, void *stream);
};

static sb_status load(sb_nccl *n)
{
    static const char *const names[] = {"libnccl.so.2", NULL};
#define AT(member) (void (**)(void)) & n->member
    const sb_symbol symbols[] = {{"ncclGetVersion", AT(get_version)},
                                 {"ncclGetErrorString", AT(error)},
                                 {"ncclGetUniqueId", AT(make_id)},
                                 {"ncclCommInitRankConfig", AT(meet)},
                                 {"ncclCommAbort", AT(abort)},
                                 {"ncclCommGetAsyncError", AT(state)},
                                 {"ncclGroupStart", AT(group_start)},
                                 {"ncclGroupEnd", AT(group_end)},
                                 {"ncclSend", AT(send)},
                                 {"ncclRecv", AT(receive)},
                                 {"ncclAllReduce", AT(all_reduce)},
                                 {0}};
#undef AT
    return sb_library_open(&n->library, "NCCL", "SAMEBITS_NCCL", names, symbols, NULL, NULL);
}

sb_status sb_nccl_open_library(sb_nccl **nccl)
{
    int version = 0;
    sb_nccl *n = *nccl = calloc(1, sizeof *n);
    if (!n) return sb_fail(SB_E_MEMORY, "not enough memory for NCCL");
    const sb_status status = load(n);
    if (status != SB_OK) {
        free(n);
        *nccl = NULL;
        return status;
    }
    if (n->get_version(&version) != SUCCESS) version = 0;
    snprintf(n->version, sizeof n->version, "%d.%d.%d", version / 10000, version % 10000 / 100, version % 100);
    return SB_OK;
}

const char *sb_nccl_version(const sb_nccl *nccl)
{
    return nccl->version;
}

/* Not destroyed, which would wait for the other ranks: when it is closed nothing is under way, or it is to be given up. */
void sb_nccl_close(sb_nccl *nccl)
{
    if (!nccl) return;
    if (nccl->all) nccl->abort(nccl->all);
    sb_library_close(nccl->library);
    free(nccl);
}

/* What goes on after the call is no failure. */
static sb_status check(const sb_nccl *n, const char *what, int result)
{
    if (result == SUCCESS || result == IN_PROGRESS) return SB_OK;
    return sb_fail(SB_E_IO, "NCCL %s: %s: %s", n->version, what, n->error(result));
}

sb_status sb_nccl_make_id(const sb_nccl *nccl, char id[SB_NCCL_ID])
{
    unique_id made = {{0}};
    SB_TRY(check(nccl, "naming a meeting of ranks", nccl->make_id(&made)));
    memcpy(id, made.bytes, SB_NCCL_ID);
    return SB_OK;
}

sb_status sb_nccl_meet(sb_nccl *nccl, const char id[SB_NCCL_ID], int rank, int size)
{
    config c = without_waiting;
    unique_id meeting;
    memcpy(meeting.bytes, id, SB_NCCL_ID);
    nccl->size = size;
    return check(nccl, "meeting the other ranks", nccl->meet(&nccl->all, size, meeting, rank, &c));
}

sb_status sb_nccl_is_settled(const sb_nccl *nccl, bool *settled)
{
    int now = SUCCESS;
    *settled = false;
    SB_TRY(check(nccl, "asking how it goes", nccl->state(nccl->all, &now)));
    SB_TRY(check(nccl, "exchanging with other ranks", now));
    *settled = now == SUCCESS;
    return SB_OK;
}

/* An end of the group comes also after a failure. */
sb_status sb_nccl_swap(const sb_nccl *nccl, const sb_nccl_part send[], const sb_nccl_part receive[], void *stream)
{
    SB_TRY(check(nccl, "a group of transfers", nccl->group_start()));
    sb_status status = SB_OK;
    for (int r = 0; r < nccl->size && status == SB_OK; r++) {
        if (send[r].n_bytes)
            status = check(nccl, "sending", nccl->send(send[r].at, send[r].n_bytes, INT8, r, nccl->all, stream));
        if (receive[r].n_bytes && status == SB_OK)
            status =
                check(nccl, "receiving", nccl->receive(receive[r].at, receive[r].n_bytes, INT8, r, nccl->all, stream));
    }
    const int ended = nccl->group_end();
    return status == SB_OK ? check(nccl, "a group of transfers", ended) : status;
}

sb_status sb_nccl_sum(const sb_nccl *nccl, sb_real *x, size_t n, void *stream)
{
    const int type = sizeof *x == sizeof(float) ? FLOAT32 : FLOAT64;
    return check(nccl, "adding", nccl->all_reduce(x, x, n, type, SUM, nccl->all, stream));
}
