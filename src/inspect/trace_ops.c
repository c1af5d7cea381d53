/* The operations of ops/ops.h as a trace sees them: what each reads, the backend's own work, what it wrote. */
#include "inspect/trace_parts.h"

/* The backend's operation, and a barrier for those that end without one. */
#define INNER(slot, ...)                                                                                               \
    trace->inner->slot(trace->inner, __VA_ARGS__);                                                                     \
    _Pragma("omp barrier")

enum { READ = false, WRITTEN = true };

/* ---- maps and convolutions ---- */

static void frame_load(sb_ops *ops, const uint8_t *frame, sb_map *x)
{
    sb_trace *trace = sb_trace_begin(ops, "frame_load");
    sb_trace_bytes(trace, "frame", READ, frame, sb_map_size(x));
    INNER(frame_load, frame, x);
    sb_trace_map(trace, "x", WRITTEN, x);
}

static size_t weights_of(const sb_conv *conv)
{
    return (size_t)conv->groups * conv->c * conv->in * 9;
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    sb_trace *trace = sb_trace_begin(ops, "conv_begin");
    sb_trace_vector(trace, "weight", READ, conv->weight, weights_of(conv));
    INNER(conv_begin, conv);
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    sb_trace *trace = (sb_trace *)ops;
    INNER(conv_turn, conv);
    sb_trace_forget(trace, conv->accumulator);
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    sb_trace *trace = sb_trace_begin(ops, "conv_weight_gradient");
    sb_trace_source_of(trace, "x, dy", conv->accumulator);
    INNER(conv_end, conv);
    sb_trace_vector(trace, "weight_grad", WRITTEN, conv->weight_grad, weights_of(conv));
}

static void conv_input(sb_ops *ops, const sb_conv *conv, const sb_map *x, void *operand)
{
    sb_trace *trace = (sb_trace *)ops;
    INNER(conv_input, conv, x, operand);
    sb_trace_made(trace, operand, x);
}

static void conv_gradient(sb_ops *ops, const sb_conv *conv, const sb_map *dy, void *operand)
{
    sb_trace *trace = (sb_trace *)ops;
    INNER(conv_gradient, conv, dy, operand);
    sb_trace_made(trace, operand, dy);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_map *y)
{
    sb_trace *trace = sb_trace_begin(ops, "conv_forward");
    for (int t = 0; t < n_terms; t++) sb_trace_source_of(trace, "x", term[t].operand);
    if (bias) sb_trace_vector(trace, "bias", READ, bias, (size_t)y->groups * y->c);
    INNER(conv_forward, n_terms, term, bias, y);
    sb_trace_map(trace, "y", WRITTEN, y);
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_map *dx)
{
    sb_trace *trace = sb_trace_begin(ops, "conv_data_gradient");
    for (int t = 0; t < n_terms; t++) sb_trace_source_of(trace, "dy", term[t].operand);
    INNER(conv_data_gradient, n_terms, term, dx);
    sb_trace_map(trace, "dx", WRITTEN, dx);
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    sb_trace *trace = (sb_trace *)ops;
    INNER(conv_weight_gradient, conv, n, x, dy);
    for (int frame = 0; frame < n; frame++) sb_trace_accumulate(trace, conv->accumulator, x[frame], dy[frame]);
}

static void bias_gradient(sb_ops *ops, const sb_map *dy, sb_real *db)
{
    sb_trace *trace = sb_trace_begin(ops, "bias_gradient");
    const size_t n = (size_t)dy->groups * dy->c;
    sb_trace_map(trace, "dy", READ, dy);
    sb_trace_vector(trace, "db", READ, db, n);
    INNER(bias_gradient, dy, db);
    sb_trace_vector(trace, "db", WRITTEN, db, n);
}

/* ---- elementwise ---- */

static void error_forward(sb_ops *ops, const sb_map *a, const sb_map *p, sb_map *e)
{
    sb_trace *trace = sb_trace_begin(ops, "error_forward");
    sb_trace_map(trace, "a", READ, a);
    sb_trace_map(trace, "p", READ, p);
    INNER(error_forward, a, p, e);
    sb_trace_map(trace, "e", WRITTEN, e);
}

static void error_backward(sb_ops *ops, const sb_map *e, const sb_map *de, sb_map *da, sb_map *dp)
{
    sb_trace *trace = sb_trace_begin(ops, "error_backward");
    sb_trace_map(trace, "e", READ, e);
    sb_trace_map(trace, "de", READ, de);
    INNER(error_backward, e, de, da, dp);
    if (da) sb_trace_map(trace, "da", WRITTEN, da);
    sb_trace_map(trace, "dp", WRITTEN, dp);
}

static void pool_forward(sb_ops *ops, const sb_map *y, sb_map *a, uint8_t *choice)
{
    sb_trace *trace = sb_trace_begin(ops, "pool_forward");
    sb_trace_map(trace, "y", READ, y);
    INNER(pool_forward, y, a, choice);
    sb_trace_map(trace, "a", WRITTEN, a);
}

static void pool_backward(sb_ops *ops, const sb_map *da, const uint8_t *choice, sb_map *dy)
{
    sb_trace *trace = sb_trace_begin(ops, "pool_backward");
    sb_trace_map(trace, "da", READ, da);
    INNER(pool_backward, da, choice, dy);
    sb_trace_map(trace, "dy", WRITTEN, dy);
}

static void lstm_forward(sb_ops *ops, sb_map *gates, const sb_map *peephole, const sb_map *c_old, sb_map *c, sb_map *h)
{
    sb_trace *trace = sb_trace_begin(ops, "lstm_forward");
    sb_trace_map(trace, "gates", READ, gates);
    sb_trace_map(trace, "peephole", READ, peephole);
    sb_trace_map(trace, "c_old", READ, c_old);
    INNER(lstm_forward, gates, peephole, c_old, c, h);
    sb_trace_map(trace, "gates", WRITTEN, gates);
    sb_trace_map(trace, "c", WRITTEN, c);
    sb_trace_map(trace, "h", WRITTEN, h);
}

static void lstm_backward(sb_ops *ops, sb_map *gates, const sb_map *peephole, const sb_map *c_old, const sb_map *c,
                          const sb_map *dh, sb_map *dc, sb_map *dpeephole)
{
    sb_trace *trace = sb_trace_begin(ops, "lstm_backward");
    sb_trace_map(trace, "gates", READ, gates);
    sb_trace_map(trace, "peephole", READ, peephole);
    sb_trace_map(trace, "c_old", READ, c_old);
    sb_trace_map(trace, "c", READ, c);
    sb_trace_map(trace, "dh", READ, dh);
    sb_trace_map(trace, "dc", READ, dc);
    sb_trace_map(trace, "dpeephole", READ, dpeephole);
    INNER(lstm_backward, gates, peephole, c_old, c, dh, dc, dpeephole);
    sb_trace_map(trace, "gates", WRITTEN, gates);
    sb_trace_map(trace, "dc", WRITTEN, dc);
    sb_trace_map(trace, "dpeephole", WRITTEN, dpeephole);
}

static void output_forward(sb_ops *ops, sb_map *p, bool clip)
{
    sb_trace *trace = sb_trace_begin(ops, "output_forward");
    sb_trace_map(trace, "p", READ, p);
    INNER(output_forward, p, clip);
    sb_trace_map(trace, "p", WRITTEN, p);
}

static void output_backward(sb_ops *ops, const sb_map *p, bool clip, sb_map *dp)
{
    sb_trace *trace = sb_trace_begin(ops, "output_backward");
    sb_trace_map(trace, "p", READ, p);
    sb_trace_map(trace, "dp", READ, dp);
    INNER(output_backward, p, clip, dp);
    sb_trace_map(trace, "dp", WRITTEN, dp);
}

static void relu_backward(sb_ops *ops, size_t n, const sb_real *y, sb_real *dy)
{
    sb_trace *trace = sb_trace_begin(ops, "relu_backward");
    sb_trace_vector(trace, "y", READ, y, n);
    sb_trace_vector(trace, "dy", READ, dy, n);
    INNER(relu_backward, n, y, dy);
    sb_trace_vector(trace, "dy", WRITTEN, dy, n);
}

static void loss_forward(sb_ops *ops, const sb_map *p, const sb_map *y, double *loss)
{
    sb_trace *trace = sb_trace_begin(ops, "loss_forward");
    sb_trace_map(trace, "p", READ, p);
    sb_trace_map(trace, "y", READ, y);
    INNER(loss_forward, p, y, loss);
    sb_trace_double(trace, "loss", WRITTEN, loss);
}

static void loss_backward(sb_ops *ops, const sb_map *p, const sb_map *y, bool add, sb_map *dp)
{
    sb_trace *trace = sb_trace_begin(ops, "loss_backward");
    sb_trace_map(trace, "p", READ, p);
    sb_trace_map(trace, "y", READ, y);
    if (add) sb_trace_map(trace, "dp", READ, dp);
    INNER(loss_backward, p, y, add, dp);
    sb_trace_map(trace, "dp", WRITTEN, dp);
}

/* ---- dense layers and the optimiser ---- */

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_real *x, sb_real *y, bool relu)
{
    sb_trace *trace = sb_trace_begin(ops, "dense_forward");
    const size_t in = (size_t)layer->in, out = (size_t)layer->out, batch = (size_t)layer->batch;
    sb_trace_vector(trace, "x", READ, x, batch * in);
    sb_trace_vector(trace, "weight", READ, layer->weight, in * out);
    sb_trace_vector(trace, "bias", READ, layer->bias, out);
    INNER(dense_forward, layer, x, y, relu);
    sb_trace_vector(trace, "y", WRITTEN, y, batch * out);
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_real *dy, sb_real *dx)
{
    sb_trace *trace = sb_trace_begin(ops, "dense_data_gradient");
    const size_t in = (size_t)layer->in, out = (size_t)layer->out, batch = (size_t)layer->batch;
    sb_trace_vector(trace, "dy", READ, dy, batch * out);
    sb_trace_vector(trace, "weight", READ, layer->weight, in * out);
    INNER(dense_data_gradient, layer, dy, dx);
    sb_trace_vector(trace, "dx", WRITTEN, dx, batch * in);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy)
{
    sb_trace *trace = sb_trace_begin(ops, "dense_weight_gradient");
    const size_t in = (size_t)layer->in, out = (size_t)layer->out, batch = (size_t)layer->batch;
    sb_trace_vector(trace, "x", READ, x, batch * in);
    sb_trace_vector(trace, "dy", READ, dy, batch * out);
    INNER(dense_weight_gradient, layer, x, dy);
    sb_trace_vector(trace, "weight_grad", WRITTEN, layer->weight_grad, in * out);
    sb_trace_vector(trace, "bias_grad", WRITTEN, layer->bias_grad, out);
}

static void norm2(sb_ops *ops, size_t n, const sb_real *g, double *norm2)
{
    sb_trace *trace = sb_trace_begin(ops, "norm2");
    sb_trace_vector(trace, "g", READ, g, n);
    INNER(norm2, n, g, norm2);
    sb_trace_double(trace, "norm2", WRITTEN, norm2);
}

static void adam(sb_ops *ops, size_t n, sb_real *p, const sb_real *g, sb_real *m, sb_real *v,
                 const sb_adam_rates *rates)
{
    sb_trace *trace = sb_trace_begin(ops, "adam");
    sb_trace_vector(trace, "g", READ, g, n);
    sb_trace_vector(trace, "p", READ, p, n);
    sb_trace_vector(trace, "m", READ, m, n);
    sb_trace_vector(trace, "v", READ, v, n);
    sb_trace_numbers(trace, "rates", READ, &rates->step, sizeof *rates / sizeof rates->step);
    INNER(adam, n, p, g, m, v, rates);
    sb_trace_vector(trace, "p", WRITTEN, p, n);
    sb_trace_vector(trace, "m", WRITTEN, m, n);
    sb_trace_vector(trace, "v", WRITTEN, v, n);
}

void sb_trace_fill(sb_ops *ops)
{
    ops->frame_load = frame_load;
    ops->conv_begin = conv_begin, ops->conv_turn = conv_turn, ops->conv_end = conv_end;
    ops->conv_input = conv_input, ops->conv_gradient = conv_gradient;
    ops->conv_forward = conv_forward, ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient, ops->bias_gradient = bias_gradient;
    ops->error_forward = error_forward, ops->error_backward = error_backward;
    ops->pool_forward = pool_forward, ops->pool_backward = pool_backward;
    ops->lstm_forward = lstm_forward, ops->lstm_backward = lstm_backward;
    ops->output_forward = output_forward, ops->output_backward = output_backward;
    ops->relu_backward = relu_backward;
    ops->loss_forward = loss_forward, ops->loss_backward = loss_backward;
    ops->dense_forward = dense_forward, ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
    ops->norm2 = norm2, ops->adam = adam;
}
