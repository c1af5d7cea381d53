/* The transforms of Winograd's minimal filtering F(4x4, 3x3) (Lavin and Gray, CVPR 2016), with interpolation points
 * 0, 1, -1, 2, -2 and infinity, in one written order of operations. Written once as macros over a type with + - and an
 * fma, for scalars (any device) and for vectors whose lanes are channels.
 *
 *     Y = A^T [ (G g G^T) . (B^T d B) ] A        d: 6x6 inputs, g: 3x3 weights, Y: 4x4 outputs
 *
 * The gradients use the adjoints of the same transforms:
 *     M = A dY A^T;   dg = G^T [ M . (B^T d B) ] G;   dd = B [ M . (G g G^T) ] B^T
 *
 * Two dimensions: first along the rows' index (vertically) for each column, then along the columns' index.
 *
 * Error against the plain sum: below 3 (n + 50) epsilon X W, n terms (input channels * 9) of inputs up to X and weights
 * up to W; tests/test_conv*.c check every convolution and both gradients against it. The worst case is much larger:
 * among 3 * 10^6 outputs of random numbers and of powers of two the largest errors were 93, 138, 294, 922 and 3482
 * epsilon X W at n = 10, 46, 163, 451 and 1729 (SB_SURVEY_SEEDS=60 test_conv).
 *
 * A tile of an upsampled map has d1 = d2 and d3 = d4, vertically and horizontally; then the component of point -1 is
 * zero, exactly: 11 of the 36 products need not be formed (SB_WINOGRAD_SKIPS).
 */
#pragma once

#include "ops/real.h"

enum { SB_WINOGRAD_TILE = 4, SB_WINOGRAD_POINTS = 36 };

/* Point p = 6 i + j of an upsampled input is zero. */
#define SB_WINOGRAD_SKIPS(p) ((p) / 6 == 2 || (p) % 6 == 2)

/* Defines name_input (B^T d), name_input_adjoint (B o), name_output (A^T m), name_output_adjoint (A y), name_weight
 * (G g) and name_weight_adjoint (G^T u) over `type`; `all` makes one of a constant. Inputs are a base and a step. */
#define SB_WINOGRAD_DEFINE(name, type, fma_, all, qualifiers)                                                          \
    qualifiers void name##_input(const type *d, int step, type *o)                                                     \
    {                                                                                                                  \
        const type d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step], d5 = d[5 * step];    \
        const type two = d3 - d1, rest = d4 - d2;                                                                      \
        o[0] = fma_(all(4), d0, fma_(all(-5), d2, d4));                                                                \
        o[step] = fma_(all(-4), d1 + d2, d3 + d4);                                                                     \
        o[2 * step] = fma_(all(4), d1 - d2, d4 - d3);                                                                  \
        o[3 * step] = fma_(all(2), two, rest);                                                                         \
        o[4 * step] = fma_(all(-2), two, rest);                                                                        \
        o[5 * step] = fma_(all(4), d1, fma_(all(-5), d3, d5));                                                         \
    }                                                                                                                  \
    qualifiers void name##_input_adjoint(const type *o, int step, type *d)                                             \
    {                                                                                                                  \
        const type o0 = o[0], o1 = o[step], o2 = o[2 * step], o3 = o[3 * step], o4 = o[4 * step], o5 = o[5 * step];    \
        const type sum1 = o1 + o2, sum2 = o3 + o4, difference1 = o1 - o2, difference2 = o3 - o4;                       \
        d[0] = all(4) * o0;                                                                                            \
        d[step] = fma_(all(-2), difference2, all(4) * (o5 - difference1));                                             \
        d[2 * step] = fma_(all(-5), o0, fma_(all(-4), sum1, all(0) - sum2));                                           \
        d[3 * step] = fma_(all(-5), o5, fma_(all(2), difference2, difference1));                                       \
        d[4 * step] = o0 + (sum1 + sum2);                                                                              \
        d[5 * step] = o5;                                                                                              \
    }                                                                                                                  \
    qualifiers void name##_output(const type *m, int step, type *y, int y_step)                                        \
    {                                                                                                                  \
        const type m0 = m[0], m1 = m[step], m2 = m[2 * step], m3 = m[3 * step], m4 = m[4 * step], m5 = m[5 * step];    \
        const type sum1 = m1 + m2, sum2 = m3 + m4, difference1 = m1 - m2, difference2 = m3 - m4;                       \
        y[0] = (m0 + sum1) + sum2;                                                                                     \
        y[y_step] = fma_(all(2), difference2, difference1);                                                            \
        y[2 * y_step] = fma_(all(4), sum2, sum1);                                                                      \
        y[3 * y_step] = fma_(all(8), difference2, difference1) + m5;                                                   \
    }                                                                                                                  \
    qualifiers void name##_output_adjoint(const type *y, int y_step, type *m, int step)                                \
    {                                                                                                                  \
        const type y0 = y[0], y1 = y[y_step], y2 = y[2 * y_step], y3 = y[3 * y_step];                                  \
        const type even1 = y0 + y2, odd1 = y1 + y3;                                                                    \
        const type even2 = fma_(all(4), y2, y0), odd2 = fma_(all(8), y3, all(2) * y1);                                 \
        m[0] = y0;                                                                                                     \
        m[step] = even1 + odd1;                                                                                        \
        m[2 * step] = even1 - odd1;                                                                                    \
        m[3 * step] = even2 + odd2;                                                                                    \
        m[4 * step] = even2 - odd2;                                                                                    \
        m[5 * step] = y3;                                                                                              \
    }                                                                                                                  \
    qualifiers void name##_weight(const type *g, int g_step, type *u, int step)                                        \
    {                                                                                                                  \
        const type g0 = g[0], g1 = g[g_step], g2 = g[2 * g_step];                                                      \
        const type even1 = g0 + g2, even2 = fma_(all(4), g2, g0);                                                      \
        u[0] = all((sb_real)0.25) * g0;                                                                                \
        u[step] = all((sb_real)(-1.0 / 6)) * (even1 + g1);                                                             \
        u[2 * step] = all((sb_real)(-1.0 / 6)) * (even1 - g1);                                                         \
        u[3 * step] = all((sb_real)(1.0 / 24)) * fma_(all(2), g1, even2);                                              \
        u[4 * step] = all((sb_real)(1.0 / 24)) * fma_(all(-2), g1, even2);                                             \
        u[5 * step] = g2;                                                                                              \
    }                                                                                                                  \
    qualifiers void name##_weight_adjoint(const type *u, int step, type *g, int g_step)                                \
    {                                                                                                                  \
        const type u0 = u[0], u1 = u[step], u2 = u[2 * step], u3 = u[3 * step], u4 = u[4 * step], u5 = u[5 * step];    \
        const type sum1 = u1 + u2, sum2 = u3 + u4, difference1 = u1 - u2, difference2 = u3 - u4;                       \
        g[0] = fma_(all((sb_real)0.25), u0, fma_(all((sb_real)(-1.0 / 6)), sum1, all((sb_real)(1.0 / 24)) * sum2));    \
        g[g_step] = fma_(all((sb_real)(-1.0 / 6)), difference1, all((sb_real)(1.0 / 12)) * difference2);               \
        g[2 * g_step] = fma_(all((sb_real)(-1.0 / 6)), sum1, fma_(all((sb_real)(1.0 / 6)), sum2, u5));                 \
    }
