/* The rules of the optimisers in float64: values that can be checked by hand, and six updates of three tensors against
 * the golden file, with another rate each, a tensor that starts at zero and a gradient that is zero once. */
#include "support.h"

#include "io/h5.h"
#include "io/h5_attribute.h"
#include "train/optimizer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SB_REAL_IS_DOUBLE
#error "the golden file needs the float64 build"
#endif

enum { UPDATES = 6, LARGEST = 256 };

/* With its own defaults where the settings say auto. */
static sb_optimizer open_rule(const char *name, sb_settings *settings)
{
    settings->optimizer = name;
    const sb_optimizer_id id = sb_optimizer_find(name);
    if (id == SB_N_OPTIMIZERS) fail_msg("no optimizer %s", name);
    return (sb_optimizer){.id = id, .row = &sb_optimizers[id], .settings = sb_settings_resolved(settings)};
}

/* ---- by hand ---- */

static void three_updates_by_hand(void **unused)
{
    (void)unused;
    enum { N = 3 };
    static const double grad[3][N] = {{.1, .2, -.3}, {-.05, .1, .2}, {.3, -.1, .1}};
    static const struct {
        const char *name;
        double lr[3], momentum, decay, wanted[N], eps;
    } cases[] = {
        {"adam", {.01, .01, .01}, 0, 0, {0.980631670, -2.023288815, 3.010812996}},
        /* the first weight: v = .1, .9 .1 - .05 = .04, .9 .04 + .3 = .336; w = 1 - .1 (.1 + .04 + .336) */
        {"momentum-buffer", {.1, .1, .1}, .9, 0, {0.9524, -2.0632, 3.0333}},
        {"nesterov-buffer", {.1, .2, .05}, .9, .01, {0.944750653, -2.091928240, 2.995593711}},
        {"nesterov-buffer", {.1, .1, .1}, .9, .01, {0.914209763, -2.060567879, 3.005628169}},
        {"nesterov", {.1, .2, .05}, .9, .01, {0.954528082, -2.093601538, 2.955578658}},
        {"nesterov", {.1, .1, .1}, .9, .01, {0.914209763, -2.060567879, 3.005628169}},
        /* with a constant rate the rate inside the velocity is the rate outside */
        {"momentum", {.1, .1, .1}, .9, 0, {0.9524, -2.0632, 3.0333}},
        /* 1 - .1 (.1 - .05 + .3) */
        {"sgd", {.1, .1, .1}, 0, 0, {0.965, -2.02, 3}},
        /* v = (.01, -.005 + .009 = .004, .03 + .0036 = .0336), a tenth of momentum-buffer's */
        {"momentum-average", {1, 1, 1}, .9, 0, {0.9524, -2.0632, 3.0333}},
        {"adamw", {.01, .01, .01}, 0, 0, {0.980631626, -2.023288847, 3.010813007}, 1e-8},
        /* the first weight: v = .01, .0125, .1025; w = 1 - .1 (.1 / .1 - .05 / sqrt(.0125) + .3 / sqrt(.1025)) */
        {"adagrad", {.1, .1, .1}, 0, 0, {0.851017102, -2.103896531, 3.017803856}},
        /* with eps 1, v = .01 .01 = 1e-4: w = 1 - .1 / (1 + .01), and no more */
        {"rmsprop", {1, 0, 0}, 0, 0, {1 - .1 / 1.01, -2 - .2 / 1.02, 3 + .3 / 1.03}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_settings settings;
        sb_settings_default(&settings);
        settings.momentum = cases[i].momentum, settings.weight_decay = cases[i].decay;
        settings.eps = cases[i].eps;
        const sb_optimizer rule = open_rule(cases[i].name, &settings);
        double w[N] = {1, -2, 3}, state[SB_STATES_MAX_OF_OPTIMIZER][N] = {{0}};
        for (long update = 1; update <= 3; update++) {
            const sb_block block = {N, w, grad[update - 1], {state[0], state[1]}};
            const sb_rates rates = sb_optimizer_rates(&rule, cases[i].lr[update - 1], update);
            sb_optimizer_update_host(&rule, &rates, &block);
        }
        for (int k = 0; k < N; k++)
            if (fabs(w[k] - cases[i].wanted[k]) > 0.6e-9)
                fail_msg("%s: w[%d] is %.10f, wanted %.9f", cases[i].name, k, w[k], cases[i].wanted[k]);
    }
}

/* ---- the golden file ---- */

static const struct {
    const char *name;
    size_t n;
} tensors[] = {{"a/w", 135}, {"b/w", 77}, {"c/shift", 6}};

static void expect_close(const char *where, size_t n, const double *got, const double *wanted)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(wanted[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(got[i] - wanted[i]) <= 1e-11 * largest))
            fail_msg("%s[%zu] is %a, the golden file has %a", where, i, got[i], wanted[i]);
}

static void read(sb_h5 *file, size_t n, double *x, const char *format, const char *a, const char *b, const char *c)
{
    char name[128];
    snprintf(name, sizeof name, format, a, b, c);
    if (sb_h5_read(file, name, SB_F64, n, x) != SB_OK) fail_msg("%s", sb_message());
}

static double attribute(sb_h5 *file, const char *group, const char *name, double absent)
{
    double value = absent;
    if (sb_h5_has(file, group, name) && sb_h5_get_real(file, group, name, &value) != SB_OK)
        fail_msg("%s", sb_message());
    return value;
}

static void check_tensor(sb_h5 *file, const sb_optimizer *rule, const char *tensor, size_t n)
{
    static double grad[UPDATES * LARGEST], param[UPDATES * LARGEST];
    static double known[SB_STATES_MAX_OF_OPTIMIZER][UPDATES * LARGEST], state[SB_STATES_MAX_OF_OPTIMIZER][LARGEST];
    double w[LARGEST], lr[UPDATES];
    const char *name = rule->row->name;
    read(file, n, w, "start/%s%s%s", tensor, "", "");
    read(file, UPDATES * n, grad, "grad/%s%s%s", tensor, "", "");
    read(file, UPDATES, lr, "%s/lr%s%s", name, "", "");
    read(file, UPDATES * n, param, "%s/param/%s%s", name, tensor, "");
    for (int k = 0; k < rule->row->n_states; k++)
        read(file, UPDATES * n, known[k], "%s/state_%s/%s", name, rule->row->state[k], tensor);
    memset(state, 0, sizeof state);
    for (long update = 1; update <= UPDATES; update++) {
        const size_t at = (size_t)(update - 1) * n;
        char where[160];
        const sb_block block = {n, w, grad + at, {state[0], state[1]}};
        const sb_rates rates = sb_optimizer_rates(rule, lr[update - 1], update);
        sb_optimizer_update_host(rule, &rates, &block);
        snprintf(where, sizeof where, "%s, update %ld, %s", name, update, tensor);
        expect_close(where, n, w, param + at);
        for (int k = 0; k < rule->row->n_states; k++) expect_close(where, n, state[k], known[k] + at);
    }
}

/* Each row has its group in the file: a rule without one does not pass. */
static void every_rule_meets_the_golden_file(void **unused)
{
    (void)unused;
    sb_h5 *file;
    if (sb_h5_open(&file, SB_GOLDEN "/learning/optimizers_f8.h5", SB_SEAL_FOREIGN) != SB_OK)
        fail_msg("%s", sb_message());
    for (sb_optimizer_id id = 0; id < SB_N_OPTIMIZERS; id++) {
        const char *name = sb_optimizers[id].name;
        sb_settings settings;
        sb_settings_default(&settings);
        settings.momentum = attribute(file, name, "mu", NAN);
        settings.weight_decay = attribute(file, name, "wd", NAN);
        settings.eps = attribute(file, name, "eps", NAN);
        settings.beta1 = attribute(file, name, "b1", NAN);
        settings.beta2 = attribute(file, name, "b2", attribute(file, name, "a", NAN));
        const sb_optimizer rule = open_rule(name, &settings);
        for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
            check_tensor(file, &rule, tensors[i].name, tensors[i].n);
    }
    sb_h5_close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_updates_by_hand),
                                       cmocka_unit_test(every_rule_meets_the_golden_file)};
    return cmocka_run_group_tests_name("optimizers", tests, NULL, NULL);
}
