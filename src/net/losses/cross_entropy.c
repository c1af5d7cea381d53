/* Softmax cross-entropy with label smoothing (ops/point/softmax.h), as the sum or as the mean over the batch. */
#include "net/losses/loss.h"

static sb_status check(const sb_layer_list *list, sb_map_size out)
{
    if (list->n_classes < 2 || list->n_classes > SB_CLASSES_MAX)
        return sb_fail(SB_E_USAGE, "%s: it classifies into 2 to %d classes, and the data has %d", list->model,
                       SB_CLASSES_MAX, list->n_classes);
    if (list->n_rows && out.c == list->n_classes && out.h == 1 && out.w == 1) return SB_OK;
    return sb_layer_refuse(list, list->n_rows - 1,
                           "it is the last and gives %d numbers for each sample, not one for each of %d classes",
                           out.c * out.h * out.w, list->n_classes);
}

static void lay_out(sequential *s, sb_arena *arena)
{
    const size_t n = (size_t)s->form.batch;
    sb_classes *classes = &s->net.classes;
    classes->n = s->list.n_classes, classes->n_targets = 1;
    classes->n_inputs = (size_t)s->list.input.c * (size_t)s->list.input.h * (size_t)s->list.input.w;
    classes->is_summed = s->list.is_summed;
    classes->loss = sb_arena_take(arena, n * sizeof(double));
    classes->entropy = sb_arena_take(arena, n * sizeof(double));
    classes->predicted = sb_arena_take(arena, n);
    classes->logits = sb_sequential_outputs(s, s->form.batch);
    s->labels = sb_arena_take(arena, n);
}

static void forward(sequential *s, const sb_window *window, const sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    const sb_classes *classes = &s->net.classes;
    ops->to_device(ops, s->labels, window->labels, (size_t)window->n);
    ops->cross_entropy_forward(ops, y, s->labels, s->list.smoothing, classes->loss, classes->entropy,
                               classes->predicted, s->net.loss);
}

static void backward(sequential *s, const sb_window *window, const sb_tensor *y, sb_tensor *dy)
{
    sb_ops *ops = s->net.ops;
    const double factor = s->list.is_summed ? 1 : 1.0 / sb_window_batch(window);
    ops->cross_entropy_backward(ops, y, s->labels, s->list.smoothing, factor, dy);
}

SB_LOSS_KIND(cross_entropy, .target = SB_LOSS_OF_LABELS, .outputs_name = "logits", .n_terms = SB_N_TOTALS,
             .check = check, .lay_out = lay_out, .forward = forward, .backward = backward, .measure = sb_net_measure_totals,
             .outputs = NULL);
