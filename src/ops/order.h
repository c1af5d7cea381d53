/* clang-format off */
/* The written order: what each element of each result is, down to the last rounding. Kernels for any instruction set
 * and any device may walk the outputs as they like, but each output is computed exactly as written here. That is what
 * "same bits" means.
 *
 * Samples. A tensor holds a batch of n samples. What is computed of each sample is written for one: no sample changes a
 * bit of another. A sum over samples takes them ascending, s = 0, 1, ... n - 1. Where a network adds up frames as well
 * (the time steps of a window), they come from the last to the first and within each frame the samples ascending: that
 * is what an operation gives that is called once for a frame, and what conv_weight_gradient gives of many at once. In
 * parts of a batch (data-parallel shards) the same holds for the samples of each part, as if they were the batch.
 *
 * Chains. A chain is a sequence of fused multiply-adds into one accumulator, s = fma(a_k, b_k, s), k ascending. Stored
 * to memory and loaded again it is the same accumulator. Terms that the zero padding makes zero may be left out.
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
 *                              of the tile below to the last; then horizontally, likewise with the tiles left and
 *                              right; absent neighbours count as zero. Through an upsampling: as for `direct`, with the
 *                              points that are zero left out
 *     weight gradient          dU[p][i][o] chain over frames from the last to the first, samples, and tiles of
 *                              V[p][t][i] M[p][t][o]; then the adjoint of the weight transform
 *   bias gradient              db[o]: for each frame from the last to the first, for each sample, for each row: a chain
 *                              of additions over x from 0; the sums of the rows are added to db, y ascending
 *   peephole gradient          dm[c][p]: chain over the frames from the last to the first and the samples,
 *                              dm = fma(dz, c_old, dm)
 *   squared error              of a batch: per row y of a sample a chain over x, then colours, of d*d in double (exact
 *                              products), d = p - y in float; rows added in double, y ascending, sample after sample;
 *                              divided by the number of elements of all samples. A batch in shards: train/reduce/reduce.h
 *   dense forward              y[s][o] chain over inputs from 0; then the bias added
 *   dense data gradient        dx[s][i] chain over outputs o from 0
 *   dense weight gradient      dw[o][i] chain over the samples from 0; db[o] chain of additions over the samples
 *   batch norm                 norm/norm.h
 *   softmax cross-entropy      point/softmax.h
 *   norm of the gradient       in double: for each SB_ORDER_BLOCK elements SB_ORDER_LANES chains over elements i,
 *                              i mod SB_ORDER_LANES = lane, joined by adding halves onto halves, 16 -> 8 -> 4 -> 2
 *                              -> 1; the blocks' sums added one after the other. Products of two vectors likewise
 *
 * Everything else is elementwise; its rules follow, with the formula's source in net/prednet/prednet.h; those of the
 * activations are in point/activation.h, of the optimizers in ops/optimizer/.
 */
/* clang-format on */
#ifndef SB_OPS_ORDER_H
#define SB_OPS_ORDER_H

#include "ops/math.h"
#include "ops/real.h"

enum { SB_ORDER_LANES = 16, SB_ORDER_BLOCK = 4096 };

/* Written so that a NaN stays one: a run that went wrong must show it. */
SB_HOST_DEVICE sb_real sb_relu(sb_real x)
{
    return x < 0 ? 0 : x;
}

/* Clip to [0, 1]; its gradient is 1 strictly inside. */
SB_HOST_DEVICE sb_real sb_clip(sb_real x)
{
    x = x < 0 ? 0 : x;
    return x > 1 ? 1 : x;
}

/* The convolutional LSTM cell at one element. i f g o: in, sums before the nonlinearity; out, the activations. */
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

/* Its gradient. i f g o: in, activations; out, gradients before the nonlinearity. dc: in, what the next frame passed
 * back; out, what goes to the frame before. dm_*: accumulated. */
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

/* Join the lanes of a block; they are overwritten. */
SB_HOST_DEVICE double sb_join_lanes(double lane[SB_ORDER_LANES])
{
    for (int half = SB_ORDER_LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++) lane[l] += lane[l + half];
    return lane[0];
}

/* Numbers below the smallest normal one are zero in an optimizer's state: by this definition, not by a mode of the CPU.
 * They would change no weight, and on some CPUs cost a hundred times the time. */
SB_HOST_DEVICE sb_real sb_flush(sb_real x)
{
    const sb_real least = (sb_real)0x1p-126;
    return x < least && x > -least ? 0 : x;
}

#endif
