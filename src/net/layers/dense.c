/* A dense layer: every number of a sample with every unit. A backend keeps maps as it likes; the weights of a dense layer
 * are in the order c, h, w. */
#include "net/layers/kind.h"

#include <assert.h>
#include <math.h>

/* Limits of a layer: some operations index its weights by 32 bits, and rows are padded to whole vectors. */
enum { UNITS_MAX = 65536, WEIGHTS_MAX = 1 << 30 };
enum { CLASSES, PLAIN };                                     /* flags of a line */
enum { SCRATCH, BACKWARD_SCRATCH, PLANES, GRADIENT_PLANES }; /* planes: of maps, its input and the gradient of that */

static sb_status read_dense(const sb_layer_list *list, const sb_layer_line *line, sb_layer_row *row)
{
    row->dense.bias = !sb_layer_flag(line, PLAIN);
    row->dense.units = list->n_classes;
    if (sb_layer_flag(line, CLASSES) == (line->n_numbers == 1))
        return sb_layer_refuse(list, list->n_rows, "it has either a number of units or 'classes'");
    if (sb_layer_flag(line, CLASSES)) return SB_OK;
    return sb_layer_whole(list, "the number of units", line->number[0], 1, UNITS_MAX, &row->dense.units);
}

static sb_status shape(const sb_layer_list *list, int i, sb_map_size in, sb_map_size *size)
{
    const int units = list->row[i].dense.units;
    const size_t n_in = (size_t)in.c * (size_t)in.h * (size_t)in.w;
    size[i] = (sb_map_size){units, 1, 1};
    if (units < 1) return sb_layer_refuse(list, i, "it has no units");
    if (n_in <= (size_t)WEIGHTS_MAX / (size_t)units) return SB_OK;
    return sb_layer_refuse(list, i, "%d units of %zu numbers each have more than %d weights", units, n_in, WEIGHTS_MAX);
}

static unsigned traits(const sb_layer_row *row)
{
    return SB_LEARNS | SB_READS_INPUT_AGAIN | (row->dense.relu ? SB_READS_OUTPUT_AGAIN : 0);
}

/* ---- memory ---- */

static sb_status plan(sequential *s, step *t, int time)
{
    t->dense = (sb_dense){.in = t->in.c * t->in.h * t->in.w, .out = t->row->dense.units};
    t->piece[SCRATCH] = sb_sequential_add_piece(s, s->net.ops->dense_scratch_size(&t->dense, s->form.batch), time);
    if (t->in.c == 1 || t->in.h * t->in.w == 1) return SB_OK;
    t->piece[PLANES] = sb_sequential_add_map(s, t->in, time);
    sb_sequential_need(s, t->piece[PLANES], sb_sequential_time_learn(s, t));
    return SB_OK;
}

static int plan_backward(sequential *s, step *t, int time, bool has_dx)
{
    const size_t n_bytes = s->net.ops->dense_scratch_size(&t->dense, s->form.batch);
    assert(!t->row->dense.relu || !sb_sequential_is_waiting(s, t->dy)); /* relu's gradient overwrites dy */
    t->piece[BACKWARD_SCRATCH] = sb_sequential_add_piece(s, n_bytes, time);
    sb_sequential_need(s, t->piece[BACKWARD_SCRATCH], sb_sequential_time_learn(s, t));
    if (has_dx && t->piece[PLANES] != NO_PIECE) t->piece[GRADIENT_PLANES] = sb_sequential_add_map(s, t->in, time);
    return sb_layer_plan_gradient(s, t, time, has_dx);
}

static void lay_out(sequential *s, sb_arena *arena, step *t)
{
    (void)arena;
    const sb_layer_row *row = t->row;
    const size_t dim[2] = {(size_t)t->dense.out, (size_t)t->dense.in};
    const sb_layer_start start = row->dense.start;
    const double of_inputs = 1 / sqrt((double)t->dense.in);
    const sb_layer_param w = sb_layer_add_param(s, row, "w", 2, dim);
    sb_param *param = sb_params_last(&s->net.params);
    if (start == SB_LAYER_START_NORMAL) param->sd = sqrt(1.0 / t->dense.in);
    if (start == SB_LAYER_START_GLOROT) param->bound = sqrt(6.0 / (t->dense.in + t->dense.out));
    if (start == SB_LAYER_START_FAN_IN) param->bound = of_inputs;
    if (row->dense.stream) param->stream = (uint32_t)row->dense.stream;
    t->dense.weight = w.weight, t->dense.weight_grad = w.grad;
    if (!row->dense.bias) return;
    const sb_layer_param b = sb_layer_add_param(s, row, "b", 1, dim);
    if (start == SB_LAYER_START_FAN_IN) sb_params_last(&s->net.params)->bound = of_inputs;
    t->dense.bias = b.weight, t->dense.bias_grad = b.grad;
}

/* ---- passes ---- */

/* A map in the order of the weights, in a piece of its own; of a vector itself. */
static sb_tensor numbers_of(const sequential *s, const step *t, const sb_tensor *map, int planes)
{
    if (t->piece[planes] == NO_PIECE) return *map;
    return sb_sequential_map(s, t->piece[planes], (sb_map_size){t->dense.in, 1, 1}, map->n);
}

static sb_dense dense_of(const sequential *s, const step *t, int scratch)
{
    sb_dense dense = t->dense;
    dense.scratch = sb_layer_piece(s, t, scratch);
    return dense;
}

static void forward(sequential *s, const step *t, const sb_tensor *x, sb_tensor *y)
{
    sb_ops *ops = s->net.ops;
    const sb_dense dense = dense_of(s, t, SCRATCH);
    const sb_tensor numbers = numbers_of(s, t, x, PLANES);
    if (numbers.x != x->x) ops->map_store(ops, x, numbers.x);
    ops->dense_forward(ops, &dense, &numbers, y, t->row->dense.relu);
}

static void learn(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, const sb_layer_update *update)
{
    sb_ops *ops = s->net.ops;
    sb_dense dense = dense_of(s, t, BACKWARD_SCRATCH);
    const sb_tensor numbers = numbers_of(s, t, x, PLANES);
    if (update)
        update->call(update->context, &dense, numbers.x, dy->x);
    else
        ops->dense_weight_gradient(ops, &dense, &numbers, dy);
}

static void backward(sequential *s, const step *t, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_ops *ops = s->net.ops;
    const sb_dense dense = dense_of(s, t, BACKWARD_SCRATCH);
    if (t->row->dense.relu)
        ops->relu_backward(ops, sb_tensor_size(dy), sb_sequential_map(s, t->y, t->out, dy->n).x, dy->x);
    if (!s->list.learns_last) learn(s, t, x, dy, NULL);
    if (!dx) return;
    sb_tensor dnumbers = numbers_of(s, t, dx, GRADIENT_PLANES);
    ops->dense_data_gradient(ops, &dense, dy, &dnumbers);
    if (dnumbers.x != dx->x) ops->map_load(ops, dnumbers.x, dx);
}

/* ---- what it is ---- */

static double products(const sb_layer_row *row, sb_map_size in, sb_map_size out)
{
    (void)row;
    return (double)in.c * in.h * in.w * out.c;
}

static const char *describe(const step *t, sb_net_layer *row)
{
    row->kind = "dense";
    row->activation = t->row->dense.relu ? "relu" : "";
    row->in = t->dense.in;
    return "/dense";
}

SB_LAYER_KIND(dense, .name = "dense", .has_tensors = true, .takes_activation = false, .read = read_dense,
              .shape = shape, .traits = 0, .traits_of = traits, .plan = plan, .plan_backward = plan_backward,
              .lay_out = lay_out, .forward = forward, .backward = backward, .learn = learn, .products = products,
              .describe = describe);
