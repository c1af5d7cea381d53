/* The list of all operations of a backend.
 *
 * The table of operations (ops.h), the profile (backend/profile.c), the trace (inspect/trace/trace_ops.c) and the check
 * that a backend leaves no slot empty are made from these rows. To add an operation, add its row, and its function for
 * each backend in that backend's file.
 *
 *     OP(name, pass, (parameters), (arguments), shape, flop, row, reads, writes)
 *
 * pass     forward, backward, update or memory: the part of an update in which it is called
 * shape    of the result, for the profile: of_tensor(x), of_conv(conv), of_dense(layer), of_nothing
 * flop     floating-point operations, counted as direct convolution; 0: elementwise
 * row      row(name): the operation has this row in a trace; unlisted: it has none, because it moves bytes, or makes
 *          an operand, whose number depends on the backend
 * reads, writes   the tensors in order, by the words below; the trace hashes them in the specification's layout
 *     TENSOR(x)          a tensor; TENSOR_IF(condition, x) if it may be absent or unread
 *     NUMBERS_OF(x)      a tensor as numbers in memory order, for an operation that ignores its shape
 *     VECTOR(x, n)       n numbers, with the name x; VECTOR_OF(role, x, n): with another name
 *     VECTOR_IF(role, x, n)   the same if x may be NULL
 *     BYTES(x, n)        n bytes of the host
 *     CLASSES(x, n)      n bytes of the device, each the number of a class
 *     NUMBERS(x, n)      n numbers of the host, by value; NUMBER(x): one, from the double or number x
 *     DOUBLE(x)          one double of the device; DOUBLES(role, x, n): n of them as one tensor
 *     STATES(id, block)            states of an optimizer for a block, by the names of its row
 *     TERMS(role, n, term)         tensors from which the terms' operands were made
 *     SOURCES(role, memory)        tensors that were added to an accumulator
 *     MADE_OF(operand, x), FORGOTTEN(accumulator), ACCUMULATED(accumulator, n, x, dy)   bookkeeping of operands
 *
 * The comment before a row gives formula and shapes. All tensors of an operation have the same n and h x w unless the
 * comment says otherwise. Sums over samples: ops/order.h. */
#pragma once

#include "core/rows/optimizers.h"

/* clang-format off */
#define SB_SLOTS(OP)                                                                                                   \
    SB_SLOTS_MEMORY(OP) SB_SLOTS_CONV(OP) SB_SLOTS_POINT(OP) SB_SLOTS_LAYER(OP) SB_SLOTS_TEXT(OP) SB_SLOTS_DENSE(OP)   \
    SB_SLOTS_UPDATE(OP)

#define SB_SLOTS_MEMORY(OP)                                                                                            \
    OP(zero, memory, (sb_ops *ops, void *memory, size_t n_bytes), (memory, n_bytes),                                   \
       of_nothing, 0, unlisted, , )                                                                                    \
    /* device to device */                                                                                             \
    OP(copy, memory, (sb_ops *ops, void *to, const void *from, size_t n_bytes), (to, from, n_bytes),                   \
       of_nothing, 0, unlisted, , )                                                                                    \
    OP(to_device, memory, (sb_ops *ops, void *to, const void *from, size_t n_bytes), (to, from, n_bytes),              \
       of_nothing, 0, unlisted, , )                                                                                    \
    OP(to_host, memory, (sb_ops *ops, void *to, const void *from, size_t n_bytes), (to, from, n_bytes),                \
       of_nothing, 0, unlisted, , )                                                                                    \
    /* host bytes [n][h][w][c] -> x / 255, in float */                                                                 \
    OP(frame_load, forward, (sb_ops *ops, const uint8_t *frame, sb_tensor *x), (frame, x),                             \
       of_tensor(x), 0, row(frame_load), BYTES(frame, sb_tensor_size(x)), TENSOR(x))                                   \
    /* images of a store on the device, n choices on the host -> planes [n][c][h][w] on the device: cropped with a     \
     * reflected border, flipped, converted by the table, times contrast, plus brightness, 0 in the cutout */          \
    OP(image_load, memory,                                                                                             \
       (sb_ops *ops, const sb_image_store *store, const sb_image_choice *choice, int n, sb_real *planes),              \
       (store, choice, n, planes), of_nothing, 0, unlisted, , )                                                        \
    /* device [n][c][h][w] -> tensor */                                                                                \
    OP(map_load, forward, (sb_ops *ops, const sb_real *planes, sb_tensor *x), (planes, x),                             \
       of_tensor(x), 0, unlisted, , )                                                                                  \
    /* tensor -> device [n][c][h][w] */                                                                                \
    OP(map_store, memory, (sb_ops *ops, const sb_tensor *x, sb_real *planes), (x, planes),                             \
       of_tensor(x), 0, unlisted, , )

#define SB_SLOTS_CONV(OP)                                                                                              \
    /* Before the forward pass of a window: convert the weights for the forward pass. */                               \
    OP(conv_begin, forward, (sb_ops *ops, sb_conv *conv), (conv),                                                      \
       of_conv(conv), 0, row(conv_begin),                                                                              \
       VECTOR_OF("weight", conv->params.weight, sb_conv_weights(&conv->shape)), )                                      \
    /* Before the backward pass: convert the weights for it (no conv_forward until the next conv_begin), zero the      \
     * accumulator. */                                                                                                 \
    OP(conv_turn, backward, (sb_ops *ops, sb_conv *conv), (conv),                                                      \
       of_conv(conv), 0, unlisted, , FORGOTTEN(conv->space.accumulator))                                               \
    /* At the end of a window: overwrite weight_grad by the accumulator. */                                            \
    OP(conv_end, backward, (sb_ops *ops, sb_conv *conv), (conv),                                                       \
       of_conv(conv), 0, row(conv_weight_gradient), SOURCES("x, dy", conv->space.accumulator),                         \
       VECTOR_OF("weight_grad", conv->params.weight_grad, sb_conv_weights(&conv->shape)))                              \
    /* Make the operand of x, once for all convolutions that read x at that size. */                                   \
    OP(conv_input, forward, (sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand),              \
       (shape, x, operand), of_tensor(x), 0, unlisted, , MADE_OF(operand, x))                                          \
    /* Make the operand of dy, for both gradients of every convolution with that output. */                            \
    OP(conv_gradient, backward, (sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand),         \
       (shape, dy, operand), of_tensor(dy), 0, unlisted, , MADE_OF(operand, dy))                                       \
    /* y = bias + sum over terms of conv(x). bias [gates * c] or NULL. */                                              \
    OP(conv_forward, forward,                                                                                          \
       (sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y), (n_terms, term, bias, y),   \
       of_tensor(y), terms_flop(n_terms, term), row(conv_forward),                                                     \
       TERMS("x", n_terms, term) VECTOR_IF("bias", bias, (size_t)y->gates * y->c), TENSOR(y))                          \
    /* dx = sum over terms of the transposed convolution of dy. For an upsampled term dx is the tensor before          \
     * upsampling. */                                                                                                  \
    OP(conv_data_gradient, backward,                                                                                   \
       (sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx), (n_terms, term, dx),                            \
       of_tensor(dx), terms_flop(n_terms, term), row(conv_data_gradient), TERMS("dy", n_terms, term), TENSOR(dx))      \
    /* conv's accumulator += sum over n_frames frames, in the given order, and their samples, ascending, of x (input   \
     * operands) times dy (gradient operands). */                                                                      \
    OP(conv_weight_gradient, backward,                                                                                 \
       (sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy),                        \
       (conv, n_frames, x, dy), of_conv(conv), n_frames * conv_flop(conv), unlisted, ,                                 \
       ACCUMULATED(conv->space.accumulator, n_frames, x, dy))                                                          \
    /* db[gates * c] += sum over samples and pixels of dy. */                                                          \
    OP(bias_gradient, backward, (sb_ops *ops, const sb_tensor *dy, sb_real *db), (dy, db),                             \
       of_tensor(dy), 0, row(bias_gradient), TENSOR(dy) VECTOR(db, (size_t)dy->gates * dy->c),                         \
       VECTOR(db, (size_t)dy->gates * dy->c))

#define SB_SLOTS_POINT(OP)                                                                                             \
    /* e (2c channels) = [relu(a - p), relu(p - a)] */                                                                 \
    OP(error_forward, forward, (sb_ops *ops, const sb_tensor *a, const sb_tensor *p, sb_tensor *e), (a, p, e),         \
       of_tensor(e), 0, row(error_forward), TENSOR(a) TENSOR(p), TENSOR(e))                                            \
    /* da = de+ where e+ > 0, minus de- where e- > 0; dp = -da. da may be NULL. */                                     \
    OP(error_backward, backward, (sb_ops *ops, const sb_tensor *e, const sb_tensor *de, sb_tensor *da, sb_tensor *dp), \
       (e, de, da, dp), of_tensor(e), 0, row(error_backward), TENSOR(e) TENSOR(de), TENSOR_IF(da, da) TENSOR(dp))      \
    /* a (half size) = maxpool2x2(relu(y)); choice [n c h/2 w/2]: 0..3 is the place of the largest (the first in       \
     * row-major order), 4 if none is positive. */                                                                     \
    OP(pool_forward, forward, (sb_ops *ops, const sb_tensor *y, sb_tensor *a, uint8_t *choice), (y, a, choice),        \
       of_tensor(a), 0, row(pool_forward), TENSOR(y), TENSOR(a))                                                       \
    OP(pool_backward, backward, (sb_ops *ops, const sb_tensor *da, const uint8_t *choice, sb_tensor *dy),              \
       (da, choice, dy), of_tensor(da), 0, row(pool_backward), TENSOR(da), TENSOR(dy))                                 \
    /* gates (input, forget, candidate, output), in place: sums -> activations. peephole: 3 gates, n = 1, shared by    \
     * all samples. */                                                                                                 \
    OP(lstm_forward, forward,                                                                                          \
       (sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old, sb_tensor *c, sb_tensor *h), \
       (gates, peephole, c_old, c, h), of_tensor(h), 0, row(lstm_forward),                                             \
       TENSOR(gates) TENSOR(peephole) TENSOR(c_old), TENSOR(gates) TENSOR(c) TENSOR(h))                                \
    /* In place: gates, activations -> gradients of the sums; dc, gradient of c -> gradient of c_old. Adds to          \
     * dpeephole. */                                                                                                   \
    OP(lstm_backward, backward,                                                                                        \
       (sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old, const sb_tensor *c,          \
        const sb_tensor *dh, sb_tensor *dc, sb_tensor *dpeephole),                                                     \
       (gates, peephole, c_old, c, dh, dc, dpeephole), of_tensor(dh), 0, row(lstm_backward),                           \
       TENSOR(gates) TENSOR(peephole) TENSOR(c_old) TENSOR(c) TENSOR(dh) TENSOR(dc) TENSOR(dpeephole),                 \
       TENSOR(gates) TENSOR(dc) TENSOR(dpeephole))                                                                     \
    /* p in place: relu, or clip to [0, 1] */                                                                          \
    OP(output_forward, forward, (sb_ops *ops, sb_tensor *p, bool clip), (p, clip),                                     \
       of_tensor(p), 0, row(output_forward), TENSOR(p), TENSOR(p))                                                     \
    /* dp in place: zero where the derivative is zero; p is the result of output_forward */                            \
    OP(output_backward, backward, (sb_ops *ops, const sb_tensor *p, bool clip, sb_tensor *dp), (p, clip, dp),          \
       of_tensor(p), 0, row(output_backward), TENSOR(p) TENSOR(dp), TENSOR(dp))                                        \
    /* *loss (device) = sum((p - y)^2) / n_mean over all numbers of all samples: the mean, or these samples' part of   \
     * the mean over a batch of n_mean numbers. p and y have one gate. */                                              \
    OP(loss_forward, forward,                                                                                          \
       (sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, double *loss), (p, y, n_mean, loss),       \
       of_tensor(p), 0, row(loss_forward), TENSOR(p) TENSOR(y), DOUBLE(loss))                                          \
    /* dp = (add ? dp : 0) + 2/n_mean (p - y) */                                                                       \
    OP(loss_backward, backward,                                                                                        \
       (sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, bool add, sb_tensor *dp),                  \
       (p, y, n_mean, add, dp), of_tensor(p), 0, row(loss_backward), TENSOR(p) TENSOR(y) TENSOR_IF(add, dp), TENSOR(dp))

#define SB_SLOTS_LAYER(OP)                                                                                             \
    /* y = the activation of x (ops/point/activation.h); y may be x. alpha: for celu */                                \
    OP(activation_forward, forward,                                                                                    \
       (sb_ops *ops, sb_activation kind, sb_real alpha, const sb_tensor *x, sb_tensor *y), (kind, alpha, x, y),        \
       of_tensor(x), 0, row(activation_forward), NUMBER(alpha) TENSOR(x), TENSOR(y))                                   \
    /* dx = dy times the derivative of the activation at its input x; dx may be dy */                                  \
    OP(activation_backward, backward,                                                                                  \
       (sb_ops *ops, sb_activation kind, sb_real alpha, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx),       \
       (kind, alpha, x, dy, dx), of_tensor(x), 0, row(activation_backward),                                            \
       NUMBER(alpha) TENSOR(x) TENSOR(dy), TENSOR(dx))                                                                 \
    /* y = the largest of each window; y->h = x->h / window_h, y->w = x->w / window_w, rounded down. choice (device,   \
     * one for each element of y): the place of the largest in its window, row-major, the first of equal ones; a NaN   \
     * counts as the largest. window_h window_w <= 256. */                                                             \
    OP(max_pool_forward, forward,                                                                                      \
       (sb_ops *ops, int window_h, int window_w, const sb_tensor *x, sb_tensor *y, uint8_t *choice),                   \
       (window_h, window_w, x, y, choice), of_tensor(y), 0, row(max_pool_forward), TENSOR(x), TENSOR(y))               \
    /* dx = dy at the chosen places, 0 elsewhere */                                                                    \
    OP(max_pool_backward, backward,                                                                                    \
       (sb_ops *ops, int window_h, int window_w, const sb_tensor *dy, const uint8_t *choice, sb_tensor *dx),           \
       (window_h, window_w, dy, choice, dx), of_tensor(dy), 0, row(max_pool_backward), TENSOR(dy), TENSOR(dx))         \
    /* Batch norm of a training batch, then the activation (ops/norm/norm.h); updates the running values. y must not   \
     * be x, because norm_backward reads x. */                                                                         \
    OP(norm_forward, forward, (sb_ops *ops, const sb_norm *norm, const sb_tensor *x, sb_tensor *y), (norm, x, y),      \
       of_tensor(x), 0, row(norm_forward),                                                                             \
       TENSOR(x) VECTOR_IF("scale", norm->scale, (size_t)norm->c) VECTOR_OF("shift", norm->shift, (size_t)norm->c),    \
       TENSOR(y) VECTOR_OF("running_mean", norm->running_mean, (size_t)norm->groups * norm->c)                         \
       VECTOR_OF("running_var", norm->running_var, (size_t)norm->groups * norm->c))                                    \
    /* The gradients of norm_forward, which must have run with the same x; dx may be dy. */                            \
    OP(norm_backward, backward,                                                                                        \
       (sb_ops *ops, const sb_norm *norm, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx), (norm, x, dy, dx),  \
       of_tensor(x), 0, row(norm_backward),                                                                            \
       TENSOR(x) TENSOR(dy) VECTOR_IF("scale", norm->scale, (size_t)norm->c)                                           \
       VECTOR_OF("shift", norm->shift, (size_t)norm->c),                                                               \
       TENSOR(dx) VECTOR_IF("scale_grad", norm->scale ? norm->scale_grad : NULL, (size_t)norm->c)                      \
       VECTOR_OF("shift_grad", norm->shift_grad, (size_t)norm->c))                                                     \
    /* Batch norm with the running values, for any number of samples; y may be x. */                                   \
    OP(norm_evaluate, forward, (sb_ops *ops, const sb_norm *norm, const sb_tensor *x, sb_tensor *y), (norm, x, y),     \
       of_tensor(x), 0, row(norm_evaluate),                                                                            \
       TENSOR(x) VECTOR_IF("scale", norm->scale, (size_t)norm->c) VECTOR_OF("shift", norm->shift, (size_t)norm->c)     \
       VECTOR_OF("running_mean", norm->running_mean, (size_t)norm->groups * norm->c)                                   \
       VECTOR_OF("running_var", norm->running_var, (size_t)norm->groups * norm->c), TENSOR(y))                         \
    /* y = the mean of each window (windows as in max_pool_forward): a chain of additions, row-major from the first    \
     * number, times 1 / (window_h window_w) rounded to the number type. */                                            \
    OP(average_pool_forward, forward, (sb_ops *ops, int window_h, int window_w, const sb_tensor *x, sb_tensor *y),     \
       (window_h, window_w, x, y), of_tensor(y), 0, row(average_pool_forward), TENSOR(x), TENSOR(y))                   \
    /* dx = dy times the same factor in windows, 0 elsewhere */                                                        \
    OP(average_pool_backward, backward, (sb_ops *ops, int window_h, int window_w, const sb_tensor *dy, sb_tensor *dx), \
       (window_h, window_w, dy, dx), of_tensor(dy), 0, row(average_pool_backward), TENSOR(dy), TENSOR(dx))             \
    /* y = x with some numbers set to 0 (ops/point/dropout.h); y may be x. For the gradient apply it to dy. */         \
    OP(dropout, forward, (sb_ops *ops, const sb_dropout *dropout, const sb_tensor *x, sb_tensor *y), (dropout, x, y),  \
       of_tensor(x), 0, row(dropout), NUMBER(dropout->factor) TENSOR(x), TENSOR(y))                                    \
    /* Layer norm or group norm (ops/norm/group_norm.h), in training and evaluation. y must not be x. */               \
    OP(group_norm_forward, forward, (sb_ops *ops, const sb_group_norm *norm, const sb_tensor *x, sb_tensor *y),        \
       (norm, x, y), of_tensor(x), 0, row(group_norm_forward),                                                         \
       TENSOR(x) VECTOR_OF("scale", norm->scale, (size_t)norm->c) VECTOR_OF("shift", norm->shift, (size_t)norm->c),    \
       TENSOR(y))                                                                                                      \
    /* The gradients of group_norm_forward, which must have run with the same x; dx may be dy. */                      \
    OP(group_norm_backward, backward,                                                                                  \
       (sb_ops *ops, const sb_group_norm *norm, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx),               \
       (norm, x, dy, dx), of_tensor(x), 0, row(group_norm_backward),                                                   \
       TENSOR(x) TENSOR(dy) VECTOR_OF("scale", norm->scale, (size_t)norm->c),                                          \
       TENSOR(dx) VECTOR_OF("scale_grad", norm->scale_grad, (size_t)norm->c)                                           \
       VECTOR_OF("shift_grad", norm->shift_grad, (size_t)norm->c))                                                     \
    /* y = x + f, of the same shape; y may be x or f. */                                                               \
    OP(residual_forward, forward, (sb_ops *ops, const sb_tensor *x, const sb_tensor *f, sb_tensor *y), (x, f, y),      \
       of_tensor(x), 0, row(residual_forward), TENSOR(x) TENSOR(f), TENSOR(y))                                         \
    /* Its gradient, for x: dx += dy, where dx is the gradient through f. */                                           \
    OP(residual_backward, backward, (sb_ops *ops, const sb_tensor *dy, sb_tensor *dx), (dy, dx), of_tensor(dx), 0,     \
       row(residual_backward), TENSOR(dy) TENSOR(dx), TENSOR(dx))                                                      \
    /* y = scale x; y may be x. For the gradient apply it to dy. */                                                    \
    OP(logit_scale, forward, (sb_ops *ops, sb_real scale, const sb_tensor *x, sb_tensor *y), (scale, x, y),            \
       of_tensor(x), 0, row(logit_scale), NUMBER(scale) TENSOR(x), TENSOR(y))                                          \
    /* Softmax cross-entropy of n samples of logits z (ops/point/softmax.h), one number for each class, at most        \
     * SB_CLASSES_MAX. label [n], each below the number of classes; label and all results are on the device. loss,     \
     * entropy [n]: of each sample, with and without smoothing. predicted [n]: the class of the largest logit. total   \
     * [3]: the sums of loss and of entropy, samples ascending, and the number of correct predictions. */              \
    OP(cross_entropy_forward, forward,                                                                                 \
       (sb_ops *ops, const sb_tensor *z, const uint8_t *label, double smoothing, double *loss, double *entropy,        \
        uint8_t *predicted, double *total),                                                                            \
       (z, label, smoothing, loss, entropy, predicted, total), of_tensor(z), 0, row(cross_entropy_forward),            \
       NUMBERS_OF(z) CLASSES(label, (size_t)z->n) NUMBER(smoothing),                                                   \
       DOUBLES("loss", loss, z->n) DOUBLES("entropy", entropy, z->n) CLASSES(predicted, (size_t)z->n)                  \
       DOUBLES("total", total, 3))                                                                                     \
    /* dz = factor (p - target); factor 1: gradient of the sum over the batch; 1/n: of the mean. dz may be z. */       \
    OP(cross_entropy_backward, backward,                                                                               \
       (sb_ops *ops, const sb_tensor *z, const uint8_t *label, double smoothing, double factor, sb_tensor *dz),        \
       (z, label, smoothing, factor, dz), of_tensor(z), 0, row(cross_entropy_backward),                                \
       NUMBERS_OF(z) CLASSES(label, (size_t)z->n) NUMBER(smoothing) NUMBER(factor), NUMBERS_OF(dz))

#define SB_SLOTS_TEXT(OP)                                                                                              \
    /* Embedding of tokens [y->n][y->w + 1] (device; ops/token/token.h): y has one row of w positions. */              \
    OP(embedding_forward, forward,                                                                                     \
       (sb_ops *ops, const sb_embedding *embedding, const uint8_t *tokens, sb_tensor *y), (embedding, tokens, y),      \
       of_tensor(y), 0, row(embedding_forward),                                                                        \
       CLASSES(tokens, (size_t)y->n * (size_t)(y->w + 1))                                                              \
       VECTOR_OF("table", embedding->table, (size_t)embedding->vocabulary * embedding->width)                          \
       VECTOR_OF("position", embedding->position, (size_t)y->w * embedding->width),                                    \
       TENSOR(y))                                                                                                      \
    /* Its gradients: overwrites position_grad, and table_grad unless it adds to the table. */                         \
    OP(embedding_backward, backward,                                                                                   \
       (sb_ops *ops, const sb_embedding *embedding, const uint8_t *tokens, const sb_tensor *dy),                       \
       (embedding, tokens, dy), of_tensor(dy), 0, row(embedding_backward),                                             \
       CLASSES(tokens, (size_t)dy->n * (size_t)(dy->w + 1)) TENSOR(dy),                                                \
       VECTOR_OF("table_grad", embedding->table_grad, (size_t)embedding->vocabulary * embedding->width)                \
       VECTOR_OF("position_grad", embedding->position_grad, (size_t)dy->w * embedding->width))                         \
    /* Causal attention of x, queries, keys and values, 3 width channels, into y, width channels                       \
     * (ops/attention/attention.h). */                                                                                 \
    OP(attention_forward, forward,                                                                                     \
       (sb_ops *ops, const sb_attention *attention, const sb_tensor *x, sb_tensor *y), (attention, x, y),              \
       of_tensor(y), attention_flop(y, 2), row(attention_forward), TENSOR(x), TENSOR(y))                               \
    /* Its gradient; attention_forward must have run with the same x and written y. */                                 \
    OP(attention_backward, backward,                                                                                   \
       (sb_ops *ops, const sb_attention *attention, const sb_tensor *x, const sb_tensor *y, const sb_tensor *dy,       \
        sb_tensor *dx),                                                                                                \
       (attention, x, y, dy, dx), of_tensor(y), attention_flop(y, 5), row(attention_backward),                         \
       TENSOR(x) TENSOR(y) TENSOR(dy), TENSOR(dx))                                                                     \
    /* Cross-entropy of each next token: as cross_entropy_forward, at each position of logits z, a channel for each    \
     * token. loss, entropy, predicted: [n][w]; total: ops/token/token.h. */                                           \
    OP(token_loss_forward, forward,                                                                                    \
       (sb_ops *ops, const sb_tensor *z, const uint8_t *tokens, double smoothing, double *loss, double *entropy,       \
        uint8_t *predicted, double *total),                                                                            \
       (z, tokens, smoothing, loss, entropy, predicted, total), of_tensor(z), 0, row(token_loss_forward),              \
       TENSOR(z) CLASSES(tokens, (size_t)z->n * (size_t)(z->w + 1)) NUMBER(smoothing),                                 \
       DOUBLES("loss", loss, z->n * z->w) DOUBLES("entropy", entropy, z->n * z->w)                                     \
       CLASSES(predicted, (size_t)z->n * (size_t)z->w) DOUBLES("total", total, 3))                                     \
    /* dz = factor (p - target); factor 1/(n w): gradient of the mean over all positions. dz may be z. */              \
    OP(token_loss_backward, backward,                                                                                  \
       (sb_ops *ops, const sb_tensor *z, const uint8_t *tokens, double smoothing, double factor, sb_tensor *dz),       \
       (z, tokens, smoothing, factor, dz), of_tensor(z), 0, row(token_loss_backward),                                  \
       TENSOR(z) CLASSES(tokens, (size_t)z->n * (size_t)(z->w + 1)) NUMBER(smoothing) NUMBER(factor), TENSOR(dz))

/* Dense layers; x has n samples of `in` numbers, y of `out`. */
#define SB_SLOTS_DENSE(OP)                                                                                             \
    OP(dense_forward, forward, (sb_ops *ops, const sb_dense *layer, const sb_tensor *x, sb_tensor *y, bool relu),      \
       (layer, x, y, relu), of_dense(layer, x->n), dense_flop(layer, x->n), row(dense_forward),                        \
       NUMBERS_OF(x) VECTOR_OF("weight", layer->weight, sb_dense_weights(layer))                                       \
       VECTOR_IF("bias", layer->bias, (size_t)layer->out), NUMBERS_OF(y))                                              \
    OP(dense_data_gradient, backward, (sb_ops *ops, const sb_dense *layer, const sb_tensor *dy, sb_tensor *dx),        \
       (layer, dy, dx), of_dense(layer, dy->n), dense_flop(layer, dy->n), row(dense_data_gradient),                    \
       NUMBERS_OF(dy) VECTOR_OF("weight", layer->weight, sb_dense_weights(layer)), NUMBERS_OF(dx))                     \
    /* overwrites the gradients */                                                                                     \
    OP(dense_weight_gradient, backward,                                                                                \
       (sb_ops *ops, sb_dense *layer, const sb_tensor *x, const sb_tensor *dy), (layer, x, dy),                        \
       of_dense(layer, x->n), dense_flop(layer, x->n), row(dense_weight_gradient), NUMBERS_OF(x) NUMBERS_OF(dy),       \
       VECTOR_OF("weight_grad", layer->weight_grad, sb_dense_weights(layer))                                           \
       VECTOR_IF("bias_grad", layer->bias_grad, (size_t)layer->out))                                                   \
    /* For one sample, x [in] and dy [out]: the layer's gradient and Adam in one pass, with the same bits as in two;   \
     * gradients are not stored. Changes the weights, so call it after the data gradients. */                          \
    OP(dense_learn_one, update,                                                                                        \
       (sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy, const sb_block *weight,               \
        const sb_block *bias, const sb_adam_rates *rates),                                                             \
       (layer, x, dy, weight, bias, rates), of_dense(layer, 1), dense_flop(layer, 1), row(dense_learn_one),            \
       VECTOR(x, (size_t)layer->in) VECTOR(dy, (size_t)layer->out)                                                     \
       NUMBERS(rates, sizeof *rates / sizeof rates->step),                                                             \
       VECTOR_OF("weight", weight->weight, weight->n) VECTOR_OF("bias", bias->weight, bias->n))                        \
    /* dy = 0 where y <= 0 */                                                                                          \
    OP(relu_backward, backward, (sb_ops *ops, size_t n, const sb_real *y, sb_real *dy), (n, y, dy),                    \
       of_nothing, 0, row(relu_backward), VECTOR(y, n) VECTOR(dy, n), VECTOR(dy, n))

#define SB_SLOTS_UPDATE(OP)                                                                                            \
    /* One operation for each row of core/rows/optimizers.h, with its name: the rule for every element of a block. A   \
     * layer-wise rule is preceded by ID_norms, its first step, which computes the two norms of block->norm, and by    \
     * trust, which computes the ratio and the rate. A quasi-Newton rule is preceded by ID_pair, its first step,       \
     * ID_products, the scalar products of the states, and ID_coefficients, the coefficients of the step. */           \
    SB_OPTIMIZERS(SB_SLOT_OF_OPTIMIZER, SB_NO_STATE, OP)                                                               \
    /* y = a + b; y may be a or b */                                                                                   \
    OP(sum, update, (sb_ops *ops, size_t n, const sb_real *a, const sb_real *b, sb_real *y), (n, a, b, y),             \
       of_nothing, 0, row(sum), VECTOR(a, n) VECTOR(b, n), VECTOR(y, n))                                               \
    /* e = fma(share, x - e, e), n elements: moving average e of x */                                                  \
    OP(average, update, (sb_ops *ops, size_t n, double share, const sb_real *x, sb_real *e), (n, share, x, e),         \
       of_nothing, 0, row(average), NUMBER(share) VECTOR(x, n) VECTOR(e, n), VECTOR(e, n))                             \
    /* y = fma(scale, noise, x), n elements, scale rounded to the number type. One rounding on every backend, also in  \
     * imitations of a GPU, so that rebuilt weights have the same bits everywhere; y may be x */                       \
    OP(mutate, update, (sb_ops *ops, size_t n, double scale, const sb_real *noise, const sb_real *x, sb_real *y),      \
       (n, scale, noise, x, y), of_nothing, 0, row(mutate), NUMBER(scale) VECTOR(noise, n) VECTOR(x, n), VECTOR(y, n)) \
    OP(trust, update, (sb_ops *ops, const sb_block *block, const sb_trust *trust), (block, trust),                     \
       of_nothing, 0, row(trust), DOUBLES("norms", block->norm, 2) BYTES(trust, sizeof *trust),                        \
       DOUBLES("ratio", block->norm + 2, 1) VECTOR_OF("rate", block->rate, 1))                                         \
    /* *divisor (device) = max(1, norm / limit); norm: of n tensors together, whose squared norms are norm2 [n]        \
     * (device) */                                                                                                     \
    OP(gradient_divisor, update, (sb_ops *ops, int n, const double *norm2, double limit, sb_real *divisor),            \
       (n, norm2, limit, divisor), of_nothing, 0, row(gradient_divisor),                                               \
       DOUBLES("norms", norm2, n), VECTOR(divisor, 1))                                                                 \
    /* *norm2 (device) = sum of squares */                                                                             \
    OP(norm2, update, (sb_ops *ops, size_t n, const sb_real *g, double *norm2), (n, g, norm2),                         \
       of_nothing, 0, row(norm2), VECTOR(g, n), DOUBLE(norm2))

#define SB_SLOT_OF_OPTIMIZER(OP, id, name, title, states, kind, ...) SB_SLOTS_##kind(OP, id)

#define SB_SLOTS_ELEMENTWISE(OP, id)                                                                                   \
    OP(id, update, (sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates), (block, rates),                 \
       of_nothing, 0, row(id),                                                                                         \
       VECTOR_OF("g", block->grad, block->n) VECTOR_OF("p", block->weight, block->n) STATES(id, block)                 \
       NUMBERS(rates, sizeof *rates / sizeof(sb_real)) VECTOR_IF("divisor", block->divisor, 1),                        \
       VECTOR_OF("p", block->weight, block->n) STATES(id, block))

#define SB_SLOTS_LAYERWISE(OP, id)                                                                                     \
    OP(id##_norms, update, (sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates), (block, rates),         \
       of_nothing, 0, row(id##_norms),                                                                                 \
       VECTOR_OF("g", block->grad, block->n) VECTOR_OF("p", block->weight, block->n) STATES(id, block)                 \
       NUMBERS(rates, sizeof *rates / sizeof(sb_real)) VECTOR_IF("divisor", block->divisor, 1),                        \
       STATES(id, block) DOUBLES("norms", block->norm, 2))                                                             \
    OP(id, update, (sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates), (block, rates),                 \
       of_nothing, 0, row(id),                                                                                         \
       VECTOR_OF("g", block->grad, block->n) VECTOR_OF("p", block->weight, block->n) STATES(id, block)                 \
       NUMBERS(rates, sizeof *rates / sizeof(sb_real)) VECTOR_IF("divisor", block->divisor, 1)                         \
       VECTOR_OF("rate", block->rate, 1),                                                                              \
       VECTOR_OF("p", block->weight, block->n) STATES(id, block))

#define SB_SLOTS_QUASI_NEWTON(OP, id)                                                                                  \
    /* The first step of the rule: write the change of the gradient in the last step into the states. */               \
    OP(id##_pair, update, (sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates), (block, rates),          \
       of_nothing, 0, row(id##_pair),                                                                                  \
       VECTOR_OF("g", block->grad, block->n) VECTOR_OF("p", block->weight, block->n) STATES(id, block)                 \
       NUMBERS(rates, sizeof *rates / sizeof(sb_real)),                                                                \
       STATES(id, block))                                                                                              \
    /* The scalar products of the states, each in the order of ops/order.h. */                                         \
    OP(id##_products, update, (sb_ops *ops, const sb_block *block), (block), of_nothing,                               \
       2.0 * SB_PRODUCTS_##id * (double)block->n, row(id##_products),                                                  \
       STATES(id, block), DOUBLES("products", block->product, SB_PRODUCTS_##id))                                       \
    OP(id##_coefficients, update, (sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates), (block, rates),  \
       of_nothing, 0, row(id##_coefficients),                                                                          \
       DOUBLES("products", block->product, SB_PRODUCTS_##id) NUMBERS(rates, sizeof *rates / sizeof(sb_real)),          \
       DOUBLES("coefficients", block->coefficient, SB_COEFFICIENTS_##id))                                              \
    OP(id, update, (sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates), (block, rates),                 \
       of_nothing, 0, row(id),                                                                                         \
       DOUBLES("coefficients", block->coefficient, SB_COEFFICIENTS_##id)                                               \
       VECTOR_OF("g", block->grad, block->n) VECTOR_OF("p", block->weight, block->n) STATES(id, block)                 \
       NUMBERS(rates, sizeof *rates / sizeof(sb_real)),                                                                \
       VECTOR_OF("p", block->weight, block->n) STATES(id, block))
/* clang-format on */
