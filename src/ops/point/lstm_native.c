/* The convolutional LSTM cell of the native backend: one pass over the elements of each sample. A thread has the same
 * elements of every sample, so that it may add all their gradients of the peepholes. */
#include "ops/native.h"

static void forward_of_sample(const sb_tensor *gates, const sb_tensor *peephole, const sb_real *old, sb_real *new,
                              sb_real *out)
{
    long n = (long)sb_tensor_sample(peephole) / 3;
    sb_real *i = gates->x, *f = i + n, *g = f + n, *o = g + n;
    const sb_real *m_i = peephole->x, *m_f = m_i + n, *m_o = m_f + n;
#pragma omp for simd schedule(static) nowait
    for (long k = 0; k < n; k++) {
        sb_real z_i = i[k], z_f = f[k], z_g = g[k], z_o = o[k], c_k, h_k;
        sb_lstm_cell(&z_i, &z_f, &z_g, &z_o, m_i[k], m_f[k], m_o[k], old[k], &c_k, &h_k);
        i[k] = z_i, f[k] = z_f, g[k] = z_g, o[k] = z_o;
        new[k] = c_k, out[k] = h_k;
    }
}

static void lstm_forward(sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old, sb_tensor *c,
                         sb_tensor *h)
{
    (void)ops;
    for (int sample = 0; sample < c->n; sample++) {
        const sb_tensor one = sb_tensor_at(gates, sample);
        forward_of_sample(&one, peephole, sb_tensor_at(c_old, sample).x, sb_tensor_at(c, sample).x,
                          sb_tensor_at(h, sample).x);
    }
#pragma omp barrier
}

/* What the gradient of one sample reads, each of n elements for each gate. */
typedef struct cell {
    sb_real *gates, *d_cell;
    const sb_real *old, *new, *d_out;
} cell;

static void backward_of_sample(const cell *at, const sb_tensor *peephole, sb_tensor *dpeephole)
{
    long n = (long)sb_tensor_sample(peephole) / 3;
    sb_real *i = at->gates, *f = i + n, *g = f + n, *o = g + n;
    const sb_real *m_i = peephole->x, *m_f = m_i + n, *m_o = m_f + n;
    sb_real *dm_i = dpeephole->x, *dm_f = dm_i + n, *dm_o = dm_f + n;
    const sb_real *old = at->old, *new = at->new, *d_out = at->d_out;
    sb_real *d_cell = at->d_cell;
#pragma omp for simd schedule(static) nowait
    for (long k = 0; k < n; k++) {
        sb_real d_i = i[k], d_f = f[k], d_g = g[k], d_o = o[k], d_c = d_cell[k];
        sb_real s_i = dm_i[k], s_f = dm_f[k], s_o = dm_o[k];
        sb_lstm_cell_backward(&d_i, &d_f, &d_g, &d_o, m_i[k], m_f[k], m_o[k], old[k], new[k], d_out[k], &d_c, &s_i,
                              &s_f, &s_o);
        i[k] = d_i, f[k] = d_f, g[k] = d_g, o[k] = d_o;
        d_cell[k] = d_c;
        dm_i[k] = s_i, dm_f[k] = s_f, dm_o[k] = s_o;
    }
}

static void lstm_backward(sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old,
                          const sb_tensor *c, const sb_tensor *dh, sb_tensor *dc, sb_tensor *dpeephole)
{
    (void)ops;
    for (int sample = 0; sample < c->n; sample++) {
        const cell at = {sb_tensor_at(gates, sample).x, sb_tensor_at(dc, sample).x, sb_tensor_at(c_old, sample).x,
                         sb_tensor_at(c, sample).x, sb_tensor_at(dh, sample).x};
        backward_of_sample(&at, peephole, dpeephole);
    }
#pragma omp barrier
}

void SB_NATIVE(sb_lstm_native)(sb_ops *ops)
{
    ops->lstm_forward = lstm_forward;
    ops->lstm_backward = lstm_backward;
}
