/* Networks of layers: shapes by eye and the sentences about those that do not fit, numbers of parameters, memory that is
 * shared, and the average of weights. */
#include "layer_rows.h"

#include "core/random.h"
#include "net/sequential/sequential_parts.h"
#include "train/average.h"

#include <stdlib.h>
#include <string.h>

/* ---- shapes ---- */

static void shapes_by_eye(void **state)
{
    (void)state;
    const sb_layer_list list = LIST(digit, 10, conv("conv1", 20, 5, 0), pool(2), conv("conv2", 50, 5, 0), pool(3),
                                    conv("conv3", 7, 3, 1), pool(0), dense("dense", 10, true));
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
        {LIST(digit, 10, pool(16), conv("a", 1, 4, 1)),
         "layer 2 (a): a 4x4 kernel with padding 1 does not fit a map of 1x1"},
        {LIST(digit, 10, pool(2), pool(15)), "layer 2 (max_pool): windows of 15x15 do not fit a map of 14x14"},
        {LIST(digit, 10, pool(17)), "layer 1 (max_pool): windows have at most 16 x 16 numbers"},
        {LIST(digit, 10, pool(0)), "layer 1 (global_pool): a map of 28x28 is more than 256 numbers"},
        {LIST(digit, 10, plain(&sb_layer_residual), conv("a", 2, 3, 1), plain(&sb_layer_end)),
         "layer 3 (residual_end): it adds a map of 1 channels of 28x28 to one of 2 channels of 28x28"},
        {LIST(digit, 10, plain(&sb_layer_end)), "layer 1 (residual_end): no residual begins before it"},
        {LIST(digit, 10, plain(&sb_layer_residual), plain(&sb_layer_end)),
         "layer 2 (residual_end): no layer stands between it and its beginning"},
        {LIST(digit, 10, plain(&sb_layer_residual), dense("a", 10, true)), "layer 1 (residual): it does not end"},
        {LIST(digit, 10, dense("a", 12, true)),
         "layer 1 (a): it is the last and gives 12 numbers for each sample, not one for each of 10 classes"},
        {LIST(digit, 10, dense("a", 0, true)), "layer 1 (a): it has no units"},
        {LIST(colours, 10, named((sb_layer_row){&sb_layer_conv, .conv = {4, 3, 1, .groups = 2}}, "a")),
         "layer 1 (a): 2 groups do not divide 3 to 4 channels"},
        {LIST(colours, 10, named((sb_layer_row){&sb_layer_groupnorm, .norm = {.groups = 2}}, "a")),
         "layer 1 (a): 2 groups do not divide 3 channels"},
        {LIST(digit, 1, dense("a", 1, true)), "test: it classifies into 2 to 255 classes, and the data has 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_map_size size[SB_LAYERS_OF_LIST_MAX];
        assert_int_equal(sb_layer_list_check(&cases[i].list, size), SB_E_USAGE);
        assert_string_equal(sb_message(), cases[i].sentence);
    }
    sb_layer_list rebuilds = LIST(digit, 0, conv("a", 2, 3, 1));
    rebuilds.loss = &sb_loss_squared_error;
    assert_int_equal(sb_layer_list_check(&rebuilds, (sb_map_size[SB_LAYERS_OF_LIST_MAX]){{0}}), SB_E_USAGE);
    assert_string_equal(sb_message(),
                        "layer 1 (a): it is the last and gives 2 channels of 28x28, not those of the input, "
                        "1 of 28x28");
}

/* What a backend or the batch does not allow is found when the network opens. */
static void what_cannot_be_opened(void **state)
{
    (void)state;
    sb_ops *ops = open_native(1, "direct");
    sb_net *net;
    const sb_layer_list ghost = LIST(colours, 3, norm("a", 4), pool(0), dense("b", 3, true));
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
        {"mlp", NULL, {1, 14, 14, 10}, 92234},      {"lenet", NULL, {1, 28, 28, 10}, 431080},
        {"resnet9", "9", {3, 32, 32, 10}, 6570880}, {"resnet9", "0", {3, 32, 32, 10}, 6573120},
        {"resnet9", "4", {3, 32, 32, 10}, 6573120}, {"resnet9", "6", {3, 32, 32, 10}, 6570880},
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

/* ---- the average ---- */

static void average_by_eye(void **state)
{
    (void)state;
    sb_ops *ops = open_native(1, "direct");
    sb_net *net;
    const sb_layer_list list = LIST(colours, 3, norm("a", 2), pool(0), dense("b", 3, true));
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_by_eye),         cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(what_cannot_be_opened), cmocka_unit_test(numbers_of_parameters),
        cmocka_unit_test(rungs_start_alike),     cmocka_unit_test(pieces_lie_apart),
        cmocka_unit_test(average_by_eye),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
