/* Convolutions of the native backend: each goes to the form of its layer. */
#include "ops/conv/conv_form.h"
#include "ops/native.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static const sb_conv_form *form_of(const sb_conv_shape *shape)
{
    if (sb_conv_is_plain(shape)) return &SB_NATIVE(sb_conv_plain);
    return shape->use_winograd ? &SB_NATIVE(sb_conv_winograd) : &SB_NATIVE(sb_conv_direct);
}

static void conv_sizes(const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    form_of(shape)->sizes(shape, sizes);
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    form_of(&conv->shape)->begin(ops, conv);
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    form_of(&conv->shape)->turn(ops, conv);
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    form_of(&conv->shape)->end(ops, conv);
}

static void conv_input(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    form_of(shape)->input(ops, shape, x, operand);
}

static void conv_gradient(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    form_of(shape)->gradient(ops, shape, dy, operand);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    form_of(&term[0].conv->shape)->forward(ops, n_terms, term, bias, y);
}

/* The terms of the map's own size in one product, then those that come through an upsampling, one after the other. */
static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    sb_term same[SB_TERMS_MAX];
    int n_same = 0;
    for (int t = 0; t < n_terms; t++)
        if (!term[t].conv->shape.upsampled) same[n_same++] = term[t];
    if (n_same)
        form_of(&same[0].conv->shape)->data_gradient(n_same, same, dx);
    else
        ops->zero(ops, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++)
        if (term[t].conv->shape.upsampled) form_of(&term[t].conv->shape)->add_upsampled_gradient(&term[t], dx);
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    form_of(&conv->shape)->weight_gradient(ops, conv, n_frames, x, dy);
}

/* As many chains side by side as hide the latency of an addition. */
enum { BIAS_VECS = 4 };

/* n_vecs vectors of n_c channels: db += the sum of each of h rows of w pixels, sample after sample. The last vector goes
 * back over channels of the one before, or has n_c lanes where that is all. n_vecs is a constant wherever this is
 * expanded, and n_c one where it is less than SB_LANES. */
ALWAYS_INLINE void add_rows(int n_vecs, int n_c, const sb_tensor *dy, const sb_real *dy_c, sb_real *db)
{
    const int lanes = n_c < SB_LANES ? n_c : SB_LANES;
    sb_vec total[BIAS_VECS];
    for (int v = 0; v < n_vecs; v++) total[v] = sb_vec_load_n(db + sb_whole_at(v * SB_LANES, n_c), lanes);
    for (int sample = 0; sample < dy->n; sample++, dy_c += sb_tensor_sample(dy)) {
        const sb_real *pixel = dy_c;
        for (int y = 0; y < dy->h; y++) {
            sb_vec sum[BIAS_VECS];
            for (int v = 0; v < n_vecs; v++) sum[v] = sb_vec_all(0);
            for (int x = 0; x < dy->w; x++, pixel += dy->c)
                for (int v = 0; v < n_vecs; v++)
                    sum[v] = sum[v] + sb_vec_load_n(pixel + sb_whole_at(v * SB_LANES, n_c), lanes);
            for (int v = 0; v < n_vecs; v++) total[v] = total[v] + sum[v];
        }
    }
    for (int v = 0; v < n_vecs; v++) sb_vec_store_n(db + sb_whole_at(v * SB_LANES, n_c), total[v], lanes);
}

static void add_block(const sb_tensor *dy, const sb_real *dy_c, int n_c, sb_real *db)
{
    if (n_c < SB_LANES)
        add_rows(1, n_c, dy, dy_c, db);
    else if (n_c == SB_LANES)
        add_rows(1, SB_LANES, dy, dy_c, db);
    else if (n_c <= 2 * SB_LANES)
        add_rows(2, n_c, dy, dy_c, db);
    else if (n_c <= 3 * SB_LANES)
        add_rows(3, n_c, dy, dy_c, db);
    else
        add_rows(BIAS_VECS, n_c, dy, dy_c, db);
}

/* Few pieces, and no barrier after them: a thread that is done begins with the next operation. */
static void bias_gradient(sb_ops *ops, const sb_tensor *dy, sb_real *db)
{
    (void)ops;
#pragma omp for collapse(2) schedule(dynamic) nowait
    for (int g = 0; g < dy->gates; g++)
        for (int c = 0; c < dy->c; c += BIAS_VECS * SB_LANES) {
            const sb_real *plane = dy->x + (size_t)g * dy->h * dy->w * dy->c;
            int n_c = dy->c - c < BIAS_VECS * SB_LANES ? dy->c - c : BIAS_VECS * SB_LANES;
            add_block(dy, plane + c, n_c, db + g * dy->c + c);
        }
}

void SB_NATIVE(sb_conv_native)(sb_ops *ops)
{
    ops->conv_sizes = conv_sizes;
    ops->conv_begin = conv_begin;
    ops->conv_turn = conv_turn;
    ops->conv_end = conv_end;
    ops->conv_input = conv_input;
    ops->conv_gradient = conv_gradient;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
    ops->bias_gradient = bias_gradient;
}
