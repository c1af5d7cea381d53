/* The first layer of a network that learns from text: of each position the sum of a row for its token and a row for the
 * position (ops/token/token.h). Both tables start at N(0, 0.02^2), as in GPT-2. */
#include "net/layers/kind.h"

enum { WIDTH_MAX = 4096, CONTEXT_MAX = 4096 };

static sb_status read_embedding(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    SB_TRY(sb_layer_whole(list, "the width", line->number[0], 1, WIDTH_MAX, &row->embedding.width));
    return sb_layer_whole(list, "the context", line->number[1], 1, CONTEXT_MAX, &row->embedding.context);
}

static sb_status shape(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size)
{
    const int width = list->row[i].embedding.width, context = list->row[i].embedding.context;
    size[i] = (sb_map_size){width, 1, context};
    if (i > 0) return sb_layer_refuse(list, i, "it reads tokens, so it must be the first layer");
    if (in.c == 1 && in.h == 1 && in.w == context) return SB_OK;
    return sb_layer_refuse(list, i, "its context of %d tokens does not fit windows of %d", context, in.w);
}

/* The loss and the gradient of the tables read the tokens again. */
static sb_status plan(sequential *s, step *t, int time)
{
    (void)time;
    t->embedding = (sb_embedding){.vocabulary = s->list.n_classes, .width = t->out.c};
    for (int i = 1; i < s->list.n_rows; i++)
        if (s->list.row[i].kind == &sb_layer_pointwise && s->list.row[i].conv.is_tied) t->embedding.adds_to_table = true;
    sb_sequential_need(s, t->x, time_of_end(s));
    return SB_OK;
}

static sb_layer_param add_table(sequential *s, const step *t, const char *what, int rows)
{
    const sb_layer_param table =
        sb_layer_add_param(s, t->row, what, 2, (size_t[2]){(size_t)rows, (size_t)t->embedding.width});
    sb_params_last(&s->net.params)->sd = 0.02;
    return table;
}

static void lay_out(sequential *s, sb_arena *arena, step *t)
{
    (void)arena;
    sb_embedding *e = &t->embedding;
    const sb_layer_param table = add_table(s, t, "w", e->vocabulary), position = add_table(s, t, "position", t->out.w);
    e->table = table.weight, e->table_grad = table.grad;
    e->position = position.weight, e->position_grad = position.grad;
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    (void)x;
    s->net.ops->embedding_forward(s->net.ops, &t->embedding, sb_sequential_tokens(s), y);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    (void)x, (void)dx;
    s->net.ops->embedding_backward(s->net.ops, &t->embedding, sb_sequential_tokens(s), dy);
}

static const char *describe(const step *t, sb_net_layer *row)
{
    (void)t;
    row->kind = "embedding";
    return "/embedding";
}

SB_LAYER_KIND(embedding, .name = "embedding", .has_tensors = true, .takes_activation = false, .read = read_embedding,
              .shape = shape, .traits = SB_LEARNS, .traits_of = NULL, .plan = plan, .plan_backward = NULL,
              .lay_out = lay_out, .forward = forward, .backward = backward, .learn = NULL, .products = NULL,
              .describe = describe);
