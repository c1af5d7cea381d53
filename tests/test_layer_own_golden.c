/* The layers that only users' own networks have, forward and backward in float64, on every backend of the CPU: against the
 * golden file and against central differences (layer_golden.h). */
#include "layer_golden.h"

static void norms(void **state)
{
    static const struct {
        const char *name;
        int groups;
    } cases[] = {{"layer_norm_7", 0},      {"layer_norm_6", 0},      {"layer_norm_32", 0},
                 {"group_norm_1_of_6", 1}, {"group_norm_3_of_6", 3}, {"group_norm_2_of_32", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        layer l = from_file(cases[i].name, LAYER_GROUP_NORM);
        stored scale = get(cases[i].name, "scale"), shift = get(cases[i].name, "shift");
        l.groups = cases[i].groups, l.w = scale.x, l.n_w = scale.n, l.b = shift.x, l.n_b = shift.n;
        hold_layer(*state, &l, cases[i].name);
    }
}

static void average_pools(void **state)
{
    for (int window = 2; window <= 3; window++) {
        const char *name = window == 2 ? "average_pool_2" : "average_pool_3";
        layer l = from_file(name, LAYER_AVERAGE_POOL);
        l.window = window;
        hold_layer(*state, &l, name);
    }
}

static void silu(void **state)
{
    layer l = from_file("silu", LAYER_ACTIVATION);
    l.function = SB_ACTIVATION_silu;
    hold_layer(*state, &l, "silu");
}

static void dropouts(void **state)
{
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "dropout_0.5" : "dropout_0.3";
        layer l = from_file(name, LAYER_DROPOUT);
        l.alpha = i ? 0.5 : 0.3, l.first = i ? 5 : 0;
        hold_layer(*state, &l, name);
    }
}

static int whole(const char *group, const char *name)
{
    int64_t value;
    assert_int_equal(sb_h5_get_int(golden, group, name, &value), SB_OK);
    return (int)value;
}

static void convolutions(void **state)
{
    static const char *const names[] = {
        "conv_stride_2",  "conv_stride_3_of_7x7",    "conv_5x5", "conv_dilation_2", "conv_groups_2",
        "conv_depthwise", "conv_depthwise_stride_2", "conv_all"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        layer l = from_file(names[i], LAYER_CONV);
        stored w = get(names[i], "w"), b = get(names[i], "b");
        l.w = w.x, l.n_w = w.n, l.b = b.x, l.n_b = b.n, l.window = w.dim[3];
        l.stride = whole(names[i], "stride"), l.padding = whole(names[i], "padding");
        l.dilation = whole(names[i], "dilation"), l.groups = whole(names[i], "groups");
        hold_layer(*state, &l, names[i]);
    }
}

static void gradients(void **state)
{
    for (int groups = 0; groups <= 4; groups += 2)
        hold_gradients(
            *state,
            (layer){.kind = LAYER_GROUP_NORM, .n = 3, .c = 4, .h = 3, .w_ = 5, .groups = groups, .n_w = 4, .n_b = 4});
    hold_gradients(*state, (layer){.kind = LAYER_AVERAGE_POOL, .n = 2, .c = 3, .h = 9, .w_ = 8, .window = 3});
    hold_gradients(*state, (layer){.kind = LAYER_DROPOUT, .n = 2, .c = 3, .h = 4, .w_ = 5, .alpha = 0.4});
    static const int conv[][5] = {{3, 1, 2, 1, 1}, {5, 2, 1, 1, 1}, {3, 2, 1, 2, 2}, {3, 1, 2, 1, 4}, {2, 0, 3, 1, 1}};
    for (size_t i = 0; i < sizeof conv / sizeof *conv; i++)
        hold_gradients(*state, (layer){.kind = LAYER_CONV,
                                       .n = 2,
                                       .c = 4,
                                       .h = 7,
                                       .w_ = 8,
                                       .out = 8,
                                       .n_b = 8,
                                       .n_w = (size_t)32 / conv[i][4] * conv[i][0] * conv[i][0],
                                       .window = conv[i][0],
                                       .padding = conv[i][1],
                                       .stride = conv[i][2],
                                       .dilation = conv[i][3],
                                       .groups = conv[i][4]});
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms),    cmocka_unit_test(average_pools), cmocka_unit_test(silu),
        cmocka_unit_test(dropouts), cmocka_unit_test(convolutions),  cmocka_unit_test(gradients),
    };
    return run_on_golden("layers of own networks against the golden file", tests, sizeof tests / sizeof *tests,
                         "layers_own_f8.h5");
}
