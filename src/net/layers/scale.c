/* Times a constant. */
#include "net/layers/kind.h"

static sb_status read_scale(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    (void)list;
    row->factor = line->number[0];
    return SB_OK;
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    s->net.ops->logit_scale(s->net.ops, (sb_real)t->row->factor, x, y);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    (void)x;
    s->net.ops->logit_scale(s->net.ops, (sb_real)t->row->factor, dy, dx);
}

SB_LAYER_KIND(scale, .name = "scale", .has_tensors = false, .takes_activation = false, .read = read_scale,
              .shape = NULL, .traits = SB_IN_PLACE | SB_GRADIENT_IN_PLACE, .traits_of = NULL, .plan = NULL,
              .plan_backward = NULL, .lay_out = NULL, .forward = forward, .backward = backward, .learn = NULL,
              .products = NULL, .describe = NULL);
