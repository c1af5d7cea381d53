/* Pooling that takes the last of equal numbers, and the sums of loss and norm in the order that was drawn. */
#include "ops/imitate/kernels.h"
#include "ops/point/pool.h"

/* As pool_forward of point_native.c, but for the ties of positive numbers. */
static void pool_forward(sb_ops *ops, const sb_tensor *y, sb_tensor *a, uint8_t *choice)
{
    (void)ops;
    sb_pool_windows(SB_POOL_LAST_POSITIVE, 2, 2, y, a, choice);
}

/* In double, as loss_native.c: the products are exact, so that there is nothing to leave unfused. */
static void loss_forward(sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, double *loss)
{
    const int n_row = p->w * p->c, n_rows = p->n * p->h;
    const sb_orders orders = sb_imitation_draw(ops, 1, &n_row, n_rows);
    if (!orders.first) return;
#pragma omp single
    {
        double total = 0;
        for (int i = 0; i < n_rows; i++) {
            const size_t first = (size_t)orders.second[i] * (size_t)n_row;
            double sum = 0;
            for (int k = 0; k < n_row; k++) {
                const double d = p->x[first + orders.first[k]] - y->x[first + orders.first[k]];
                sum = fma(d, d, sum);
            }
            total += sum;
        }
        *loss = total / (double)n_mean;
    }
}

/* The terms of each block in one order, the blocks in another. */
static void norm2(sb_ops *ops, size_t n, const sb_real *g, double *sum)
{
    const int block = SB_ORDER_BLOCK, n_blocks = (int)((n + SB_ORDER_BLOCK - 1) / SB_ORDER_BLOCK);
    const sb_orders orders = sb_imitation_draw(ops, 1, &block, n_blocks);
    if (!orders.first) return;
#pragma omp single
    {
        double total = 0;
        for (int b = 0; b < n_blocks; b++) {
            const size_t first = (size_t)orders.second[b] * SB_ORDER_BLOCK;
            double of_block = 0;
            for (int k = 0; k < block; k++) {
                const size_t i = first + orders.first[k];
                if (i < n) of_block = fma((double)g[i], (double)g[i], of_block);
            }
            total += of_block;
        }
        *sum = total;
    }
}

void SB_NATIVE(sb_point_imitated)(sb_ops *ops, unsigned set)
{
    if (set & SB_IMITATED_TIES) ops->pool_forward = pool_forward;
    if (set & SB_IMITATED_ATOMICS) ops->loss_forward = loss_forward, ops->norm2 = norm2;
}
