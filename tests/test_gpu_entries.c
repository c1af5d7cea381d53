/* What single entries of a list are given on a device: a priority in the graph of the list, and a graph of their own
 * that measures them; with the CUDA runtime of the tests (support/fake_cuda_runtime.h). */
#include "fake_cuda_runtime.h"
#include "support.h"

#include "backend/backend.h"
#include "backend/dependences.h"
#include "backend/gpu.h"

#include <stdlib.h>
#include <string.h>

/* 0 - 1 - 2 - 4 is the longest path; 3 waits for 0 alone, 5 for nothing, and nothing for them. */
static void slack_by_hand(void **state)
{
    (void)state;
    int first[] = {0, 0, 1, 2, 3, 4, 4}, before[] = {0, 1, 0, 2}, slack[6];
    const sb_dependences order = {.n = 6, .first = first, .before = before};
    assert_int_equal(sb_dependences_slack(&order, slack), 4);
    static const int wanted[] = {0, 0, 0, 2, 0, 3};
    assert_memory_equal(slack, wanted, sizeof wanted);
}

enum { CHAIN = 40, ASIDE = 8, N = 256 };

static sb_ops *open_device(void)
{
    sb_ops *ops;
    fake_cuda_reset();
    if (sb_backend_open(&ops, "native-cuda", &(sb_backend_options){.threads = 1}) != SB_OK)
        fail_msg("%s", sb_message());
    return ops;
}

/* A chain of kernels on x, a fill, and a short chain on y, which nothing of the other waits for; twice: a graph. */
static void run_two_chains(sb_ops *ops, float *x, float *y)
{
    for (int time = 0; time < 2; time++) {
        for (int i = 0; i < CHAIN; i++) ops->relu_backward(ops, N, x, x);
        ops->zero(ops, x, N * sizeof *x);
        for (int i = 0; i < ASIDE; i++) ops->relu_backward(ops, N, y, y);
        if (ops->error(ops) != SB_OK) fail_msg("%s", sb_message());
    }
    assert_int_equal(fake.n_nodes, CHAIN + 1 + ASIDE);
}

static void expect_priority(int from, int to, int priority)
{
    for (int i = from; i < to; i++)
        if (fake.priority[i] != priority) fail_msg("node %d has priority %d, not %d", i, fake.priority[i], priority);
}

/* Priorities only where they are wanted; the fill is urgent, but no kernel. */
static void the_longest_chain_goes_first(void **state)
{
    (void)state;
    static const char name[] = "SAMEBITS_CUDA_BRANCHES";
    static const char *const values[] = {"priorities", "1", "0"};
    for (int v = 0; v < 3; v++) {
        setenv(name, values[v], 1);
        sb_ops *ops = open_device();
        float *x = ops->allocate(ops, N * sizeof *x), *y = ops->allocate(ops, N * sizeof *y);
        run_two_chains(ops, x, y);
        expect_priority(0, CHAIN, v == 0 ? FAKE_GREATEST : FAKE_LEAST);
        expect_priority(CHAIN, fake.n_nodes, FAKE_LEAST);
        sb_backend_close(ops);
        assert_false(fake.misused);
    }
    unsetenv(name);
}

/* Each round has two runs; the clock of the tests always shows 250 ms. */
static void an_entry_is_timed_in_a_graph_of_its_own(void **state)
{
    (void)state;
    enum { TIMES = 8, ROUNDS = 3 };
    double seconds[ROUNDS];
    size_t at = 0;
    sb_list_entry entry;
    sb_ops *ops = open_device();
    float *x = ops->allocate(ops, N * sizeof *x), *y = ops->allocate(ops, N * sizeof *y);
    run_two_chains(ops, x, y);
    assert_true(sb_command_list_next(sb_gpu_last_list(ops), &at, &entry));
    const long n_launches = fake.n_launches;
    assert_int_equal(sb_gpu_time_entry(ops, &entry, TIMES, ROUNDS, seconds), SB_OK);
    assert_int_equal(fake.n_launches - n_launches, TIMES * 2 * ROUNDS);
    assert_int_equal(fake.n_nodes, TIMES);
    for (int r = 0; r < ROUNDS; r++) assert_true(seconds[r] == 0.25 / TIMES);
    assert_int_equal(fake.live[FAKE_RUNNABLE_GRAPHS], 1); /* of the list */
    ops->release(ops, x), ops->release(ops, y);
    sb_backend_close(ops);
    for (int kind = 0; kind < FAKE_KINDS; kind++) assert_int_equal(fake.live[kind], 0);
}

/* Each call of the runtime fails once: it is told, or a time is missing, or it costs nothing; and nothing stays open. */
static void timing_may_fail_anywhere(void **state)
{
    (void)state;
    double seconds[2];
    for (long call = 0, reached = 1; reached; call++) {
        size_t at = 0;
        sb_list_entry entry;
        sb_ops *ops = open_device();
        float *x = ops->allocate(ops, N * sizeof *x), *y = ops->allocate(ops, N * sizeof *y);
        run_two_chains(ops, x, y);
        assert_true(sb_command_list_next(sb_gpu_last_list(ops), &at, &entry));
        fake.failing_call = fake.n_calls + call;
        seconds[0] = seconds[1] = 1;
        const sb_status status = sb_gpu_time_entry(ops, &entry, 2, 2, seconds);
        reached = fake.failed != NULL;
        const bool is_clock = reached && strncmp(fake.failed, "cudaEvent", 9) == 0;
        const bool is_end = reached && strcmp(fake.failed, "cudaGraphDestroy") == 0;
        if ((status == SB_OK) != (!reached || is_clock || is_end)) fail_msg("%s: %d", fake.failed, (int)status);
        if (status == SB_OK && !is_clock) assert_true(seconds[0] == 0.125 && seconds[1] == 0.125);
        if (status == SB_OK && is_clock) assert_true(seconds[0] == 0.125 || seconds[0] < 0);
        fake.failing_call = -1;
        sb_backend_close(ops);
        if (!is_end && fake.live[FAKE_RUNNABLE_GRAPHS] > (reached && strcmp(fake.failed, "cudaGraphExecDestroy") == 0))
            fail_msg("%s leaves a graph open", fake.failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slack_by_hand), cmocka_unit_test(the_longest_chain_goes_first),
                                       cmocka_unit_test(an_entry_is_timed_in_a_graph_of_its_own),
                                       cmocka_unit_test(timing_may_fail_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
