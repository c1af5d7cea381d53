/* Tokens that are drawn from logits: the written order of the shares, the window that moves on, and no number among the
 * logits. */
#include "support.h"

#include "core/random.h"
#include "ops/math.h"
#include "train/continuation.h"
#include "train/setup.h"

#include <math.h>
#include <string.h>

enum { VOCABULARY = 7, CONTEXT = 5, N = 40 };

static sb_setup open_net(void)
{
    sb_setup setup;
    sb_settings settings;
    sb_settings_default(&settings);
    settings.model = "layers", settings.layers = "embedding-6-5_pointwise-8_gelu_pointwise-classes", settings.batch = 1;
    assert_int_equal(sb_setup_open_net(&setup, &settings, &(sb_data_shape){.n_classes = VOCABULARY}), SB_OK);
    assert_int_equal(sb_learner_start(&setup.learner, 1, 0), SB_OK);
    /* the tables start so close to zero that all tokens would be alike */
    for (size_t i = 0; i < setup.learner.net->params.total; i++) setup.learner.net->weight[i] *= 3;
    return setup;
}

/* The token that the rule gives for the last of n tokens, of which the network sees the last CONTEXT. */
static uint8_t next_of(sb_setup *setup, const uint8_t *token, size_t n, const sb_continuation_plan *plan, uint64_t k)
{
    uint8_t window[CONTEXT + 1] = {0};
    const size_t seen = n < CONTEXT ? n : CONTEXT;
    sb_net *net = setup->learner.net;
    double c[VOCABULARY], sum = 0;
    memcpy(window, token + n - seen, seen);
    assert_int_equal(sb_learner_infer(&setup->learner, &(sb_window){.tokens = window, .n = 1}), SB_OK);
    const sb_real *logit = net->classes.logits.x + (seen - 1) * VOCABULARY;
    sb_real most = logit[0];
    for (int i = 1; i < VOCABULARY; i++) most = logit[i] > most ? logit[i] : most;
    for (int i = 0; i < VOCABULARY; i++) c[i] = sum += sb_exp((sb_real)(((double)logit[i] - (double)most) / plan->temperature));
    const double u = sb_random_uniform(plan->seed, 35u << 20, k) * sum;
    for (int i = 0; i < VOCABULARY; i++)
        if (c[i] > u) return (uint8_t)i;
    return VOCABULARY - 1;
}

static void tokens_follow_the_rule(void **state)
{
    (void)state;
    sb_setup setup = open_net();
    for (size_t n = 1; n < 9; n += 7) { /* fewer than a window, and more */
        const sb_continuation_plan plan = {.seed = 9, .temperature = 0.7};
        uint8_t token[N + 8] = {3, 1, 4, 1, 5, 2, 6, 5}, drawn[N];
        bool seen[VOCABULARY] = {false};
        sb_continuation text;
        assert_int_equal(sb_continuation_open(&text, &setup.learner, &plan, token, n), SB_OK);
        for (int k = 0; k < N; k++) assert_int_equal(sb_continuation_next(&text, &drawn[k]), SB_OK);
        sb_continuation_close(&text);
        for (size_t k = 0; k < N; k++) {
            assert_int_equal(drawn[k], next_of(&setup, token, n + k, &plan, k));
            token[n + k] = drawn[k];
            seen[drawn[k]] = true;
        }
        int n_seen = 0;
        for (int i = 0; i < VOCABULARY; i++) n_seen += seen[i];
        assert_true(n_seen > 2);
    }
    sb_setup_close(&setup);
}

static void no_temperature_takes_the_likeliest(void **state)
{
    (void)state;
    sb_setup setup = open_net();
    sb_continuation text;
    uint8_t token = 2, other;
    assert_int_equal(sb_continuation_open(&text, &setup.learner, &(sb_continuation_plan){.seed = 1}, &token, 1), SB_OK);
    assert_int_equal(sb_continuation_next(&text, &token), SB_OK);
    const sb_real *logit = setup.learner.net->classes.logits.x;
    for (int i = 0; i < VOCABULARY; i++) assert_true(logit[token] >= logit[i]);
    for (size_t i = 0; i < setup.learner.net->params.total; i++) setup.learner.net->weight[i] = NAN;
    assert_int_equal(sb_continuation_next(&text, &other), SB_E_DIFFERS);
    sb_continuation_close(&text);
    sb_setup_close(&setup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_follow_the_rule),
        cmocka_unit_test(no_temperature_takes_the_likeliest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
