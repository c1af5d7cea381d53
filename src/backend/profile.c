#include "backend/profile.h"

#include "core/clock.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct sb_profile {
    sb_ops ops; /* first: the operations get it as their ops */
    sb_ops *inner;
    int n_rows;
    sb_profile_row row[SB_PROFILE_ROWS_MAX];
};

typedef struct shape {
    int channels, h, w;
} shape;

static const shape no_shape = {0};

static shape shape_of_map(const sb_map *map)
{
    return (shape){map->groups * map->c, map->h, map->w};
}

static shape shape_of_conv(const sb_conv *conv)
{
    return (shape){conv->groups * conv->c, conv->h, conv->w};
}

static shape shape_of_dense(const sb_dense *layer)
{
    return (shape){layer->out, layer->batch, 1};
}

static double conv_flop(const sb_conv *conv)
{
    return 2.0 * 9 * conv->in * conv->groups * conv->c * conv->h * conv->w;
}

static double terms_flop(int n_terms, const sb_term *term)
{
    double flop = 0;
    for (int i = 0; i < n_terms; i++) flop += conv_flop(term[i].conv);
    return flop;
}

static double dense_flop(const sb_dense *layer)
{
    return 2.0 * layer->batch * layer->in * layer->out;
}

static bool is_first_thread(void)
{
    return omp_get_thread_num() == 0;
}

static sb_profile_row *find_row(sb_profile *profile, const char *operation, shape s)
{
    for (int i = 0; i < profile->n_rows; i++) {
        sb_profile_row *row = &profile->row[i];
        if (strcmp(row->operation, operation) == 0 && row->channels == s.channels && row->h == s.h && row->w == s.w)
            return row;
    }
    if (profile->n_rows == SB_PROFILE_ROWS_MAX) return &profile->row[SB_PROFILE_ROWS_MAX - 1];
    sb_profile_row *row = &profile->row[profile->n_rows++];
    *row = (sb_profile_row){operation, s.channels, s.h, s.w, 0, 0, 0};
    return row;
}

/* What a device has put down is done: reading nothing from it waits for that. */
static void wait_for_device(sb_ops *inner)
{
    char nothing;
    if (!inner->host_memory) inner->to_host(inner, &nothing, NULL, 0);
}

static void add(sb_profile *profile, const char *operation, shape s, double flop, double start)
{
    if (!is_first_thread()) return;
    wait_for_device(profile->inner);
    double end = sb_clock_seconds();
    sb_profile_row *row = find_row(profile, operation, s);
    row->calls++;
    row->seconds += end - start;
    row->flop += flop;
}

/* The whole body of a slot: the inner backend's, with the clock around it. */
#define TIMED(shape, flop, slot, ...)                                                                                  \
    sb_profile *profile = (sb_profile *)ops;                                                                           \
    const double start = is_first_thread() ? sb_clock_seconds() : 0;                                                   \
    profile->inner->slot(profile->inner, __VA_ARGS__);                                                                 \
    add(profile, #slot, shape, flop, start)

static void zero(sb_ops *ops, void *memory, size_t n_bytes)
{
    TIMED(no_shape, 0, zero, memory, n_bytes);
}

static void copy(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    TIMED(no_shape, 0, copy, to, from, n_bytes);
}

static void to_device(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    TIMED(no_shape, 0, to_device, to, from, n_bytes);
}

static void to_host(sb_ops *ops, void *to, const void *from, size_t n_bytes)
{
    TIMED(no_shape, 0, to_host, to, from, n_bytes);
}

static void frame_load(sb_ops *ops, const uint8_t *frame, sb_map *x)
{
    TIMED(shape_of_map(x), 0, frame_load, frame, x);
}

static void map_load(sb_ops *ops, const sb_real *planes, sb_map *x)
{
    TIMED(shape_of_map(x), 0, map_load, planes, x);
}

static void map_store(sb_ops *ops, const sb_map *x, sb_real *planes)
{
    TIMED(shape_of_map(x), 0, map_store, x, planes);
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    TIMED(shape_of_conv(conv), 0, conv_begin, conv);
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    TIMED(shape_of_conv(conv), 0, conv_turn, conv);
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    TIMED(shape_of_conv(conv), 0, conv_end, conv);
}

static void conv_input(sb_ops *ops, const sb_conv *conv, const sb_map *x, void *operand)
{
    TIMED(shape_of_map(x), 0, conv_input, conv, x, operand);
}

static void conv_gradient(sb_ops *ops, const sb_conv *conv, const sb_map *dy, void *operand)
{
    TIMED(shape_of_map(dy), 0, conv_gradient, conv, dy, operand);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_map *y)
{
    TIMED(shape_of_map(y), terms_flop(n_terms, term), conv_forward, n_terms, term, bias, y);
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_map *dx)
{
    TIMED(shape_of_map(dx), terms_flop(n_terms, term), conv_data_gradient, n_terms, term, dx);
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    TIMED(shape_of_conv(conv), n * conv_flop(conv), conv_weight_gradient, conv, n, x, dy);
}

static void bias_gradient(sb_ops *ops, const sb_map *dy, sb_real *db)
{
    TIMED(shape_of_map(dy), 0, bias_gradient, dy, db);
}

static void error_forward(sb_ops *ops, const sb_map *a, const sb_map *p, sb_map *e)
{
    TIMED(shape_of_map(e), 0, error_forward, a, p, e);
}

static void error_backward(sb_ops *ops, const sb_map *e, const sb_map *de, sb_map *da, sb_map *dp)
{
    TIMED(shape_of_map(e), 0, error_backward, e, de, da, dp);
}

static void pool_forward(sb_ops *ops, const sb_map *y, sb_map *a, uint8_t *choice)
{
    TIMED(shape_of_map(a), 0, pool_forward, y, a, choice);
}

static void pool_backward(sb_ops *ops, const sb_map *da, const uint8_t *choice, sb_map *dy)
{
    TIMED(shape_of_map(da), 0, pool_backward, da, choice, dy);
}

static void lstm_forward(sb_ops *ops, sb_map *gates, const sb_map *peephole, const sb_map *c_old, sb_map *c, sb_map *h)
{
    TIMED(shape_of_map(h), 0, lstm_forward, gates, peephole, c_old, c, h);
}

static void lstm_backward(sb_ops *ops, sb_map *gates, const sb_map *peephole, const sb_map *c_old, const sb_map *c,
                          const sb_map *dh, sb_map *dc, sb_map *dpeephole)
{
    TIMED(shape_of_map(dh), 0, lstm_backward, gates, peephole, c_old, c, dh, dc, dpeephole);
}

static void output_forward(sb_ops *ops, sb_map *p, bool clip)
{
    TIMED(shape_of_map(p), 0, output_forward, p, clip);
}

static void output_backward(sb_ops *ops, const sb_map *p, bool clip, sb_map *dp)
{
    TIMED(shape_of_map(p), 0, output_backward, p, clip, dp);
}

static void loss_forward(sb_ops *ops, const sb_map *p, const sb_map *y, double *loss)
{
    TIMED(shape_of_map(p), 0, loss_forward, p, y, loss);
}

static void loss_backward(sb_ops *ops, const sb_map *p, const sb_map *y, bool add_to, sb_map *dp)
{
    TIMED(shape_of_map(p), 0, loss_backward, p, y, add_to, dp);
}

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_real *x, sb_real *y, bool relu)
{
    TIMED(shape_of_dense(layer), dense_flop(layer), dense_forward, layer, x, y, relu);
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_real *dy, sb_real *dx)
{
    TIMED(shape_of_dense(layer), dense_flop(layer), dense_data_gradient, layer, dy, dx);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy)
{
    TIMED(shape_of_dense(layer), dense_flop(layer), dense_weight_gradient, layer, x, dy);
}

static void dense_learn_one(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy,
                            const sb_adam_rates *rates)
{
    TIMED(shape_of_dense(layer), dense_flop(layer), dense_learn_one, layer, x, dy, rates);
}

static void relu_backward(sb_ops *ops, size_t n, const sb_real *y, sb_real *dy)
{
    TIMED(no_shape, 0, relu_backward, n, y, dy);
}

static void adam(sb_ops *ops, size_t n, sb_real *p, const sb_real *g, sb_real *m, sb_real *v,
                 const sb_adam_rates *rates)
{
    TIMED(no_shape, 0, adam, n, p, g, m, v, rates);
}

static void norm2(sb_ops *ops, size_t n, const sb_real *g, double *sum)
{
    TIMED(no_shape, 0, norm2, n, g, sum);
}

sb_status sb_profile_open(sb_profile **opened, sb_ops *inner)
{
    sb_profile *profile = *opened = calloc(1, sizeof *profile);
    if (!profile) return sb_fail(SB_E_MEMORY, "not enough memory for a profile");
    profile->inner = inner;
    sb_ops *ops = &profile->ops;
    *ops = *inner;
    ops->zero = zero, ops->copy = copy, ops->to_device = to_device, ops->to_host = to_host;
    ops->frame_load = frame_load, ops->map_load = map_load, ops->map_store = map_store;
    ops->conv_begin = conv_begin, ops->conv_turn = conv_turn, ops->conv_end = conv_end;
    ops->conv_input = conv_input, ops->conv_gradient = conv_gradient;
    ops->conv_forward = conv_forward, ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient, ops->bias_gradient = bias_gradient;
    ops->error_forward = error_forward, ops->error_backward = error_backward;
    ops->pool_forward = pool_forward, ops->pool_backward = pool_backward;
    ops->lstm_forward = lstm_forward, ops->lstm_backward = lstm_backward;
    ops->output_forward = output_forward, ops->output_backward = output_backward;
    ops->loss_forward = loss_forward, ops->loss_backward = loss_backward;
    ops->dense_forward = dense_forward, ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient, ops->dense_learn_one = dense_learn_one;
    ops->relu_backward = relu_backward, ops->adam = adam, ops->norm2 = norm2;
    return SB_OK;
}

void sb_profile_close(sb_profile *profile)
{
    free(profile);
}

sb_ops *sb_profile_ops(sb_profile *profile)
{
    return &profile->ops;
}

const sb_profile_row *sb_profile_rows(const sb_profile *profile, int *n_rows)
{
    *n_rows = profile->n_rows;
    return profile->row;
}

void sb_profile_clear(sb_profile *profile)
{
    profile->n_rows = 0;
}
