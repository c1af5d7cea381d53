/* Batch norm and the activation after it, in groups of samples (ops/norm/norm.h). */
#include "net/layers/kind.h"

enum { GROUPS_MAX = 4096, FROZEN = 0, SPACE = 0 };

static sb_status read_norm(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    row->norm.is_scale_frozen = sb_layer_flag(line, FROZEN);
    if (!line->n_numbers) return SB_OK;
    return sb_layer_whole(list, "the number of groups", line->number[0], 1, GROUPS_MAX, &row->norm.groups);
}

static sb_status plan(sequential *s, step *t, int time)
{
    const int groups = t->row->norm.groups ? t->row->norm.groups : 1, n_shards = s->form.n_shards;
    if (groups % n_shards)
        return sb_fail(SB_E_USAGE,
                       "%s: batch norm in %d group%s goes over all of a batch, which cannot be cut into "
                       "%d shards: choose --shards that divide the groups",
                       s->list.model, groups, groups == 1 ? "" : "s", n_shards);
    t->norm = (sb_norm){.c = t->in.c,
                        .groups = groups / n_shards,
                        .eps = t->row->norm.eps > 0 ? t->row->norm.eps : SB_NORM_EPS,
                        .rate = SB_NORM_RATE,
                        .activation = t->activation ? t->activation->activation.kind : SB_ACTIVATION_linear,
                        .alpha = t->activation ? (sb_real)t->activation->activation.alpha : 0};
    sb_norm of_all = t->norm; /* an evaluation has the groups of all shards */
    of_all.groups = groups;
    t->piece[SPACE] = sb_sequential_add_piece(s, sb_norm_size(&of_all), time);
    sb_sequential_need(s, t->piece[SPACE], sb_sequential_time_backward(s, t));
    return sb_sequential_refuse(s, t, sb_norm_check(&t->norm, s->form.batch, t->in.h, t->in.w));
}

/* Running values of all shards' groups, shard after shard. */
static void lay_out(sequential *s, sb_arena *arena, step *t)
{
    const size_t dim[2] = {(size_t)t->norm.groups * (size_t)s->form.n_shards, (size_t)t->norm.c};
    if (!t->row->norm.is_scale_frozen) {
        const sb_layer_param scale = sb_layer_add_scale(s, t->row, t->norm.c);
        t->norm.scale = scale.weight, t->norm.scale_grad = scale.grad;
    }
    const sb_layer_param shift = sb_layer_add_shift(s, t->row, t->norm.c);
    t->norm.shift = shift.weight, t->norm.shift_grad = shift.grad;
    t->norm.running_mean = sb_layer_add_state(s, arena, t->row, "mean", SB_STATE_RUNNING, 2, dim, 0);
    t->norm.running_var = sb_layer_add_state(s, arena, t->row, "var", SB_STATE_RUNNING, 2, dim, 1);
}

/* With the running values of one shard's groups, or of all (-1). */
static sb_norm norm_of(const sequential *s, const step *t, int shard)
{
    sb_norm norm = t->norm;
    norm.space = sb_layer_piece(s, t, SPACE);
    if (shard < 0) {
        norm.groups *= s->form.n_shards;
    } else {
        const size_t skipped = (size_t)shard * (size_t)norm.groups * (size_t)norm.c;
        norm.running_mean += skipped, norm.running_var += skipped;
    }
    return norm;
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    const sb_norm norm = norm_of(s, t, s->is_training ? s->window->shard : -1);
    if (s->is_training)
        ops->norm_forward(ops, &norm, x, y);
    else
        ops->norm_evaluate(ops, &norm, x, y);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_ops *ops = s->net.ops;
    const sb_norm norm = norm_of(s, t, s->window->shard);
    sb_tensor on_dy = *dy;
    ops->norm_backward(ops, &norm, x, dy, dx ? dx : &on_dy);
}

static const char *describe(const step *t, sb_net_layer *row)
{
    (void)t;
    row->kind = "batch norm";
    return "/norm";
}

SB_LAYER_KIND(norm, .name = "norm", .has_tensors = true, .takes_activation = true, .read = read_norm, .shape = NULL,
              .traits = SB_LEARNS | SB_READS_INPUT_AGAIN | SB_GRADIENT_IN_PLACE, .traits_of = NULL, .plan = plan,
              .plan_backward = NULL, .lay_out = lay_out, .forward = forward, .backward = backward, .learn = NULL,
              .products = NULL, .describe = describe);
