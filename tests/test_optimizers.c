/* The rules of the optimizers in float64, on the native backend and as a network is updated: values that can be checked
 * by hand, and six updates of three tensors against the golden file, with another rate each, a tensor that starts at
 * zero and a gradient that is zero once. */
#include "optimizer_subject.h"

#include "io/h5/h5.h"
#include "io/h5/h5_attribute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SB_REAL_IS_DOUBLE
#error "the golden file needs the float64 build"
#endif

enum { UPDATES = 6, LARGEST = 256 };

/* ---- by hand ---- */

enum { N = 3 };

typedef struct by_hand {
    const char *rule;
    double lr[3], momentum, decay, wanted[N], ratio[3];
} by_hand;

/* What a run logs of the one tensor: |w| before the update, and the ratio that was used. */
static void check_norms(const sb_optimizer *optimizer, double weight, double ratio)
{
    sb_tensor_norms norms;
    assert_true(sb_optimizer_has_norms(optimizer));
    assert_true(sb_optimizer_read_norms(optimizer, &norms) == SB_OK);
    assert_true(fabs(norms.weight - weight) < 1e-12 && fabs(norms.ratio - ratio) <= 0.6e-9);
    if (optimizer->id == SB_OPTIMIZER_lars)
        assert_true(fabs(norms.direction - sqrt(.14)) < 1e-12); /* |(.1, .2, -.3)| */
}

static void check_by_hand(const by_hand *c, double eps, double tolerance)
{
    static const double start[N] = {1, -2, 3}, grad[3][N] = {{.1, .2, -.3}, {-.05, .1, .2}, {.3, -.1, .1}};
    subject s = {0};
    sb_settings settings;
    sb_settings_default(&settings);
    settings.momentum = c->momentum, settings.weight_decay = c->decay, settings.eps = eps;
    sb_params_add(&s.net.params, 0, 2, (size_t[]){1, N}, "w");
    open_subject(&s, c->rule, &settings);
    memcpy(s.net.weight, start, sizeof start);
    for (long number = 1; number <= 3; number++) {
        memcpy(s.net.grad, grad[number - 1], sizeof *grad);
        update(&s, c->lr[number - 1], number);
        if (c->ratio[0] > 0 && !(fabs(s.optimizer.norm[2] - c->ratio[number - 1]) <= 0.6e-9))
            fail_msg("%s: ratio %ld is %.10f, wanted %.9f", c->rule, number, s.optimizer.norm[2], c->ratio[number - 1]);
        if (number == 1 && c->ratio[0] > 0) check_norms(&s.optimizer, sqrt(14), c->ratio[0]);
    }
    for (int k = 0; k < N; k++)
        if (!(fabs(s.net.weight[k] - c->wanted[k]) <= tolerance))
            fail_msg("%s: w[%d] is %.10f, wanted %.9f", c->rule, k, s.net.weight[k], c->wanted[k]);
    close_subject(&s);
}

static void three_updates_by_hand(void **unused)
{
    (void)unused;
    static const by_hand cases[] = {
        {"adam", {.01, .01, .01}, 0, 0, {0.980631670, -2.023288815, 3.010812996}},
        {"adamw", {.01, .01, .01}, 0, 0, {0.980631626, -2.023288847, 3.010813007}},
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
        /* the first weight: v = .01, .0125, .1025; w = 1 - .1 (.1 / .1 - .05 / sqrt(.0125) + .3 / sqrt(.1025)) */
        {"adagrad", {.1, .1, .1}, 0, 0, {0.851017102, -2.103896531, 3.017803856}},
        {"lars-average", {.01, .01, .01}, 0, .01, {0.944153767, -2.065606742, 3.019965159}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_by_hand(&cases[i], NAN, 0.6e-9);
    const by_hand lars = {
        "lars", {1, 1, 1}, .9, 1e-4, {0.995451164, -2.007372726, 3.000772261}, {.009990010, .016317232, .011282496}};
    const by_hand lamb = {"lamb",
                          {.01, .01, .01},
                          0,
                          .01,
                          {0.934178049, -2.075408579, 3.021199288},
                          {2.189128303, 3.922539976, 4.834301285}};
    const by_hand uncorrected = {"lamb-uncorrected", {.01, .01, .01}, 0, .01, {0.935306988, -2.076366742, 3.023436575}};
    check_by_hand(&lars, NAN, 0.6e-9), check_by_hand(&lamb, NAN, 0.6e-9), check_by_hand(&uncorrected, NAN, 0.6e-9);
    /* with eps 1 and v = .01 .01 = 1e-4: w = 1 - .1 / (1 + .01), and no more */
    const by_hand rmsprop = {"rmsprop", {1, 0, 0}, 0, 0, {1 - .1 / 1.01, -2 - .2 / 1.02, 3 + .3 / 1.03}};
    check_by_hand(&rmsprop, 1, 1e-12);
}

/* Where one of the two norms is zero the ratio is 1; where a tensor is of rank 1 too, but not of every rule. */
static void ratio_of_nothing_is_1(void **unused)
{
    (void)unused;
    static const struct {
        const char *rule;
        double of_vector; /* |w| / |u| of w = 2, g = 1; 1: left out */
    } cases[] = {{"lars", 1}, {"lars-nesterov", 1},    {"lars-average", 2 / .102},
                 {"lamb", 1}, {"lamb-uncorrected", 1}, {"nvlamb", 2 / (1 / (1 + 1e-6))}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        subject s = {0};
        sb_settings settings;
        sb_settings_default(&settings);
        settings.max_norm = 10; /* nothing is divided */
        sb_params_add(&s.net.params, 0, 2, (size_t[]){2, 2}, "zero");
        sb_params_add(&s.net.params, 0, 2, (size_t[]){1, 1}, "without gradient");
        sb_params_add(&s.net.params, 0, 1, (size_t[]){1}, "vector");
        open_subject(&s, cases[i].rule, &settings);
        const double weight[6] = {0, 0, 0, 0, 3, 2}, grad[6] = {.1, -.2, .3, .4, 0, 1};
        memcpy(s.net.weight, weight, sizeof weight);
        memcpy(s.net.grad, grad, sizeof grad);
        update(&s, 0, 1);
        const double *norm = s.optimizer.norm;
        const double decay = s.optimizer.settings.weight_decay, moved = norm[3 * 1 + 2];
        assert_true(norm[2] == 1);
        /* without a gradient LARS has no direction; the others have the decay of the weights */
        if (strncmp(cases[i].rule, "lars", 4) == 0 && strcmp(cases[i].rule, "lars-average") != 0)
            assert_true(moved == 1);
        else
            assert_true(moved > 1 && fabs(moved * decay * (strcmp(cases[i].rule, "lars-average") ? 1 : .1) - 1) < 1e-9);
        if (!(fabs(norm[3 * 2 + 2] - cases[i].of_vector) <= 1e-9 * cases[i].of_vector))
            fail_msg("%s: the ratio of a vector is %.12g, wanted %.12g", cases[i].rule, norm[8], cases[i].of_vector);
        for (int k = 0; k < 6; k++) assert_true(s.net.weight[k] == weight[k]); /* at a rate of 0 */
        close_subject(&s);
    }
}

static void ratios_without_numbers(void **unused)
{
    (void)unused;
    const sb_trust plain = {.lr = 1, .eta = 1, .most = INFINITY};
    const sb_trust limited = {.lr = 1, .eta = 1, .least = 2, .most = 3};
    assert_true(sb_trust_ratio(0, 4, plain) == 1 && sb_trust_ratio(4, 0, plain) == 1);
    assert_true(sb_trust_ratio(NAN, 4, plain) == 1 && sb_trust_ratio(4, NAN, plain) == 1);
    assert_true(sb_trust_ratio(4, INFINITY, plain) == 0 && sb_trust_ratio(4, 16, plain) == 0.5);
    assert_true(sb_trust_ratio(1, 1, limited) == 2 && sb_trust_ratio(6.25, 1, limited) == 2.5);
    assert_true(sb_trust_ratio(100, 1, limited) == 3 && sb_trust_ratio(0, 1, limited) == 1);
    const double norm2[] = {9, 7, 9};
    assert_true(sb_gradient_divisor_of(3, norm2, 2.5) == 2 && sb_gradient_divisor_of(3, norm2, 6) == 1);
    assert_true(isnan(sb_gradient_divisor_of(2, (double[]){NAN, 1}, 6)));
}

/* ---- the golden file ---- */

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

static void add_tensors(sb_params *params)
{
    sb_params_add(params, 0, 4, (size_t[]){5, 3, 3, 3}, "a/w");
    sb_params_add(params, 0, 2, (size_t[]){7, 11}, "b/w");
    sb_params_add(params, 0, 1, (size_t[]){6}, "c/shift");
}

static void check_tensor(sb_h5 *file, const char *group, const subject *s, int p, size_t number)
{
    static double known[UPDATES * LARGEST];
    const sb_optimizer *optimizer = &s->optimizer;
    const sb_param *param = &s->net.params.list[p];
    const size_t n = param->n, at = (number - 1) * n;
    char where[160];
    snprintf(where, sizeof where, "%s, update %zu, %s", group, number, param->name);
    read(file, UPDATES * n, known, "%s/param/%s%s", group, param->name, "");
    expect_close(where, n, s->net.weight + param->offset, known + at);
    for (int k = 0; k < optimizer->row->n_states; k++) {
        read(file, UPDATES * n, known, "%s/state_%s/%s", group, optimizer->row->state[k], param->name);
        expect_close(where, n, optimizer->state[k] + param->offset, known + at);
    }
    if (optimizer->row->kind == SB_ELEMENTWISE) return;
    read(file, UPDATES, known, "%s/trust/%s%s", group, param->name, "");
    expect_close(where, 1, &optimizer->norm[3 * p + 2], known + number - 1);
}

static void check_rule(sb_h5 *file, const char *group, const char *rule)
{
    static double grad[UPDATES * LARGEST];
    double lr[UPDATES];
    subject s = {0};
    sb_settings settings;
    sb_settings_default(&settings);
    settings.momentum = attribute(file, group, "mu", NAN), settings.weight_decay = attribute(file, group, "wd", NAN);
    settings.beta1 = attribute(file, group, "b1", NAN);
    settings.beta2 = attribute(file, group, "b2", attribute(file, group, "a", NAN));
    settings.eps = attribute(file, group, "eps", NAN), settings.eta = attribute(file, group, "eta", NAN);
    settings.max_norm = attribute(file, group, "max_norm", NAN);
    settings.phi = (sb_reals){2, {attribute(file, group, "least", 0), attribute(file, group, "most", INFINITY)}};
    add_tensors(&s.net.params);
    open_subject(&s, rule, &settings);
    const sb_params *params = &s.net.params;
    read(file, UPDATES, lr, "%s/lr%s%s", group, "", "");
    for (int p = 0; p < params->n; p++)
        read(file, params->list[p].n, s.net.weight + params->list[p].offset, "start/%s%s%s", params->list[p].name, "",
             "");
    for (size_t number = 1; number <= UPDATES; number++) {
        for (int p = 0; p < params->n; p++) {
            const sb_param *param = &params->list[p];
            read(file, UPDATES * param->n, grad, "grad/%s%s%s", param->name, "", "");
            memcpy(s.net.grad + param->offset, grad + (number - 1) * param->n, param->n * sizeof *grad);
        }
        update(&s, lr[number - 1], (long)number);
        for (int p = 0; p < params->n; p++) check_tensor(file, group, &s, p, number);
    }
    close_subject(&s);
}

/* Each row has its group in the file: a rule without one does not pass. */
static void every_rule_meets_the_golden_file(void **unused)
{
    (void)unused;
    sb_h5 *file;
    if (sb_h5_open(&file, SB_GOLDEN "/learning/optimizers_f8.h5", SB_SEAL_FOREIGN) != SB_OK)
        fail_msg("%s", sb_message());
    for (sb_optimizer_id id = 0; id < SB_N_OPTIMIZERS; id++) /* the quasi-Newton one: test_lbfgs */
        if (sb_optimizers[id].kind != SB_QUASI_NEWTON) check_rule(file, sb_optimizers[id].name, sb_optimizers[id].name);
    check_rule(file, "lamb-clipped", "lamb"); /* with --phi 0.001,3 */
    sb_h5_close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_updates_by_hand), cmocka_unit_test(ratio_of_nothing_is_1),
                                       cmocka_unit_test(ratios_without_numbers),
                                       cmocka_unit_test(every_rule_meets_the_golden_file)};
    return cmocka_run_group_tests_name("optimizers", tests, NULL, NULL);
}
