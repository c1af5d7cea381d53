/* The convolutional LSTM cell of the native backend: one pass over the elements. */
#include "ops/native.h"

static void lstm_forward(sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old, sb_tensor *c,
                         sb_tensor *h)
{
    (void)ops;
    long n = (long)sb_tensor_size(c);
    sb_real *i = gates->x, *f = i + n, *g = f + n, *o = g + n;
    const sb_real *m_i = peephole->x, *m_f = m_i + n, *m_o = m_f + n;
    const sb_real *old = c_old->x;
    sb_real *new = c->x, *out = h->x;
#pragma omp for simd schedule(static)
    for (long k = 0; k < n; k++) {
        sb_real z_i = i[k], z_f = f[k], z_g = g[k], z_o = o[k], c_k, h_k;
        sb_lstm_cell(&z_i, &z_f, &z_g, &z_o, m_i[k], m_f[k], m_o[k], old[k], &c_k, &h_k);
        i[k] = z_i, f[k] = z_f, g[k] = z_g, o[k] = z_o;
        new[k] = c_k, out[k] = h_k;
    }
}

static void lstm_backward(sb_ops *ops, sb_tensor *gates, const sb_tensor *peephole, const sb_tensor *c_old,
                          const sb_tensor *c, const sb_tensor *dh, sb_tensor *dc, sb_tensor *dpeephole)
{
    (void)ops;
    long n = (long)sb_tensor_size(c);
    sb_real *i = gates->x, *f = i + n, *g = f + n, *o = g + n;
    const sb_real *m_i = peephole->x, *m_f = m_i + n, *m_o = m_f + n;
    sb_real *dm_i = dpeephole->x, *dm_f = dm_i + n, *dm_o = dm_f + n;
    const sb_real *old = c_old->x, *new = c->x, *d_out = dh->x;
    sb_real *d_cell = dc->x;
#pragma omp for simd schedule(static)
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

void SB_NATIVE(sb_lstm_native)(sb_ops *ops)
{
    ops->lstm_forward = lstm_forward;
    ops->lstm_backward = lstm_backward;
}
