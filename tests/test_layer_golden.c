/* Every layer of the specification, section 3, and the loss of section 2, forward and backward in float64, on every
 * backend of the CPU: against the golden file to 1e-11 of a tensor's largest element, and each gradient against central
 * differences of what the layer itself computes. */
#include "layer_golden.h"

static void activations(void **state)
{
    static const struct {
        const char *name;
        sb_activation function;
        double alpha;
    } cases[] = {{"relu", SB_ACTIVATION_relu, 0},
                 {"celu_0.075", SB_ACTIVATION_celu, 0.075},
                 {"celu_0.3", SB_ACTIVATION_celu, 0.3},
                 {"gelu", SB_ACTIVATION_gelu, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        layer l = from_file(cases[i].name, LAYER_ACTIVATION);
        l.function = cases[i].function, l.alpha = cases[i].alpha;
        hold_layer(*state, &l, cases[i].name);
    }
}

static void max_pools(void **state)
{
    static const struct {
        const char *name;
        int window;
    } cases[] = {{"max_pool_2x2_7x9", 2}, {"max_pool_2x2_8x6", 2}, {"max_pool_3x3_10x7", 3}, {"max_pool_4x4_8x9", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        layer l = from_file(cases[i].name, LAYER_POOL);
        l.window = cases[i].window;
        hold_layer(*state, &l, cases[i].name);
    }
}

static void norms(void **state)
{
    static const char *const names[] = {"batch_norm", "ghost_batch_norm_4", "ghost_batch_norm_16"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int64_t groups;
        layer l = from_file(names[i], LAYER_NORM);
        stored scale = get(names[i], "scale"), shift = get(names[i], "shift");
        stored mean = get(names[i], "running_mean"), var = get(names[i], "running_var");
        assert_int_equal(sb_h5_get_int(golden, names[i], "groups", &groups), SB_OK);
        l.groups = (int)groups, l.w = scale.x, l.n_w = scale.n, l.b = shift.x, l.n_b = shift.n;
        l.running_mean = mean.x, l.running_var = var.x;
        hold_layer(*state, &l, names[i]);
    }
}

static void residual_and_scale(void **state)
{
    layer l = from_file("residual_add", LAYER_RESIDUAL);
    stored r = get("residual_add", "r");
    l.w = r.x, l.n_w = r.n;
    result got = layer_run(*state, 2, &l);
    hold(*state, "residual_add", "y", got.n_y, got.y);
    hold(*state, "residual_add", "dx", l.n_x, got.dx);
    hold(*state, "residual_add", "dr", l.n_x, got.dx);
    result_drop(&got), layer_drop(&l);
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "logit_scale_0.125" : "logit_scale_0.0625";
        layer scaled = from_file(name, LAYER_SCALE);
        scaled.alpha = i ? 0.125 : 0.0625;
        hold_layer(*state, &scaled, name);
    }
}

static void dense(void **state)
{
    layer l = from_file("dense", LAYER_DENSE);
    stored w = get("dense", "w"), b = get("dense", "b");
    l.w = w.x, l.n_w = w.n, l.b = b.x, l.n_b = b.n;
    hold_layer(*state, &l, "dense");
}

static void convolutions(void **state)
{
    static const struct {
        const char *name;
        int kernel, padding;
    } cases[] = {{"conv3x3", 3, 1}, {"conv1x1", 1, 0}, {"conv5x5", 5, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        layer l = from_file(cases[i].name, LAYER_CONV);
        stored w = get(cases[i].name, "w");
        l.w = w.x, l.n_w = w.n, l.window = cases[i].kernel, l.padding = cases[i].padding;
        if (l.window == 5) {
            stored b = get(cases[i].name, "b");
            l.b = b.x, l.n_b = b.n;
        }
        hold_layer(*state, &l, cases[i].name);
    }
}

static void losses(void **state)
{
    static const double smoothing[] = {0, 0.1, 0.2};
    for (int i = 0; i < 6; i++) {
        char name[60];
        stored z = get("cross_entropy", "logits"), label = get("cross_entropy", "label");
        const bool mean = i % 2;
        layer l = {.kind = LAYER_LOSS,
                   .n = z.dim[0],
                   .c = z.dim[1],
                   .h = 1,
                   .w_ = 1,
                   .x = z.x,
                   .n_x = z.n,
                   .alpha = smoothing[i / 2],
                   .factor = mean ? 1.0 / z.dim[0] : 1};
        for (int n = 0; n < l.n; n++) l.label[n] = (uint8_t)label.x[n];
        result got = layer_run(*state, 2, &l);
        snprintf(name, sizeof name, "cross_entropy/smoothing_%.1f", l.alpha);
        hold(*state, name, "loss_each", got.n_y, got.y);
        snprintf(name, sizeof name, "cross_entropy/smoothing_%.1f/%s", l.alpha, mean ? "mean" : "sum");
        hold(*state, name, "dlogits", l.n_x, got.dx);
        const double total = got.total[0] * l.factor;
        hold(*state, name, "loss", 1, &total);
        result_drop(&got), layer_drop(&l), free(label.x);
    }
}

/* ---- central differences ---- */

static void gradients(void **state)
{
    for (int function = 0; function < SB_N_ACTIVATIONS; function++)
        hold_gradients(*state, (layer){.kind = LAYER_ACTIVATION,
                                       .n = 2,
                                       .c = 3,
                                       .h = 5,
                                       .w_ = 4,
                                       .function = (sb_activation)function,
                                       .alpha = 0.3});
    for (int window = 2; window <= 4; window++)
        hold_gradients(*state, (layer){.kind = LAYER_POOL, .n = 2, .c = 3, .h = 9, .w_ = 8, .window = window});
    static const sb_activation behind[] = {SB_ACTIVATION_linear, SB_ACTIVATION_celu, SB_ACTIVATION_gelu};
    for (int i = 0; i < 3; i++)
        hold_gradients(*state, (layer){.kind = LAYER_NORM,
                                       .n = 8,
                                       .c = 3,
                                       .h = 3,
                                       .w_ = 4,
                                       .groups = 1 << i,
                                       .n_w = i == 2 ? 0 : 3,
                                       .n_b = 3,
                                       .function = behind[i],
                                       .alpha = 0.3});
    hold_gradients(*state, (layer){.kind = LAYER_SCALE, .n = 2, .c = 3, .h = 2, .w_ = 2, .alpha = 0.125});
    hold_gradients(*state,
                   (layer){.kind = LAYER_DENSE, .n = 4, .c = 7, .h = 1, .w_ = 1, .out = 5, .n_w = 35, .n_b = 5});
    hold_gradients(*state, (layer){.kind = LAYER_DENSE, .n = 4, .c = 7, .h = 1, .w_ = 1, .out = 5, .n_w = 35});
    static const int conv[][2] = {{3, 1}, {1, 0}, {3, 0}, {5, 0}};
    for (size_t i = 0; i < sizeof conv / sizeof *conv; i++)
        hold_gradients(*state, (layer){.kind = LAYER_CONV,
                                       .n = 3,
                                       .c = 4,
                                       .h = 6,
                                       .w_ = 7,
                                       .out = 5,
                                       .n_b = 5,
                                       .n_w = (size_t)20 * conv[i][0] * conv[i][0],
                                       .window = conv[i][0],
                                       .padding = conv[i][1]});
    for (int i = 0; i < 3; i++)
        hold_gradients(*state, (layer){.kind = LAYER_LOSS,
                                       .n = 5,
                                       .c = 10,
                                       .h = 1,
                                       .w_ = 1,
                                       .alpha = 0.1 * i,
                                       .factor = i ? 1 : 0.2,
                                       .label = {3, 0, 9, 5, 3}});
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(activations), cmocka_unit_test(max_pools),          cmocka_unit_test(norms),
        cmocka_unit_test(dense),       cmocka_unit_test(residual_and_scale), cmocka_unit_test(convolutions),
        cmocka_unit_test(losses),      cmocka_unit_test(gradients),
    };
    return run_on_golden("layers against the golden file", tests, sizeof tests / sizeof *tests, "layers_f8.h5");
}
