/* Autoencoders of several layers: their parameters, names of what they compute, OpenBLAS against native, and the
 * sentence about layers that are too large. Gradients are test_gradient.c's. */
#include "support.h"

#include "autoencoder.h"
#include "backend/backend.h"
#include "small_prednet.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 77, BATCH = 6 };
static const autoencoder_shape deep = {INPUTS, {3, {40, 21, 9}}, BATCH, SB_ACTIVATION_tanh, SB_ACTIVATION_relu};

static sb_ops *open_backend(const char *name)
{
    sb_ops *ops;
    if (sb_backend_open(&ops, name, &(sb_backend_options){.threads = 1}) != SB_OK) fail_msg("%s", sb_message());
    return ops;
}

static sb_net *open_deep(sb_ops *ops)
{
    sb_net *net;
    if (autoencoder_open(&net, ops, &deep) != SB_OK) fail_msg("%s", sb_message());
    return net;
}

static void the_decoder_mirrors_the_encoder(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t dim[2];
    } wanted[] = {{"encoder1/w", {40, INPUTS}}, {"encoder1/b", {40}},         {"encoder2/w", {21, 40}},
                  {"encoder2/b", {21}},         {"encoder3/w", {9, 21}},      {"encoder3/b", {9}},
                  {"decoder1/w", {21, 9}},      {"decoder1/b", {21}},         {"decoder2/w", {40, 21}},
                  {"decoder2/b", {40}},         {"decoder3/w", {INPUTS, 40}}, {"decoder3/b", {INPUTS}}};
    sb_ops *ops = open_backend("native");
    sb_net *net = open_deep(ops);
    assert_int_equal(net->params.n, sizeof wanted / sizeof *wanted);
    for (int i = 0; i < net->params.n; i++) {
        const sb_param *param = &net->params.list[i];
        assert_string_equal(param->name, wanted[i].name);
        assert_int_equal(param->rank, wanted[i].dim[1] ? 2 : 1);
        assert_true(param->dim[0] == wanted[i].dim[0] && (param->rank == 1 || param->dim[1] == wanted[i].dim[1]));
        assert_true(param->rank == 1 ? param->sd == 0 : fabs(param->sd - 1 / sqrt((double)param->dim[1])) < 1e-15);
    }
    sb_net_close(net);
    sb_backend_close(ops);
}

/* The operations of a pass forward and of its activations' gradients tell who asks for names what they read and write. */
static char said[1024];
static sb_net *named_net;

static void note(const void *memory)
{
    char text[64];
    if (!named_net->name(named_net, memory, text, sizeof text)) fail_msg("%p has no name", memory);
    if (strlen(said) + strlen(text) + 2 < sizeof said) strcat(strcat(said, text), "\n");
}

static void (*activation_alone)(sb_ops *, sb_activation, sb_real, const sb_tensor *, const sb_tensor *, sb_tensor *);

static void activation_backward_noted(sb_ops *ops, sb_activation kind, sb_real alpha, const sb_tensor *x,
                                      const sb_tensor *dy, sb_tensor *dx)
{
    note(x->x), note(dx->x);
    activation_alone(ops, kind, alpha, x, dy, dx);
}

static void what_it_computes_has_names(void **state)
{
    (void)state;
    sb_ops *ops = open_backend("native");
    activation_alone = ops->activation_backward, ops->activation_backward = activation_backward_noted;
    named_net = open_deep(ops);
    uint8_t *bytes = waves(1, INPUTS, BATCH, 2);
    assert_int_equal(sb_net_start(named_net, 1, 0), SB_OK);
    named_net->learn(named_net, &(sb_window){.bytes = bytes, .n = BATCH}, SB_TARGET_COPY);
    assert_string_equal(said, "outputs of layer 9 (decoder2)\n"
                              "gradient of the inputs of layer 10 (activation)\n"
                              "outputs of layer 7 (decoder1)\n"
                              "gradient of the inputs of layer 8 (activation)\n"
                              "outputs of layer 5 (encoder3)\n"
                              "gradient of the inputs of layer 6 (activation)\n"
                              "outputs of layer 3 (encoder2)\n"
                              "gradient of the inputs of layer 4 (activation)\n"
                              "outputs of layer 1 (encoder1)\n"
                              "gradient of the inputs of layer 2 (activation)\n");
    free(bytes);
    sb_net_close(named_net);
    sb_backend_close(ops);
}

/* Sums of at most so many terms through six layers forward and back, of numbers below 1. */
static void expect_close(const sb_net *a, const sb_net *b)
{
    const double tolerance = 2 * 12 * FLT_EPSILON * INPUTS;
    for (int p = 0; p < a->params.n; p++) {
        const sb_param *param = &a->params.list[p];
        const sb_real *x = a->grad + param->offset, *y = b->grad + param->offset;
        double largest = 0;
        for (size_t i = 0; i < param->n; i++) largest = fmax(largest, fabs((double)x[i]));
        assert_true(largest > 0);
        for (size_t i = 0; i < param->n; i++)
            if (!(fabs((double)x[i] - (double)y[i]) <= tolerance * largest))
                fail_msg("%s[%zu]: native has %a, openblas %a", param->name, i, (double)x[i], (double)y[i]);
    }
}

static void openblas_is_a_twin(void **state)
{
    (void)state;
    sb_ops *native = open_backend("native"), *blas = open_backend("openblas");
    sb_net *a = open_deep(native), *b = open_deep(blas);
    uint8_t *bytes = waves(1, INPUTS, BATCH, 2);
    for (int n = 1; n <= BATCH; n += BATCH - 1) {
        const sb_window window = {.bytes = bytes, .n = n};
        assert_true(sb_net_start(a, 3, 0) == SB_OK && sb_net_start(b, 3, 0) == SB_OK);
        a->learn(a, &window, SB_TARGET_COPY);
        b->learn(b, &window, SB_TARGET_COPY);
        assert_true(*a->loss > 0 && fabs(*a->loss - *b->loss) <= 2 * 12 * FLT_EPSILON * INPUTS * *a->loss);
        expect_close(a, b);
    }
    free(bytes);
    sb_net_close(a), sb_net_close(b);
    sb_backend_close(native), sb_backend_close(blas);
}

static void too_many_weights(void **state)
{
    (void)state;
    sb_ops *ops = open_backend("native");
    sb_net *net;
    autoencoder_shape shape = deep;
    shape.hidden = (sb_list){2, {65536, 32768}};
    assert_int_equal(autoencoder_open(&net, ops, &shape), SB_E_USAGE);
    assert_null(net);
    assert_string_equal(sb_message(),
                        "layer 3 (encoder2): 32768 units of 65536 numbers each have more than 1073741824 weights");
    sb_backend_close(ops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_decoder_mirrors_the_encoder),
        cmocka_unit_test(what_it_computes_has_names),
        cmocka_unit_test(openblas_is_a_twin),
        cmocka_unit_test(too_many_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
