/* The largest number of each window, or of all of a map; or their average. */
#include "net/layers/kind.h"

#include <stdio.h>

enum { WINDOW_MAX = 16, WHOLE = 0, CHOICE = 0 }; /* a flag of a line, a piece */

static sb_status read_pool(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    const bool is_all = sb_layer_flag(line, WHOLE);
    if (is_all == (line->n_numbers == 1))
        return sb_layer_refuse(list, list->n_rows,
                               "a pool has either a window, 'pool 2', or all of the map, 'pool all'");
    if (is_all && row->kind == &sb_layer_pool) snprintf(row->name, sizeof row->name, "global_pool");
    return is_all ? SB_OK : sb_layer_whole(list, "the window", line->number[0], 1, WINDOW_MAX, &row->window);
}

/* Rows and columns of a window on a map. */
static sb_map_size window_of(const sb_layer_row *row, sb_map_size in)
{
    return row->window ? (sb_map_size){in.c, row->window, row->window} : in;
}

static sb_status shape(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size)
{
    const sb_map_size window = window_of(&list->row[i], in);
    size[i] = (sb_map_size){in.c, in.h / window.h, in.w / window.w};
    if (list->row[i].window > WINDOW_MAX) return sb_layer_refuse(list, i, "windows have at most 16 x 16 numbers");
    if (list->row[i].kind == &sb_layer_pool && window.h * window.w > WINDOW_MAX * WINDOW_MAX)
        return sb_layer_refuse(list, i, "a map of %dx%d is more than 256 numbers", in.w, in.h);
    if (size[i].h >= 1 && size[i].w >= 1) return SB_OK;
    return sb_layer_refuse(list, i, "windows of %dx%d do not fit a map of %dx%d", window.w, window.h, in.w, in.h);
}

static sb_status plan(sequential *s, step *t, int time)
{
    t->piece[CHOICE] = sb_sequential_add_piece(s, (size_t)s->form.batch * t->out.c * t->out.h * t->out.w, time);
    sb_sequential_need(s, t->piece[CHOICE], sb_sequential_time_backward(s, t));
    return SB_OK;
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    const sb_map_size window = window_of(t->row, t->in);
    ops->max_pool_forward(ops, window.h, window.w, x, y, sb_layer_piece(s, t, CHOICE));
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    (void)x;
    sb_ops *ops = s->net.ops;
    const sb_map_size window = window_of(t->row, t->in);
    ops->max_pool_backward(ops, window.h, window.w, dy, sb_layer_piece(s, t, CHOICE), dx);
}

static void average_forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    const sb_map_size window = window_of(t->row, t->in);
    s->net.ops->average_pool_forward(s->net.ops, window.h, window.w, x, y);
}

static void average_backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    (void)x;
    const sb_map_size window = window_of(t->row, t->in);
    s->net.ops->average_pool_backward(s->net.ops, window.h, window.w, dy, dx);
}

static const char *describe(const step *t, sb_net_layer *row)
{
    const sb_map_size window = window_of(t->row, t->in);
    row->kind = t->row->kind == &sb_layer_pool ? "pooling" : "average pooling";
    row->kernel = window.h == window.w && window.h <= 4 ? window.h : SB_NET_WHOLE_MAP;
    return "/pooled";
}

SB_LAYER_KIND(pool, .name = "max_pool", .has_tensors = false, .takes_activation = false, .read = read_pool,
              .shape = shape, .traits = 0, .traits_of = NULL, .plan = plan, .plan_backward = NULL, .lay_out = NULL,
              .forward = forward, .backward = backward, .learn = NULL, .products = NULL, .describe = describe);

SB_LAYER_KIND(averagepool, .name = "averagepool", .has_tensors = false, .takes_activation = false, .read = read_pool,
              .shape = shape, .traits = 0, .traits_of = NULL, .plan = NULL, .plan_backward = NULL, .lay_out = NULL,
              .forward = average_forward, .backward = average_backward, .learn = NULL, .products = NULL,
              .describe = describe);
