#include "rank/engine.h"
#include "rank/launch.h"

#include "core/machine/clock.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* In a program that is linked without mpi.c, whose constant takes the place of this one. */
__attribute__((weak)) const sb_rank_engine sb_rank_mpi = {.name = "mpi"};

/* Who a rank is, for sentences. */
typedef struct place {
    long process;
    char host[64];
} place;

struct sb_ranks {
    const sb_rank_engine *engine;
    int rank, size;
    double timeout_s;
    char version[SB_RANK_VERSION];
    place place[SB_RANKS_MAX];
    long exchange; /* the number of the one under way */
    double began;  /* its clock */
    atomic_bool is_patient;
    sb_rank_cost cost;
    bool is_lost;              /* this rank's sentence is about another one */
    char agreed[SB_RANK_TEXT]; /* the sentence of all ranks, once they have agreed to fail; else "" */
    bool has_told;             /* in this exchange, that it is here */
    bool here[SB_RANKS_MAX];   /* has told so, in this exchange */
    sb_rank_note failed[SB_RANKS_MAX];
    bool has_failed[SB_RANKS_MAX];
};

int sb_ranks_rank(const sb_ranks *ranks)
{
    return ranks ? ranks->rank : 0;
}

int sb_ranks_size(const sb_ranks *ranks)
{
    return ranks ? ranks->size : 1;
}

const char *sb_ranks_engine(const sb_ranks *ranks)
{
    return ranks ? ranks->version : "single";
}

sb_slice sb_ranks_slice(const sb_ranks *ranks, size_t n, int rank)
{
    const size_t size = (size_t)sb_ranks_size(ranks), length = (n + size - 1) / size, before = length * (size_t)rank;
    const size_t first = before < n ? before : n;
    return (sb_slice){first, n - first < length ? n - first : length};
}

bool sb_ranks_share_host(const sb_ranks *ranks, int a, int b)
{
    return !ranks || strcmp(ranks->place[a].host, ranks->place[b].host) == 0;
}

int sb_ranks_number_on_host(const sb_ranks *ranks)
{
    int n = 0;
    for (int r = 0; r < sb_ranks_rank(ranks); r++) n += sb_ranks_share_host(ranks, r, ranks->rank);
    return n;
}

/* ---- notes ---- */

static void tell_all(sb_ranks *r, const sb_rank_note *note)
{
    for (int to = 0; to < r->size; to++)
        if (to != r->rank) r->engine->tell(to, note);
}

static void tell_here(sb_ranks *r)
{
    if (!r->has_told) tell_all(r, &(sb_rank_note){.says = SB_RANK_IS_HERE, .exchange = r->exchange});
    r->has_told = true;
}

/* A rank that is told that another one waits says that it waits too. It may be one exchange later or earlier. */
static void listen(sb_ranks *r)
{
    sb_rank_note note;
    int from;
    while (r->engine->hear(&from, &note)) {
        if (note.says == SB_RANK_FAILED) {
            r->failed[from] = note;
            r->has_failed[from] = true;
        } else if (labs(note.exchange - r->exchange) <= 1) {
            r->here[from] = true;
            tell_here(r);
        }
    }
}

static int count_failed(const sb_ranks *r)
{
    int n = 0;
    for (int i = 0; i < r->size; i++) n += r->has_failed[i];
    return n;
}

/* ---- waiting ---- */

/* After this many seconds of waiting. Engines move bytes only while they are asked whether they have ended, so that an
 * exchange of some milliseconds is asked for all the time, and only the way made free for other ranks on the same
 * CPU; next to other work, as often as buffers of the network fill. */
static void rest(double waited, bool is_patient)
{
    if (waited < 0.2 && !is_patient) {
        sched_yield();
        return;
    }
    const long ns = waited < 2 ? 50000 : 500000;
    nanosleep(&(struct timespec){0, ns}, NULL);
}

/* The ranks that say nothing, "rank 2 of 4 (process 71 on vm)"; how many. */
static int list_silent(const sb_ranks *r, char text[SB_RANK_TEXT])
{
    int n = 0;
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < r->size; i++) {
        if (i == r->rank || r->here[i]) continue;
        used += (size_t)snprintf(text + used, SB_RANK_TEXT - used, "%srank %d of %d (process %ld on %s)", n ? ", " : "",
                                 i, r->size, r->place[i].process, r->place[i].host);
        if (used >= SB_RANK_TEXT) used = SB_RANK_TEXT - 1;
        n++;
    }
    return n;
}

/* The exchange has not ended in time: who is not here? *ended: it has, in the meantime. */
static sb_status call_roll(sb_ranks *r, sb_ranks_test *test, void *context, bool *ended)
{
    enum { TURNS = 2000 }; /* of a millisecond */
    char silent[SB_RANK_TEXT];
    tell_here(r);
    for (int i = 0; i < TURNS && !*ended; i++) {
        SB_TRY(test(context, ended));
        listen(r);
        if (count_failed(r)) return sb_fail(SB_E_IO, "%s", "");
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    if (*ended) return SB_OK;
    r->is_lost = true;
    if (list_silent(r, silent) == 0)
        return sb_fail(SB_E_IO,
                       "the ranks wait for each other for more than %.0f s, though all are there; a slow "
                       "network wants a larger --rank-timeout",
                       r->timeout_s);
    return sb_fail(SB_E_IO,
                   "%s did not answer for %.0f s, and training has ended on all; the same command continues from "
                   "the last checkpoint",
                   silent, r->timeout_s);
}

/* Until the exchange that was begun has ended, which test knows. */
static sb_status wait_until(sb_ranks *r, sb_ranks_test *test, void *context)
{
    enum { TURNS = 32 }; /* between looks at clock and notes */
    bool ended = false;
    for (long turn = 0; !ended; turn++) {
        SB_TRY(test(context, &ended));
        if (ended) break;
        if (turn % TURNS == TURNS - 1) {
            listen(r);
            if (count_failed(r)) return sb_fail(SB_E_IO, "%s", ""); /* that rank says why */
            if (sb_clock_seconds() - r->began > r->timeout_s) SB_TRY(call_roll(r, test, context, &ended));
        }
        rest(sb_clock_seconds() - r->began, atomic_load(&r->is_patient));
    }
    r->cost.seconds += sb_clock_seconds() - r->began;
    return SB_OK;
}

static sb_status ask_engine(void *ranks, bool *ended)
{
    return ((sb_ranks *)ranks)->engine->test(ended);
}

static sb_status wait_for_end(sb_ranks *r)
{
    return wait_until(r, ask_engine, r);
}

void sb_ranks_set_patient(sb_ranks *ranks, bool is_patient)
{
    if (ranks) atomic_store(&ranks->is_patient, is_patient);
}

/* n_bytes: that this rank hands over. */
static void begin_exchange(sb_ranks *r, size_t n_bytes)
{
    r->exchange++;
    r->began = sb_clock_seconds();
    r->cost.exchanges++;
    r->cost.bytes += (int64_t)n_bytes;
    r->has_told = false;
    memset(r->here, 0, sizeof r->here);
}

sb_rank_cost sb_ranks_take_cost(sb_ranks *ranks)
{
    if (!ranks) return (sb_rank_cost){0};
    const sb_rank_cost cost = ranks->cost;
    ranks->cost = (sb_rank_cost){0};
    return cost;
}

double sb_ranks_cost_seconds(const sb_ranks *ranks)
{
    return ranks ? ranks->cost.seconds : 0;
}

/* ---- exchanges ---- */

static sb_rank_cut cut_bytes(const sb_ranks *r, size_t n, size_t each)
{
    sb_rank_cut cut = {0};
    for (int i = 0; i < r->size; i++) {
        const sb_slice slice = sb_ranks_slice(r, n, i);
        cut.first[i] = slice.first * each, cut.n[i] = slice.n * each;
    }
    return cut;
}

sb_status sb_ranks_spread(sb_ranks *ranks, const void *whole, size_t n, size_t each, void *pieces)
{
    if (!ranks) {
        memcpy(pieces, whole, n * each);
        return SB_OK;
    }
    const sb_rank_cut cut = cut_bytes(ranks, n, each);
    begin_exchange(ranks, n * each - cut.n[ranks->rank]);
    SB_TRY(ranks->engine->spread(whole, &cut, pieces));
    return wait_for_end(ranks);
}

static sb_status gather(sb_ranks *ranks, void *whole, const sb_rank_cut *cut)
{
    begin_exchange(ranks, cut->n[ranks->rank] * (size_t)(ranks->size - 1));
    SB_TRY(ranks->engine->gather(whole, cut));
    return wait_for_end(ranks);
}

sb_status sb_ranks_gather(sb_ranks *ranks, void *whole, size_t n, size_t each)
{
    if (!ranks) return SB_OK;
    const sb_rank_cut cut = cut_bytes(ranks, n, each);
    return gather(ranks, whole, &cut);
}

sb_status sb_ranks_collect(sb_ranks *ranks, void *row, size_t each)
{
    return sb_ranks_gather(ranks, row, (size_t)sb_ranks_size(ranks), each);
}

sb_status sb_ranks_share(sb_ranks *ranks, int from, void *memory, size_t n_bytes)
{
    if (!ranks) return SB_OK;
    sb_rank_cut cut = {0};
    cut.n[from] = n_bytes;
    for (int i = from + 1; i < ranks->size; i++) cut.first[i] = n_bytes;
    return gather(ranks, memory, &cut);
}

sb_status sb_ranks_sum(sb_ranks *ranks, void *x, size_t n, size_t each)
{
    if (!ranks) return SB_OK;
    begin_exchange(ranks, 2 * n * each / (size_t)ranks->size * (size_t)(ranks->size - 1)); /* as a ring does */
    SB_TRY(ranks->engine->sum(x, n, each));
    return wait_for_end(ranks);
}

sb_status sb_ranks_wait(sb_ranks *ranks, size_t n_bytes, sb_ranks_test *test, void *context)
{
    begin_exchange(ranks, n_bytes);
    return wait_until(ranks, test, context);
}

/* ---- opening ---- */

static sb_status check_launch(const sb_launch *launch)
{
    const int n = launch->size;
    if (n <= SB_RANKS_MAX && (n & (n - 1)) == 0) return SB_OK;
    return sb_fail(SB_E_USAGE, "started as %d ranks, and training is shared by 1, 2, 4, 8 or 16", n);
}

static sb_status meet(sb_ranks *r)
{
    place *own = &r->place[r->rank];
    own->process = (long)getpid();
    gethostname(own->host, sizeof own->host - 1);
    return sb_ranks_collect(r, r->place, sizeof *r->place);
}

sb_status sb_ranks_open(sb_ranks **ranks, double timeout_s)
{
    sb_launch launch;
    *ranks = NULL;
    SB_TRY(sb_launch_read(&launch));
    if (launch.size == 1) return SB_OK;
    SB_TRY(check_launch(&launch));
    if (!sb_rank_mpi.open)
        return sb_fail(SB_E_MISSING, "started as %d ranks, and this program has no MPI", launch.size);
    sb_ranks *r = calloc(1, sizeof *r);
    if (!r) return sb_fail(SB_E_MEMORY, "not enough memory");
    *r = (sb_ranks){.engine = &sb_rank_mpi, .timeout_s = timeout_s};
    sb_status status = r->engine->open(&r->rank, &r->size, r->version);
    if (status == SB_OK && r->size != launch.size)
        status = sb_fail(SB_E_USAGE,
                         "started as %d ranks, and MPI knows of %d: the launcher is another MPI's; "
                         "mpiexec.hydra is MPICH's",
                         launch.size, r->size);
    if (status == SB_OK) status = meet(r);
    if (status == SB_OK) {
        *ranks = r;
        return SB_OK;
    }
    free(r);
    return status;
}

bool sb_ranks_can_open(void)
{
    return sb_rank_mpi.open != NULL;
}

void sb_ranks_close(sb_ranks *ranks)
{
    if (!ranks) return;
    ranks->engine->close();
    free(ranks);
}

/* ---- agreement ---- */

typedef struct outcome {
    int status;
    char text[SB_RANK_TEXT];
} outcome;

/* The sentence that was just said is the same on every rank, and each knows it: no notes are needed. */
static sb_status fail_together(sb_ranks *ranks, sb_status status)
{
    snprintf(ranks->agreed, sizeof ranks->agreed, "%s", sb_message());
    return status;
}

sb_status sb_ranks_agree(sb_ranks *ranks, sb_status status)
{
    if (!ranks) return status;
    outcome of[SB_RANKS_MAX] = {0};
    of[ranks->rank].status = (int)status;
    if (status != SB_OK) snprintf(of[ranks->rank].text, SB_RANK_TEXT, "%s", sb_message());
    SB_TRY(sb_ranks_collect(ranks, of, sizeof *of));
    int first = -1, n_alike = 0;
    for (int i = ranks->size - 1; i >= 0; i--)
        if (of[i].status != SB_OK) first = i;
    if (first < 0) return SB_OK;
    for (int i = 0; i < ranks->size; i++) n_alike += strcmp(of[i].text, of[first].text) == 0;
    const sb_status code = (sb_status)of[first].status;
    if (n_alike == ranks->size)
        sb_fail(code, "%s", of[first].text);
    else
        sb_fail(code, "rank %d of %d: %s", first, ranks->size, of[first].text);
    return fail_together(ranks, code);
}

/* The length of a line. */
static int length_of(const char *line)
{
    return (int)strcspn(line, "\n");
}

/* Both stand at the first line that is not the same; false: all are. */
static bool find_difference(const char **a, const char **b)
{
    while (**a || **b) {
        const int n = length_of(*a);
        if (n != length_of(*b) || strncmp(*a, *b, (size_t)n) != 0) return true;
        *a += n + ((*a)[n] != 0), *b += n + ((*b)[n] != 0);
    }
    return false;
}

enum { LINES = 1 << 16 };

sb_status sb_ranks_compare(sb_ranks *ranks, const char *lines)
{
    if (!ranks) return SB_OK;
    SB_FREED char(*of)[LINES] = calloc((size_t)ranks->size, sizeof *of);
    if (!of) return sb_fail(SB_E_MEMORY, "not enough memory");
    assert(strlen(lines) < LINES);
    snprintf(of[ranks->rank], LINES, "%s", lines);
    sb_status status = sb_ranks_collect(ranks, of, LINES);
    for (int i = 1; status == SB_OK && i < ranks->size; i++) {
        const char *a = of[0], *b = of[i];
        if (!find_difference(&a, &b)) continue;
        sb_fail(SB_E_USAGE,
                "rank %d of %d (process %ld on %s) has %.*s, and rank 0 has %.*s: all ranks train with the same "
                "program, options and data",
                i, ranks->size, ranks->place[i].process, ranks->place[i].host, length_of(b), b, length_of(a), a);
        status = fail_together(ranks, SB_E_USAGE);
    }
    return status;
}

/* ---- failing ---- */

/* Notes of the others, until all have failed or a second is over. */
static void hear_failures(sb_ranks *r)
{
    enum { TURNS = 1000 };
    for (int i = 0; i < TURNS && count_failed(r) < r->size; i++) {
        listen(r);
        bool ended;
        r->engine->test(&ended); /* so that what is under way goes on */
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}

static int first_failed(const sb_ranks *r)
{
    int first = 0;
    while (first < r->size - 1 && !r->has_failed[first]) first++;
    return first;
}

static bool has_agreed(const sb_ranks *r)
{
    return *r->agreed && strncmp(r->agreed, sb_message(), sizeof r->agreed - 1) == 0;
}

static bool all_alike(const sb_ranks *r)
{
    int n = 0;
    for (int i = 0; i < r->size; i++) n += r->has_failed[i] && strcmp(r->failed[i].text, r->failed[0].text) == 0;
    return n == r->size;
}

/* The first of those that failed speaks for all, and ends them; the others end themselves if it does not. */
static void end_all(sb_ranks *r)
{
    const int first = first_failed(r);
    const sb_rank_note *note = &r->failed[first];
    if (first == r->rank) {
        if (note->of_other)
            fprintf(stderr, "%s\n", note->text);
        else
            fprintf(stderr, "rank %d of %d: %s\n", first, r->size, note->text);
        fflush(NULL);
        nanosleep(&(struct timespec){SB_LAUNCH_PASSES_ON_S, 0}, NULL);
    } else {
        nanosleep(&(struct timespec){5, 0}, NULL);
    }
    r->engine->abort(note->code);
}

/* Ends the process, unless all ranks turn out to have failed alike. */
static void fail_alone(sb_ranks *r, sb_status status)
{
    sb_rank_note note = {.says = SB_RANK_FAILED, .code = sb_exit_code(status), .of_other = r->is_lost};
    snprintf(note.text, sizeof note.text, "%s", sb_message());
    if (*note.text) {
        r->failed[r->rank] = note;
        r->has_failed[r->rank] = true;
        tell_all(r, &note);
    }
    hear_failures(r);
    if (!*note.text || !all_alike(r) || note.of_other) end_all(r);
}

sb_status sb_ranks_fail(sb_ranks *ranks, sb_status status)
{
    if (!ranks || status == SB_OK) return status;
    if (!has_agreed(ranks)) fail_alone(ranks, status);
    return ranks->rank == 0 ? status : sb_fail(status, "%s", "");
}
