/* Networks of layers: gradients by central differences, and what must change no bit: threads, chunks of a batch, the
 * other samples. */
#include "layer_rows.h"

#include "core/random.h"
#include "net/sequential/sequential_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- gradients ---- */

enum { BATCH = 36, CLASSES = 3 }; /* two chunks and a part */

/* A window of BATCH samples: smooth noise, and labels; of a text in the bytes of `values`. */
static sb_window window_of(const sb_layer_list *list, uint64_t seed, sb_real *values, uint8_t *labels)
{
    if (list->row[0].kind == &sb_layer_embedding) {
        uint8_t *tokens = (uint8_t *)values;
        for (size_t i = 0; i < BATCH * (size_t)(list->input.w + 1); i++)
            tokens[i] = (uint8_t)(sb_random_words(seed, 1002, i).word[0] % (uint32_t)list->n_classes);
        return (sb_window){.tokens = tokens, .n = BATCH};
    }
    const size_t n = (size_t)BATCH * list->input.c * list->input.h * list->input.w;
    for (size_t i = 0; i < n; i++) values[i] = (sb_real)sb_random_normal(seed, 1000, i);
    for (size_t i = 0; i < BATCH; i++) labels[i] = (uint8_t)(sb_random_words(seed, 1001, i).word[0] % CLASSES);
    return (sb_window){.values = values, .labels = labels, .n = BATCH};
}

enum { VALUES = BATCH * 3 * 9 * 7 };

/* Nothing is symmetric, and no shift is at its start. */
static void start(sb_net *net, uint64_t seed)
{
    assert_int_equal(sb_net_start(net, seed, 0), SB_OK);
    for (int p = 0; p < net->params.n; p++) {
        const sb_param *param = &net->params.list[p];
        for (size_t i = 0; param->rank == 1 && i < param->n; i++)
            net->weight[param->offset + i] += (sb_real)(0.3 * sb_random_normal(seed, 2000 + (uint32_t)p, i));
        const bool is_table = strncmp(param->name, "embedding", 9) == 0; /* its gradients would be too small */
        for (size_t i = 0; is_table && i < param->n; i++) net->weight[param->offset + i] *= 25;
    }
    for (int i = 0; i < net->n_states; i++)
        for (size_t k = 0; net->state[i].kind == SB_STATE_FROZEN && k < sb_tensor_size(&net->state[i].tensor); k++)
            net->state[i].tensor.x[k] = (sb_real)(0.3 * sb_random_normal(seed, 3000, k));
}

static double loss_of(sb_net *net, const sb_window *window)
{
    net->learn(net, window, SB_TARGET_COPY);
    const bool is_whole =
        !net->classes.n || net->classes.is_summed; /* its own gradient is formed, not that of a mean */
    return net->loss[SB_TOTAL_LOSS] / (is_whole ? 1 : window->n);
}

static double difference(sb_net *net, const sb_window *window, sb_real *w, double h)
{
    const sb_real before = *w;
    *w = before + (sb_real)h;
    const double up = loss_of(net, window);
    *w = before - (sb_real)h;
    const double down = loss_of(net, window);
    *w = before;
    return (up - down) / (2 * h);
}

/* A few elements of every parameter; a step is a hundred-thousandth of its largest element. */
static double check_param(sb_net *net, const sb_window *window, const sb_param *param, const sb_real *grad)
{
    enum { ELEMENTS = 5 };
    double largest = 0, scale = 0, worst = 0;
    for (size_t i = 0; i < param->n; i++) {
        largest = fmax(largest, fabs((double)net->weight[param->offset + i]));
        scale = fmax(scale, fabs((double)grad[param->offset + i]));
    }
    if (scale == 0) fail_msg("%s: no gradient at all, the check would show nothing", param->name);
    for (uint64_t k = 0; k < ELEMENTS; k++) {
        const size_t at = param->offset + sb_random_words(5, param->stream, k).word[0] % param->n;
        const double got = difference(net, window, net->weight + at, 1e-5 * largest);
        if (!(fabs(got - (double)grad[at]) <= 1e-6 * scale))
            fail_msg("%s: gradient %.9g, difference %.9g", param->name, (double)grad[at], got);
        worst = fmax(worst, fabs(got - (double)grad[at]) / scale);
    }
    return worst;
}

static void check_gradient(const char *what, sb_layer_list list, const char *arithmetic)
{
    static sb_real values[VALUES];
    static uint8_t labels[BATCH];
    sb_ops *ops = open_native(1, arithmetic);
    sb_net *net;
    list.smoothing = 0.2;
    if (sb_sequential_open(&net, ops, &list, &(sb_sequential_form){BATCH, 1}) != SB_OK) fail_msg("%s", sb_message());
    start(net, 11);
    const sb_window window = window_of(&list, 3, values, labels);
    loss_of(net, &window);
    sb_real *grad = malloc(net->params.total * sizeof *grad);
    assert_non_null(grad);
    memcpy(grad, net->grad, net->params.total * sizeof *grad);
    double worst = 0;
    for (int p = 0; p < net->params.n; p++) worst = fmax(worst, check_param(net, &window, &net->params.list[p], grad));
    print_message("  %s, %s: %d parameters, largest error %.1e\n", what, arithmetic, net->params.n, worst);
    free(grad);
    sb_net_close(net);
    sb_backend_close(ops);
}

static sb_layer_list residual_list(void)
{
    sb_layer_list list = LIST(
        colours, CLASSES, conv("prep/conv", 4, 3, 1), norm("prep/bn", 4), activation(SB_ACTIVATION_celu, 0.3),
        conv("layer1/conv", 5, 3, 1), pool(2), norm("layer1/bn", 1), activation(SB_ACTIVATION_celu, 0.075),
        plain(&sb_layer_residual), conv("res1/conv", 5, 3, 1), norm("res1/bn", 2), activation(SB_ACTIVATION_gelu, 0),
        plain(&sb_layer_residual), conv("res2/conv", 5, 3, 1), activation(SB_ACTIVATION_tanh, 0), plain(&sb_layer_end),
        norm("res3/bn", 1), plain(&sb_layer_end), pool(0), dense("linear", CLASSES, false), plain(&sb_layer_scale));
    list.is_summed = true;
    list.row[5].norm.is_scale_frozen = true; /* layer1/bn */
    return list;
}

/* The kinds that only users' own networks have. */
static sb_layer_list own_list(void)
{
    const sb_layer_row strided =
        named((sb_layer_row){&sb_layer_conv, .conv = {6, 5, 2, .stride = 2, .bias = true}}, "conv1");
    const sb_layer_row depthwise =
        named((sb_layer_row){&sb_layer_conv, .conv = {6, 3, 1, .groups = SB_LAYER_DEPTHWISE}}, "conv2");
    const sb_layer_row dilated =
        named((sb_layer_row){&sb_layer_conv, .conv = {8, 3, 2, .dilation = 2, .groups = 2}}, "conv3");
    return LIST(
        colours, CLASSES, strided, named(plain(&sb_layer_layernorm), "layernorm1"), activation(SB_ACTIVATION_silu, 0),
        depthwise, named((sb_layer_row){&sb_layer_groupnorm, .norm = {.groups = 3}}, "groupnorm1"),
        activation(SB_ACTIVATION_gelu, 0), (sb_layer_row){&sb_layer_dropout, .factor = 0.25},
        (sb_layer_row){&sb_layer_averagepool, .window = 2}, dilated, named(plain(&sb_layer_layernorm), "layernorm2"),
        (sb_layer_row){&sb_layer_averagepool}, dense("dense1", CLASSES, true));
}

static void gradients_of_residuals(void **state)
{
    check_gradient("residuals", residual_list(), *state);
}

static void gradients_of_own_layers(void **state)
{
    check_gradient("layers of own networks", own_list(), *state);
}

/* Dense layers behind maps, biases, an activation that is not in place, relu before a residual's end. */
static void gradients_of_dense_layers(void **state)
{
    sb_layer_list list =
        LIST(colours, CLASSES, conv("conv1", 4, 3, 1), activation(SB_ACTIVATION_sigmoid, 0), plain(&sb_layer_residual),
             conv("conv2", 4, 3, 1), activation(SB_ACTIVATION_relu, 0), plain(&sb_layer_end), pool(2),
             dense("dense1", 6, true), activation(SB_ACTIVATION_relu, 0), dense("dense2", CLASSES, true));
    list.row[0].conv.bias = list.row[3].conv.bias = true;
    check_gradient("dense layers", list, *state);
}

/* A text of 7 different tokens in windows of 6. */
static sb_layer_list text_list(bool is_tied)
{
    sb_layer_list list = LIST(
        colours, 7, (sb_layer_row){&sb_layer_embedding, "embedding1", .embedding = {5, 6}},
        named((sb_layer_row){&sb_layer_pointwise, .conv = {9, 1, .bias = true}}, "pointwise1"),
        activation(SB_ACTIVATION_gelu, 0), named((sb_layer_row){&sb_layer_pointwise, .conv = {5, 1}}, "pointwise2"),
        named((sb_layer_row){&sb_layer_pointwise, .conv = {7, 1, .bias = !is_tied, .is_tied = is_tied}}, "pointwise3"));
    sb_layer_list_of_tokens(&list);
    return list;
}

static void gradients_of_texts(void **state)
{
    check_gradient("text", text_list(false), *state);
    check_gradient("text with tied weights", text_list(true), *state);
}

/* A layer that does not learn between two that do, and one before all. */
static void gradients_through_frozen_layers(void **state)
{
    sb_layer_list list = LIST(colours, CLASSES, conv("whiten", 5, 3, 1), conv("a", 4, 3, 1), conv("b", 4, 3, 1),
                              activation(SB_ACTIVATION_gelu, 0), pool(0), dense("c", CLASSES, true));
    list.row[0].conv.is_frozen = list.row[2].conv.is_frozen = true;
    check_gradient("frozen layers", list, *state);
}

/* The target is the input, which the first layer reads and no later one may write onto. */
static void gradients_of_squared_error(void **state)
{
    sb_layer_list list = LIST(colours, 0, activation(SB_ACTIVATION_relu, 0), conv("conv1", 4, 3, 1),
                              activation(SB_ACTIVATION_tanh, 0), conv("conv2", 3, 3, 1));
    list.loss = &sb_loss_squared_error;
    check_gradient("squared error", list, *state);
}

/* ---- what changes no bit ---- */

static void hold_threads(sb_layer_list list, const char *arithmetic)
{
    static sb_real values[VALUES];
    static uint8_t labels[BATCH];
    sb_real *known = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        sb_ops *ops = open_native(threads, arithmetic);
        sb_net *net;
        assert_int_equal(sb_sequential_open(&net, ops, &list, &(sb_sequential_form){BATCH, 1}), SB_OK);
        start(net, 11);
        const sb_window window = window_of(&list, 3, values, labels);
#pragma omp parallel num_threads(threads)
        net->learn(net, &window, SB_TARGET_COPY);
        const size_t n_bytes = net->params.total * sizeof *known;
        if (!known) {
            known = malloc(n_bytes);
            assert_non_null(known);
            memcpy(known, net->grad, n_bytes);
        }
        assert_memory_equal(net->grad, known, n_bytes);
        sb_net_close(net);
        sb_backend_close(ops);
    }
    free(known);
}

static void threads_change_no_bit(void **state)
{
    hold_threads(residual_list(), *state);
    hold_threads(own_list(), *state);
    hold_threads(text_list(true), *state);
}

static void run(sb_net *net, const sb_window *window, sb_real *logits)
{
    net->infer(net, window);
    memcpy(logits, net->classes.logits.x, (size_t)window->n * CLASSES * sizeof *logits);
}

/* Evaluation: a sample's logits do not depend on the others, nor on where in the batch it is; with its mirror image they
 * are the mean of both; and labels need not be there. */
static void hold_samples(sb_layer_list list, const char *arithmetic)
{
    static sb_real values[VALUES], all[BATCH * CLASSES], one[CLASSES], both[BATCH * CLASSES], other[BATCH * CLASSES];
    static uint8_t labels[BATCH];
    sb_ops *ops = open_native(1, arithmetic);
    sb_net *net;
    assert_int_equal(sb_sequential_open(&net, ops, &list, &(sb_sequential_form){BATCH, 1}), SB_OK);
    start(net, 11);
    sb_window window = window_of(&list, 3, values, labels);
    loss_of(net, &window); /* running values */
    run(net, &window, all);
    for (int i = 0; i < BATCH; i += 7) {
        const sb_window alone = {.values = values + (size_t)i * 3 * 9 * 7, .n = 1};
        run(net, &alone, one);
        assert_memory_equal(one, all + i * CLASSES, sizeof one);
    }
    static sb_real shifted[VALUES];
    for (size_t i = 0; i < VALUES; i++) shifted[i] = values[(i + 63) % VALUES];
    const sb_window next = {.values = shifted, .n = BATCH};
    run(net, &next, other);
    window.mirrored = shifted;
    run(net, &window, both);
    for (int i = 0; i < BATCH * CLASSES; i++) assert_true(both[i] == (sb_real)0.5 * (all[i] + other[i]));
    sb_net_close(net);
    sb_backend_close(ops);
}

static void samples_are_alone(void **state)
{
    hold_samples(residual_list(), *state);
    hold_samples(own_list(), *state);
}

/* The gradient of all samples, learned from in shards, and each of these in n_steps local steps. */
static void sum_parts(const sb_layer_list *list, const sb_window *window, int n_steps, double *sum, const char *arithmetic)
{
    const int n_parts = 2 * n_steps, n = window->n / n_parts;
    sb_ops *ops = open_native(1, arithmetic);
    sb_net *net;
    const sb_sequential_form form = {.batch = n, .n_shards = 2, .seed = 5, .n_steps = n_steps};
    assert_int_equal(sb_sequential_open(&net, ops, list, &form), SB_OK);
    start(net, 11);
    for (int i = 0; i < n_parts; i++) {
        sb_window part = *window;
        part.values += i * n * 3 * 9 * 7, part.labels += i * n;
        part.n = n, part.n_batch = window->n, part.shard = i / n_steps, part.first = i % n_steps * n;
        net->learn(net, &part, SB_TARGET_COPY);
        for (size_t k = 0; k < net->params.total; k++) sum[k] += (double)net->grad[k];
    }
    sb_net_close(net);
    sb_backend_close(ops);
}

/* Parts of a batch keep together what the whole keeps: of the same samples the same gradients. */
static void parts_drop_as_the_whole(void **state)
{
    enum { N = 36 };
    static sb_real values[VALUES];
    static uint8_t labels[BATCH];
    const sb_layer_list list = LIST(colours, CLASSES, pool(0), (sb_layer_row){&sb_layer_dropout, .factor = 0.5},
                                    dense("dense1", CLASSES, false));
    sb_ops *ops = open_native(1, *state);
    sb_net *whole;
    assert_int_equal(sb_sequential_open(&whole, ops, &list, &(sb_sequential_form){N, 1, 5}), SB_OK);
    start(whole, 11);
    const sb_window window = window_of(&list, 3, values, labels);
    loss_of(whole, &window);
    for (int n_steps = 1; n_steps <= 3; n_steps++) {
        double sum[3 * CLASSES] = {0};
        sum_parts(&list, &window, n_steps, sum, *state);
        for (int i = 0; i < 3 * CLASSES; i++)
            if (!(fabs(sum[i] - (double)whole->grad[i]) < 1e-12))
                fail_msg("gradient %d: %g and %g", i, sum[i], (double)whole->grad[i]);
    }
    sb_net_close(whole);
    sb_backend_close(ops);
}

int main(void)
{
    static char direct[] = "direct", winograd[] = "winograd";
    const struct CMUnitTest tests[] = {
        {"gradients_of_residuals, direct", gradients_of_residuals, NULL, NULL, direct},
        {"gradients_of_residuals, winograd", gradients_of_residuals, NULL, NULL, winograd},
        {"gradients_of_own_layers, direct", gradients_of_own_layers, NULL, NULL, direct},
        {"gradients_of_own_layers, winograd", gradients_of_own_layers, NULL, NULL, winograd},
        {"parts_drop_as_the_whole", parts_drop_as_the_whole, NULL, NULL, direct},
        {"gradients_of_dense_layers", gradients_of_dense_layers, NULL, NULL, direct},
        {"gradients_of_texts", gradients_of_texts, NULL, NULL, direct},
        {"gradients_through_frozen_layers", gradients_through_frozen_layers, NULL, NULL, direct},
        {"gradients_of_squared_error, direct", gradients_of_squared_error, NULL, NULL, direct},
        {"gradients_of_squared_error, winograd", gradients_of_squared_error, NULL, NULL, winograd},
        {"threads_change_no_bit, direct", threads_change_no_bit, NULL, NULL, direct},
        {"threads_change_no_bit, winograd", threads_change_no_bit, NULL, NULL, winograd},
        {"samples_are_alone, direct", samples_are_alone, NULL, NULL, direct},
        {"samples_are_alone, winograd", samples_are_alone, NULL, NULL, winograd},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
