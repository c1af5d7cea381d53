/* Local SGD against its definition: each shard's steps made by a learner of its own, one after the other, from the same
 * start, and the weights and states that they end with averaged by hand. Bit for bit, on every backend. */
#include "expect.h"
#include "subjects.h"

#include "core/random.h"
#include "net/models.h"
#include "train/learner.h"

enum { SAMPLES = 3, INPUTS = 30, WIDTH = 7, CLASSES = 4, UPDATES = 2, BATCH_MAX = 48 };
enum { WEIGHTS = (INPUTS + 1) * WIDTH + (WIDTH + 1) * CLASSES };
enum { BLOCKS = 1 + SB_STATES_MAX_OF_OPTIMIZER };

/* What an update leaves: weights, states of the optimizer, and what stands for the gradient. */
typedef struct outcome {
    sb_real block[BLOCKS][WEIGHTS], grad[WEIGHTS];
    sb_step_result result;
} outcome;

typedef struct plan {
    const char *optimizer;
    int n_shards, n_steps;
} plan;

static int samples_of(const plan *p)
{
    return SAMPLES * p->n_shards * p->n_steps;
}

/* Of shards with local steps; or alone, of what one step learns from. */
static void open_learner(sb_learner *learner, device *d, const plan *p, bool alone)
{
    sb_settings settings;
    sb_net *net;
    sb_settings_default(&settings);
    settings.model = "mlp";
    settings.widths = (sb_list){1, {WIDTH}};
    settings.optimizer = p->optimizer;
    settings.lr = 0.03;
    settings.batch = alone ? SAMPLES : samples_of(p);
    settings.shards = alone ? 1 : p->n_shards;
    settings.sync_every = alone ? 0 : p->n_steps;
    const sb_data_shape data = {1, 5, 6, CLASSES};
    if (sb_model_find("mlp")->open(&net, d->ops, &settings, &data) != SB_OK ||
        sb_learner_open(learner, net, &settings, NULL) != SB_OK || sb_learner_start(learner, 1, 0) != SB_OK)
        fail_msg("%s", sb_message());
    assert_int_equal(net->params.total, WEIGHTS);
}

/* The images of an update: those of a shard lie one after the other. */
typedef struct batch {
    uint8_t bytes[BATCH_MAX * INPUTS], labels[BATCH_MAX];
    sb_real values[BATCH_MAX * INPUTS];
} batch;

static void fill(batch *b, const plan *p, long update)
{
    const size_t n = (size_t)samples_of(p);
    for (size_t i = 0; i < n * INPUTS; i++) {
        b->bytes[i] = (uint8_t)sb_random_words(3, (uint32_t)update, i).word[0];
        b->values[i] = (sb_real)(b->bytes[i] / 64.0 - 1);
    }
    for (size_t i = 0; i < n; i++) b->labels[i] = (uint8_t)(sb_random_words(4, (uint32_t)update, i).word[0] % CLASSES);
}

/* n images of the batch from the first-th on, as bytes or as values. */
static sb_window window_of(const batch *b, bool as_bytes, int first, int n, int n_batch)
{
    const size_t at = (size_t)first * INPUTS;
    return (sb_window){.bytes = as_bytes ? b->bytes + at : NULL,
                       .values = as_bytes ? NULL : b->values + at,
                       .labels = b->labels + first,
                       .n = n,
                       .n_batch = n_batch};
}

static sb_real *block_of(const sb_learner *learner, int k)
{
    return k == 0 ? learner->net->weight : learner->optimizer.state[k - 1];
}

static int blocks_of(const sb_learner *learner)
{
    return 1 + learner->optimizer.row->n_states;
}

static void read_blocks(const sb_learner *learner, sb_real (*block)[WEIGHTS])
{
    sb_ops *ops = learner->net->ops;
    for (int k = 0; k < blocks_of(learner); k++) ops->to_host(ops, block[k], block_of(learner, k), sizeof *block);
}

static void write_blocks(const sb_learner *learner, sb_real (*block)[WEIGHTS])
{
    sb_ops *ops = learner->net->ops;
    for (int k = 0; k < blocks_of(learner); k++) ops->to_device(ops, block_of(learner, k), block[k], sizeof *block);
}

static void update(sb_learner *learner, const sb_window *window, long number, sb_step_result *result)
{
    const sb_status status = sb_local_is_wanted(&learner->local)
                                 ? sb_learner_update_locally(learner, window, number, result)
                                 : sb_learner_update(learner, window, number, SB_GRADIENT_DROPPED, result);
    if (status != SB_OK) fail_msg("%s", sb_message());
}

/* ---- both ways ---- */

static void by_learner(const subject *on, int threads, const plan *p, bool as_bytes, outcome *o)
{
    static batch b;
    device d = device_open(on, threads);
    sb_learner learner;
    open_learner(&learner, &d, p, false);
    const int n = SAMPLES * p->n_steps;
    for (long number = 1; number <= UPDATES; number++) {
        sb_window window[16];
        fill(&b, p, number);
        for (int s = 0; s < p->n_shards; s++) window[s] = window_of(&b, as_bytes, s * n, n, samples_of(p));
        update(&learner, window, number, &o->result);
    }
    read_blocks(&learner, o->block);
    d.ops->to_host(d.ops, o->grad, learner.net->grad, sizeof o->grad);
    sb_learner_close(&learner);
    device_close(&d);
}

/* The tree: the sum of the first half, plus that of the second. */
static void join(int n, sb_real (*of)[BLOCKS][WEIGHTS], int n_blocks)
{
    if (n == 1) return;
    join(n / 2, of, n_blocks);
    join(n / 2, of + n / 2, n_blocks);
    for (int k = 0; k < n_blocks; k++)
        for (int i = 0; i < WEIGHTS; i++) of[0][k][i] += of[n / 2][k][i];
}

static void by_hand(const subject *on, const plan *p, bool as_bytes, outcome *o)
{
    static batch b;
    static sb_real of[16][BLOCKS][WEIGHTS];
    device d = device_open(on, 1);
    sb_learner learner;
    open_learner(&learner, &d, p, true);
    const int n_blocks = blocks_of(&learner);
    read_blocks(&learner, o->block);
    for (long number = 1; number <= UPDATES; number++) {
        o->result = (sb_step_result){0};
        fill(&b, p, number);
        for (int s = 0; s < p->n_shards; s++) {
            write_blocks(&learner, o->block);
            for (int h = 0; h < p->n_steps; h++) {
                sb_step_result step;
                const sb_window window = window_of(&b, as_bytes, (s * p->n_steps + h) * SAMPLES, SAMPLES, SAMPLES);
                update(&learner, &window, (number - 1) * p->n_steps + h + 1, &step);
                o->result.loss_mean += step.loss_mean / (p->n_shards * p->n_steps);
                o->result.correct += step.correct;
            }
            read_blocks(&learner, of[s]);
        }
        join(p->n_shards, of, n_blocks);
        double norm2 = 0;
        for (int i = 0; i < WEIGHTS; i++) {
            o->grad[i] = o->block[0][i] - of[0][0][i] / (sb_real)p->n_shards;
            norm2 += (double)o->grad[i] * o->grad[i];
        }
        for (int k = 0; k < n_blocks; k++)
            for (int i = 0; i < WEIGHTS; i++) o->block[k][i] = of[0][k][i] / (sb_real)p->n_shards;
        o->result.grad_norm = sqrt(norm2);
    }
    sb_learner_close(&learner);
    device_close(&d);
}

/* ---- tests ---- */

static void expect_near(const char *what, double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * fabs(wanted))) fail_msg("%s is %.17g, wanted %.17g", what, got, wanted);
}

static void expect_same_outcome(const plan *p, const outcome *got, const outcome *wanted, int n_blocks)
{
    char where[96];
    for (int k = 0; k < n_blocks; k++) {
        snprintf(where, sizeof where, "%s, %d shards, %d steps, block %d", p->optimizer, p->n_shards, p->n_steps, k);
        expect_same_bits(where, WEIGHTS, got->block[k], wanted->block[k]);
    }
    snprintf(where, sizeof where, "%s, %d shards, %d steps, change", p->optimizer, p->n_shards, p->n_steps);
    expect_same_bits(where, WEIGHTS, got->grad, wanted->grad);
}

static void shards_make_their_steps_alone(void **state)
{
    static const plan plans[] = {{"sgd", 1, 1},      {"sgd", 1, 3},  {"sgd", 2, 1},  {"nesterov", 4, 2},
                                 {"momentum", 8, 2}, {"adam", 2, 3}, {"lars", 4, 3}, {"lamb", 2, 2}};
    static outcome got, wanted, again;
    const subject *on = *state;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (int as_bytes = 0; as_bytes <= 1; as_bytes++) {
            const plan *p = &plans[i];
            memset(&got, 0, sizeof got), memset(&wanted, 0, sizeof wanted), memset(&again, 0, sizeof again);
            by_hand(on, p, as_bytes, &wanted);
            by_learner(on, 1, p, as_bytes, &got);
            expect_same_outcome(p, &got, &wanted, BLOCKS);
            expect_near("loss", got.result.loss_mean, wanted.result.loss_mean);
            expect_near("right samples", got.result.correct, wanted.result.correct);
            expect_near("norm", got.result.grad_norm, wanted.result.grad_norm);
            by_learner(on, 3, p, as_bytes, &again);
            if (on->slack != 1) expect_same_outcome(p, &again, &got, BLOCKS); /* not where a library sums */
        }
}

/* For those who look into a step. */
static void what_waits_has_a_name(void **state)
{
    char name[96];
    device d = device_open(*state, 1);
    sb_learner learner;
    open_learner(&learner, &d, &(plan){"momentum", 4, 2}, false);
    const sb_local *local = &learner.local;
    const struct {
        const sb_real *memory;
        const char *name;
    } known[] = {{local->block[0].level[1], "weights over 2 shards of all weights"},
                 {local->start[0], "weights before the local steps of all weights"},
                 {local->spare, "sum over all shards of all weights"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(sb_learner_name(&learner, known[i].memory, WEIGHTS, name, sizeof name));
        assert_string_equal(name, known[i].name);
    }
    sb_learner_close(&learner);
    device_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shards_make_their_steps_alone),
                                       cmocka_unit_test(what_waits_has_a_name)};
    return run_on_subjects("local", tests, sizeof tests / sizeof *tests);
}
