/* Layer norm: of each pixel over all channels; group norm: of each sample over groups of channels
 * (ops/norm/group_norm.h). */
#include "net/layers/kind.h"

enum { SPACE = 0 };

static sb_status read_groups(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    return sb_layer_whole(list, "the number of groups", line->number[0], 1, 4096, &row->norm.groups);
}

static sb_status shape(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size)
{
    (void)size;
    const int groups = list->row[i].norm.groups;
    if (groups && in.c % groups) return sb_layer_refuse(list, i, "%d groups do not divide %d channels", groups, in.c);
    return SB_OK;
}

static sb_status plan(sequential *s, step *t, int time)
{
    const bool is_of_pixels = t->row->kind == &sb_layer_layernorm;
    t->group_norm = (sb_group_norm){.c = t->in.c,
                                    .groups = is_of_pixels ? 1 : t->row->norm.groups,
                                    .is_of_pixels = is_of_pixels,
                                    .eps = t->row->norm.eps > 0 ? t->row->norm.eps : SB_NORM_EPS};
    const size_t n_bytes = sb_group_norm_size(&t->group_norm, s->form.batch, t->in.h * t->in.w);
    t->piece[SPACE] = sb_sequential_add_piece(s, n_bytes, time);
    sb_sequential_need(s, t->piece[SPACE], sb_sequential_time_backward(s, t));
    return SB_OK;
}

static void lay_out(sequential *s, sb_arena *arena, step *t)
{
    (void)arena;
    const sb_layer_param scale = sb_layer_add_scale(s, t->row, t->in.c), shift = sb_layer_add_shift(s, t->row, t->in.c);
    t->group_norm.scale = scale.weight, t->group_norm.scale_grad = scale.grad;
    t->group_norm.shift = shift.weight, t->group_norm.shift_grad = shift.grad;
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_group_norm norm = t->group_norm;
    norm.space = sb_layer_piece(s, t, SPACE);
    s->net.ops->group_norm_forward(s->net.ops, &norm, x, y);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_group_norm norm = t->group_norm;
    sb_tensor on_dy = *dy;
    norm.space = sb_layer_piece(s, t, SPACE);
    s->net.ops->group_norm_backward(s->net.ops, &norm, x, dy, dx ? dx : &on_dy);
}

static const char *describe(const step *t, sb_net_layer *row)
{
    row->kind = t->row->kind == &sb_layer_layernorm ? "layer norm" : "group norm";
    return "/norm";
}

SB_LAYER_KIND(layernorm, .name = "layernorm", .has_tensors = true, .takes_activation = false, .read = NULL,
              .shape = NULL, .traits = SB_LEARNS | SB_READS_INPUT_AGAIN | SB_GRADIENT_IN_PLACE, .traits_of = NULL,
              .plan = plan, .plan_backward = NULL, .lay_out = lay_out, .forward = forward, .backward = backward,
              .learn = NULL, .products = NULL, .describe = describe);

SB_LAYER_KIND(groupnorm, .name = "groupnorm", .has_tensors = true, .takes_activation = false, .read = read_groups,
              .shape = shape, .traits = SB_LEARNS | SB_READS_INPUT_AGAIN | SB_GRADIENT_IN_PLACE, .traits_of = NULL,
              .plan = plan, .plan_backward = NULL, .lay_out = lay_out, .forward = forward, .backward = backward,
              .learn = NULL, .products = NULL, .describe = describe);
