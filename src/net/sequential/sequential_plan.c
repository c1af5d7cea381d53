/* From rows to steps, and where their maps and gradients lie: pieces of memory by the times at which they are needed.
 *
 * What the backward pass reads again: a convolution, a batch norm and a dense layer their input, an activation its input
 * (relu, which works in place, its output), a pool its choices. All other maps are gone with the step that reads them.
 */
#include "net/sequential/sequential_parts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- pieces ---- */

static int add_piece(sequential *s, size_t n_bytes, int time)
{
    assert(s->n_pieces < PIECES_MAX);
    s->piece[s->n_pieces] = (piece){.n_bytes = n_bytes, .first = time, .last = time};
    return s->n_pieces++;
}

static void need(sequential *s, int number, int time)
{
    piece *p = &s->piece[number];
    if (time > p->last) p->last = time;
}

static size_t map_bytes(const sequential *s, sb_map_size size)
{
    return (size_t)s->form.batch * size.c * size.h * size.w * sizeof(sb_real);
}

static int add_map(sequential *s, sb_map_size size, int time)
{
    return add_piece(s, map_bytes(s, size), time);
}

static bool meet(const piece *a, const piece *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static size_t aligned(size_t n_bytes)
{
    return (n_bytes + SB_ARENA_ALIGN - 1) / SB_ARENA_ALIGN * SB_ARENA_ALIGN;
}

static int by_size(const void *a, const void *b)
{
    const piece *p = *(piece *const *)a, *q = *(piece *const *)b;
    if (p->n_bytes != q->n_bytes) return p->n_bytes < q->n_bytes ? 1 : -1;
    return p < q ? -1 : 1;
}

/* Past the end of the first placed piece that p would overlap at this offset; the offset itself if there is none. */
static size_t past_overlap(piece *const *placed, int n, const piece *p, size_t offset)
{
    for (int i = 0; i < n; i++) {
        const piece *other = placed[i];
        if (meet(p, other) && offset < other->offset + aligned(other->n_bytes) &&
            other->offset < offset + aligned(p->n_bytes))
            return other->offset + aligned(other->n_bytes);
    }
    return offset;
}

/* The largest first, each at the lowest place that is free while it is needed. */
static void place_pieces(sequential *s)
{
    piece *order[PIECES_MAX];
    for (int i = 0; i < s->n_pieces; i++) order[i] = &s->piece[i];
    qsort(order, (size_t)s->n_pieces, sizeof *order, by_size);
    for (int i = 0; i < s->n_pieces; i++) {
        size_t offset = 0, next;
        while ((next = past_overlap(order, i, order[i], offset)) != offset) offset = next;
        order[i]->offset = offset;
        if (offset + aligned(order[i]->n_bytes) > s->pieces_bytes)
            s->pieces_bytes = offset + aligned(order[i]->n_bytes);
    }
}

/* ---- steps ---- */

/* The row in which the residual that begins at row i ends. */
static int row_of_end(const sb_layer_list *list, int i)
{
    for (int depth = 0; i < list->n_rows; i++) {
        depth += list->row[i].kind == SB_LAYER_RESIDUAL;
        depth -= list->row[i].kind == SB_LAYER_RESIDUAL_END;
        if (depth == 0) break;
    }
    return i;
}

/* A batch norm and the activation behind it are one step. */
static void make_steps(sequential *s, const sb_map_size *size)
{
    const sb_layer_list *list = &s->list;
    for (int i = 0; i < list->n_rows; i++) {
        step *t = &s->step[s->n_steps++];
        *t = (step){.row = &list->row[i],
                    .number = i + 1,
                    .in = i ? size[i - 1] : list->input,
                    .out = size[i],
                    .dy = NO_PIECE,
                    .dx = NO_PIECE,
                    .planes = NO_PIECE};
        if (t->row->kind == SB_LAYER_NORM && i + 1 < list->n_rows && list->row[i + 1].kind == SB_LAYER_ACTIVATION)
            t->activation = &list->row[++i];
    }
}

static int step_of_row(const sequential *s, int row)
{
    int i = 0;
    while (s->step[i].row != &s->list.row[row]) i++;
    return i;
}

static bool learns(const step *t)
{
    const sb_layer_kind kind = t->row->kind;
    return kind == SB_LAYER_NORM || kind == SB_LAYER_DENSE || (kind == SB_LAYER_CONV && !t->row->conv.is_frozen);
}

bool sb_sequential_learns_before(const sequential *s, int i)
{
    while (--i >= 0)
        if (learns(&s->step[i])) return true;
    return false;
}

static bool is_relu(const step *t)
{
    return t->row->kind == SB_LAYER_ACTIVATION && t->row->activation.kind == SB_ACTIVATION_relu;
}

/* May a step write its output onto its input, as far as the step is concerned? */
static bool works_in_place(const step *t)
{
    return t->row->kind == SB_LAYER_SCALE || t->row->kind == SB_LAYER_RESIDUAL_END || is_relu(t);
}

static bool reads_input_again(const step *t)
{
    const sb_layer_kind kind = t->row->kind;
    return learns(t) || (kind == SB_LAYER_ACTIVATION && !is_relu(t));
}

/* ---- forward ---- */

/* A sentence about an operation, with the layer before it. */
static sb_status of_layer(const sequential *s, const step *t, sb_status status)
{
    char why[512];
    if (status != SB_E_USAGE) return status;
    snprintf(why, sizeof why, "%s", sb_message());
    return sb_layer_refuse(&s->list, t->number - 1, "%s", why);
}

static int samples_of_chunk(const sequential *s, const step *t)
{
    const int least = s->net.ops->samples_least;
    const int of_pixels = (t->conv.shape.wide ? SB_CHUNK_PIXELS_WIDE : SB_CHUNK_PIXELS) / (t->out.h * t->out.w);
    const int n = of_pixels > least ? of_pixels : least;
    return n < s->form.batch ? n : s->form.batch;
}

/* The shape of a chunk. */
static sb_status plan_conv(sequential *s, step *t, sb_conv_sizes *sizes)
{
    const int kernel = t->row->conv.kernel, padding = t->row->conv.padding;
    const sb_ops *ops = s->net.ops;
    t->conv.shape = (sb_conv_shape){.cut = true,
                                    .in = t->in.c,
                                    .groups = 1,
                                    .c = t->out.c,
                                    .h = t->out.h,
                                    .w = t->out.w,
                                    .kernel = kernel,
                                    .padding = padding};
    t->conv.shape.wide = sb_conv_is_wide(ops, &t->conv.shape);
    t->conv.shape.n = samples_of_chunk(s, t);
    return of_layer(s, t, sb_conv_sizes_of(ops, &t->conv.shape, sizes));
}

static sb_status plan_forward_conv(sequential *s, step *t, int time)
{
    sb_conv_sizes sizes;
    SB_TRY(plan_conv(s, t, &sizes));
    t->convolving.packed = add_piece(s, sizes.packed, time);
    t->convolving.operand = add_piece(s, sizes.input, time);
    t->convolving.scratch = add_piece(s, sizes.scratch, time);
    return SB_OK;
}

static void plan_forward_dense(sequential *s, step *t, int time)
{
    t->dense = (sb_dense){.in = t->in.c * t->in.h * t->in.w, .out = t->row->dense.units};
    t->dense_scratch[0] = add_piece(s, s->net.ops->dense_scratch_size(&t->dense, s->form.batch), time);
    if (t->in.c > 1 && t->in.h * t->in.w > 1) t->planes = add_map(s, t->in, time);
}

static sb_status plan_norm(sequential *s, step *t, int time, int i)
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
    t->space = add_piece(s, sb_norm_size(&of_all), time);
    need(s, t->space, time_backward(s, i));
    return of_layer(s, t, sb_norm_check(&t->norm, s->form.batch, t->in.h, t->in.w));
}

static sb_status plan_own(sequential *s, int i, int time)
{
    step *t = &s->step[i];
    int end;
    switch (t->row->kind) {
    case SB_LAYER_CONV:
        return plan_forward_conv(s, t, time);
    case SB_LAYER_DENSE:
        plan_forward_dense(s, t, time);
        break;
    case SB_LAYER_NORM:
        return plan_norm(s, t, time, i);
    case SB_LAYER_MAX_POOL:
    case SB_LAYER_GLOBAL_POOL:
        t->choice = add_piece(s, (size_t)s->form.batch * t->out.c * t->out.h * t->out.w, time);
        need(s, t->choice, time_backward(s, i));
        break;
    case SB_LAYER_RESIDUAL:
        end = step_of_row(s, row_of_end(&s->list, t->number - 1));
        s->step[end].skipped = t->x;
        need(s, t->x, end + 1);
        break;
    case SB_LAYER_ACTIVATION:
    case SB_LAYER_RESIDUAL_END:
    case SB_LAYER_SCALE:
    case SB_N_LAYER_KINDS:
        break;
    }
    return SB_OK;
}

/* In place where nothing later reads the input. */
static sb_status plan_forward(sequential *s)
{
    int x = s->input;
    for (int i = 0; i < s->n_steps; i++) {
        step *t = &s->step[i];
        const int time = i + 1;
        t->x = x;
        need(s, x, time);
        if (reads_input_again(t)) need(s, x, time_backward(s, i));
        SB_TRY(plan_own(s, i, time));
        if (t->planes != NO_PIECE) need(s, t->planes, time_backward(s, i));
        if (t->row->kind == SB_LAYER_RESIDUAL || (works_in_place(t) && s->piece[x].last == time))
            t->y = x;
        else
            t->y = add_map(s, t->out, time);
        if (is_relu(t)) need(s, t->y, time_backward(s, i));
        x = t->y;
    }
    s->logits = x;
    need(s, x, time_backward(s, -1));
    return SB_OK;
}

/* ---- backward ---- */

/* The gradients of sums whose residual has not been left yet: nobody may write onto them. */
typedef struct waiting_list {
    int n, item[SB_LAYERS_OF_LIST_MAX];
} waiting_list;

static bool is_waiting(const waiting_list *waiting, int gradient)
{
    for (int i = 0; i < waiting->n; i++)
        if (waiting->item[i] == gradient) return true;
    return false;
}

static void plan_backward_conv(sequential *s, step *t, int time)
{
    sb_conv_sizes sizes;
    const bool is_offered = plan_conv(s, t, &sizes) == SB_OK;
    assert(is_offered);
    (void)is_offered;
    t->convolving.turned = add_piece(s, sizes.packed, time);
    t->convolving.again = add_piece(s, sizes.input, time);
    t->convolving.gradient = add_piece(s, sizes.gradient, time);
    t->convolving.accumulator = add_piece(s, sizes.accumulator, time);
    t->convolving.backward_scratch = add_piece(s, sizes.scratch, time);
}

/* The gradient that a step leaves, given that of its output. */
static int plan_gradient(sequential *s, step *t, int time, waiting_list *waiting)
{
    const sb_layer_kind kind = t->row->kind;
    if (kind == SB_LAYER_RESIDUAL_END) return waiting->item[waiting->n++] = t->dy;
    if (kind == SB_LAYER_RESIDUAL) {
        t->waiting = waiting->item[--waiting->n];
        need(s, t->waiting, time);
        return t->dy;
    }
    const bool in_place = kind == SB_LAYER_NORM || kind == SB_LAYER_ACTIVATION || kind == SB_LAYER_SCALE;
    return in_place && !is_waiting(waiting, t->dy) ? t->dy : add_map(s, t->in, time);
}

static void plan_backward(sequential *s)
{
    waiting_list waiting = {0};
    int gradient = s->dlogits = add_map(s, s->step[s->n_steps - 1].out, time_of_loss(s));
    for (int i = s->n_steps - 1; i >= 0; i--) {
        step *t = &s->step[i];
        const int time = time_backward(s, i);
        if (!learns(t) && !sb_sequential_learns_before(s, i)) return;
        t->dy = gradient;
        need(s, gradient, time);
        if (t->row->kind == SB_LAYER_CONV) plan_backward_conv(s, t, time);
        if (t->row->kind == SB_LAYER_DENSE)
            t->dense_scratch[1] = add_piece(s, s->net.ops->dense_scratch_size(&t->dense, s->form.batch), time);
        if (!sb_sequential_learns_before(s, i)) return;
        if (t->planes != NO_PIECE) t->dplanes = add_map(s, t->in, time);
        gradient = t->dx = plan_gradient(s, t, time, &waiting);
    }
}

sb_status sb_sequential_plan(sequential *s, const sb_map_size *size)
{
    make_steps(s, size);
    s->planes = add_map(s, s->list.input, 0);
    s->input = add_map(s, s->list.input, 0);
    SB_TRY(plan_forward(s));
    s->other_logits = add_map(s, s->step[s->n_steps - 1].out, 0);
    need(s, s->other_logits, time_backward(s, -1));
    plan_backward(s);
    place_pieces(s);
    return SB_OK;
}
