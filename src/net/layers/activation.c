/* An elementwise function of core/rows/activations.h. */
#include "net/layers/kind.h"

static bool is_relu(const sb_layer_row *row)
{
    return row->activation.kind == SB_ACTIVATION_relu;
}

static sb_status read_activation(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    row->activation.kind = line->activation;
    row->activation.alpha = line->n_numbers ? line->number[0] : 1;
    if (!line->n_numbers || (line->activation == SB_ACTIVATION_celu && line->number[0] >= 1e-3)) return SB_OK;
    return sb_layer_refuse(list, list->n_rows, "celu alone has a number, of at least 0.001");
}

/* relu is positive where its input is, so that its output is enough. */
static unsigned traits(const sb_layer_row *row)
{
    return SB_GRADIENT_IN_PLACE | (is_relu(row) ? SB_IN_PLACE | SB_READS_OUTPUT_AGAIN : SB_READS_INPUT_AGAIN);
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    ops->activation_forward(ops, t->row->activation.kind, (sb_real)t->row->activation.alpha, x, y);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_ops *ops = s->net.ops;
    const sb_tensor y = sb_sequential_map(s, t->y, t->out, x->n);
    ops->activation_backward(ops, t->row->activation.kind, (sb_real)t->row->activation.alpha, is_relu(t->row) ? &y : x,
                             dy, dx);
}

SB_LAYER_KIND(activation, .name = "activation", .has_tensors = false, .takes_activation = false,
              .read = read_activation, .shape = NULL, .traits = SB_GRADIENT_IN_PLACE, .traits_of = traits, .plan = NULL,
              .plan_backward = NULL, .lay_out = NULL, .forward = forward, .backward = backward, .learn = NULL,
              .products = NULL, .describe = NULL);
