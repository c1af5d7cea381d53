/* An NCCL for tests, of this process's memory: the few functions that src/ops/library/nccl.c uses, as the documentation
 * has them for communicators that do not wait. This rank stands for all, which are alike: what another one sends is
 * what this one sends itself, or, where it sends itself nothing, its sum in place of what lies there. Memory changes
 * when the call settles, not before. */
#include "fake_nccl.h"

#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, INTERNAL_ERROR = 3, INVALID_ARGUMENT = 4, REMOTE_ERROR = 6, IN_PROGRESS = 7 };

extern fake_nccl_state fake_nccl;
fake_nccl_state fake_nccl = {.failing_call = -1};

typedef struct id {
    char bytes[128];
} id;

typedef struct config {
    size_t size;
    unsigned magic, version;
    int blocking;
} config;

int ncclGetVersion(int *version);
const char *ncclGetErrorString(int result);
int ncclGetUniqueId(id *made);
int ncclCommInitRankConfig(void **all, int ranks, id meeting, int rank, config *c);
int ncclCommAbort(void *all);
int ncclCommGetAsyncError(void *all, int *result);
int ncclGroupStart(void);
int ncclGroupEnd(void);
int ncclSend(const void *from, size_t n, int type, int to, void *all, void *stream);
int ncclRecv(void *to, size_t n, int type, int from, void *all, void *stream);
int ncclAllReduce(const void *from, void *to, size_t n, int type, int operation, void *all, void *stream);

static fake_nccl_call pending[64];
static int n_pending, looks;
static bool is_open, in_group, is_pending;

static bool is_due(void)
{
    return fake_nccl.n_calls++ == fake_nccl.failing_call;
}

static int begin(void)
{
    if (is_due()) return INTERNAL_ERROR;
    fake_nccl.misused |= is_pending;
    return SUCCESS;
}

static int go_on(void)
{
    is_pending = true, looks = 0;
    return IN_PROGRESS;
}

static void note(char what, int peer, size_t n, void *at, void *stream)
{
    if (fake_nccl.n_log == FAKE_NCCL_LOG || n_pending == 64) abort();
    fake_nccl.log[fake_nccl.n_log++] = (fake_nccl_call){what, peer, n, at, stream};
    if (n) pending[n_pending++] = fake_nccl.log[fake_nccl.n_log - 1];
}

static void add_alike(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] *= (float)fake_nccl.ranks;
}

static void settle(void)
{
    const fake_nccl_call *own = NULL;
    for (int i = 0; i < n_pending; i++)
        if (pending[i].what == 's' && pending[i].peer == fake_nccl.rank) own = &pending[i];
    for (int i = 0; i < n_pending; i++) {
        const fake_nccl_call *c = &pending[i];
        if (c->what == 'a') add_alike(c->at, c->n);
        if (c->what == 'r' && own) memcpy(c->at, own->at, c->n);
        if (c->what == 'r' && !own) add_alike(c->at, c->n / sizeof(float));
    }
    n_pending = 0, is_pending = false;
}

int ncclGetVersion(int *version)
{
    *version = 22703;
    return SUCCESS;
}

const char *ncclGetErrorString(int result)
{
    return result == REMOTE_ERROR ? "remote process exited or there was a network error" : "internal error";
}

int ncclGetUniqueId(id *made)
{
    memset(made, 'm', sizeof *made);
    return begin();
}

int ncclCommInitRankConfig(void **all, int ranks, id meeting, int rank, config *c)
{
    const bool is_sound = ranks > 1 && rank >= 0 && rank < ranks && c->size == sizeof *c && c->magic == 0xcafebeef &&
                          c->version == 21400 && c->blocking == 0;
    (void)meeting;
    if (is_due() || !is_sound || is_open) return INVALID_ARGUMENT;
    *all = malloc(1);
    fake_nccl.ranks = ranks, fake_nccl.rank = rank, fake_nccl.n_live++;
    is_open = true;
    return go_on();
}

int ncclCommAbort(void *all)
{
    free(all);
    fake_nccl.n_live--;
    n_pending = 0, is_open = is_pending = in_group = false;
    return SUCCESS;
}

int ncclCommGetAsyncError(void *all, int *result)
{
    if (is_due()) return INTERNAL_ERROR;
    fake_nccl.misused |= !all || in_group;
    *result = is_pending ? IN_PROGRESS : SUCCESS;
    if (!is_pending || fake_nccl.never_settles) return SUCCESS;
    if (fake_nccl.loses_rank) *result = REMOTE_ERROR;
    if (fake_nccl.loses_rank || looks++ < fake_nccl.looks) return SUCCESS;
    settle();
    *result = SUCCESS;
    return SUCCESS;
}

int ncclGroupStart(void)
{
    const int result = begin();
    if (result != SUCCESS) return result;
    fake_nccl.misused |= in_group;
    in_group = true;
    note('(', -1, 0, NULL, NULL);
    return SUCCESS;
}

/* Ends the group also where it fails. */
int ncclGroupEnd(void)
{
    const int result = begin();
    fake_nccl.misused |= !in_group;
    in_group = false;
    note(')', -1, 0, NULL, NULL);
    return result == SUCCESS ? go_on() : result;
}

static int transfer(char what, void *at, size_t n, int type, int peer, void *all, void *stream)
{
    const int result = begin();
    if (result != SUCCESS) return result;
    fake_nccl.misused |= !in_group || !all || !at || n == 0 || type != 0 || peer < 0 || peer >= fake_nccl.ranks;
    note(what, peer, n, at, stream);
    return SUCCESS;
}

int ncclSend(const void *from, size_t n, int type, int to, void *all, void *stream)
{
    return transfer('s', (void *)from, n, type, to, all, stream);
}

int ncclRecv(void *to, size_t n, int type, int from, void *all, void *stream)
{
    return transfer('r', to, n, type, from, all, stream);
}

int ncclAllReduce(const void *from, void *to, size_t n, int type, int operation, void *all, void *stream)
{
    const int result = begin();
    if (result != SUCCESS) return result;
    fake_nccl.misused |= in_group || !all || from != to || type != 7 || operation != 0;
    note('a', -1, n, to, stream);
    return go_on();
}
