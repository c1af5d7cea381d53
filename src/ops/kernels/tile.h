/* The arithmetic of one tile, shared by product_body.h and weight_product_body.h: a thread owns SB_M_EACH rows and
 * SB_N_EACH columns, in groups of four columns with the distance SB_N * 4 / SB_N_EACH, so that neighbors read
 * neighboring words of shared memory. No include guard: the macros change. */

enum {
    SB_NAME(across) = SB_N / SB_N_EACH,
    SB_NAME(threads) = SB_M / SB_M_EACH * SB_NAME(across),
    SB_NAME(resident) = SB_RESIDENT
};

typedef struct SB_NAME(shared) {
    alignas(16) sb_real a[SB_STAGES][SB_CHUNK][SB_M + 4];
    alignas(16) sb_real b[SB_STAGES][SB_CHUNK][SB_N + 4];
} SB_NAME(shared);

SB_HOST_DEVICE int SB_NAME(row)(int thread, int i)
{
    return sb_thread_row(thread, SB_NAME(across)) * SB_M_EACH + i;
}

SB_HOST_DEVICE int SB_NAME(column)(int thread, int j)
{
    return j / 4 * 4 * SB_NAME(across) + sb_thread_column(thread, SB_NAME(across)) * 4 + j % 4;
}

/* sum = chain over one k of a chunk; a, b: its rows in shared memory */
SB_HOST_DEVICE void SB_NAME(term)(int thread, const sb_real *a, const sb_real *b, sb_real sum[SB_M_EACH][SB_N_EACH])
{
    sb_real own_a[SB_M_EACH], own_b[SB_N_EACH];
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) own_a[i] = a[SB_NAME(row)(thread, i)];
    SB_UNROLL
    for (int j = 0; j < SB_N_EACH; j++) own_b[j] = b[SB_NAME(column)(thread, j)];
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) sum[i][j] = SB_FMA(own_a[i], own_b[j], sum[i][j]);
    }
}

/* sum = chain over the n_k terms in a stage. Whole chunks have a separate path, so that loads of one term overlap with
 * the arithmetic of another. */
SB_HOST_DEVICE void SB_NAME(work)(int thread, int stage, int n_k, const SB_NAME(shared) * shared,
                                  sb_real sum[SB_M_EACH][SB_N_EACH])
{
    if (n_k < SB_CHUNK) {
        SB_ROLL
        for (int k = 0; k < n_k; k++) SB_NAME(term)(thread, shared->a[stage][k], shared->b[stage][k], sum);
    } else {
        SB_UNROLL
        for (int k = 0; k < SB_CHUNK; k++) SB_NAME(term)(thread, shared->a[stage][k], shared->b[stage][k], sum);
    }
}
