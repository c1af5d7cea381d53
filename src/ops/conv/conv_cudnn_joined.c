/* The joined inputs of a cell by cuDNN: one convolution, one data gradient and one weight gradient for all of them. */
#include "ops/conv/conv_cudnn.h"

/* The convolution of all inputs. */
static sb_conv all_of(const sb_conv *conv)
{
    sb_conv all = *conv;
    all.shape.in = conv->shape.joined, all.shape.upsampled = false;
    all.params.weight = conv->space.packed;
    return all;
}

static size_t all_weights(const sb_conv_shape *shape)
{
    return (size_t)sb_conv_outputs(shape) * shape->joined * sb_conv_taps(shape);
}

/* Elements of the maps of some inputs. */
static size_t maps_of(const sb_conv_shape *shape, int channels)
{
    return (size_t)channels * sb_conv_input_h(shape) * sb_conv_input_w(shape);
}

static sb_real *gradient_of_all(const sb_conv *conv)
{
    return (sb_real *)conv->space.packed + all_weights(&conv->shape);
}

void sb_cudnn_joined_sizes(const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    const size_t weights = all_weights(shape);
    *sizes = (sb_conv_sizes){
        .packed = (weights + maps_of(shape, shape->joined)) * sizeof(sb_real),
        .accumulator = weights * sizeof(sb_real),
        .input = maps_of(shape, shape->in) * sizeof(sb_real),
        .gradient = (size_t)sb_conv_outputs(shape) * shape->h * shape->w * sizeof(sb_real),
    };
}

/* The rows of this input's weights within those of all. */
static void copy_weights(sb_gpu *gpu, const sb_conv_shape *shape, const sb_real *from, int from_in, sb_real *to,
                         int to_in)
{
    const int taps = sb_conv_taps(shape);
    SB_GPU_EACH(gpu, sb_copy_rows, sb_conv_weights(shape), .from = from, .to = to, .columns = shape->in * taps,
                .from_pitch = from_in * taps, .to_pitch = to_in * taps);
}

void sb_cudnn_joined_begin(sb_gpu *gpu, sb_conv *conv)
{
    const sb_conv_shape *s = &conv->shape;
    sb_real *to = (sb_real *)conv->space.packed + (size_t)s->offset * sb_conv_taps(s);
    copy_weights(gpu, s, conv->params.weight, s->in, to, s->joined);
}

void sb_cudnn_joined_end(sb_gpu *gpu, sb_conv *conv)
{
    const sb_conv_shape *s = &conv->shape;
    const sb_real *from = (const sb_real *)conv->space.accumulator + (size_t)s->offset * sb_conv_taps(s);
    copy_weights(gpu, s, from, s->joined, conv->params.weight_grad, s->in);
}

void sb_cudnn_joined_forward(sb_gpu *gpu, const sb_term *term, sb_tensor *y)
{
    const sb_conv all = all_of(term->conv);
    sb_cudnn_put(gpu, SB_CUDNN_FORWARD, &all, 1, term->operand, all.params.weight, 1, y->x);
}

/* The first input that asks has the gradients of all formed. */
void sb_cudnn_joined_data_gradient(sb_gpu *gpu, const sb_term *term, sb_tensor *dx)
{
    const sb_conv_shape *s = &term->conv->shape;
    const sb_conv all = all_of(term->conv);
    sb_real *gradient = gradient_of_all(term->conv);
    if (s->is_first) sb_cudnn_put(gpu, SB_CUDNN_DATA, &all, 1, all.params.weight, term->operand, 0, gradient);
    const sb_real *part = gradient + maps_of(s, s->offset);
    if (s->upsampled)
        SB_GPU_EACH(gpu, sb_add_blocks, sb_tensor_size(dx), .up = part, .dx = dx->x, .h = dx->h, .w = dx->w);
    else
        SB_GPU_EACH(gpu, sb_sum, sb_tensor_size(dx), .a = dx->x, .b = part, .y = dx->x);
}

/* Called for each input with the same frames; the operands of the first are those of all. */
void sb_cudnn_joined_weight_gradient(sb_gpu *gpu, sb_conv *conv, int n_frames, const void *const *x,
                                     const void *const *dy)
{
    const sb_conv_shape *s = &conv->shape;
    const sb_conv all = all_of(conv);
    sb_conv_sizes sizes;
    sb_cudnn_joined_sizes(&all.shape, &sizes);
    for (int frame = 0, n; s->offset == 0 && frame < n_frames; frame += n) {
        n = sb_cudnn_frames_at_once(gpu, sizes.input, sizes.gradient, n_frames - frame, x + frame, dy + frame);
        sb_cudnn_put(gpu, SB_CUDNN_FILTER, &all, n, x[frame], dy[frame], 1, conv->space.accumulator);
    }
}
