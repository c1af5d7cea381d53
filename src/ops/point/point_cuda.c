/* Elementwise operations, sums of the GPU backends: one kernel each, or a part of the one that was put down before. */
#include "ops/cuda.h"

static void frame_load(sb_ops *ops, const uint8_t *frame, sb_tensor *x)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "frame_load", x);
    size_t n = sb_tensor_size(x);
    const uint8_t *bytes = gpu->stage(gpu, frame, n);
    if (bytes) SB_GPU_EACH(gpu, sb_frame_load, n, .frame = bytes, .x = x->x, .c = x->c, .pixels = x->h * x->w);
}

static void image_load(sb_ops *ops, const sb_image_store *store, const sb_image_choice *choice, int n, sb_real *planes)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "image_load", NULL);
    const sb_image_choice *staged = gpu->stage(gpu, choice, (size_t)n * sizeof *choice);
    const long elements = (long)n * store->c * store->h * store->w;
    if (staged) SB_GPU_EACH(gpu, sb_image_load, elements, .store = *store, .choice = staged, .x = planes);
}

/* Tensors are planes already. */
static void map_load(sb_ops *ops, const sb_real *planes, sb_tensor *x)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "map_load", x);
    gpu->copy(gpu, x->x, planes, sb_tensor_size(x) * sizeof(sb_real));
}

static void map_store(sb_ops *ops, const sb_tensor *x, sb_real *planes)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "map_store", x);
    gpu->copy(gpu, planes, x->x, sb_tensor_size(x) * sizeof(sb_real));
}

static void error_forward(sb_ops *ops, const sb_tensor *a, const sb_tensor *p, sb_tensor *e)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "error_forward", p);
    SB_GPU_EACH(gpu, sb_error_forward, sb_tensor_size(p), .a = a->x, .p = p->x, .e = e->x,
                .sample = (long)sb_tensor_sample(p));
}

static void error_backward(sb_ops *ops, const sb_tensor *e, const sb_tensor *de, sb_tensor *da, sb_tensor *dp)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "error_backward", dp);
    SB_GPU_EACH(gpu, sb_error_backward, sb_tensor_size(dp), .e = e->x, .de = de->x, .da = da ? da->x : NULL,
                .dp = dp->x, .sample = (long)sb_tensor_sample(dp));
}

/* What was put down last, where it makes y and nothing has joined it yet; NULL: something else was. */
static sb_domain_output_args *made_last(sb_gpu *gpu, const sb_tensor *y)
{
    sb_domain_output_args *made =
        gpu->last(gpu, gpu->forms.transforms ? SB_KERNEL_sb_tiles_output : SB_KERNEL_sb_domain_output);
    return made && made->y == y->x && made->nonlinearity == SB_LINEAR && !made->a ? made : NULL;
}

static void pool_forward(sb_ops *ops, const sb_tensor *y, sb_tensor *a, uint8_t *choice)
{
    sb_domain_output_args *made = made_last(sb_gpu_of(ops), y);
    if (made) {
        made->a = a->x, made->choice = choice;
        return;
    }
    sb_gpu *gpu = sb_gpu_begin(ops, "pool_forward", a);
    SB_GPU_EACH(gpu, sb_pool_forward, sb_tensor_size(a), .y = y->x, .a = a->x, .choice = choice, .w = a->w);
}

static void pool_backward(sb_ops *ops, const sb_tensor *da, const uint8_t *choice, sb_tensor *dy)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "pool_backward", da);
    SB_GPU_EACH(gpu, sb_pool_backward, sb_tensor_size(da), .da = da->x, .choice = choice, .dy = dy->x, .w = da->w);
}

/* With the transform that has just been put down to make the gates, in one kernel. */
static void cell_of_tiles(sb_gpu *gpu, const sb_domain_output_args *made, const sb_tensor *peephole,
                          const sb_tensor *c_old, sb_tensor *c, sb_tensor *h)
{
    sb_tiles_cell_args args = {.n = made->n / SB_CELL_GATES,
                               .m = made->m,
                               .bias = made->bias,
                               .gates = made->y,
                               .peephole = peephole->x,
                               .c_old = c_old->x,
                               .c = c->x,
                               .h = h->x,
                               .maps = made->maps};
    args.maps.channels = c->c;
    gpu->take_back(gpu);
    SB_GPU_TILED(gpu, sb_tiles_cell, ((sb_grid){sb_blocks(args.n, SB_TILES_OF_BLOCK), 1, 1}), &args);
}

static void lstm_forward(sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old, sb_tensor *c,
                         sb_tensor *h)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "lstm_forward", gates);
    const sb_domain_output_args *made = gpu->forms.transforms ? made_last(gpu, gates) : NULL;
    if (made) {
        cell_of_tiles(gpu, made, peephole, c_old, c, h);
        return;
    }
    SB_GPU_EACH(gpu, sb_lstm_forward, sb_tensor_size(c), .gates = gates->x, .peephole = peephole->x, .c_old = c_old->x,
                .c = c->x, .h = h->x, .sample = (long)sb_tensor_sample(c));
}

static void lstm_backward(sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old,
                          const sb_tensor *c, const sb_tensor *dh, sb_tensor *dc, sb_tensor *dpeephole)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "lstm_backward", gates);
    SB_GPU_EACH(gpu, sb_lstm_backward, sb_tensor_sample(c), .gates = gates->x, .peephole = peephole->x,
                .c_old = c_old->x, .c = c->x, .dh = dh->x, .dc = dc->x, .dpeephole = dpeephole->x, .samples = c->n);
}

static void output_forward(sb_ops *ops, sb_tensor *p, bool clip)
{
    const sb_nonlinearity nonlinearity = clip ? SB_CLIPPED : SB_RECTIFIED;
    sb_domain_output_args *made = made_last(sb_gpu_of(ops), p);
    if (made) {
        made->nonlinearity = nonlinearity;
        return;
    }
    sb_gpu *gpu = sb_gpu_begin(ops, "output_forward", p);
    SB_GPU_EACH(gpu, sb_output_forward, sb_tensor_size(p), .p = p->x, .nonlinearity = nonlinearity);
}

static void output_backward(sb_ops *ops, const sb_tensor *p, bool clip, sb_tensor *dp)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "output_backward", p);
    SB_GPU_EACH(gpu, sb_output_backward, sb_tensor_size(p), .p = p->x, .dp = dp->x, .clip = clip);
}

static void relu_backward(sb_ops *ops, size_t n, const sb_real *y, sb_real *dy)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "relu_backward", NULL);
    SB_GPU_EACH(gpu, sb_relu_backward, n, .y = y, .dy = dy);
}

static void sum(sb_ops *ops, size_t n, const sb_real *a, const sb_real *b, sb_real *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "sum", NULL);
    SB_GPU_EACH(gpu, sb_sum, n, .a = a, .b = b, .y = y);
}

static void loss_forward(sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, double *loss)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "loss_forward", p);
    const sb_loss_forward_args args = {
        .p = p->x, .y = y->x, .loss = loss, .n_mean = (double)n_mean, .samples = p->n, .c = p->c, .h = p->h, .w = p->w};
    SB_GPU_TILED(gpu, sb_loss_forward, ((sb_grid){1, 1, 1}), &args);
}

static void loss_backward(sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, bool add, sb_tensor *dp)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "loss_backward", p);
    size_t n = sb_tensor_size(p);
    SB_GPU_EACH(gpu, sb_loss_backward, n, .p = p->x, .y = y->x, .dp = dp->x, .scale = (sb_real)2 / (sb_real)n_mean,
                .add = add);
}

/* Where the points of dy were put down last, a block for a channel, and dy is read there and not made, it goes on with
 * the bias's gradient. */
static void bias_gradient(sb_ops *ops, const sb_tensor *dy, sb_real *db)
{
    sb_gpu *gpu = sb_gpu_of(ops);
    sb_domain_gradient_args *points =
        gpu->last(gpu, gpu->forms.transforms ? SB_KERNEL_sb_tiles_gradient : SB_KERNEL_sb_domain_gradient);
    if (points && points->dy == dy->x && points->pieces == 1 && !points->p && !points->da && !points->db) {
        points->db = db;
        return;
    }
    gpu = sb_gpu_begin(ops, "bias_gradient", dy);
    const sb_bias_gradient_args args = {
        .dy = dy->x, .db = db, .samples = dy->n, .channels = dy->gates * dy->c, .h = dy->h, .w = dy->w};
    SB_GPU_TILED(gpu, sb_bias_gradient, ((sb_grid){dy->gates * dy->c, 1, 1}), &args);
}

void sb_point_cuda(sb_ops *ops)
{
    ops->frame_load = frame_load;
    ops->image_load = image_load;
    ops->map_load = map_load;
    ops->map_store = map_store;
    ops->error_forward = error_forward;
    ops->error_backward = error_backward;
    ops->pool_forward = pool_forward;
    ops->pool_backward = pool_backward;
    ops->lstm_forward = lstm_forward;
    ops->lstm_backward = lstm_backward;
    ops->output_forward = output_forward;
    ops->output_backward = output_backward;
    ops->relu_backward = relu_backward;
    ops->sum = sum;
    ops->loss_forward = loss_forward;
    ops->loss_backward = loss_backward;
    ops->bias_gradient = bias_gradient;
}
