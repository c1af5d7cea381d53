#include "net/sequential/sequential.h"

#include "net/layers/kind.h"
#include "net/losses/loss.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void learn(sb_net *net, const sb_window *window, sb_target target)
{
    (void)target; /* an update has one step, whose target is its own */
    sequential *s = sequential_of(net);
    sb_sequential_forward(s, window, true);
    sb_sequential_loss(s, window);
    sb_sequential_backward(s, window);
    if (s->list.learns_last) sb_sequential_learn_last(s, window, NULL);
}

static void learn_one(sb_net *net, const sb_window *window, sb_update_dense *update, void *context)
{
    sequential *s = sequential_of(net);
    sb_sequential_forward(s, window, true);
    sb_sequential_loss(s, window);
    sb_sequential_backward(s, window);
    sb_sequential_learn_last(s, window, &(sb_layer_update){update, context});
}

/* Of images and their mirror images the mean of the outputs. */
static void add_mirrored(sequential *s, const sb_window *window)
{
    sb_ops *ops = s->net.ops;
    sb_window mirrored = *window;
    sb_tensor y = sb_sequential_outputs(s, window->n), other = y;
    assert(s->other_outputs != NO_PIECE);
    other.x = s->piece[s->other_outputs].memory;
    mirrored.values = window->mirrored;
    ops->copy(ops, other.x, y.x, sb_tensor_size(&y) * sizeof *y.x);
    sb_sequential_forward(s, &mirrored, false);
    ops->residual_forward(ops, &other, &y, &y);
    ops->logit_scale(ops, (sb_real)0.5, &y, &y);
}

static void infer(sb_net *net, const sb_window *window)
{
    sequential *s = sequential_of(net);
    sb_sequential_forward(s, window, false);
    if (window->mirrored) add_mirrored(s, window);
    sb_sequential_loss(s, window);
}

/* ---- names ---- */

static bool is_at(const sequential *s, int number, int time, const void *memory)
{
    return number != NO_PIECE && s->piece[number].memory == memory && s->piece[number].first <= time &&
           time <= s->piece[number].last;
}

/* Pieces share memory: what lies there is what is needed now. */
static bool name(const sb_net *net, const void *memory, char *text, size_t size)
{
    const sequential *s = sequential_of(net);
    const int time = s->time;
    const char *outputs = s->list.loss->outputs_name;
    if (memory == s->piece[s->outputs].memory) return snprintf(text, size, "%s", outputs) > 0;
    if (is_at(s, s->input, time, memory) || is_at(s, s->planes, time, memory))
        return snprintf(text, size, sb_sequential_reads_tokens(s) ? "tokens" : "images") > 0;
    if (is_at(s, s->doutputs, time, memory)) return snprintf(text, size, "gradient of the %s", outputs) > 0;
    for (int i = 0; i < s->n_steps; i++) {
        const step *t = &s->step[i];
        const char *what = is_at(s, t->y, time, memory)    ? "outputs"
                           : is_at(s, t->dx, time, memory) ? "gradient of the inputs"
                                                           : NULL;
        const char *called = *t->row->name ? t->row->name : t->row->kind->name;
        if (what) return snprintf(text, size, "%s of layer %d (%s)", what, t->number, called) > 0;
    }
    return false;
}

/* ---- open and close ---- */

static void close_sequential(sb_net *net)
{
    sequential *s = sequential_of(net);
    if (s->memory) net->ops->release(net->ops, s->memory);
    free(s);
}

/* With little memory a weight product has the operands of one chunk. */
static sb_status make(sequential *s, const sb_map_size *size)
{
    s->kept_bytes = s->net.ops->kept_bytes;
    SB_TRY(sb_sequential_plan(s, size));
    const sb_status status = sb_sequential_lay_out(s);
    if (status != SB_E_MEMORY || !s->kept_bytes) return status;
    s->kept_bytes = 0;
    SB_TRY(sb_sequential_plan(s, size));
    return sb_sequential_lay_out(s);
}

sb_status sb_sequential_open(sb_net **net, sb_ops *ops, const sb_layer_list *list, const sb_sequential_form *form)
{
    sb_map_size size[SB_LAYERS_OF_LIST_MAX];
    *net = NULL;
    SB_TRY(sb_layer_list_check(list, size));
    sequential *s = calloc(1, sizeof *s);
    if (!s) return sb_fail(SB_E_MEMORY, "not enough memory for a network");
    s->list = *list, s->form = *form;
    s->net.model = list->model, s->net.ops = ops;
    s->net.learn = learn, s->net.infer = infer, s->net.name = name, s->net.close = close_sequential;
    if (list->learns_last) s->net.learn_one = learn_one;
    s->net.layers = sb_sequential_layers, s->net.measure = list->loss->measure, s->net.outputs = list->loss->outputs;
    const sb_status status = make(s, size);
    if (status != SB_OK)
        close_sequential(&s->net);
    else
        *net = &s->net;
    return status;
}
