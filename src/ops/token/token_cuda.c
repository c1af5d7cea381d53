/* Text of the GPU backends; the CPU twin is token_native.c. */
#include "ops/cuda.h"

static void embedding_forward(sb_ops *ops, const sb_embedding *e, const uint8_t *tokens, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "embedding_forward", y);
    SB_GPU_EACH(gpu, sb_embedding_forward, sb_tensor_size(y), .embedding = *e, .tokens = tokens, .y = y->x,
                .context = y->w);
}

static void embedding_backward(sb_ops *ops, const sb_embedding *e, const uint8_t *tokens, const sb_tensor *dy)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "embedding_backward", dy);
    SB_GPU_EACH(gpu, sb_embedding_backward, (long)(e->vocabulary + dy->w) * e->width, .embedding = *e, .tokens = tokens,
                .dy = dy->x, .samples = dy->n, .context = dy->w);
}

static void token_loss_forward(sb_ops *ops, const sb_tensor *z, const uint8_t *tokens, double smoothing, double *loss,
                               double *entropy, uint8_t *predicted, double *total)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "token_loss_forward", z);
    SB_GPU_EACH(gpu, sb_token_loss_forward, (long)z->n * z->w, .z = z->x, .tokens = tokens, .loss = loss,
                .entropy = entropy, .predicted = predicted, .smoothing = smoothing, .vocabulary = z->c,
                .context = z->w);
    SB_GPU_EACH(gpu, sb_token_total, 1, .tokens = tokens, .predicted = predicted, .loss = loss, .entropy = entropy,
                .total = total, .samples = z->n, .context = z->w);
}

static void token_loss_backward(sb_ops *ops, const sb_tensor *z, const uint8_t *tokens, double smoothing, double factor,
                                sb_tensor *dz)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "token_loss_backward", z);
    SB_GPU_EACH(gpu, sb_token_loss_backward, (long)z->n * z->w, .z = z->x, .tokens = tokens, .dz = dz->x,
                .smoothing = smoothing, .factor = factor, .vocabulary = z->c, .context = z->w);
}

void sb_token_cuda(sb_ops *ops)
{
    ops->embedding_forward = embedding_forward;
    ops->embedding_backward = embedding_backward;
    ops->token_loss_forward = token_loss_forward;
    ops->token_loss_backward = token_loss_backward;
}
