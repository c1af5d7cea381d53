/* The parameters of the study's networks: names, shapes and number as in spec/networks.md, section 1 and 4; start
 * weights: their moments, and the bits that every published run hangs on. */
#include "support.h"

#include "autoencoder.h"
#include "backend/backend.h"
#include "core/hash.h"
#include "net/prednet/prednet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sb_ops *ops;
static sb_net *prednet; /* the study's, 160x120 */
static sb_net *autoencoder;
static const int channels[4] = {3, 48, 96, 192};
static int n_expected;

static int open_networks(void **state)
{
    (void)state;
    const sb_prednet_shape shape = {4, {3, 48, 96, 192}, 160, 120, 1};
    if (sb_backend_open(&ops, "native", &(sb_backend_options){.threads = 2}) != SB_OK) return -1;
    if (sb_prednet_open(&prednet, ops, &shape) != SB_OK) return -1;
    const autoencoder_shape published = {784, {1, {64}}, 1, SB_ACTIVATION_relu, SB_ACTIVATION_relu};
    return autoencoder_open(&autoencoder, ops, &published) != SB_OK;
}

static int close_networks(void **state)
{
    (void)state;
    sb_net_close(prednet);
    sb_net_close(autoencoder);
    sb_backend_close(ops);
    return 0;
}

/* The parameter has this shape and these start weights; fan_in 0: zeros. */
static void expect_param(const sb_net *net, const char *name, int rank, const size_t *dim, double fan_in)
{
    n_expected++;
    for (int i = 0; i < net->params.n; i++) {
        const sb_param *param = &net->params.list[i];
        if (strcmp(param->name, name) != 0) continue;
        assert_int_equal(param->rank, rank);
        for (int k = 0; k < rank; k++)
            if (param->dim[k] != dim[k]) fail_msg("%s: dim %d is %zu, wanted %zu", name, k, param->dim[k], dim[k]);
        double sd = fan_in > 0 ? 1 / sqrt(fan_in) : 0;
        if (fabs(param->sd - sd) > 1e-15) fail_msg("%s: deviation %g, wanted %g", name, param->sd, sd);
        return;
    }
    fail_msg("no parameter %s", name);
}

static void expect_conv(int in, int out, const char *name, const char *bias)
{
    char path[48];
    snprintf(path, sizeof path, "%s", name);
    expect_param(prednet, path, 4, (size_t[]){(size_t)out, (size_t)in, 3, 3}, 9.0 * in);
    if (bias) expect_param(prednet, bias, 1, (size_t[]){(size_t)out}, 0);
}

static void expect_cell(int n)
{
    static const char *const gates[4] = {"input", "forget", "candidate", "output"};
    int c = channels[n];
    size_t h = 120u >> n, w = 160u >> n;
    for (int g = 0; g < 4; g++) {
        char name[48], bias[48];
        snprintf(name, sizeof name, "lstm%d/%s/x0_w", n, gates[g]);
        expect_conv(2 * c, c, name, NULL);
        snprintf(name, sizeof name, "lstm%d/%s/x1_w", n, gates[g]);
        if (n < 3) expect_conv(channels[n + 1], c, name, NULL);
        snprintf(name, sizeof name, "lstm%d/%s/h_w", n, gates[g]);
        snprintf(bias, sizeof bias, "lstm%d/%s/h_b", n, gates[g]);
        expect_conv(c, c, name, bias);
        snprintf(name, sizeof name, "lstm%d/%s/peephole", n, gates[g]);
        if (g != 2) expect_param(prednet, name, 4, (size_t[]){1, (size_t)c, h, w}, (double)w * h * c);
    }
}

static void prednet_has_the_parameters_of_the_study(void **state)
{
    (void)state;
    n_expected = 0;
    for (int n = 0; n < 4; n++) {
        char name[48], bias[48];
        snprintf(name, sizeof name, "conv_p%d/w", n), snprintf(bias, sizeof bias, "conv_p%d/b", n);
        expect_conv(channels[n], channels[n], name, bias);
        snprintf(name, sizeof name, "conv_a%d/w", n), snprintf(bias, sizeof bias, "conv_a%d/b", n);
        if (n > 0) expect_conv(2 * channels[n - 1], channels[n], name, bias);
        expect_cell(n);
    }
    assert_int_equal(prednet->params.n, n_expected);
    assert_int_equal(prednet->params.total, 8298348);
}

static void autoencoder_has_the_parameters_of_the_study(void **state)
{
    (void)state;
    n_expected = 0;
    expect_param(autoencoder, "encoder/w", 2, (size_t[]){64, 784}, 784);
    expect_param(autoencoder, "encoder/b", 1, (size_t[]){64}, 0);
    expect_param(autoencoder, "decoder/w", 2, (size_t[]){784, 64}, 64);
    expect_param(autoencoder, "decoder/b", 1, (size_t[]){784}, 0);
    assert_int_equal(autoencoder->params.n, n_expected);
    assert_int_equal(autoencoder->params.total, 2 * 784 * 64 + 784 + 64);
}

/* One block after the other, none left out. */
static void parameters_lie_side_by_side(void **state)
{
    (void)state;
    size_t at = 0;
    for (int i = 0; i < prednet->params.n; i++) {
        assert_int_equal(prednet->params.list[i].offset, at);
        at += prednet->params.list[i].n;
    }
    assert_int_equal(prednet->params.total, at);
}

static void expect_moments(const sb_net *net)
{
    for (int i = 0; i < net->params.n; i++) {
        const sb_param *param = &net->params.list[i];
        const sb_real *x = net->weight + param->offset;
        double sum = 0, squares = 0, n = (double)param->n;
        for (size_t k = 0; k < param->n; k++) sum += x[k], squares += (double)x[k] * x[k];
        /* five standard errors of the mean and of the mean square of N(0, sd^2) */
        double mean = sum / n, square = squares / n, variance = param->sd * param->sd;
        if (fabs(mean) > 5 * param->sd / sqrt(n) || fabs(square - variance) > 5 * variance * sqrt(2 / n))
            fail_msg("%s: mean %g, mean square %g, deviation wanted %g", param->name, mean, square, param->sd);
    }
}

static void expect_hash(const sb_net *net, const char *wanted)
{
    char text[SB_HASH_TEXT];
    sb_hash_text(sb_hash_of(net->weight, net->params.total, sizeof(sb_real)), text);
    assert_string_equal(text, wanted);
}

static void start_weights_have_moments_and_bits(void **state)
{
    (void)state;
    assert_int_equal(sb_net_start(prednet, 1, 0), SB_OK);
    expect_moments(prednet);
    expect_hash(prednet, "3f3bb9a87273b9e7af03ee6456f6fdca");
    assert_int_equal(sb_net_start(autoencoder, 1, 0), SB_OK);
    expect_moments(autoencoder);
    expect_hash(autoencoder, "016c58cc0b2b8a777a08996d5e157d7f");
    assert_int_equal(sb_net_start(autoencoder, 2, 0), SB_OK);
    expect_moments(autoencoder);
    expect_hash(autoencoder, "7be1a669d33e64f9bac54a59747c3d8e");
}

/* One weight of all, one unit in the last place, another one for another number, never one that is zero. */
static void one_ulp_moves_one_weight(void **state)
{
    (void)state;
    size_t moved[2];
    sb_real *plain = malloc(prednet->params.total * sizeof *plain);
    assert_non_null(plain);
    assert_int_equal(sb_net_start(prednet, 1, 0), SB_OK);
    memcpy(plain, prednet->weight, prednet->params.total * sizeof *plain);
    for (int which = 0; which < 2; which++) {
        int n_moved = 0;
        assert_int_equal(sb_net_start(prednet, 1, (uint64_t)which + 1), SB_OK);
        for (size_t i = 0; i < prednet->params.total; i++)
            if (prednet->weight[i] != plain[i]) moved[which] = i, n_moved++;
        assert_int_equal(n_moved, 1);
        assert_true(plain[moved[which]] != 0);
        assert_true(prednet->weight[moved[which]] == (sb_real)nextafterf((float)plain[moved[which]], INFINITY));
    }
    assert_true(moved[0] != moved[1]);
    free(plain);
}

/* A layer more or less, a channel more, another size: the shape divides or the sentence says why not. */
static void shapes_that_do_not_divide_are_refused(void **state)
{
    (void)state;
    static const struct {
        sb_prednet_shape shape;
        const char *sentence;
    } cases[] = {
        {{0, {3}, 16, 8, 4}, "PredNet has 1 to 8 layers, not 0"},
        {{9, {3, 3, 3, 3, 3, 3, 3, 3}, 512, 512, 4}, "PredNet has 1 to 8 layers, not 9"},
        {{2, {4, 8}, 16, 8, 4}, "the first of PredNet's channels is 3, the colors, not 4"},
        {{4, {3, 2, 3, 4}, 16, 12, 4}, "frames of 16x12 do not divide by 8: PredNet with 4 layers halves them 3 times"},
        {{4, {3, 2, 3, 4}, 20, 8, 4}, "frames of 20x8 do not divide by 8: PredNet with 4 layers halves them 3 times"},
        {{1, {3}, 16, 8, 0}, "a window has 1 to 255 frames, not 0"},
        {{1, {3}, 16, 8, 256}, "a window has 1 to 255 frames, not 256"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_net *net;
        assert_int_equal(sb_prednet_open(&net, ops, &cases[i].shape), SB_E_USAGE);
        assert_null(net);
        assert_string_equal(sb_message(), cases[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prednet_has_the_parameters_of_the_study),
        cmocka_unit_test(autoencoder_has_the_parameters_of_the_study),
        cmocka_unit_test(parameters_lie_side_by_side),
        cmocka_unit_test(start_weights_have_moments_and_bits),
        cmocka_unit_test(one_ulp_moves_one_weight),
        cmocka_unit_test(shapes_that_do_not_divide_are_refused),
    };
    return cmocka_run_group_tests(tests, open_networks, close_networks);
}
