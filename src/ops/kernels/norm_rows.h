/* The sums of batch norm in two kernels, for maps of many rows, where one block for each channel leaves a device
 * idle: sb_norm_row_sums forms the sums of all rows, sb_norm_chains adds them in the written order, a thread for each
 * sum. The same sums as sb_norm_statistics and sb_norm_gradients (norm.h). */
#pragma once

#include "ops/kernels/norm.h"

/* Which sums of ops/norm/norm.h: of x, of squares, or of dz and dz xhat. */
typedef enum sb_norm_pass { SB_NORM_MEANS, SB_NORM_SQUARES, SB_NORM_GRADIENTS } sb_norm_pass;

/* Sums of a row of all channels, side by side: c, of gradients 2 c, those of dz first. */
SB_HOST_DEVICE int sb_norm_columns(const sb_norm *norm, sb_norm_pass pass)
{
    return pass == SB_NORM_GRADIENTS ? 2 * norm->c : norm->c;
}

/* ---- sums of rows: a block takes contiguous rows, a thread sums one of them ---- */

typedef struct sb_norm_row_sums_args {
    sb_norm norm;
    sb_norm_maps maps;
    const sb_real *dy; /* of gradients */
    double *sums;      /* [samples][h][columns] */
    sb_norm_pass pass;
} sb_norm_row_sums_args;

enum { sb_norm_row_sums_threads = 256, sb_norm_row_sums_resident = 4 };

/* Numbers of a map that a block loads at once. One place in 32 is left free: threads that read neighboring rows of 32,
 * 16, 8 or 4 numbers then read different banks of shared memory. */
enum { SB_NORM_NUMBERS = 4096, SB_NORM_PLACES = SB_NORM_NUMBERS / 32 * 33 };

SB_HOST_DEVICE int sb_norm_number_at(int i)
{
    return i + i / 32;
}

typedef struct sb_norm_row_sums_shared {
    sb_real x[SB_NORM_PLACES], dy[SB_NORM_PLACES];
} sb_norm_row_sums_shared;

typedef struct sb_norm_row_sums_own {
    double sum, product;
} sb_norm_row_sums_own;

SB_HOST_DEVICE int sb_norm_rows_of_block(int w)
{
    const int rows = SB_NORM_NUMBERS / w;
    return rows < 1 ? 1 : rows < sb_norm_row_sums_threads ? rows : sb_norm_row_sums_threads;
}

/* Load, then sum; a row that does not fit at once in several parts. */
SB_HOST_DEVICE int sb_norm_row_sums_steps(const sb_norm_row_sums_args *k, sb_spot at)
{
    (void)at;
    return 2 * ((k->maps.w + SB_NORM_NUMBERS - 1) / SB_NORM_NUMBERS);
}

SB_HOST_DEVICE void sb_norm_load_rows(const sb_norm_row_sums_args *k, long first, int n, int thread,
                                      sb_norm_row_sums_shared *shared)
{
    for (int i = thread; i < n; i += sb_norm_row_sums_threads) {
        SB_COPY_BEGIN(&shared->x[sb_norm_number_at(i)], k->maps.x + first + i);
        if (k->pass == SB_NORM_GRADIENTS) SB_COPY_BEGIN(&shared->dy[sb_norm_number_at(i)], k->dy + first + i);
    }
    SB_COPY_CLOSE();
    SB_COPY_WAIT(0);
}

/* Go on with the sum of a row of x, or of squares: the numbers [first, first + n) in shared memory. */
SB_HOST_DEVICE double sb_norm_sum_on(const sb_norm_row_sums_args *k, long place, int first, int n, const sb_real *x,
                                     double sum)
{
    const bool squares = k->pass == SB_NORM_SQUARES;
    const sb_real mean = squares ? sb_norm_parts_of(&k->norm).mean[place] : 0;
    SB_UNROLL_4
    for (int i = first; i < first + n; i++) {
        const sb_real number = x[sb_norm_number_at(i)];
        sum = squares ? sb_norm_square(number, mean, sum) : sum + (double)number;
    }
    return sum;
}

/* The same with the two sums of gradients. */
SB_HOST_DEVICE void sb_norm_sum_gradients_on(const sb_norm_row_sums_args *k, long place, int first, int n,
                                             const sb_norm_row_sums_shared *shared, sb_norm_row_sums_own *own)
{
    const sb_norm_channel of = sb_norm_channel_at(&k->norm, place);
    SB_UNROLL_4
    for (int i = first; i < first + n; i++) {
        const sb_real x = shared->x[sb_norm_number_at(i)], dy = shared->dy[sb_norm_number_at(i)];
        const double dz = (double)sb_norm_dz(&k->norm, &of, x, dy);
        own->sum += dz;
        own->product = fma(dz, (double)sb_norm_hat(x, of.mean, of.inverse), own->product);
    }
}

SB_HOST_DEVICE void sb_norm_row_sums_step(const sb_norm_row_sums_args *k, sb_spot at, int step,
                                          sb_norm_row_sums_shared *shared, sb_norm_row_sums_own *own)
{
    const int h = k->maps.h, w = k->maps.w, c = k->norm.c, all = k->maps.samples * c * h;
    const int rows = sb_norm_rows_of_block(w), part = step / 2 * SB_NORM_NUMBERS;
    const int first = at.x * rows, n_rows = all - first < rows ? all - first : rows;
    const int left = n_rows * w - part, n = left < SB_NORM_NUMBERS ? left : SB_NORM_NUMBERS;
    if (step % 2 == 0) {
        sb_norm_load_rows(k, (long)first * w + part, n, at.thread, shared);
        return;
    }
    if (at.thread >= n_rows) return;
    const int row = first + at.thread, map = row / h, channel = map % c, sample = map / c;
    const int begin = at.thread * w, n_numbers = w < n ? w : n;
    const long place = (long)(sample % k->norm.groups) * c + channel;
    if (step == 1) own->sum = own->product = 0;
    if (k->pass == SB_NORM_GRADIENTS)
        sb_norm_sum_gradients_on(k, place, begin, n_numbers, shared, own);
    else
        own->sum = sb_norm_sum_on(k, place, begin, n_numbers, shared->x, own->sum);
    if (part + SB_NORM_NUMBERS < w) return;
    double *sums = k->sums + ((long)sample * h + row % h) * sb_norm_columns(&k->norm, k->pass);
    sums[channel] = own->sum;
    if (k->pass == SB_NORM_GRADIENTS) sums[c + channel] = own->product;
}

/* ---- sums of groups: a block takes some columns of a group, a thread adds one of them, all threads load ---- */

typedef struct sb_norm_chains_args {
    sb_norm norm;
    const double *sums; /* [samples][h][columns] */
    int samples, h, w;
    sb_norm_pass pass;
} sb_norm_chains_args;

enum { sb_norm_chains_threads = 128, sb_norm_chains_resident = 4 };
enum { SB_NORM_ACROSS = 8, SB_NORM_ABREAST = 128, SB_NORM_STAGES = 4 }; /* columns; rows of a step; steps in flight */

typedef struct sb_norm_chains_shared {
    double row[SB_NORM_STAGES][SB_NORM_ABREAST][SB_NORM_ACROSS];
} sb_norm_chains_shared;

typedef struct sb_norm_chains_own {
    double total;
} sb_norm_chains_own;

SB_HOST_DEVICE int sb_norm_chains_rows(const sb_norm_chains_args *k)
{
    return k->samples / k->norm.groups * k->h;
}

SB_HOST_DEVICE int sb_norm_chains_steps(const sb_norm_chains_args *k, sb_spot at)
{
    (void)at;
    return (sb_norm_chains_rows(k) + SB_NORM_ABREAST - 1) / SB_NORM_ABREAST + SB_NORM_STAGES - 1;
}

/* Rows [first, first + SB_NORM_ABREAST) of group at.y. */
SB_HOST_DEVICE void sb_norm_load_sums(const sb_norm_chains_args *k, sb_spot at, int first, double (*to)[SB_NORM_ACROSS])
{
    enum { ROWS = sb_norm_chains_threads / SB_NORM_ACROSS };
    const int columns = sb_norm_columns(&k->norm, k->pass), groups = k->norm.groups, rows = sb_norm_chains_rows(k);
    const int across = at.thread % SB_NORM_ACROSS, column = at.x * SB_NORM_ACROSS + across;
    for (int i = at.thread / SB_NORM_ACROSS; column < columns && i < SB_NORM_ABREAST && first + i < rows; i += ROWS) {
        const int row = first + i, sample = row / k->h * groups + at.y;
        SB_COPY_BEGIN(&to[i][across], k->sums + ((long)sample * k->h + row % k->h) * columns + column);
    }
}

SB_HOST_DEVICE void sb_norm_keep(const sb_norm_chains_args *k, int g, int column, double total)
{
    const sb_norm_parts parts = sb_norm_parts_of(&k->norm);
    const int c = k->norm.c, place = g * c + column % c;
    const double m = (double)sb_norm_chains_rows(k) * k->w;
    sb_real mean;
    if (k->pass == SB_NORM_MEANS)
        sb_norm_keep_mean(&k->norm, place, total, m, &mean);
    else if (k->pass == SB_NORM_SQUARES)
        sb_norm_keep_variance(&k->norm, place, total, m);
    else if (column < c)
        parts.sum[place] = total, parts.offset[place] = (sb_real)(total / m);
    else
        parts.product[place] = total, parts.slope[place] = (sb_real)(total / m);
}

/* Step s loads a stage, and adds the one that was loaded SB_NORM_STAGES - 1 steps before. */
SB_HOST_DEVICE void sb_norm_chains_step(const sb_norm_chains_args *k, sb_spot at, int step,
                                        sb_norm_chains_shared *shared, sb_norm_chains_own *own)
{
    const int rows = sb_norm_chains_rows(k), column = at.x * SB_NORM_ACROSS + at.thread;
    const int done = step - (SB_NORM_STAGES - 1), first = done * SB_NORM_ABREAST;
    sb_norm_load_sums(k, at, step * SB_NORM_ABREAST, shared->row[step % SB_NORM_STAGES]);
    SB_COPY_CLOSE();
    if (at.thread < SB_NORM_ACROSS && column < sb_norm_columns(&k->norm, k->pass) && done >= 0) {
        if (done == 0) own->total = 0;
        SB_UNROLL_16
        for (int r = 0; r < SB_NORM_ABREAST && first + r < rows; r++)
            own->total += shared->row[done % SB_NORM_STAGES][r][at.thread];
        if (first + SB_NORM_ABREAST >= rows) sb_norm_keep(k, at.y, column, own->total);
    }
    SB_COPY_WAIT(SB_NORM_STAGES - 2);
}
