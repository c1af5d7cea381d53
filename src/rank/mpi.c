/* The engine MPI: the only file that calls it. */
#include "rank/engine.h"

#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 1 };

static MPI_Comm talk; /* for notes; exchanges use another one */
static MPI_Request exchange = MPI_REQUEST_NULL;
static int n_ranks;
static sb_rank_note sent[SB_RANKS_MAX];
static MPI_Request sending[SB_RANKS_MAX];

static sb_status fail(const char *what, int error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(error, text, &length);
    return sb_fail(SB_E_IO, "MPI: %s: %.200s", what, text);
}

/* "MPICH Version:\t4.0.2\n..." -> "MPICH 4.0.2" */
static void short_version(char version[SB_RANK_VERSION])
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", name[24] = "", number[24] = "";
    int length;
    MPI_Get_library_version(text, &length);
    if (sscanf(text, "%23s Version: %23s", name, number) == 2)
        snprintf(version, SB_RANK_VERSION, "%s %s", name, number);
    else
        snprintf(version, SB_RANK_VERSION, "%.*s", (int)strcspn(text, "\n"), text);
}

static sb_status open_mpi(int *rank, int *size, char version[SB_RANK_VERSION])
{
    int support;
    const int error = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &support);
    if (error != MPI_SUCCESS) return fail("cannot start", error);
    if (support < MPI_THREAD_SERIALIZED)
        return sb_fail(SB_E_MISSING, "MPI: this library cannot be called by more than one thread; the exchange "
                                     "during the backward pass needs that");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    MPI_Comm_dup(MPI_COMM_WORLD, &talk);
    n_ranks = *size;
    for (int r = 0; r < SB_RANKS_MAX; r++) sending[r] = MPI_REQUEST_NULL;
    short_version(version);
    return SB_OK;
}

/* What was told and not heard is taken back: the end of MPI would wait for it. Once all ranks are here, each has what was
 * sent to it, and connections need no flush (mpi_below.c). */
static void close_mpi(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < n_ranks && r < SB_RANKS_MAX; r++) {
        if (sending[r] == MPI_REQUEST_NULL) continue;
        MPI_Cancel(&sending[r]);
        MPI_Request_free(&sending[r]);
    }
    MPI_Comm_free(&talk);
    MPI_Finalize();
}

/* MPI counts in ints. */
static sb_status to_ints(const sb_rank_cut *cut, int n[SB_RANKS_MAX], int first[SB_RANKS_MAX])
{
    for (int r = 0; r < n_ranks; r++) {
        if (cut->first[r] + cut->n[r] > INT_MAX)
            return sb_fail(SB_E_USAGE, "ranks exchange up to 2 GiB at once, and this network has more");
        n[r] = (int)cut->n[r], first[r] = (int)cut->first[r];
    }
    return SB_OK;
}

static sb_status spread(const void *whole, const sb_rank_cut *cut, void *pieces)
{
    int n[SB_RANKS_MAX], first[SB_RANKS_MAX], own[SB_RANKS_MAX], at[SB_RANKS_MAX], rank;
    SB_TRY(to_ints(cut, n, first));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int r = 0; r < n_ranks; r++) own[r] = n[rank], at[r] = r * n[rank];
    const int error = MPI_Ialltoallv(whole, n, first, MPI_BYTE, pieces, own, at, MPI_BYTE, MPI_COMM_WORLD, &exchange);
    return error == MPI_SUCCESS ? SB_OK : fail("all-to-all", error);
}

static sb_status gather(void *whole, const sb_rank_cut *cut)
{
    int n[SB_RANKS_MAX], first[SB_RANKS_MAX];
    SB_TRY(to_ints(cut, n, first));
    const int error = MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, whole, n, first, MPI_BYTE, MPI_COMM_WORLD, &exchange);
    return error == MPI_SUCCESS ? SB_OK : fail("all-gather", error);
}

static sb_status sum(void *x, size_t n, size_t each)
{
    if (n > INT_MAX)
        return sb_fail(SB_E_USAGE, "MPI sums up to %d numbers at once, and this network has more", INT_MAX);
    const MPI_Datatype type = each == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    const int error = MPI_Iallreduce(MPI_IN_PLACE, x, (int)n, type, MPI_SUM, MPI_COMM_WORLD, &exchange);
    return error == MPI_SUCCESS ? SB_OK : fail("all-reduce", error);
}

static sb_status test(bool *ended)
{
    int flag = 0;
    const int error = MPI_Test(&exchange, &flag, MPI_STATUS_IGNORE);
    *ended = flag;
    return error == MPI_SUCCESS ? SB_OK : fail("exchange", error);
}

static void tell(int to, const sb_rank_note *note)
{
    int flag = 1;
    if (sending[to] != MPI_REQUEST_NULL) MPI_Test(&sending[to], &flag, MPI_STATUS_IGNORE);
    if (!flag) return;
    sent[to] = *note;
    MPI_Isend(&sent[to], (int)sizeof *note, MPI_BYTE, to, TAG, talk, &sending[to]);
}

static bool hear(int *from, sb_rank_note *note)
{
    int flag = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, talk, &flag, &status) != MPI_SUCCESS || !flag) return false;
    *from = status.MPI_SOURCE;
    return MPI_Recv(note, (int)sizeof *note, MPI_BYTE, *from, TAG, talk, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

/* MPICH would add a line of its own to what was said. */
static void abort_all(int code)
{
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDERR_FILENO);
    MPI_Abort(MPI_COMM_WORLD, code);
}

const sb_rank_engine sb_rank_mpi = {.name = "mpi",
                                    .open = open_mpi,
                                    .close = close_mpi,
                                    .spread = spread,
                                    .gather = gather,
                                    .sum = sum,
                                    .test = test,
                                    .tell = tell,
                                    .hear = hear,
                                    .abort = abort_all};
