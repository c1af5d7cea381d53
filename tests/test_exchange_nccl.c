/* The exchange between ranks by NCCL, with a CUDA runtime and an NCCL of the tests (support/fake_cuda_runtime.h,
 * support/fake_nccl.h), and an engine that stands for four ranks that are alike but for their GPUs: when NCCL is taken, what
 * goes where in which order, and what happens where a call fails, or never ends. It has not run on a GPU. */
#include "support.h"

#include "fake_cuda_runtime.h"
#include "fake_nccl.h"

#include "backend/backend.h"
#include "core/random.h"
#include "rank/engine.h"
#include "train/reduce/exchange.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, BUCKETS = 3, TOTAL = 2 * SB_EXCHANGE_BUCKET + 1003 };

/* ---- the engine: others have what this rank has, but for a first letter of their own ---- */

static int own_rank;
static bool one_gpu, other_versions, rank_fails;
enum { ROW = 48, AT_VERSION = 32 }; /* bytes of the row of a rank */

static sb_status open_four(int *rank, int *size, char version[SB_RANK_VERSION])
{
    *rank = own_rank, *size = RANKS;
    snprintf(version, SB_RANK_VERSION, "four alike");
    return SB_OK;
}

static void close_four(void)
{
}

static sb_status spread(const void *whole, const sb_rank_cut *cut, void *pieces)
{
    (void)whole, (void)cut, (void)pieces;
    fail_msg("nothing is spread by the engine here");
    return SB_E_IO;
}

static void differ(char *row, int rank)
{
    if (!one_gpu && *row) *row = (char)(*row + rank - own_rank);
    if (other_versions) row[AT_VERSION] = (char)(row[AT_VERSION] + rank - own_rank);
}

static sb_status gather(void *whole, const sb_rank_cut *cut)
{
    const char *own = (const char *)whole + cut->first[own_rank];
    for (int r = 0; r < RANKS; r++) {
        char *row = (char *)whole + cut->first[r];
        if (r == own_rank || cut->n[r] != cut->n[own_rank]) continue;
        memcpy(row, own, cut->n[r]);
        if (cut->n[r] == ROW) differ(row, r);
    }
    return SB_OK;
}

static sb_status sum(void *x, size_t n, size_t each)
{
    (void)x, (void)n, (void)each;
    return SB_OK;
}

static sb_status test(bool *ended)
{
    *ended = true;
    return SB_OK;
}

static void tell(int to, const sb_rank_note *note)
{
    (void)to, (void)note;
}

static bool hear(int *from, sb_rank_note *note)
{
    if (!rank_fails) return false;
    *from = 1, *note = (sb_rank_note){.says = SB_RANK_FAILED, .code = 1, .text = "its disk is full"};
    rank_fails = false;
    return true;
}

const sb_rank_engine sb_rank_mpi = {.name = "four",
                                    .open = open_four,
                                    .close = close_four,
                                    .spread = spread,
                                    .gather = gather,
                                    .sum = sum,
                                    .test = test,
                                    .tell = tell,
                                    .hear = hear};

/* ---- a fixture ---- */

typedef struct fixture {
    sb_ops *ops;
    sb_net net;
    sb_ranks *ranks;
    sb_exchange *exchange;
    float *block, *host;
} fixture;

static fake_nccl_state *nccl; /* in the library, which stays mapped */

static void reset(void)
{
    fake_cuda_reset();
    *nccl = (fake_nccl_state){.failing_call = -1, .looks = 2};
    own_rank = 2;
    one_gpu = other_versions = rank_fails = false;
    setenv("SAMEBITS_NCCL", SB_FAKE_NCCL, 1);
    unsetenv("NCCL_ALGO"), unsetenv("NCCL_NVLS_ENABLE");
}

static sb_status open_fixture(fixture *f, const char *backend, bool is_fast, double timeout_s)
{
    *f = (fixture){0};
    assert_int_equal(sb_backend_open(&f->ops, backend, &(sb_backend_options){.threads = 1}), SB_OK);
    f->net = (sb_net){.ops = f->ops, .params = {.total = TOTAL}};
    f->block = f->ops->allocate(f->ops, TOTAL * sizeof *f->block);
    f->host = malloc(TOTAL * sizeof *f->host);
    assert_true(f->block && f->host);
    setenv("PMI_RANK", own_rank == 0 ? "0" : "2", 1);
    assert_int_equal(sb_ranks_open(&f->ranks, timeout_s), SB_OK);
    return sb_exchange_open(&f->exchange, f->ranks, &f->net, is_fast);
}

static sb_status open_with_gpus(fixture *f, bool is_fast)
{
    return open_fixture(f, "native-cuda", is_fast, 60);
}

static void close_fixture(fixture *f)
{
    sb_exchange_close(f->exchange);
    sb_ranks_close(f->ranks);
    f->ops->release(f->ops, f->block);
    sb_backend_close(f->ops);
    free(f->host);
    assert_int_equal(nccl->n_live, 0);
    for (int kind = 0; kind < FAKE_KINDS; kind++) assert_int_equal(fake.live[kind], 0);
    assert_false(fake.misused || fake.stale);
}

static float *numbers; /* drawn once */

static void draw_numbers(void)
{
    numbers = malloc(TOTAL * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < TOTAL; i++) numbers[i] = (float)sb_random_words(7, 1, i).word[0];
}

static sb_status exchange(fixture *f)
{
    f->ops->to_device(f->ops, f->block, numbers, TOTAL * sizeof *numbers);
    return sb_exchange_finish(f->exchange, f->block);
}

static void expect_sums(const fixture *f)
{
    assert_int_equal(sb_ops_read(f->ops, f->host, f->block, TOTAL * sizeof *f->host), SB_OK);
    for (size_t i = 0; i < TOTAL; i++)
        if (f->host[i] != RANKS * numbers[i])
            fail_msg("number %zu is %a, wanted %a", i, (double)f->host[i], (double)(RANKS * numbers[i]));
}

/* ---- what goes where ---- */

typedef struct bucket {
    float *at;
    size_t n;
} bucket;

/* From the end of the block. */
static bucket bucket_of(const fixture *f, int k)
{
    const size_t end = TOTAL - (size_t)k * SB_EXCHANGE_BUCKET;
    const size_t n = end < SB_EXCHANGE_BUCKET ? end : SB_EXCHANGE_BUCKET;
    return (bucket){f->block + (end - n), n};
}

static void expect_call(const fake_nccl_call *call, char what, int peer, const void *at, size_t n_bytes)
{
    if (call->what != what || call->peer != peer || call->at != at || call->n != n_bytes)
        fail_msg("call %d is %c %d %p %zu, wanted %c %d %p %zu", (int)(call - nccl->log), call->what, call->peer,
                 call->at, call->n, what, peer, at, n_bytes);
    assert_ptr_equal(call->stream, nccl->log[1].stream);
}

static const fake_nccl_call *expect_group(const fake_nccl_call *call, char bracket)
{
    assert_int_equal(call->what, bracket);
    return call + 1;
}

/* Slices to all, this rank's among them, which lands among the pieces; then the sum to the others. */
static const fake_nccl_call *expect_bucket(const fixture *f, const fake_nccl_call *call, bucket b, const char *piece)
{
    const sb_slice own = sb_ranks_slice(f->ranks, b.n, own_rank);
    call = expect_group(call, '(');
    for (int r = 0; r < RANKS; r++) {
        const sb_slice slice = sb_ranks_slice(f->ranks, b.n, r);
        expect_call(call++, 's', r, b.at + slice.first, 4 * slice.n);
        expect_call(call++, 'r', r, piece + (size_t)r * 4 * own.n, 4 * own.n);
    }
    call = expect_group(expect_group(call, ')'), '(');
    for (int r = 0; r < RANKS; r++) {
        const sb_slice slice = sb_ranks_slice(f->ranks, b.n, r);
        if (r == own_rank) continue;
        expect_call(call++, 's', r, b.at + own.first, 4 * own.n);
        expect_call(call++, 'r', r, b.at + slice.first, 4 * slice.n);
    }
    return expect_group(call, ')');
}

static void slices_go_where_they_belong(void **state)
{
    fixture f;
    reset();
    assert_int_equal(open_with_gpus(&f, false), SB_OK);
    assert_string_equal(sb_exchange_nccl(f.exchange), "2.27.3");
    assert_int_equal(nccl->ranks, RANKS);
    assert_int_equal(nccl->rank, own_rank);
    sb_ranks_take_cost(f.ranks);
    if (exchange(&f) != SB_OK) fail_msg("%s", sb_message());
    const fake_nccl_call *call = nccl->log;
    const char *piece = nccl->log[2].at;
    assert_non_null(nccl->log[1].stream);
    for (int k = 0; k < BUCKETS; k++) call = expect_bucket(&f, call, bucket_of(&f, k), piece);
    assert_ptr_equal(call, nccl->log + nccl->n_log);
    assert_false(nccl->misused);
    expect_sums(&f);
    assert_int_equal(sb_ranks_take_cost(f.ranks).exchanges, 2 * BUCKETS);
    assert_null(getenv("NCCL_ALGO")); /* nothing is added by NCCL */
    close_fixture(&f);
    (void)state;
}

static void fast_is_a_sum_of_each_bucket_by_a_ring(void **state)
{
    for (int chosen = 0; chosen < 2; chosen++) {
        fixture f;
        reset();
        if (chosen) setenv("NCCL_ALGO", "Tree", 1);
        assert_int_equal(open_with_gpus(&f, true), SB_OK);
        assert_string_equal(getenv("NCCL_ALGO"), chosen ? "Tree" : "Ring");
        assert_string_equal(getenv("NCCL_NVLS_ENABLE"), "0");
        if (exchange(&f) != SB_OK) fail_msg("%s", sb_message());
        assert_int_equal(nccl->n_log, BUCKETS);
        for (int k = 0; k < BUCKETS; k++) expect_call(&nccl->log[k], 'a', -1, bucket_of(&f, k).at, bucket_of(&f, k).n);
        assert_false(nccl->misused);
        expect_sums(&f);
        close_fixture(&f);
    }
    (void)state;
}

/* ---- whether it is taken ---- */

static void expect_words(const char *backend, const char *words)
{
    fixture f;
    assert_int_equal(open_fixture(&f, backend, false, 60), SB_OK);
    assert_string_equal(sb_exchange_nccl(f.exchange), words);
    assert_int_equal(nccl->n_calls, 0);
    close_fixture(&f);
}

static void without_it_the_host_is_the_way(void **state)
{
    reset();
    one_gpu = true;
    expect_words("native-cuda", "not used: ranks 0 and 1 share a GPU");
    reset();
    other_versions = true;
    expect_words("native-cuda", "not used: rank 0 has 0.27.3, rank 1 1.27.3");
    reset();
    setenv("SAMEBITS_NCCL", "/nowhere/libnccl.so.2", 1);
    expect_words("native-cuda", "not used: rank 0 finds none");
    setenv("SAMEBITS_NCCL", "libm.so.6", 1);
    expect_words("native-cuda", "not used: rank 0 finds none");
    reset();
    expect_words("cuda-on-cpu", "not used: rank 0 has no GPU");
    expect_words("native", "");
    assert_string_equal(sb_exchange_nccl(NULL), "");
    (void)state;
}

/* ---- what fails ---- */

/* One exchange, of which a call of NCCL fails; false: it has fewer calls. */
static bool fail_at(long call, bool is_fast)
{
    fixture f;
    nccl->failing_call = call;
    sb_fail(SB_OK, "nothing said yet");
    sb_status status = open_with_gpus(&f, is_fast);
    if (status == SB_OK) status = exchange(&f);
    const bool is_reached = nccl->n_calls > call;
    assert_int_equal(status, is_reached ? SB_E_IO : SB_OK);
    if (is_reached) assert_int_equal(nccl->n_live, 0); /* at once, not with the rest */
    if (is_reached && (strncmp(sb_message(), "NCCL 2.27.3: ", 13) != 0 || !strchr(sb_message() + 13, ':')))
        fail_msg("call %ld: '%s'", call, sb_message());
    assert_false(nccl->misused);
    close_fixture(&f);
    return is_reached;
}

static void any_call_may_fail(void **state)
{
    for (int k = 0; k < 4; k++) {
        long call = 0;
        do {
            reset();
            own_rank = k / 2 ? 0 : 2; /* rank 0 names the meeting */
        } while (fail_at(call++, k % 2));
        assert_true(call > (k % 2 ? 12 : 50));
    }
    (void)state;
}

static void a_rank_that_goes_is_told(void **state)
{
    fixture f;
    reset();
    assert_int_equal(open_with_gpus(&f, false), SB_OK);
    nccl->loses_rank = true;
    assert_int_equal(exchange(&f), SB_E_IO);
    assert_string_equal(sb_message(), "NCCL 2.27.3: exchanging with other ranks: remote process exited or there was a "
                                      "network error");
    assert_int_equal(exchange(&f), SB_E_IO); /* and nothing crashes */
    close_fixture(&f);
    (void)state;
}

/* The failure of another rank, of which it has told, ends the waiting; so does the time limit. */
static void nothing_is_waited_for_without_end(void **state)
{
    for (int how = 0; how < 3; how++) {
        fixture f;
        reset();
        assert_int_equal(open_fixture(&f, "native-cuda", false, how == 0 ? 60 : 0.1), SB_OK);
        rank_fails = how == 0;
        nccl->never_settles = how != 2, fake.never_idle = how == 2;
        assert_int_equal(exchange(&f), SB_E_IO);
        if (how == 0) assert_string_equal(sb_message(), "");
        if (how != 0) assert_non_null(strstr(sb_message(), " did not answer for 0 s, and training has ended on all"));
        assert_int_equal(nccl->n_live, 0); /* else the device would go on waiting */
        close_fixture(&f);
    }
    reset();
    nccl->never_settles = true; /* as early as where they meet */
    fixture f;
    assert_int_equal(open_fixture(&f, "native-cuda", false, 0.1), SB_E_IO);
    close_fixture(&f);
    (void)state;
}

/* A device that fails by itself says so before it makes the others wait, or behind the exchange. */
static void the_device_may_fail(void **state)
{
    for (int when = 0; when < 2; when++) {
        fixture f;
        reset();
        assert_int_equal(open_with_gpus(&f, false), SB_OK);
        fake.trap = when;
        if (when == 0) f.ops->sum(f.ops, 4, f.block, f.block, f.block);
        assert_int_equal(exchange(&f), SB_E_IO);
        assert_non_null(strstr(sb_message(), "unspecified launch failure"));
        assert_true(when || nccl->n_log == 0);
        sb_exchange_close(f.exchange);
        sb_ranks_close(f.ranks);
        sb_backend_close(f.ops);
        free(f.host);
        assert_int_equal(nccl->n_live, 0);
    }
    fake_cuda_reset();
    (void)state;
}

int main(void)
{
    void *library = dlopen(SB_FAKE_NCCL, RTLD_NOW | RTLD_NODELETE);
    nccl = library ? dlsym(library, "fake_nccl") : NULL;
    if (!nccl) return 1;
    setenv("PMI_SIZE", "4", 1);
    draw_numbers();
    const struct CMUnitTest tests[] = {cmocka_unit_test(slices_go_where_they_belong),
                                       cmocka_unit_test(fast_is_a_sum_of_each_bucket_by_a_ring),
                                       cmocka_unit_test(without_it_the_host_is_the_way),
                                       cmocka_unit_test(any_call_may_fail),
                                       cmocka_unit_test(a_rank_that_goes_is_told),
                                       cmocka_unit_test(nothing_is_waited_for_without_end),
                                       cmocka_unit_test(the_device_may_fail)};
    const int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(numbers);
    return n_failed;
}
