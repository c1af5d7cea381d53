/* Softmax cross-entropy of each next token (ops/token/token.h): the mean over all positions of the batch. */
#include "net/losses/loss.h"

static sb_status check(const sb_layer_list *list, sb_map_size out)
{
    if (list->n_classes < 2 || list->n_classes > SB_VOCABULARY_MAX)
        return sb_fail(SB_E_USAGE, "%s: it learns from texts of 2 to %d different tokens, and the data has %d",
                       list->model, SB_VOCABULARY_MAX, list->n_classes);
    if (out.c == list->n_classes && out.h == 1 && out.w == list->input.w) return SB_OK;
    return sb_layer_refuse(list, list->n_rows - 1,
                           "it is the last and gives %d channels of %dx%d, not one for each of %d tokens at each of %d "
                           "positions",
                           out.c, out.w, out.h, list->n_classes, list->input.w);
}

static void lay_out(sequential *s, sb_arena *arena)
{
    sb_classes *classes = &s->net.classes;
    classes->n = s->list.n_classes, classes->n_targets = s->list.input.w;
    classes->n_inputs = (size_t)s->list.input.w;
    const size_t n = (size_t)s->form.batch * classes->n_inputs;
    classes->loss = sb_arena_take(arena, n * sizeof(double));
    classes->entropy = sb_arena_take(arena, n * sizeof(double));
    classes->predicted = sb_arena_take(arena, n);
    classes->logits = sb_sequential_outputs(s, s->form.batch);
}

static void forward(sequential *s, const sb_window *window, const sb_tensor *y)
{
    (void)window;
    sb_ops *ops = s->net.ops;
    const sb_classes *classes = &s->net.classes;
    ops->token_loss_forward(ops, y, sb_sequential_tokens(s), s->list.smoothing, classes->loss, classes->entropy,
                            classes->predicted, s->net.loss);
}

static void backward(sequential *s, const sb_window *window, const sb_tensor *y, sb_tensor *dy)
{
    sb_ops *ops = s->net.ops;
    const double factor = 1.0 / ((double)sb_window_batch(window) * y->w);
    ops->token_loss_backward(ops, y, sb_sequential_tokens(s), s->list.smoothing, factor, dy);
}

SB_LOSS_KIND(token_cross_entropy, .target = SB_LOSS_OF_TOKENS, .outputs_name = "logits", .n_terms = SB_N_TOTALS,
             .check = check, .lay_out = lay_out, .forward = forward, .backward = backward, .measure = sb_net_measure_totals,
             .outputs = NULL);
