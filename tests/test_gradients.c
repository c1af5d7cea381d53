/* The comparison of both targets' gradients, held against the same numbers made by hand on a setup of its own; and what
 * it tries leaves no trace in the training. */
#include "support.h"

#include "data_files.h"
#include "inspect/gradients.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { W = 8, H = 8, WINDOW = 4, FRAMES = 33, UPDATES = 5, HOLD_OUT = 2, FRAME = W * H * 3 };
static const char data[] = "test_gradients.h5";

static sb_settings settings_of(const char *target, const char *optimizer)
{
    sb_settings settings;
    sb_settings_default(&settings);
    settings.data = data, settings.model = "prednet", settings.target = target, settings.optimizer = optimizer;
    settings.channels = (sb_list){2, {3, 5}};
    settings.window = WINDOW, settings.threads = 1, settings.seed = 4;
    return settings;
}

static void open_setup(sb_setup *setup, const sb_settings *settings)
{
    assert_int_equal(sb_setup_open(setup, settings), SB_OK);
}

static void update(sb_setup *setup, long number)
{
    sb_batch batch;
    sb_step_result result;
    assert_int_equal(sb_loader_batch(setup->loader, number, 0, 1, &batch), SB_OK);
    assert_int_equal(sb_learner_update(&setup->learner, batch.shard, number, SB_GRADIENT_KEPT, &result), SB_OK);
}

static double mean_loss(sb_setup *setup, const sb_window *window)
{
    double loss[SB_LOSS_MAX], sum = 0;
    assert_int_equal(sb_learner_infer(&setup->learner, window), SB_OK);
    assert_int_equal(sb_learner_losses(&setup->learner, loss), SB_OK);
    for (int i = 0; i < window->n; i++) sum += loss[i];
    return sum / window->n;
}

/* The last two windows, of frames 23 .. 27 and 27 .. 31, behind that of frames 19 .. 23 from a zero state. */
static double hold_out_loss(sb_setup *setup)
{
    uint8_t bytes[(WINDOW + 1) * FRAME];
    double loss[3];
    for (int i = 0; i < 3; i++) {
        const sb_window window = {.bytes = bytes, .n = WINDOW, .reset = i == 0};
        assert_int_equal(sb_dataset_read(setup->dataset, 19 + WINDOW * (size_t)i, WINDOW + 1, bytes), SB_OK);
        loss[i] = mean_loss(setup, &window);
    }
    return (loss[1] + loss[2]) / 2;
}

/* Up to the window of an update under the target of the settings, then that update with a target of its own. */
typedef struct outcome {
    sb_real *grad;
    double loss, loss_after, hold_out, hold_out_after;
} outcome;

static outcome try_by_hand(const sb_settings *settings, long number, sb_target target)
{
    outcome out = {0};
    for (int after = 0; after < 4; after++) { /* a setup for each number, so that nothing has to be undone */
        sb_setup setup;
        sb_batch batch;
        uint8_t before[(WINDOW + 1) * FRAME];
        open_setup(&setup, settings);
        for (long k = 1; k < number; k++) update(&setup, k);
        assert_int_equal(sb_loader_batch(setup.loader, number, 0, 1, &batch), SB_OK);
        sb_window window = batch.shard[0];
        memcpy(before, window.bytes, (size_t)(window.n + 1) * FRAME), window.bytes = before;
        setup.learner.target = target;
        if (after == 0) out.hold_out = hold_out_loss(&setup);
        if (after == 1) {
            out.loss = mean_loss(&setup, &window);
        } else if (after == 2) {
            update(&setup, number);
            const size_t n_bytes = setup.learner.net->params.total * sizeof(sb_real);
            assert_non_null(out.grad = malloc(n_bytes));
            memcpy(out.grad, setup.learner.net->grad, n_bytes);
            out.hold_out_after = hold_out_loss(&setup);
        } else if (after == 3) { /* the state before the update, its weights after */
            sb_setup updated;
            open_setup(&updated, settings);
            for (long k = 1; k < number; k++) update(&updated, k);
            updated.learner.target = target;
            update(&updated, number);
            memcpy(setup.learner.net->weight, updated.learner.net->weight,
                   setup.learner.net->params.total * sizeof(sb_real));
            out.loss_after = mean_loss(&setup, &window);
            sb_setup_close(&updated);
        }
        sb_setup_close(&setup);
    }
    return out;
}

static void expect_near(const char *what, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance)) fail_msg("%s: %a, by hand %a", what, got, wanted);
}

static void expect_pair(const sb_gradient_pair *pair, size_t n, const sb_real *copy, const sb_real *shared)
{
    double sum[3] = {0};
    for (size_t i = 0; i < n; i++) {
        sum[0] += (double)copy[i] * copy[i], sum[1] += (double)shared[i] * shared[i];
        sum[2] += (double)copy[i] * shared[i];
    }
    const double rounding = (double)n * DBL_EPSILON, a = sqrt(sum[0]), b = sqrt(sum[1]);
    expect_near("norm copy", pair->norm[SB_TARGET_COPY], a, rounding * a);
    expect_near("norm shared", pair->norm[SB_TARGET_SHARED], b, rounding * b);
    expect_near("product", pair->dot, sum[2], rounding * a * b);
    if (a > 0 && b > 0) expect_near("cosine", sb_gradients_cosine(pair), sum[2] / (a * b), 4 * rounding);
    if (a > 0) expect_near("ratio", sb_gradients_ratio(pair), b / a, 4 * rounding * b / a);
}

static void expect_point(const sb_params *params, const sb_gradient_point *point, const outcome by_hand[SB_N_TARGETS])
{
    const outcome *copy = &by_hand[SB_TARGET_COPY], *shared = &by_hand[SB_TARGET_SHARED];
    expect_pair(point->all, params->total, copy->grad, shared->grad);
    for (int k = 0; k < params->n; k++) {
        const sb_param *param = &params->list[k];
        expect_pair(&point->tensor[k], param->n, copy->grad + param->offset, shared->grad + param->offset);
    }
    expect_near("loss", point->loss, copy->loss, 0);
    expect_near("hold-out", point->hold_out, copy->hold_out, WINDOW * DBL_EPSILON);
    for (sb_target target = 0; target < SB_N_TARGETS; target++) {
        expect_near("loss after", point->loss_after[target], by_hand[target].loss_after, 0);
        expect_near("hold-out after", point->hold_out_after[target], by_hand[target].hold_out_after,
                    WINDOW * DBL_EPSILON);
    }
}

static void is_what_one_makes_by_hand(void **state)
{
    const sb_settings settings = settings_of(*state, "adam");
    for (long at = 1; at <= 3; at += 2) { /* the first window, which begins the sequence, and a later one */
        sb_setup setup;
        sb_gradients *gradients;
        sb_gradient_point point;
        sb_batch batch;
        outcome by_hand[SB_N_TARGETS];
        for (sb_target target = 0; target < SB_N_TARGETS; target++)
            by_hand[target] = try_by_hand(&settings, at, target);
        open_setup(&setup, &settings);
        for (long k = 1; k < at; k++) update(&setup, k);
        assert_int_equal(sb_gradients_open(&gradients, &setup, NULL, HOLD_OUT), SB_OK);
        assert_int_equal(sb_loader_batch(setup.loader, at, 0, 1, &batch), SB_OK);
        assert_int_equal(sb_gradients_compare(gradients, batch.shard, at, &point), SB_OK);
        expect_point(&setup.learner.net->params, &point, by_hand);
        assert_true(sb_gradients_cosine(point.all) < 1); /* the targets do differ */
        assert_true(point.loss_after[SB_TARGET_COPY] != point.loss_after[SB_TARGET_SHARED]);
        assert_int_equal(point.hold_out_learned, 0);
        for (sb_target target = 0; target < SB_N_TARGETS; target++) free(by_hand[target].grad);
        sb_gradients_close(gradients);
        sb_setup_close(&setup);
    }
}

/* Weights, states of the optimizer and carried state of a training with a comparison before each update. */
static void leaves_no_trace(void **state)
{
    static const char *const optimizers[] = {"adam", "sgd", "nvlamb"};
    for (int k = 0; k < 3; k++) {
        const sb_settings settings = settings_of(*state, optimizers[k]);
        sb_hash hash[2][3];
        for (int compared = 0; compared < 2; compared++) {
            sb_setup setup;
            sb_gradients *gradients;
            open_setup(&setup, &settings);
            assert_int_equal(sb_gradients_open(&gradients, &setup, NULL, HOLD_OUT), SB_OK);
            for (long number = 1; number <= UPDATES; number++) {
                sb_batch batch;
                sb_gradient_point point;
                assert_int_equal(sb_loader_batch(setup.loader, number, 0, 1, &batch), SB_OK);
                if (compared) assert_int_equal(sb_gradients_compare(gradients, batch.shard, number, &point), SB_OK);
                update(&setup, number);
            }
            assert_int_equal(sb_learner_weights_hash(&setup.learner, &hash[compared][0]), SB_OK);
            assert_int_equal(sb_learner_optimizer_hash(&setup.learner, &hash[compared][1]), SB_OK);
            assert_int_equal(sb_learner_state_hash(&setup.learner, &hash[compared][2]), SB_OK);
            sb_gradients_close(gradients);
            sb_setup_close(&setup);
        }
        for (int i = 0; i < 3; i++)
            if (!sb_hash_equal(hash[0][i], hash[1][i])) fail_msg("%s: part %d left a trace", optimizers[k], i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(is_what_one_makes_by_hand, "copy"),
        cmocka_unit_test_prestate(is_what_one_makes_by_hand, "shared"),
        cmocka_unit_test_prestate(leaves_no_trace, "copy"),
        cmocka_unit_test_prestate(leaves_no_trace, "shared"),
    };
    if (data_write_video(data, FRAMES, W, H, 1, (const int64_t[]){0}, 3) != SB_OK) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
