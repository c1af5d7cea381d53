/* The reduction of shards: the operation that adds, the tree against the golden file, and the gradient of a batch
 * against its single samples' (or shards') joined by hand, bit for bit, on every backend. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

#include "autoencoder.h"
#include "io/h5/h5.h"
#include "train/learner.h"

/* ---- y = a + b ---- */

static void sums(void **state)
{
    static const size_t sizes[] = {1, 15, 16, 17, 1000, 4099};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (fill kind = 0; kind < fills_tried; kind++) {
            device d = device_open(*state, 3);
            sb_ops *ops = d.ops;
            const size_t n = sizes[k], n_bytes = n * sizeof(sb_real);
            sb_real *a = host_take(n), *b = host_take(n), *want = host_take(n), *got = host_take(n);
            fill_block(a, n, kind, 900 + k, 0), fill_block(b, n, kind, 900 + k, 1);
            for (size_t i = 0; i < n; i++) want[i] = a[i] + b[i];
            sb_real *on_a = device_take(&d, n_bytes, a), *on_b = device_take(&d, n_bytes, b);
            sb_real *y = device_take(&d, n_bytes, NULL);
            IN_TEAM
            {
                ops->sum(ops, n, on_a, on_b, y);
                ops->sum(ops, n, on_a, on_b, on_b); /* in place */
            }
            ops->to_host(ops, got, y, n_bytes);
            expect_same_bits("a + b", n, got, want);
            ops->to_host(ops, got, on_b, n_bytes);
            expect_same_bits("a + b in place", n, got, want);
            free(a), free(b), free(want), free(got);
            device_close(&d);
        }
}

/* ---- the tree ---- */

enum { SHARDS = 16, N = 33, N_LOSS = 2 };

/* The tree by its definition: the sum of the first half, plus that of the second. */
static double join_losses(int n, const double *loss)
{
    return n == 1 ? *loss : join_losses(n / 2, loss) + join_losses(n / 2, loss + n / 2);
}

/* A network of which the reduction sees so much. */
static void join(device *d, int n_shards, const sb_real shard[SHARDS][N], const double loss[N_LOSS][SHARDS],
                 sb_real sum[N], double total[N_LOSS])
{
    sb_ops *ops = d->ops;
    sb_net net = {.ops = ops, .params = {.total = N}, .n_loss = N_LOSS};
    sb_reduce reduce;
    sb_real *grad[SHARDS];
    double *losses[SHARDS];
    for (int s = 0; s < n_shards; s++) {
        double of[N_LOSS];
        for (int i = 0; i < N_LOSS; i++) of[i] = loss[i][s];
        grad[s] = device_take(d, sizeof shard[s], shard[s]);
        losses[s] = device_take(d, sizeof of, of);
    }
    net.grad = device_take(d, sizeof *shard, NULL), net.loss = device_take(d, sizeof *total * N_LOSS, NULL);
    if (sb_reduce_open(&reduce, &net, &(sb_reduce_plan){.n_shards = n_shards}) != SB_OK) fail_msg("%s", sb_message());
    IN_TEAM
    for (int s = 0; s < n_shards; s++) {
        ops->copy(ops, net.grad, grad[s], sizeof shard[s]);
        ops->copy(ops, net.loss, losses[s], N_LOSS * sizeof(double));
        sb_reduce_add(&reduce, s);
    }
    ops->to_host(ops, sum, net.grad, N * sizeof *sum);
    if (sb_reduce_losses(&reduce, total) != SB_OK) fail_msg("%s", sb_message());
    sb_reduce_close(&reduce);
}

static void read_golden(const char *name, size_t n, sb_real *x)
{
    sb_h5 *file;
    if (sb_h5_open(&file, SB_GOLDEN "/learning/input_f8.h5", SB_SEAL_FOREIGN) != SB_OK ||
        sb_h5_read(file, name, SB_F32, n, x) != SB_OK)
        fail_msg("%s", sb_message());
    sb_h5_close(file);
}

static void the_tree_is_the_golden_one(void **state)
{
    static sb_real shard[SHARDS][N];
    double loss[N_LOSS][SHARDS];
    read_golden("tree/shards", SHARDS * N, shard[0]);
    for (int s = 0; s < SHARDS; s++) loss[0][s] = shard[s][2] / 3.0, loss[1][s] = shard[s][3] / 7.0;
    for (int n_shards = 1; n_shards <= SHARDS; n_shards *= 2)
        for (int threads = 1; threads <= 3; threads += 2) {
            device d = device_open(*state, threads);
            sb_real wanted[N], sum[N];
            double total[N_LOSS];
            char name[32];
            snprintf(name, sizeof name, "tree/sum_%d", n_shards);
            read_golden(name, N, wanted);
            join(&d, n_shards, shard, loss, sum, total);
            expect_same_bits(name, N, sum, wanted);
            for (int i = 0; i < N_LOSS; i++)
                if (total[i] != join_losses(n_shards, loss[i]))
                    fail_msg("%d shards, loss %d is %a, wanted %a", n_shards, i, total[i],
                             join_losses(n_shards, loss[i]));
            device_close(&d);
        }
}

/* ---- a learner's batch ---- */

enum { BATCH = 8, INPUTS = 30, HIDDEN = 17, WEIGHTS = 2 * INPUTS * HIDDEN + INPUTS + HIDDEN };

/* Sample i of shard s is sample s + S i of the batch. */
static void fill_shards(int n_shards, const uint8_t batch[BATCH][INPUTS], uint8_t bytes[BATCH][INPUTS],
                        sb_window window[BATCH])
{
    const int n = BATCH / n_shards;
    for (int s = 0; s < n_shards; s++) {
        for (int i = 0; i < n; i++) memcpy(bytes[s * n + i], batch[s + n_shards * i], INPUTS);
        window[s] = (sb_window){.bytes = bytes[s * n], .n = n, .n_batch = BATCH};
    }
}

static sb_learner open_learner(device *d, int n_shards)
{
    static sb_settings settings;
    sb_net *net;
    sb_learner learner;
    sb_settings_default(&settings);
    settings.shards = n_shards;
    const autoencoder_shape shape = {.inputs = INPUTS,
                                     .hidden = {1, {HIDDEN}},
                                     .batch = BATCH / n_shards,
                                     .of_hidden = SB_ACTIVATION_relu,
                                     .of_outputs = SB_ACTIVATION_relu};
    if (autoencoder_open(&net, d->ops, &shape) != SB_OK || sb_learner_open(&learner, net, &settings, NULL) != SB_OK ||
        sb_learner_start(&learner, 1, 0) != SB_OK)
        fail_msg("%s", sb_message());
    assert_int_equal(net->params.total, WEIGHTS);
    return learner;
}

static void join_by_hand(int n, sb_real (*shard)[WEIGHTS])
{
    if (n == 1) return;
    join_by_hand(n / 2, shard);
    join_by_hand(n / 2, shard + n / 2);
    for (int i = 0; i < WEIGHTS; i++) shard[0][i] += shard[n / 2][i];
}

/* The gradient of each shard from a network alone, and what they make when they are joined by hand. */
static void by_hand(const subject *on, int n_shards, const uint8_t batch[BATCH][INPUTS], sb_real grad[WEIGHTS],
                    double *loss)
{
    static sb_real shard[BATCH][WEIGHTS];
    uint8_t bytes[BATCH][INPUTS];
    double losses[BATCH];
    sb_window window[BATCH];
    device d = device_open(on, 1);
    sb_learner learner = open_learner(&d, n_shards);
    sb_net *net = learner.net;
    fill_shards(n_shards, batch, bytes, window);
    for (int s = 0; s < n_shards; s++) {
        net->learn(net, &window[s], SB_TARGET_COPY);
        d.ops->to_host(d.ops, shard[s], net->grad, sizeof shard[s]);
        d.ops->to_host(d.ops, &losses[s], net->loss, sizeof *losses);
    }
    join_by_hand(n_shards, shard);
    memcpy(grad, shard[0], sizeof shard[0]);
    *loss = join_losses(n_shards, losses);
    sb_learner_close(&learner);
    device_close(&d);
}

/* Two updates; the gradient of the first, and all weights after the second. */
static void by_learner(const subject *on, int threads, int n_shards, const uint8_t batch[BATCH][INPUTS],
                       sb_real grad[WEIGHTS], sb_real weight[WEIGHTS], double *loss)
{
    uint8_t bytes[BATCH][INPUTS];
    sb_window window[BATCH];
    sb_step_result result;
    device d = device_open(on, threads);
    sb_learner learner = open_learner(&d, n_shards);
    fill_shards(n_shards, batch, bytes, window);
    for (long update = 1; update <= 2; update++) {
        if (sb_learner_update(&learner, window, update, SB_GRADIENT_DROPPED, &result) != SB_OK)
            fail_msg("%s", sb_message());
        if (update == 1) {
            *loss = result.loss_mean;
            d.ops->to_host(d.ops, grad, learner.net->grad, WEIGHTS * sizeof *grad);
        }
    }
    d.ops->to_host(d.ops, weight, learner.net->weight, WEIGHTS * sizeof *weight);
    sb_learner_close(&learner);
    device_close(&d);
}

/* For those who look into a step. */
static void sums_that_wait_have_names(void **state)
{
    device d = device_open(*state, 1);
    sb_learner learner = open_learner(&d, 8);
    static const struct {
        int level;
        size_t first, n;
        const char *name;
    } known[] = {{0, 0, WEIGHTS, "gradient over 1 shard of all weights"},
                 {1, 0, INPUTS * HIDDEN, "gradient over 2 shards of encoder/w"},
                 {2, WEIGHTS - INPUTS, INPUTS, "gradient over 4 shards of decoder/b"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char name[80];
        assert_true(sb_learner_name(&learner, learner.reduce.level[known[i].level] + known[i].first, known[i].n, name,
                                    sizeof name));
        assert_string_equal(name, known[i].name);
    }
    sb_learner_close(&learner);
    device_close(&d);
}

static double largest_of(const sb_real *x)
{
    double largest = 0;
    for (int i = 0; i < WEIGHTS; i++) largest = fmax(largest, fabs((double)x[i]));
    return largest;
}

static void a_batch_is_the_sum_of_its_shards(void **state)
{
    const subject *on = *state;
    static sb_real whole[WEIGHTS], got[WEIGHTS], wanted[WEIGHTS], weight[WEIGHTS], again[WEIGHTS];
    uint8_t batch[BATCH][INPUTS];
    double loss, loss_wanted, loss_whole;
    for (int i = 0; i < BATCH * INPUTS; i++)
        batch[i / INPUTS][i % INPUTS] = (uint8_t)sb_random_words(3, 0, (uint64_t)i).word[0];
    by_hand(on, 1, batch, whole, &loss_whole);
    for (int n_shards = 1; n_shards <= BATCH; n_shards *= 2) {
        char where[64];
        snprintf(where, sizeof where, "%d shards of %d", n_shards, BATCH);
        by_hand(on, n_shards, batch, wanted, &loss_wanted);
        by_learner(on, 1, n_shards, batch, got, weight, &loss);
        expect_same_bits(where, WEIGHTS, got, wanted);
        if (loss != loss_wanted) fail_msg("%s: loss %a, wanted %a", where, loss, loss_wanted);
        by_learner(on, 3, n_shards, batch, got, again, &loss);
        if (on->slack != 1) expect_same_bits("on three threads", WEIGHTS, again, weight); /* not where a library sums */
        /* the mathematics is that of one shard: a few roundings of each of the terms lie between them */
        const double bound = (BATCH + INPUTS + HIDDEN) * SB_REAL_EPSILON * largest_of(whole);
        for (int i = 0; i < WEIGHTS; i++)
            if (!(fabs((double)got[i] - whole[i]) <= bound))
                fail_msg("%s: element %d is %a, that of one shard %a", where, i, (double)got[i], (double)whole[i]);
        /* each output has the same bits in any batch, but for a library's */
        const double loss_bound = on->slack == 1 ? (INPUTS + HIDDEN) * SB_REAL_EPSILON : BATCH * INPUTS * DBL_EPSILON;
        if (!(fabs(loss - loss_whole) <= loss_bound * loss_whole))
            fail_msg("%s: loss %a, that of one shard %a", where, loss, loss_whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(the_tree_is_the_golden_one),
                                       cmocka_unit_test(sums_that_wait_have_names),
                                       cmocka_unit_test(a_batch_is_the_sum_of_its_shards)};
    return run_on_subjects("reduce", tests, sizeof tests / sizeof *tests);
}
