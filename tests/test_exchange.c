/* The exchange between ranks, beside a team and of a device's memory, with an engine that stands for four ranks that all have
 * the same block: what is posted when changes no bit, a failure comes back with its sentence, and the next block goes on.
 * Real ranks: cli/train_ranks.sh. */
#include "expect.h"
#include "support.h"

#include "backend/backend.h"
#include "core/random.h"
#include "rank/engine.h"
#include "train/reduce/exchange.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, RANK = 2, TOTAL = 2 * SB_EXCHANGE_BUCKET + 1003 };

static int n_begun, fails_at, turns; /* exchanges so far; the one that fails, 0: none; looks until one has ended */

static sb_status begin(void)
{
    turns = n_begun % 3;
    return ++n_begun == fails_at ? sb_fail(SB_E_IO, "the cable is out") : SB_OK;
}

static sb_status open_four(int *rank, int *size, char version[SB_RANK_VERSION])
{
    *rank = RANK, *size = RANKS;
    snprintf(version, SB_RANK_VERSION, "four alike");
    return SB_OK;
}

static void close_four(void)
{
}

static sb_status spread(const void *whole, const sb_rank_cut *cut, void *pieces)
{
    const size_t n = cut->n[RANK];
    for (size_t r = 0; r < RANKS; r++) memcpy((char *)pieces + r * n, (const char *)whole + cut->first[RANK], n);
    return begin();
}

/* The other ranks have summed their slices, as this one has. What is no slice of a block stays as it is. */
static sb_status gather(void *whole, const sb_rank_cut *cut)
{
    for (int r = 0; r < RANKS; r++)
        for (size_t i = cut->first[r]; r != RANK && n_begun && i < cut->first[r] + cut->n[r]; i += sizeof(float)) {
            float *x = (float *)((char *)whole + i);
            *x *= RANKS;
        }
    return begin();
}

static sb_status sum(void *x, size_t n, size_t each)
{
    assert_int_equal(each, sizeof(float));
    for (size_t i = 0; i < n; i++) ((float *)x)[i] *= RANKS;
    return begin();
}

static sb_status test(bool *ended)
{
    *ended = turns-- <= 0;
    return SB_OK;
}

static void tell(int to, const sb_rank_note *note)
{
    (void)to, (void)note;
}

static bool hear(int *from, sb_rank_note *note)
{
    (void)from, (void)note;
    return false;
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

typedef struct fixture {
    sb_ops *ops;
    sb_net net;
    sb_ranks *ranks;
    sb_exchange *exchange;
    sb_real *block, *host; /* host: of the test */
} fixture;

static const char *const backends[] = {"native", "cuda-on-cpu"};
enum { BACKENDS = 2, OF_DEVICE = 1 };

static void open_fixture(fixture *f, int backend, bool is_fast)
{
    n_begun = fails_at = 0;
    setenv("PMI_SIZE", "4", 1), setenv("PMI_RANK", "2", 1);
    *f = (fixture){0};
    assert_int_equal(sb_backend_open(&f->ops, backends[backend], &(sb_backend_options){.threads = 2}), SB_OK);
    f->net = (sb_net){.ops = f->ops, .params = {.total = TOTAL}};
    if (sb_ranks_open(&f->ranks, 60) != SB_OK || sb_exchange_open(&f->exchange, f->ranks, &f->net, is_fast) != SB_OK)
        fail_msg("%s", sb_message());
    f->block = f->ops->allocate(f->ops, TOTAL * sizeof *f->block);
    f->host = malloc(TOTAL * sizeof *f->host);
    assert_true(f->block && f->host);
}

static void close_fixture(fixture *f)
{
    sb_exchange_close(f->exchange);
    sb_ranks_close(f->ranks);
    f->ops->release(f->ops, f->block);
    assert_int_equal(f->ops->error(f->ops), SB_OK);
    sb_backend_close(f->ops);
    free(f->host);
}

static float number(int round, size_t i)
{
    return (float)sb_random_words(7, (uint32_t)round, i).word[0];
}

static void fill(fixture *f, int round)
{
    for (size_t i = 0; i < TOTAL; i++) f->host[i] = number(round, i);
    f->ops->to_device(f->ops, f->block, f->host, TOTAL * sizeof *f->host);
}

static void expect_sums(const fixture *f, int round)
{
    assert_int_equal(sb_ops_read(f->ops, f->host, f->block, TOTAL * sizeof *f->host), SB_OK);
    for (size_t i = 0; i < TOTAL; i++)
        if (f->host[i] != RANKS * number(round, i))
            fail_msg("round %d, number %zu is %a, wanted %a", round, i, (double)f->host[i],
                     (double)(RANKS * number(round, i)));
}

static void posts_change_no_bit(void **state)
{
    static const size_t posts[][3] = {
        {TOTAL, TOTAL, TOTAL},
        {TOTAL - 1, TOTAL - SB_EXCHANGE_BUCKET, TOTAL - SB_EXCHANGE_BUCKET - 7},
        {TOTAL - SB_EXCHANGE_BUCKET - 1, 1003, 1},
        {1, 0, 0},
    };
    for (int k = 0; k < 2 * BACKENDS; k++) {
        fixture f;
        open_fixture(&f, k / 2, k % 2);
        for (int round = 0; round < 4; round++) {
            fill(&f, round);
            for (int i = 0; i < 3; i++) sb_exchange_post(f.exchange, f.block, posts[round][i]);
            if (sb_exchange_finish(f.exchange, f.block) != SB_OK) fail_msg("%s", sb_message());
            expect_sums(&f, round);
        }
        const sb_exchange_times times = sb_exchange_take_times(f.exchange);
        assert_true(times.waited > 0 && times.of_ranks > 0 && times.of_ranks <= times.seconds);
        assert_true(sb_exchange_take_times(f.exchange).seconds == 0);
        close_fixture(&f);
    }
    (void)state;
}

static void a_bucket_is_posted_whole(void **state)
{
    fixture f;
    open_fixture(&f, 0, false);
    static const size_t known[][2] = {{TOTAL, TOTAL},
                                      {TOTAL - 1, TOTAL},
                                      {TOTAL - SB_EXCHANGE_BUCKET, TOTAL - SB_EXCHANGE_BUCKET},
                                      {TOTAL - SB_EXCHANGE_BUCKET - 1, TOTAL - SB_EXCHANGE_BUCKET},
                                      {1004, TOTAL - SB_EXCHANGE_BUCKET},
                                      {1003, 1003},
                                      {1, 1003},
                                      {0, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(sb_exchange_first_whole(f.exchange, known[i][0]), known[i][1]);
    assert_int_equal(sb_exchange_first_whole(NULL, 5), 0); /* of one process nothing waits for a bucket */
    close_fixture(&f);
    (void)state;
}

/* Of a device nothing is begun before all of the block is there. */
static void a_device_waits_for_the_whole(void **state)
{
    fixture f;
    open_fixture(&f, OF_DEVICE, false);
    const int n_opening = n_begun;
    assert_int_equal(sb_exchange_first_whole(f.exchange, 1003), TOTAL);
    assert_int_equal(sb_exchange_first_whole(f.exchange, 0), 0);
    sb_exchange_post(f.exchange, f.block, 0);
    assert_int_equal(n_begun, n_opening);
    close_fixture(&f);
    (void)state;
}

/* In the first exchange of a bucket, in its second, and in the last bucket. */
static void a_failure_comes_back(void **state)
{
    for (int k = 0; k < 6 * BACKENDS; k++) {
        fixture f;
        open_fixture(&f, k / 6, false);
        fill(&f, 0);
        fails_at = n_begun + 1 + k % 6;
        sb_exchange_post(f.exchange, f.block, 1003);
        sb_fail(SB_OK, "nothing said yet");
        assert_int_equal(sb_exchange_finish(f.exchange, f.block), SB_E_IO);
        assert_string_equal(sb_message(), "the cable is out");
        assert_int_equal(n_begun, fails_at); /* nothing was begun after it */
        fill(&f, 1);
        assert_int_equal(sb_exchange_finish(f.exchange, f.block), SB_OK);
        expect_sums(&f, 1);
        close_fixture(&f);
    }
    (void)state;
}

/* Of one process there is no exchange, and nothing to wait for. */
static void one_process_has_its_sum(void **state)
{
    sb_exchange *exchange;
    assert_int_equal(sb_exchange_open(&exchange, NULL, NULL, false), SB_OK);
    assert_null(exchange);
    sb_exchange_post(exchange, NULL, 0);
    assert_int_equal(sb_exchange_finish(exchange, NULL), SB_OK);
    assert_true(sb_exchange_take_times(exchange).waited == 0);
    sb_exchange_close(exchange);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_change_no_bit), cmocka_unit_test(a_bucket_is_posted_whole),
        cmocka_unit_test(a_device_waits_for_the_whole), cmocka_unit_test(a_failure_comes_back),
        cmocka_unit_test(one_process_has_its_sum)};
    return cmocka_run_group_tests_name("exchange", tests, NULL, NULL);
}
