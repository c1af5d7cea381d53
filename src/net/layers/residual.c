/* A residual remembers its input x until its end adds it: x + f(x). What the gradient of the sum is to x goes both ways,
 * so that nothing may write onto it until the beginning has added it. */
#include "net/layers/kind.h"

enum { REMEMBERED = 0 }; /* of the end: the map at the beginning; of the beginning: the gradient of the sum */

/* The row in which the residual that begins at row i ends; as many as there are rows: none. */
static int row_of_end(const sb_layer_list *list, int i)
{
    for (int depth = 0; i < list->n_rows; i++) {
        depth += list->row[i].kind == &sb_layer_residual;
        depth -= list->row[i].kind == &sb_layer_end;
        if (depth == 0) break;
    }
    return i;
}

/* And the row in which the one that ends at row i begins; -1: none. */
static int row_of_beginning(const sb_layer_list *list, int i)
{
    for (int depth = 0; i >= 0; i--) {
        depth += list->row[i].kind == &sb_layer_end;
        depth -= list->row[i].kind == &sb_layer_residual;
        if (depth == 0) break;
    }
    return i;
}

static step *step_of_row(sequential *s, int row)
{
    step *t = s->step;
    while (t->row != &s->list.row[row]) t++;
    return t;
}

static bool is_same_size(sb_map_size a, sb_map_size b)
{
    return a.c == b.c && a.h == b.h && a.w == b.w;
}

static sb_status shape(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size)
{
    (void)in, (void)size;
    return row_of_end(list, i) < list->n_rows ? SB_OK : sb_layer_refuse(list, i, "it does not end");
}

static sb_status shape_of_end(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size)
{
    const int begin = row_of_beginning(list, i);
    if (begin < 0) return sb_layer_refuse(list, i, "no residual begins before it");
    if (begin == i - 1) return sb_layer_refuse(list, i, "no layer stands between it and its beginning");
    const sb_map_size x = size[begin];
    if (is_same_size(x, in)) return SB_OK;
    return sb_layer_refuse(list, i, "it adds a map of %d channels of %dx%d to one of %d channels of %dx%d", x.c, x.w,
                           x.h, in.c, in.w, in.h);
}

/* ---- memory ---- */

static sb_status plan(sequential *s, step *t, int time)
{
    (void)time;
    step *end = step_of_row(s, row_of_end(&s->list, t->number - 1));
    end->piece[REMEMBERED] = t->x;
    sb_sequential_need(s, t->x, sb_sequential_time_forward(s, end));
    return SB_OK;
}

static int plan_backward(sequential *s, step *t, int time, bool has_dx)
{
    if (!has_dx) return NO_PIECE;
    t->piece[REMEMBERED] = s->waiting[--s->n_waiting];
    sb_sequential_need(s, t->piece[REMEMBERED], time);
    return t->dy;
}

static int plan_end_backward(sequential *s, step *t, int time, bool has_dx)
{
    (void)time;
    return has_dx ? s->waiting[s->n_waiting++] = t->dy : NO_PIECE;
}

/* ---- passes ---- */

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    (void)x, (void)dx;
    sb_ops *ops = s->net.ops;
    sb_tensor through = *dy; /* dx is dy (plan_backward) */
    const sb_tensor around = sb_sequential_map(s, t->piece[REMEMBERED], t->in, dy->n);
    ops->residual_backward(ops, &around, &through);
}

static void forward_of_end(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    const sb_tensor skipped = sb_sequential_map(s, t->piece[REMEMBERED], t->in, x->n);
    ops->residual_forward(ops, &skipped, x, y);
}

static const char *describe_end(const step *t, sb_net_layer *row)
{
    (void)t;
    row->kind = "residual";
    return "/sum";
}

SB_LAYER_KIND(residual, .name = "residual", .has_tensors = false, .takes_activation = false, .read = NULL,
              .shape = shape, .traits = SB_PASSES, .traits_of = NULL, .plan = plan, .plan_backward = plan_backward,
              .lay_out = NULL, .forward = NULL, .backward = backward, .learn = NULL, .products = NULL,
              .describe = NULL);

SB_LAYER_KIND(end, .name = "residual_end", .has_tensors = false, .takes_activation = false, .read = NULL,
              .shape = shape_of_end, .traits = SB_IN_PLACE, .traits_of = NULL, .plan = NULL,
              .plan_backward = plan_end_backward, .lay_out = NULL, .forward = forward_of_end, .backward = NULL,
              .learn = NULL, .products = NULL, .describe = describe_end);
