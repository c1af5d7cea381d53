#include "paper/figures/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pixels from the axis's beginning. */
static double place_of(const sb_axis *axis, double value)
{
    double share = axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                                     : (value - axis->low) / (axis->high - axis->low);
    return share * axis->length;
}

/* Pixels along the axis that the label takes. */
static double size_of(const sb_axis *axis, double value)
{
    char text[32];
    if (axis->upright) return SB_AXIS_LINE;
    return SB_AXIS_LETTER * (double)snprintf(text, sizeof text, "%g", value);
}

/* Add the value if its label fits after the last one. False: the labels would touch. */
static bool add(const sb_axis *axis, double value, double tic[SB_AXIS_TICS], size_t *n)
{
    static const double apart = 8;
    if (value < axis->low * (1 - 1e-9) || value > axis->high + 1e-9 * fabs(axis->high)) return true;
    double place = place_of(axis, value), half = size_of(axis, value) / 2;
    if (place - half < -axis->before || place + half > axis->length + axis->after) return true;
    if (*n == SB_AXIS_TICS) return false;
    if (*n && place - half < place_of(axis, tic[*n - 1]) + size_of(axis, tic[*n - 1]) / 2 + apart) return false;
    tic[(*n)++] = value;
    return true;
}

/* Mantissas (ending with 0) at every `stride`th power of ten. 0: they do not fit. */
static size_t list_powers(const sb_axis *axis, const double *mantissa, int stride, double tic[SB_AXIS_TICS])
{
    size_t n = 0;
    int first = (int)floor(log10(axis->low));
    while (first % stride != 0) first--;
    for (int exponent = first; pow(10, exponent) <= axis->high; exponent += stride)
        for (const double *m = mantissa; *m; m++)
            if (!add(axis, *m * pow(10, exponent), tic, &n)) return 0;
    return n;
}

/* Multiples of a step. 0: they do not fit. */
static size_t list_steps(const sb_axis *axis, double step, double tic[SB_AXIS_TICS])
{
    size_t n = 0;
    for (double k = ceil(axis->low / step - 1e-9) + 0.0; k * step <= axis->high * (1 + 1e-9); k++)
        if (!add(axis, k * step, tic, &n)) return 0;
    return n;
}

/* Keep the longer of two lists. */
static void keep_longer(double best[SB_AXIS_TICS], size_t *n_best, const double tic[SB_AXIS_TICS], size_t n)
{
    if (n <= *n_best) return;
    memcpy(best, tic, n * sizeof *tic);
    *n_best = n;
}

/* The finest round steps that fit. */
static size_t find_steps(const sb_axis *axis, double best[SB_AXIS_TICS])
{
    static const double round[] = {1, 2, 5};
    int top = (int)ceil(log10(axis->high - axis->low));
    size_t n = 0;
    for (int exponent = top - 2; exponent <= top; exponent++)
        for (size_t i = 0; i < sizeof round / sizeof *round; i++) {
            double tic[SB_AXIS_TICS];
            keep_longer(best, &n, tic, list_steps(axis, round[i] * pow(10, exponent), tic));
        }
    return n;
}

size_t sb_axis_tics(const sb_axis *axis, double best[SB_AXIS_TICS])
{
    static const double lists[][8] = {{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5}, {1, 1.5, 2, 3, 4, 5, 7}};
    size_t n = 0;
    if (!(axis->low < axis->high) || !isfinite(axis->high - axis->low)) return 0;
    if (!axis->logarithmic) return find_steps(axis, best);
    if (!(axis->low > 0)) return 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (int stride = i == 0 ? 4 : 1; stride > 0; stride--) {
            double tic[SB_AXIS_TICS];
            keep_longer(best, &n, tic, list_powers(axis, lists[i], stride, tic));
        }
    double tic[SB_AXIS_TICS];
    if (axis->high / axis->low < 4) keep_longer(best, &n, tic, find_steps(axis, tic)); /* nearly linear */
    return n;
}
