/* Networks of layers: shapes by eye and the sentences about those that do not fit, numbers of parameters, gradients by
 * central differences, and what must change no bit: threads, chunks of a batch, shared memory, the other samples. */
#include "support.h"

#include "backend/backend.h"
#include "core/random.h"
#include "net/sequential_models.h"
#include "net/sequential_parts.h"
#include "train/average.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sb_ops *open_native(int threads, const char *arithmetic)
{
    sb_ops *ops;
    const sb_backend_options options = {.threads = threads, .arithmetic = arithmetic, .wide_channels = 1};
    assert_int_equal(sb_backend_open(&ops, "native", &options), SB_OK);
    return ops;
}

/* ---- rows, as short as a table of them wants ---- */

static sb_layer_row named(sb_layer_row row, const char *name)
{
    snprintf(row.name, sizeof row.name, "%s", name);
    return row;
}

static sb_layer_row conv(const char *name, int channels, int kernel, int padding)
{
    return named((sb_layer_row){SB_LAYER_CONV, .conv = {.channels = channels, .kernel = kernel, .padding = padding}},
                 name);
}

static sb_layer_row norm(const char *name, int groups)
{
    return named((sb_layer_row){SB_LAYER_NORM, .norm = {.groups = groups}}, name);
}

static sb_layer_row activation(sb_activation kind, double alpha)
{
    return (sb_layer_row){SB_LAYER_ACTIVATION, .activation = {kind, alpha}};
}

static sb_layer_row pool(int window)
{
    return (sb_layer_row){SB_LAYER_MAX_POOL, .window = window};
}

static sb_layer_row plain(sb_layer_kind kind)
{
    return (sb_layer_row){kind, .factor = kind == SB_LAYER_SCALE ? 0.25 : 0};
}

static sb_layer_row dense(const char *name, int units, bool bias)
{
    return named((sb_layer_row){SB_LAYER_DENSE, .dense = {.units = units, .bias = bias}}, name);
}

static sb_layer_list list_of(sb_map_size input, int n_classes, int n, const sb_layer_row *row)
{
    sb_layer_list list = {.model = "test", .input = input, .n_classes = n_classes};
    for (int i = 0; i < n; i++) sb_layer_add(&list, row[i]);
    return list;
}
#define LIST(input, classes, ...)                                                                                      \
    list_of(input, classes, (int)(sizeof((sb_layer_row[]){__VA_ARGS__}) / sizeof(sb_layer_row)),                       \
            (sb_layer_row[]){__VA_ARGS__})

static const sb_map_size digit = {1, 28, 28}, colours = {3, 9, 7};

/* ---- shapes ---- */

static void shapes_by_eye(void **state)
{
    (void)state;
    const sb_layer_list list =
        LIST(digit, 10, conv("conv1", 20, 5, 0), pool(2), conv("conv2", 50, 5, 0), pool(3), conv("conv3", 7, 3, 1),
             plain(SB_LAYER_GLOBAL_POOL), dense("dense", 10, true));
    static const sb_map_size wanted[] = {{20, 24, 24}, {20, 12, 12}, {50, 8, 8}, {50, 2, 2},
                                         {7, 2, 2},    {7, 1, 1},    {10, 1, 1}};
    sb_map_size size[SB_LAYERS_OF_LIST_MAX];
    assert_int_equal(sb_layer_list_check(&list, size), SB_OK);
    for (int i = 0; i < list.n_rows; i++)
        assert_true(size[i].c == wanted[i].c && size[i].h == wanted[i].h && size[i].w == wanted[i].w);
}

static void what_does_not_fit(void **state)
{
    (void)state;
    const struct {
        sb_layer_list list;
        const char *sentence;
    } cases[] = {
        {LIST(digit, 10, conv("conv1", 20, 5, 0), pool(3), activation(SB_ACTIVATION_relu, 0), pool(2),
              conv("conv2", 50, 5, 0)),
         "layer 5 (conv2): a 5x5 kernel without padding does not fit a map of 4x4"},
        {LIST(digit, 10, pool(16), conv("a", 1, 4, 1)), "layer 2 (a): a 4x4 kernel with padding 1 does not fit a map of 1x1"},
        {LIST(digit, 10, pool(2), pool(15)), "layer 2 (max_pool): windows of 15x15 do not fit a map of 14x14"},
        {LIST(digit, 10, pool(17)), "layer 1 (max_pool): windows have at most 16 x 16 numbers"},
        {LIST(digit, 10, plain(SB_LAYER_GLOBAL_POOL)), "layer 1 (global_pool): a map of 28x28 is more than 256 numbers"},
        {LIST(digit, 10, plain(SB_LAYER_RESIDUAL), conv("a", 2, 3, 1), plain(SB_LAYER_RESIDUAL_END)),
         "layer 3 (residual_end): it adds a map of 1 channels of 28x28 to one of 2 channels of 28x28"},
        {LIST(digit, 10, plain(SB_LAYER_RESIDUAL_END)), "layer 1 (residual_end): no residual begins before it"},
        {LIST(digit, 10, plain(SB_LAYER_RESIDUAL), plain(SB_LAYER_RESIDUAL_END)),
         "layer 2 (residual_end): no layer stands between it and its beginning"},
        {LIST(digit, 10, plain(SB_LAYER_RESIDUAL), dense("a", 10, true)), "layer 1 (residual): it does not end"},
        {LIST(digit, 10, dense("a", 12, true)),
         "layer 1 (a): it is the last and gives 12 numbers for each sample, not one for each of 10 classes"},
        {LIST(digit, 10, dense("a", 0, true)), "layer 1 (a): it has no units"},
        {LIST(digit, 1, dense("a", 1, true)), "test: it tells 2 to 255 classes apart, and the data has 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_map_size size[SB_LAYERS_OF_LIST_MAX];
        assert_int_equal(sb_layer_list_check(&cases[i].list, size), SB_E_USAGE);
        assert_string_equal(sb_message(), cases[i].sentence);
    }
}

/* What a backend or the batch does not allow is found when the network opens. */
static void what_cannot_be_opened(void **state)
{
    (void)state;
    sb_ops *ops = open_native(1, "direct");
    sb_net *net;
    const sb_layer_list even = LIST(colours, 3, conv("a", 4, 7, 3), plain(SB_LAYER_GLOBAL_POOL), dense("b", 3, true));
    assert_int_equal(sb_sequential_open(&net, ops, &even, &(sb_sequential_form){4, 1}), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "layer 1 (a): convolutions of 7x7 with padding 3 are not offered"));
    const sb_layer_list ghost = LIST(colours, 3, norm("a", 4), plain(SB_LAYER_GLOBAL_POOL), dense("b", 3, true));
    assert_int_equal(sb_sequential_open(&net, ops, &ghost, &(sb_sequential_form){6, 1}), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "layer 1 (a): "));
    assert_int_equal(sb_sequential_open(&net, ops, &ghost, &(sb_sequential_form){4, 8}), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "cannot be cut into 8 shards"));
    sb_backend_close(ops);
}

/* ---- the networks by name ---- */

static sb_net *open_model(sb_ops *ops, const char *model, const char *rung, int batch, sb_data_shape data)
{
    sb_settings settings;
    sb_net *net;
    sb_settings_default(&settings);
    settings.model = model, settings.batch = batch;
    if (rung) settings.rung = rung;
    if (sb_model_find(model)->open(&net, ops, &settings, &data) != SB_OK) fail_msg("%s: %s", model, sb_message());
    return net;
}

static const sb_param *param_of(const sb_net *net, const char *name)
{
    for (int p = 0; p < net->params.n; p++)
        if (strcmp(net->params.list[p].name, name) == 0) return &net->params.list[p];
    fail_msg("no parameter %s", name);
    return NULL;
}

static void numbers_of_parameters(void **state)
{
    (void)state;
    static const struct {
        const char *model, *rung;
        sb_data_shape data;
        size_t wanted;
    } cases[] = {
        {"mlp", NULL, {1, 14, 14, 10}, 92234},
        {"lenet", NULL, {1, 28, 28, 10}, 431080},
        {"resnet9", "9", {3, 32, 32, 10}, 6570880},
        {"resnet9", "0", {3, 32, 32, 10}, 6573120},
        {"resnet9", "4", {3, 32, 32, 10}, 6573120},
        {"resnet9", "6", {3, 32, 32, 10}, 6570880},
    };
    sb_ops *ops = open_native(1, "direct");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_net *net = open_model(ops, cases[i].model, cases[i].rung, 16, cases[i].data);
        if (net->params.total != cases[i].wanted)
            fail_msg("%s rung %s: %zu parameters", cases[i].model, cases[i].rung, net->params.total);
        sb_net_close(net);
    }
    sb_backend_close(ops);
}

/* Convolutions of all rungs of one seed start alike, whatever stands before them; scales start at 1. */
static void rungs_start_alike(void **state)
{
    (void)state;
    static const char *const names[] = {"layer1/conv_w", "layer1/res2/conv_w", "layer3/res1/conv_w", "linear/w"};
    sb_ops *ops = open_native(1, "direct");
    sb_net *a = open_model(ops, "resnet9", "0", 16, (sb_data_shape){3, 32, 32, 10});
    sb_net *b = open_model(ops, "resnet9", "9", 16, (sb_data_shape){3, 32, 32, 10});
    assert_true(sb_net_start(a, 7, 0) == SB_OK && sb_net_start(b, 7, 0) == SB_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const sb_param *p = param_of(a, names[i]), *q = param_of(b, names[i]);
        assert_memory_equal(a->weight + p->offset, b->weight + q->offset, p->n * sizeof(sb_real));
        const double bound = 1 / sqrt((double)p->n / (double)p->dim[0]);
        double largest = 0;
        for (size_t k = 0; k < p->n; k++) largest = fmax(largest, fabs((double)a->weight[p->offset + k]));
        assert_true(largest <= bound * (1 + 1e-7) && largest > 0.99 * bound);
    }
    const sb_param *scale = param_of(a, "layer2/bn_scale"), *prep = param_of(a, "prep/conv_w");
    assert_true(scale->kind == SB_PARAM_SCALE && a->weight[scale->offset] == 1);
    assert_true(a->weight[prep->offset] == (sb_real)(float)((2 * sb_random_uniform(7, 1, 0) - 1) / sqrt(27)));
    sb_net_close(a), sb_net_close(b);
    sb_backend_close(ops);
}

/* ---- memory ---- */

static sequential *plan_of(sb_ops *ops, const sb_layer_list *list, int batch)
{
    sb_map_size size[SB_LAYERS_OF_LIST_MAX];
    sequential *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->list = *list, s->form = (sb_sequential_form){batch, 1}, s->net.ops = ops;
    assert_int_equal(sb_layer_list_check(list, size), SB_OK);
    assert_int_equal(sb_sequential_plan(s, size), SB_OK);
    return s;
}

static void expect_apart(const sequential *s)
{
    for (int i = 0; i < s->n_pieces; i++)
        for (int k = 0; k < i; k++) {
            const piece *p = &s->piece[i], *q = &s->piece[k];
            const bool meet = p->first <= q->last && q->first <= p->last;
            if (meet && p->offset < q->offset + q->n_bytes && q->offset < p->offset + p->n_bytes)
                fail_msg("pieces %d and %d are needed at once and share memory", i, k);
        }
}

/* What is needed at once lies apart, and all that a batch of 512 of ResNet-9 needs takes 1.3 GiB at most. */
static void pieces_lie_apart(void **state)
{
    (void)state;
    sb_ops *ops = open_native(1, "winograd");
    for (int rung = 0; rung < 10; rung++) {
        sb_settings settings;
        sb_layer_list list;
        const char name[2] = {(char)('0' + rung), 0};
        sb_settings_default(&settings);
        settings.model = "resnet9", settings.rung = name;
        const sb_settings resolved = sb_settings_resolved(&settings);
        assert_int_equal(sb_resnet9_list(&list, &resolved, &(sb_data_shape){3, 32, 32, 10}), SB_OK);
        sequential *s = plan_of(ops, &list, 512);
        expect_apart(s);
        const double gib = (double)s->pieces_bytes / sizeof(sb_real) * 4 / (1 << 30);
        print_message("  rung %d: %.2f GiB of float32 for a batch of 512\n", rung, gib);
        assert_true(gib < 1.3);
        free(s);
    }
    sb_backend_close(ops);
}

/* ---- gradients ---- */

enum { BATCH = 36, CLASSES = 3 }; /* two chunks and a part */

/* A window of BATCH samples: smooth noise, and labels. */
static sb_window window_of(const sb_layer_list *list, uint64_t seed, sb_real *values, uint8_t *labels)
{
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
    }
    for (int i = 0; i < net->n_states; i++)
        for (size_t k = 0; net->state[i].kind == SB_STATE_FROZEN && k < sb_tensor_size(&net->state[i].tensor); k++)
            net->state[i].tensor.x[k] = (sb_real)(0.3 * sb_random_normal(seed, 3000, k));
}

static double loss_of(sb_net *net, const sb_window *window)
{
    net->learn(net, window, SB_TARGET_COPY);
    return net->loss[SB_TOTAL_LOSS] / (net->classes.is_summed ? 1 : window->n);
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
    sb_layer_list list =
        LIST(colours, CLASSES, conv("prep/conv", 4, 3, 1), norm("prep/bn", 4), activation(SB_ACTIVATION_celu, 0.3),
             conv("layer1/conv", 5, 3, 1), pool(2), norm("layer1/bn", 1), activation(SB_ACTIVATION_celu, 0.075),
             plain(SB_LAYER_RESIDUAL), conv("res1/conv", 5, 3, 1), norm("res1/bn", 2), activation(SB_ACTIVATION_gelu, 0),
             plain(SB_LAYER_RESIDUAL), conv("res2/conv", 5, 3, 1), activation(SB_ACTIVATION_tanh, 0),
             plain(SB_LAYER_RESIDUAL_END), norm("res3/bn", 1), plain(SB_LAYER_RESIDUAL_END),
             plain(SB_LAYER_GLOBAL_POOL), dense("linear", CLASSES, false), plain(SB_LAYER_SCALE));
    list.is_summed = true;
    list.row[5].norm.is_scale_frozen = true; /* layer1/bn */
    return list;
}

static void gradients_of_residuals(void **state)
{
    check_gradient("residuals", residual_list(), *state);
}

/* Dense layers behind maps, biases, an activation that is not in place, relu before a residual's end. */
static void gradients_of_dense_layers(void **state)
{
    sb_layer_list list =
        LIST(colours, CLASSES, conv("conv1", 4, 3, 1), activation(SB_ACTIVATION_sigmoid, 0), plain(SB_LAYER_RESIDUAL),
             conv("conv2", 4, 3, 1), activation(SB_ACTIVATION_relu, 0), plain(SB_LAYER_RESIDUAL_END), pool(2),
             dense("dense1", 6, true), activation(SB_ACTIVATION_relu, 0), dense("dense2", CLASSES, true));
    list.row[0].conv.bias = list.row[3].conv.bias = true;
    check_gradient("dense layers", list, *state);
}

/* A layer that does not learn between two that do, and one before all. */
static void gradients_through_frozen_layers(void **state)
{
    sb_layer_list list = LIST(colours, CLASSES, conv("whiten", 5, 3, 1), conv("a", 4, 3, 1), conv("b", 4, 3, 1),
                              activation(SB_ACTIVATION_gelu, 0), plain(SB_LAYER_GLOBAL_POOL), dense("c", CLASSES, true));
    list.row[0].conv.is_frozen = list.row[2].conv.is_frozen = true;
    check_gradient("frozen layers", list, *state);
}

/* ---- what changes no bit ---- */

static void threads_change_no_bit(void **state)
{
    static sb_real values[VALUES];
    static uint8_t labels[BATCH];
    const sb_layer_list list = residual_list();
    sb_real *known = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        sb_ops *ops = open_native(threads, *state);
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

static void run(sb_net *net, const sb_window *window, sb_real *logits)
{
    net->infer(net, window);
    memcpy(logits, net->classes.logits.x, (size_t)window->n * CLASSES * sizeof *logits);
}

/* Evaluation: a sample's logits do not depend on the others, nor on where in the batch it is; with its mirror image they
 * are the mean of both; and labels need not be there. */
static void samples_are_alone(void **state)
{
    static sb_real values[VALUES], all[BATCH * CLASSES], one[CLASSES], both[BATCH * CLASSES], other[BATCH * CLASSES];
    static uint8_t labels[BATCH];
    const sb_layer_list list = residual_list();
    sb_ops *ops = open_native(1, *state);
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

/* ---- the average ---- */

static void average_by_eye(void **state)
{
    (void)state;
    sb_ops *ops = open_native(1, "direct");
    sb_net *net;
    const sb_layer_list list = LIST(colours, CLASSES, norm("a", 2), plain(SB_LAYER_GLOBAL_POOL), dense("b", CLASSES, true));
    sb_settings settings;
    sb_average average;
    sb_settings_default(&settings);
    settings.model = "mlp", settings.ema_momentum = 0.5, settings.ema_every = 2;
    assert_int_equal(sb_sequential_open(&net, ops, &list, &(sb_sequential_form){4, 1}), SB_OK);
    const int n_states = net->n_states;
    assert_int_equal(sb_average_open(&average, net, &settings), SB_OK);
    assert_int_equal(net->n_states, 2 * n_states + net->params.n);
    assert_string_equal(net->state[n_states].name, "average/a/scale");
    assert_string_equal(net->state[net->n_states - 1].name, "average/a/var");
    assert_int_equal(sb_net_start(net, 1, 0), SB_OK);
    sb_average_start(&average);
    sb_real *weight = &net->weight[0], *var = net->state[1].tensor.x;
    const sb_real *mean = net->state[n_states].tensor.x;
    assert_true(*weight == 1 && *var == 1 && *mean == 1);
    *weight = 5, *var = 3;
    sb_average_update(&average, 1); /* rho 0.25: 1 + 0.75 (5 - 1) */
    assert_true(*mean == 4);
    *weight = 100;
    sb_average_update(&average, 2); /* not its turn */
    assert_true(*mean == 4);
    sb_average_exchange(&average);
    assert_true(*weight == 4 && *mean == 100 && *var == 2.5);
    sb_average_exchange(&average);
    assert_true(*weight == 100 && *mean == 4 && *var == 3);
    sb_average_close(&average);
    sb_net_close(net);
    sb_backend_close(ops);
}

int main(void)
{
    static char direct[] = "direct", winograd[] = "winograd";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_by_eye),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(what_cannot_be_opened),
        cmocka_unit_test(numbers_of_parameters),
        cmocka_unit_test(rungs_start_alike),
        cmocka_unit_test(pieces_lie_apart),
        {"gradients_of_residuals, direct", gradients_of_residuals, NULL, NULL, direct},
        {"gradients_of_residuals, winograd", gradients_of_residuals, NULL, NULL, winograd},
        {"gradients_of_dense_layers", gradients_of_dense_layers, NULL, NULL, direct},
        {"gradients_through_frozen_layers", gradients_through_frozen_layers, NULL, NULL, direct},
        {"threads_change_no_bit, direct", threads_change_no_bit, NULL, NULL, direct},
        {"threads_change_no_bit, winograd", threads_change_no_bit, NULL, NULL, winograd},
        {"samples_are_alone, direct", samples_are_alone, NULL, NULL, direct},
        {"samples_are_alone, winograd", samples_are_alone, NULL, NULL, winograd},
        cmocka_unit_test(average_by_eye),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
