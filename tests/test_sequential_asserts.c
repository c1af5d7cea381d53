/* Lists of layers that no file can describe, because only wrong code makes them: an assertion stops the program. */
#include "layer_rows.h"

#include "core/machine/guard.h"

typedef struct caller {
    sb_layer_list list;
    bool mirrors; /* infer from images and their mirror images, else learn from images */
} caller;

static sb_status call_network(void *context, void *result)
{
    const caller *c = context;
    const sb_backend_options options = {.threads = 1, .arithmetic = "direct"};
    static const sb_real values[2 * 3 * 9 * 7];
    sb_window window = {.values = values, .mirrored = c->mirrors ? values : NULL, .labels = (uint8_t[]){0, 1}, .n = 2};
    sb_ops *ops;
    sb_net *net;
    SB_TRY(sb_backend_open(&ops, "native", &options));
    SB_TRY(sb_sequential_open(&net, ops, &c->list, &(sb_sequential_form){2, 1}));
    if (c->mirrors)
        net->infer(net, &window);
    else
        net->learn(net, &window, SB_TARGET_COPY);
    *(int *)result = 1;
    sb_net_close(net);
    sb_backend_close(ops);
    return SB_OK;
}

static sb_layer_list rebuild_list(const sb_layer_row *row, bool learns_last)
{
    sb_layer_list list = LIST(colours, 0, *row);
    list.loss = &sb_loss_squared_error, list.learns_last = learns_last;
    return list;
}

static sb_layer_list residual_of_dense(sb_layer_row last)
{
    static const sb_map_size vector = {4, 1, 1};
    return LIST(vector, 4, dense("a", 4, true), plain(&sb_layer_residual), last, plain(&sb_layer_end));
}

/* Each list that an assertion refuses is next to one that differs in that point alone and works. */
static void wrong_lists_are_refused(void **state)
{
    (void)state;
    const sb_layer_row conv1 = conv("conv1", 3, 3, 1), linear = dense("b", 4, true);
    sb_layer_row relu = linear;
    relu.dense.relu = true;
    const struct {
        caller caller;
        sb_status wanted;
    } cases[] = {
        {{rebuild_list(&conv1, false), false}, SB_OK},
        {{rebuild_list(&conv1, true), false}, SB_E_INTEGRITY}, /* a convolution cannot learn last */
        {{residual_of_dense(linear), false}, SB_OK},
        {{residual_of_dense(relu), false}, SB_E_INTEGRITY}, /* the gradient of relu would overwrite the skipped one */
        {{residual_of_dense(linear), true}, SB_OK},
        {{rebuild_list(&conv1, false), true}, SB_E_INTEGRITY}, /* only logits have a mean over mirror images */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        caller c = cases[i].caller;
        int done = 0;
        const sb_status got = sb_guard_call(call_network, &c, "list", &done, sizeof done);
        if (got != cases[i].wanted || done != (got == SB_OK)) fail_msg("case %zu: %d, %s", i, got, sb_message());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_lists_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
