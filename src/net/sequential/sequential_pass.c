#include "net/layers/kind.h"
#include "net/losses/loss.h"

#include <assert.h>
#include <stdatomic.h>

static void load(sequential *s, const sb_window *window)
{
    sb_ops *ops = s->net.ops;
    sb_tensor x = sb_sequential_map(s, s->input, s->list.input, window->n);
    sb_real *planes = s->piece[s->planes].memory;
    if (sb_sequential_reads_tokens(s))
        ops->to_device(ops, planes, window->tokens, (size_t)window->n * (size_t)(x.w + 1));
    else if (window->values)
        ops->to_device(ops, planes, window->values, sb_tensor_size(&x) * sizeof *planes);
    else if (window->choice)
        ops->image_load(ops, window->store, window->choice, window->n, planes);
    else
        ops->frame_load(ops, window->bytes, &x);
    if ((window->values || window->choice) && planes != x.x) ops->map_load(ops, planes, &x);
}

void sb_sequential_forward(sequential *s, const sb_window *window, bool is_training)
{
#pragma omp barrier
#pragma omp single
    s->net.n_loss = s->list.loss->n_terms, s->n_samples = window->n, s->window = window, s->is_training = is_training;
    atomic_store_explicit(&s->time, 0, memory_order_relaxed);
    load(s, window);
    for (int i = 0; i < s->n_steps; i++) {
        atomic_store_explicit(&s->time, i + 1, memory_order_relaxed);
        const step *t = &s->step[i];
        const sb_tensor x = sb_sequential_map(s, t->x, t->in, window->n);
        sb_tensor y = sb_sequential_map(s, t->y, t->out, window->n);
        if (t->row->kind->forward) t->row->kind->forward(s, t, &x, &y);
    }
}

void sb_sequential_loss(sequential *s, const sb_window *window)
{
    const sb_loss_kind *loss = s->list.loss;
    const sb_tensor y = sb_sequential_outputs(s, window->n);
    atomic_store_explicit(&s->time, time_of_loss(s), memory_order_relaxed);
    if (window->labels || loss->target != SB_LOSS_OF_LABELS) loss->forward(s, window, &y);
}

static void step_backward(sequential *s, const step *t, const sb_window *window)
{
    const sb_tensor x = sb_sequential_map(s, t->x, t->in, window->n),
                    dy = sb_sequential_map(s, t->dy, t->out, window->n);
    sb_tensor dx = {0};
    if (t->dx != NO_PIECE) dx = sb_sequential_map(s, t->dx, t->in, window->n);
    if (t->row->kind->backward) t->row->kind->backward(s, t, &x, &dy, t->dx == NO_PIECE ? NULL : &dx);
}

void sb_sequential_backward(sequential *s, const sb_window *window)
{
    const sb_tensor y = sb_sequential_outputs(s, window->n);
    sb_tensor dy = sb_sequential_map(s, s->doutputs, s->step[s->n_steps - 1].out, window->n);
    s->list.loss->backward(s, window, &y, &dy);
    for (int i = s->n_steps - 1; i >= 0; i--) {
        if (s->step[i].dy == NO_PIECE) return;
        atomic_store_explicit(&s->time, sb_sequential_time_backward(s, &s->step[i]), memory_order_relaxed);
        step_backward(s, &s->step[i], window);
        if (s->step[i].first_param < s->step[i].end_param && !s->list.learns_last)
            sb_net_tell_learned(window, s->step[i].first_param);
    }
}

void sb_sequential_learn_last(sequential *s, const sb_window *window, const sb_layer_update *update)
{
    atomic_store_explicit(&s->time, time_of_end(s), memory_order_relaxed);
    for (const step *t = s->step + s->n_steps - 1; t >= s->step; t--) {
        assert(t->row->kind->learn || t->first_param == t->end_param);
        if (!t->row->kind->learn) continue;
        const sb_tensor x = sb_sequential_map(s, t->x, t->in, window->n),
                        dy = sb_sequential_map(s, t->dy, t->out, window->n);
        t->row->kind->learn(s, t, &x, &dy, update);
        if (!update) sb_net_tell_learned(window, t->first_param);
    }
}
