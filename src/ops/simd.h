/* Vectors of the instruction set this file is compiled for. Lanes only ever split outputs, so their number changes no
 * bit. The plain variant has four lanes in a struct and no intrinsics; it is also what the float64 build uses.
 *
 * Sources that include this are compiled once per instruction set; SB_NATIVE(name) gives each its own symbol.
 */
#ifndef SB_OPS_SIMD_H
#define SB_OPS_SIMD_H

#include "ops/real.h"

#define SB_PASTE_(a, b) a##_##b
#define SB_PASTE(a, b)  SB_PASTE_(a, b)
#define SB_NATIVE(name) SB_PASTE(name, SB_ISA)

#if defined(__AVX512F__) && !defined(SB_REAL_IS_DOUBLE)

#include <immintrin.h>
typedef __m512 sb_vec;
enum { SB_LANES = 16, SB_TILE_ROWS = 8 };
static inline sb_vec sb_vec_load(const float *p)
{
    return _mm512_loadu_ps(p);
}
static inline void sb_vec_store(float *p, sb_vec v)
{
    _mm512_storeu_ps(p, v);
}
static inline sb_vec sb_vec_all(float x)
{
    return _mm512_set1_ps(x);
}
static inline sb_vec sb_vec_fma(sb_vec a, sb_vec b, sb_vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}
static inline sb_vec sb_vec_add(sb_vec a, sb_vec b)
{
    return _mm512_add_ps(a, b);
}

#elif defined(__AVX2__) && defined(__FMA__) && !defined(SB_REAL_IS_DOUBLE)

#include <immintrin.h>
typedef __m256 sb_vec;
enum { SB_LANES = 8, SB_TILE_ROWS = 4 };
static inline sb_vec sb_vec_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
static inline void sb_vec_store(float *p, sb_vec v)
{
    _mm256_storeu_ps(p, v);
}
static inline sb_vec sb_vec_all(float x)
{
    return _mm256_set1_ps(x);
}
static inline sb_vec sb_vec_fma(sb_vec a, sb_vec b, sb_vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}
static inline sb_vec sb_vec_add(sb_vec a, sb_vec b)
{
    return _mm256_add_ps(a, b);
}

#else

typedef struct sb_vec {
    sb_real lane[4];
} sb_vec;
enum { SB_LANES = 4, SB_TILE_ROWS = 2 };

static inline sb_vec sb_vec_load(const sb_real *p)
{
    return (sb_vec){{p[0], p[1], p[2], p[3]}};
}

static inline void sb_vec_store(sb_real *p, sb_vec v)
{
    for (int l = 0; l < SB_LANES; l++) p[l] = v.lane[l];
}

static inline sb_vec sb_vec_all(sb_real x)
{
    return (sb_vec){{x, x, x, x}};
}

static inline sb_vec sb_vec_fma(sb_vec a, sb_vec b, sb_vec c)
{
    for (int l = 0; l < SB_LANES; l++) c.lane[l] = SB_FMA(a.lane[l], b.lane[l], c.lane[l]);
    return c;
}

static inline sb_vec sb_vec_add(sb_vec a, sb_vec b)
{
    for (int l = 0; l < SB_LANES; l++) a.lane[l] += b.lane[l];
    return a;
}

#endif

/* The micro-kernel works on tiles of up to SB_TILE_ROWS rows by SB_TILE_VECS vectors. */
enum { SB_TILE_VECS = 3, SB_TILE_COLUMNS = SB_TILE_VECS * SB_LANES };

#endif
