/* clang-format off */
/* The written order: what each element of each result is, down to the last rounding. Kernels for any instruction set
 * and any device may compute the outputs in any order, but each output exactly as written here. That is what "same
 * bits" means.
 *
 * Samples. A tensor holds a batch of n samples. The rules are written for one sample: no sample changes a bit of
 * another. A sum over samples adds them in ascending order, s = 0, 1, ... n - 1. A sum that also runs over frames (the
 * time steps of a window) takes the frames from the last to the first, and in each frame the samples ascending. An
 * operation that is called once for a frame gives this order, and so does conv_weight_gradient for many frames at once.
 * In a part of a batch (a data-parallel shard) the samples of that part are added as if they were the batch.
 *
 * Chains. A chain is a sequence of fused multiply-adds into one accumulator, s = fma(a_k, b_k, s), k ascending. An
 * accumulator may be stored to memory and loaded again. Terms that are zero because of padding may be left out.
 *
 *   conv forward, `direct`     y[o][p] chain over terms in their order, input channels, taps (row-major); starts at the
 *                              bias b[o] (0 without one)
 *   conv data gradient         dx[i][p] chain over terms in their order, output channels o, taps of the kernel turned
 *                              by 180 degrees (row-major); starts at 0. Through an upsampling: the same chain gives the
 *                              gradient of the upsampled map, whose 2x2 blocks are added (00 + 01) + (10 + 11); such
 *                              a term is added to dx after the chain of all other terms, in the order of the terms
 *   conv weight gradient       dw[o][i][tap]: for each frame from the last to the first, for each sample, for each row
 *                              y: a chain over x from 0; the sums of the rows are added to dw one after the other, y
 *                              ascending
 *   conv, `winograd`           wide layers only (sb_conv_uses_winograd); t: tiles row-major; conv/winograd/winograd.h
 *     forward                  M[p][t][o] chain over terms in their order and input channels of V[p][t][i] U[p][i][o],
 *                              from 0; the output transform of M; then the bias added
 *     data gradient            dV[p][t][i] chain over terms in their order and output channels of M[p][t][o]
 *                              U[p][i][o], M being the transformed dy; then the adjoint of the input transform:
 *                              vertically per tile, the last row of the tile above added to the first and the first row
 *                              of the tile below to the last; then horizontally, the same with the tiles left and
 *                              right; absent neighbors count as zero. Through an upsampling: as for `direct`, without
 *                              the elements that are zero
 *     weight gradient          dU[p][i][o] chain over frames from the last to the first, samples, and tiles of
 *                              V[p][t][i] M[p][t][o]; then the adjoint of the weight transform
 *   bias gradient              db[o]: for each frame from the last to the first, for each sample, for each row: a chain
 *                              of additions over x from 0; the sums of the rows are added to db, y ascending
 *   peephole gradient          dm[c][p]: chain over the frames from the last to the first and the samples,
 *                              dm = fma(dz, c_old, dm)
 *   squared error              of a batch: per row y of a sample a chain over x, then colors, of d*d in double (exact
 *                              products), d = p - y in float; rows added in double, y ascending, sample after sample;
 *                              divided by the number of elements of all samples. A batch in shards: train/reduce/reduce.h
 *   dense forward              y[s][o] chain over inputs from 0; then the bias added
 *   dense data gradient        dx[s][i] chain over outputs o from 0
 *   dense weight gradient      dw[o][i] chain over the samples from 0; db[o] chain of additions over the samples
 *   batch norm                 norm/norm.h
 *   softmax cross-entropy      point/softmax.h
 *   embedding, loss of tokens  token/token.h
 *   causal self-attention      attention/attention.h
 *   norm of the gradient       in double: for each SB_ORDER_BLOCK elements SB_ORDER_LANES chains over elements i,
 *                              i mod SB_ORDER_LANES = lane, joined by adding halves onto halves, 16 -> 8 -> 4 -> 2
 *                              -> 1; the blocks' sums added one after the other. Products of two vectors: the same
 *
 * All other operations are elementwise. Their rules: below (net/prednet/prednet.h), point/activation.h, ops/optimizer/.
 * `winograd-flush`: as `winograd`, then written elements of tensors between -2^-63 and 2^-63 are 0 (ops/subnormal.h).
 */
/* clang-format on */
#pragma once

#include "ops/math.h"
#include "ops/real.h"

enum { SB_ORDER_LANES = 16, SB_ORDER_BLOCK = 4096 };

/* A NaN stays NaN, so that a run that diverged shows it. */
SB_HOST_DEVICE sb_real sb_relu(sb_real x)
{
    return x < 0 ? 0 : x;
}

/* Clip to [0, 1]; the gradient is 1 for 0 < x < 1, else 0. */
SB_HOST_DEVICE sb_real sb_clip(sb_real x)
{
    x = x < 0 ? 0 : x;
    return x > 1 ? 1 : x;
}

/* The convolutional LSTM cell at one element. i f g o: on entry the sums before the nonlinearity, on return the
 * activations. */
SB_HOST_DEVICE void sb_lstm_cell(sb_real *i, sb_real *f, sb_real *g, sb_real *o, sb_real m_i, sb_real m_f, sb_real m_o,
                                 sb_real c_old, sb_real *c_new, sb_real *h)
{
    *i = sb_sigmoid(SB_FMA(m_i, c_old, *i));
    *f = sb_sigmoid(SB_FMA(m_f, c_old, *f));
    *g = sb_tanh(*g);
    *o = sb_sigmoid(SB_FMA(m_o, c_old, *o));
    *c_new = SB_FMA(*f, c_old, *i * *g);
    *h = *o * sb_tanh(*c_new);
}

/* The gradient of the cell. i f g o: on entry activations, on return gradients before the nonlinearity. dc: on entry
 * the gradient from the next frame, on return the gradient for the previous frame. Adds to dm_*. */
SB_HOST_DEVICE void sb_lstm_cell_backward(sb_real *i, sb_real *f, sb_real *g, sb_real *o, sb_real m_i, sb_real m_f,
                                          sb_real m_o, sb_real c_old, sb_real c_new, sb_real dh, sb_real *dc,
                                          sb_real *dm_i, sb_real *dm_f, sb_real *dm_o)
{
    sb_real tanh_c = sb_tanh(c_new);
    sb_real dc_new = SB_FMA(dh * *o, SB_FMA(-tanh_c, tanh_c, 1), *dc);
    sb_real dz_i = dc_new * *g * (*i * (1 - *i));
    sb_real dz_f = dc_new * c_old * (*f * (1 - *f));
    sb_real dz_g = dc_new * *i * SB_FMA(-*g, *g, 1);
    sb_real dz_o = dh * tanh_c * (*o * (1 - *o));
    *dc = SB_FMA(dz_o, m_o, SB_FMA(dz_f, m_f, SB_FMA(dz_i, m_i, dc_new * *f)));
    *dm_i = SB_FMA(dz_i, c_old, *dm_i);
    *dm_f = SB_FMA(dz_f, c_old, *dm_f);
    *dm_o = SB_FMA(dz_o, c_old, *dm_o);
    *i = dz_i;
    *f = dz_f;
    *g = dz_g;
    *o = dz_o;
}

/* Add the lanes of a block by halves. Overwrites them. */
SB_HOST_DEVICE double sb_join_lanes(double lane[SB_ORDER_LANES])
{
    for (int half = SB_ORDER_LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++) lane[l] += lane[l + half];
    return lane[0];
}

/* Subnormal numbers are zero in an optimizer's state, by this definition, not by a mode of the CPU. They would change
 * no weight, and some CPUs need a hundred times the time for them. */
SB_HOST_DEVICE sb_real sb_flush(sb_real x)
{
    const sb_real least = (sb_real)0x1p-126;
    return x < least && x > -least ? 0 : x;
}
