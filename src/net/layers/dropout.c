/* Dropout (ops/point/dropout.h): in training some numbers become 0 and the others larger; else nothing happens. */
#include "net/layers/kind.h"

#include "core/random.h"
#include "ops/context.h"

enum { UPDATE = 0 }; /* on the device: the number of the update */

static sb_status read_rate(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    row->factor = line->number[0];
    if (row->factor >= 0 && row->factor < 1) return SB_OK;
    return sb_layer_refuse(list, list->n_rows, "the rate wants a number in [0, 1), not %g", row->factor);
}

/* Samples of a shard, from which its local steps learn one after the other. */
static uint64_t of_shard(const sequential *s)
{
    return (uint64_t)s->form.batch * (uint64_t)(s->form.n_steps ? s->form.n_steps : 1);
}

static sb_status plan(sequential *s, step *t, int time)
{
    const double n = (double)of_shard(s) * s->form.n_shards * t->in.c * t->in.h * t->in.w;
    if (n >= 0x1p31) return sb_layer_refuse(&s->list, t->number - 1, "a batch of %.0f numbers is more than 2^31", n);
    t->piece[UPDATE] = sb_sequential_add_piece(s, sizeof(uint32_t), time);
    sb_sequential_need(s, t->piece[UPDATE], sb_sequential_time_backward(s, t));
    return SB_OK;
}

static sb_dropout dropout_of(const sequential *s, const step *t)
{
    const sb_window *window = s->window;
    const size_t of_sample = (size_t)t->in.c * t->in.h * t->in.w;
    const double rate = t->row->factor;
    return (sb_dropout){.seed = {(uint32_t)s->form.seed, (uint32_t)(s->form.seed >> 32)},
                        .first = ((uint64_t)window->shard * of_shard(s) + (uint64_t)window->first) * of_sample,
                        .update = sb_layer_piece(s, t, UPDATE),
                        .stream = SB_STREAM_DROPOUT + (uint32_t)t->number,
                        .least = (uint32_t)(rate * 0x1p32),
                        .factor = (sb_real)(1 / (1 - rate))};
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    if (!s->is_training) {
        if (y->x != x->x) ops->copy(ops, y->x, x->x, sb_tensor_size(x) * sizeof *x->x);
        return;
    }
    const sb_dropout dropout = dropout_of(s, t);
    const uint32_t update = (uint32_t)sb_context_of(ops)->update;
    ops->to_device(ops, sb_layer_piece(s, t, UPDATE), &update, sizeof update);
    ops->dropout(ops, &dropout, x, y);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    (void)x;
    const sb_dropout dropout = dropout_of(s, t);
    s->net.ops->dropout(s->net.ops, &dropout, dy, dx);
}

SB_LAYER_KIND(dropout, .name = "dropout", .has_tensors = false, .takes_activation = false, .read = read_rate,
              .shape = NULL, .traits = SB_IN_PLACE | SB_GRADIENT_IN_PLACE, .traits_of = NULL, .plan = plan,
              .plan_backward = NULL, .lay_out = NULL, .forward = forward, .backward = backward, .learn = NULL,
              .products = NULL, .describe = NULL);
