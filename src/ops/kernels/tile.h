/* The arithmetic of one tile, shared by product_body.h and weight_product_body.h: thread t owns SB_M_EACH rows and
 * SB_N_EACH columns, in groups of four columns that lie SB_N * 4 / SB_N_EACH apart, so that neighbours read neighbouring
 * words of shared memory. No include guard: the macros change. */

enum { SB_NAME(threads) = SB_M / SB_M_EACH * (SB_N / SB_N_EACH) };

typedef struct SB_NAME(shared) {
    sb_real a[2][SB_CHUNK][SB_M + 4];
    sb_real b[2][SB_CHUNK][SB_N + 4];
} SB_NAME(shared);

SB_HEART int SB_NAME(row)(int thread, int i)
{
    return thread / (SB_N / SB_N_EACH) * SB_M_EACH + i;
}

SB_HEART int SB_NAME(column)(int thread, int j)
{
    return j / 4 * (4 * SB_N / SB_N_EACH) + thread % (SB_N / SB_N_EACH) * 4 + j % 4;
}

/* sum = chain over k < n_k of the chunk in half `half` */
SB_HEART void SB_NAME(work)(int thread, int half, int n_k, const SB_NAME(shared) * shared,
                            sb_real sum[SB_M_EACH][SB_N_EACH])
{
    SB_UNROLL
    for (int k = 0; k < SB_CHUNK; k++) {
        sb_real a[SB_M_EACH], b[SB_N_EACH];
        if (k >= n_k) break;
        SB_UNROLL
        for (int i = 0; i < SB_M_EACH; i++) a[i] = shared->a[half][k][SB_NAME(row)(thread, i)];
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) b[j] = shared->b[half][k][SB_NAME(column)(thread, j)];
        SB_UNROLL
        for (int i = 0; i < SB_M_EACH; i++) {
            SB_UNROLL
            for (int j = 0; j < SB_N_EACH; j++) sum[i][j] = SB_FMA(a[i], b[j], sum[i][j]);
        }
    }
}
