/* Causal self-attention (ops/attention/attention.h): of a map with queries, keys and values one with a third of its
 * channels. */
#include "net/layers/kind.h"

enum { HEADS_MAX = 4096 };
enum { STATISTICS, SCRATCH, BACKWARD_SCRATCH }; /* pieces */

static sb_status read_heads(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    return sb_layer_whole(list, "the number of heads", line->number[0], 1, HEADS_MAX, &row->heads);
}

static sb_status shape(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size)
{
    const int heads = list->row[i].heads, width = in.c / 3;
    size[i] = (sb_map_size){width, 1, in.w};
    if (in.h != 1 || in.c % 3)
        return sb_layer_refuse(list, i,
                               "it reads one row of positions, three times the width, not %d channels of %dx%d", in.c,
                               in.w, in.h);
    if (width % heads) return sb_layer_refuse(list, i, "%d heads do not divide the width %d", heads, width);
    return SB_OK;
}

/* ---- memory ---- */

static size_t scratch_size(const sequential *s, const step *t)
{
    return s->net.ops->attention_scratch_size(s->net.ops, &t->attention, t->in.w);
}

static sb_status plan(sequential *s, step *t, int time)
{
    t->attention = (sb_attention){.heads = t->row->heads, .width = t->out.c};
    t->piece[STATISTICS] = sb_sequential_add_piece(s, sb_attention_size(&t->attention, s->form.batch, t->in.w), time);
    sb_sequential_need(s, t->piece[STATISTICS], sb_sequential_time_backward(s, t));
    t->piece[SCRATCH] = sb_sequential_add_piece(s, scratch_size(s, t), time);
    return SB_OK;
}

static int plan_backward(sequential *s, step *t, int time, bool has_dx)
{
    t->piece[BACKWARD_SCRATCH] = sb_sequential_add_piece(s, scratch_size(s, t), time);
    return sb_layer_plan_gradient(s, t, time, has_dx);
}

/* ---- passes ---- */

static sb_attention attention_of(const sequential *s, const step *t, int scratch)
{
    sb_attention attention = t->attention;
    attention.statistics = sb_layer_piece(s, t, STATISTICS);
    attention.scratch = sb_layer_piece(s, t, scratch);
    return attention;
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    const sb_attention attention = attention_of(s, t, SCRATCH);
    s->net.ops->attention_forward(s->net.ops, &attention, x, y);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    const sb_attention attention = attention_of(s, t, BACKWARD_SCRATCH);
    const sb_tensor y = sb_sequential_map(s, t->y, t->out, x->n);
    s->net.ops->attention_backward(s->net.ops, &attention, x, &y, dy, dx);
}

/* ---- what it is ---- */

/* Scores and values of all pairs of a position and one that is not after it. */
static double products(const sb_layer_row *row, sb_map_size in, sb_map_size out)
{
    (void)row, (void)in;
    return (double)out.c * out.w * (out.w + 1.0);
}

static const char *describe(const step *t, sb_net_layer *row)
{
    (void)t;
    row->kind = "attention";
    return "/attention";
}

SB_LAYER_KIND(attention, .name = "attention", .has_tensors = false, .takes_activation = false, .read = read_heads,
              .shape = shape, .traits = SB_READS_INPUT_AGAIN | SB_READS_OUTPUT_AGAIN, .traits_of = NULL, .plan = plan,
              .plan_backward = plan_backward, .lay_out = NULL, .forward = forward, .backward = backward, .learn = NULL,
              .products = products, .describe = describe);
