/* Vectors of the instruction set this file is compiled for. Lanes only ever split outputs, so their number changes no
 * bit. sb_vec takes the operators + - * of C; everything else is named here. The plain variant has no intrinsics; it is
 * also what the float64 build uses.
 *
 * Sources that include this are compiled once per instruction set; SB_NATIVE(name) gives each its own symbol.
 */
#pragma once

#include "ops/real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SB_PASTE_(a, b) a##_##b
#define SB_PASTE(a, b)  SB_PASTE_(a, b)
#define SB_NATIVE(name) SB_PASTE(name, SB_ISA)

/* The first n lanes, 1 <= n <= SB_LANES: sb_vec_load_n reads zeros after them, sb_vec_store_n leaves memory alone.
 * sb_vec_stream stores a whole vector past the caches, to an address aligned for it; sb_stream_end before others read.
 * sb_vec_interleave_low(a, b) is a0 b0 a1 b1 ..., _high the second half of that. */

#if defined(__AVX512F__) && !defined(SB_REAL_IS_DOUBLE)

#include <immintrin.h>
typedef __m512 sb_vec;
#define SB_TILE_ROWS_MAX 14
#define SB_TILE_VECS_MAX 2
enum { SB_LANES = 16, SB_PREFETCH_VECS = 1 };

static inline sb_vec sb_vec_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void sb_vec_store(float *p, sb_vec v)
{
    _mm512_storeu_ps(p, v);
}

static inline sb_vec sb_vec_load_n(const float *p, int n)
{
    return _mm512_maskz_loadu_ps((__mmask16)(0xffffu >> (16 - n)), p);
}

static inline void sb_vec_store_n(float *p, sb_vec v, int n)
{
    _mm512_mask_storeu_ps(p, (__mmask16)(0xffffu >> (16 - n)), v);
}

static inline void sb_vec_stream(float *p, sb_vec v)
{
    _mm512_stream_ps(p, v);
}

static inline sb_vec sb_vec_all(float x)
{
    return _mm512_set1_ps(x);
}

/* By intrinsics: the compiler's conversion of bytes took three times as long, 83 in place of 28 ms of an update of
 * ResNet-9. */
#define SB_VEC_BYTES
static inline sb_vec sb_vec_load_bytes(const uint8_t *p, int n)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8((__mmask16)(0xffffu >> (16 - n)), p)));
}

static inline void sb_vec_store_bytes(uint8_t *p, sb_vec v, int n)
{
    _mm512_mask_cvtepi32_storeu_epi8(p, (__mmask16)(0xffffu >> (16 - n)), _mm512_cvtps_epi32(v));
}

static inline sb_vec sb_vec_fma(sb_vec a, sb_vec b, sb_vec c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline sb_vec sb_vec_interleave_low(sb_vec a, sb_vec b)
{
    return _mm512_permutex2var_ps(a, _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), b);
}

static inline sb_vec sb_vec_interleave_high(sb_vec a, sb_vec b)
{
    return _mm512_permutex2var_ps(a, _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
                                  b);
}

#elif defined(__AVX2__) && defined(__FMA__) && !defined(SB_REAL_IS_DOUBLE)

#include <immintrin.h>
typedef __m256 sb_vec;
#define SB_TILE_ROWS_MAX 6
#define SB_TILE_VECS_MAX 2
enum { SB_LANES = 8, SB_PREFETCH_VECS = 1 };

static inline sb_vec sb_vec_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void sb_vec_store(float *p, sb_vec v)
{
    _mm256_storeu_ps(p, v);
}

static inline __m256i sb_vec_mask(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* Whole vectors without a mask: some CPUs take ten times as long to store under one. */
static inline sb_vec sb_vec_load_n(const float *p, int n)
{
    return n == SB_LANES ? _mm256_loadu_ps(p) : _mm256_maskload_ps(p, sb_vec_mask(n));
}

static inline void sb_vec_store_n(float *p, sb_vec v, int n)
{
    if (n == SB_LANES)
        _mm256_storeu_ps(p, v);
    else
        _mm256_maskstore_ps(p, sb_vec_mask(n), v);
}

static inline void sb_vec_stream(float *p, sb_vec v)
{
    _mm256_stream_ps(p, v);
}

static inline sb_vec sb_vec_all(float x)
{
    return _mm256_set1_ps(x);
}

static inline sb_vec sb_vec_fma(sb_vec a, sb_vec b, sb_vec c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline sb_vec sb_vec_interleave_low(sb_vec a, sb_vec b)
{
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x20);
}

static inline sb_vec sb_vec_interleave_high(sb_vec a, sb_vec b)
{
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x31);
}

/* By intrinsics, as above: the compiler takes the lanes one by one. */
#define SB_VEC_BYTES
static inline sb_vec sb_vec_load_bytes(const uint8_t *p, int n)
{
    uint64_t all = 0;
    if (n == SB_LANES)
        __builtin_memcpy(&all, p, sizeof all);
    else
        for (int l = 0; l < n; l++) all |= (uint64_t)p[l] << (8 * l);
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)all)));
}

static inline void sb_vec_store_bytes(uint8_t *p, sb_vec v, int n)
{
    const __m256i whole = _mm256_cvtps_epi32(v);
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    const uint64_t all = (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(words, words));
    if (n == SB_LANES)
        __builtin_memcpy(p, &all, sizeof all);
    else
        for (int l = 0; l < n; l++) p[l] = (uint8_t)(all >> (8 * l));
}

#elif defined(SB_NEON) && !defined(SB_REAL_IS_DOUBLE)

#include <arm_neon.h>
typedef float32x4_t sb_vec;
#define SB_TILE_ROWS_MAX 6
#define SB_TILE_VECS_MAX 4
enum { SB_LANES = 4, SB_PREFETCH_VECS = 4 };

static inline sb_vec sb_vec_load(const float *p)
{
    return vld1q_f32(p);
}

static inline void sb_vec_store(float *p, sb_vec v)
{
    vst1q_f32(p, v);
}

static inline sb_vec sb_vec_load_n(const float *p, int n)
{
    const float32x2_t zero = vdup_n_f32(0);
    if (n == 4) return vld1q_f32(p);
    if (n == 3) return vcombine_f32(vld1_f32(p), vld1_lane_f32(p + 2, zero, 0));
    return vcombine_f32(n == 2 ? vld1_f32(p) : vld1_lane_f32(p, zero, 0), zero);
}

static inline void sb_vec_store_n(float *p, sb_vec v, int n)
{
    if (n == 4) vst1q_f32(p, v);
    if (n == 2 || n == 3) vst1_f32(p, vget_low_f32(v));
    if (n == 3) vst1q_lane_f32(p + 2, v, 2);
    if (n == 1) vst1q_lane_f32(p, v, 0);
}

static inline void sb_vec_stream(float *p, sb_vec v)
{
    vst1q_f32(p, v);
}

static inline sb_vec sb_vec_all(float x)
{
    return vdupq_n_f32(x);
}

static inline sb_vec sb_vec_fma(sb_vec a, sb_vec b, sb_vec c)
{
    return vfmaq_f32(c, a, b);
}

static inline sb_vec sb_vec_interleave_low(sb_vec a, sb_vec b)
{
    return vzip1q_f32(a, b);
}

static inline sb_vec sb_vec_interleave_high(sb_vec a, sb_vec b)
{
    return vzip2q_f32(a, b);
}

#else

#include <string.h>

#define SB_TILE_ROWS_MAX 2
#define SB_TILE_VECS_MAX 2
enum {
    SB_LANES = 16 / sizeof(sb_real),
    SB_PREFETCH_VECS = 1
}; /* 16 bytes: what every x86-64 and Arm has registers for */
typedef sb_real sb_vec __attribute__((vector_size(16)));

static inline sb_vec sb_vec_load(const sb_real *p)
{
    sb_vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void sb_vec_store(sb_real *p, sb_vec v)
{
    memcpy(p, &v, sizeof v);
}

static inline sb_vec sb_vec_load_n(const sb_real *p, int n)
{
    sb_vec v = {0};
    for (int l = 0; l < n; l++) v[l] = p[l];
    return v;
}

static inline void sb_vec_store_n(sb_real *p, sb_vec v, int n)
{
    for (int l = 0; l < n; l++) p[l] = v[l];
}

static inline void sb_vec_stream(sb_real *p, sb_vec v)
{
    memcpy(p, &v, sizeof v);
}

static inline sb_vec sb_vec_all(sb_real x)
{
    sb_vec v;
    for (int l = 0; l < SB_LANES; l++) v[l] = x;
    return v;
}

static inline sb_vec sb_vec_fma(sb_vec a, sb_vec b, sb_vec c)
{
    for (int l = 0; l < SB_LANES; l++) c[l] = SB_FMA(a[l], b[l], c[l]);
    return c;
}

static inline sb_vec sb_vec_interleave_low(sb_vec a, sb_vec b)
{
    sb_vec v = a;
    for (int l = 0; l < SB_LANES; l++) v[l] = l % 2 ? b[l / 2] : a[l / 2];
    return v;
}

static inline sb_vec sb_vec_interleave_high(sb_vec a, sb_vec b)
{
    sb_vec v = b;
    for (int l = 0; l < SB_LANES; l++) v[l] = l % 2 ? b[(SB_LANES + l) / 2] : a[(SB_LANES + l) / 2];
    return v;
}

#endif

/* What a comparison of vectors gives: all bits of a lane, or none. */
typedef __typeof__((sb_vec){0} > (sb_vec){0}) sb_mask;

/* The lanes of a where the mask is set, else the lanes of b. */
static inline sb_vec sb_vec_choose(sb_mask mask, sb_vec a, sb_vec b)
{
    return (sb_vec)((mask & (sb_mask)a) | (~mask & (sb_mask)b));
}

/* The first n bytes as numbers, zeros after them; and the first n lanes, whole numbers from 0 to 255, as bytes. */
#ifndef SB_VEC_BYTES
typedef uint8_t sb_vec_bytes __attribute__((vector_size(SB_LANES)));

static inline sb_vec sb_vec_load_bytes(const uint8_t *p, int n)
{
    sb_vec_bytes all = {0};
    if (n == SB_LANES)
        __builtin_memcpy(&all, p, sizeof all);
    else
        for (int l = 0; l < n; l++) all[l] = p[l];
    return __builtin_convertvector(__builtin_convertvector(all, sb_mask), sb_vec);
}

static inline void sb_vec_store_bytes(uint8_t *p, sb_vec v, int n)
{
    const sb_vec_bytes all = __builtin_convertvector(__builtin_convertvector(v, sb_mask), sb_vec_bytes);
    if (n == SB_LANES)
        __builtin_memcpy(p, &all, sizeof all);
    else
        for (int l = 0; l < n; l++) p[l] = all[l];
}
#endif

/* May rows of whole vectors from `to` on be stored by sb_vec_stream, and is that worth it? Only where a vector is a whole
 * cache line: stored in halves it takes twice as long as plain stores. */
static inline bool sb_vec_streams(const sb_real *to, size_t row)
{
    enum { LINE_BYTES = 64 };
    return sizeof(sb_vec) == LINE_BYTES && row % SB_LANES == 0 && (uintptr_t)to % sizeof(sb_vec) == 0;
}

static inline void sb_stream_end(void)
{
#if defined(__AVX2__) && !defined(SB_REAL_IS_DOUBLE)
    _mm_sfence();
#endif
}

/* Do n numbers exceed the caches, so that asking for what is read later is worth it? CPUs foresee no rows of maps. */
static inline bool sb_is_large(size_t n)
{
    enum { LARGE_BYTES = 8 << 20 };
    return n * sizeof(sb_real) > LARGE_BYTES;
}

/* Rows between those that are read and those that are asked for. */
enum { SB_PREFETCH_AHEAD = 3 };

static inline void sb_prefetch(const sb_real *x, size_t n)
{
    enum { LINE = 64 / sizeof(sb_real) };
    for (size_t k = 0; k < n; k += LINE) __builtin_prefetch(x + k);
}

/* Half as many numbers, and the same in double, for sums that are formed in double; in the float64 build both are a
 * whole vector. */
#ifdef SB_REAL_IS_DOUBLE
typedef sb_vec sb_half;
typedef sb_vec sb_doubles;
enum { SB_DOUBLES = SB_LANES };

static inline sb_doubles sb_doubles_of(sb_half h)
{
    return h;
}
#else
typedef float sb_half __attribute__((vector_size(sizeof(sb_vec) / 2)));
typedef double sb_doubles __attribute__((vector_size(sizeof(sb_vec))));
enum { SB_DOUBLES = SB_LANES / 2 };

static inline sb_doubles sb_doubles_of(sb_half h)
{
    return __builtin_convertvector(h, sb_doubles);
}
#endif

/* The first n of SB_DOUBLES numbers, zeros after them. */
static inline sb_half sb_half_load(const sb_real *p, int n)
{
    sb_half h = {0};
    if (n == SB_DOUBLES)
        __builtin_memcpy(&h, p, sizeof h);
    else
        for (int l = 0; l < n; l++) h[l] = p[l];
    return h;
}

static inline sb_doubles sb_doubles_fma(sb_doubles a, sb_doubles b, sb_doubles c)
{
#if defined(__AVX512F__) && !defined(SB_REAL_IS_DOUBLE)
    return (sb_doubles)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__AVX2__) && defined(__FMA__) && !defined(SB_REAL_IS_DOUBLE)
    return (sb_doubles)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    for (int l = 0; l < SB_DOUBLES; l++) c[l] = fma(a[l], b[l], c[l]);
    return c;
#endif
}

/* v[i] lane j becomes v[j] lane i: log2(SB_LANES) rounds, each a perfect shuffle of the rows. */
static inline void sb_vec_transpose(sb_vec v[SB_LANES])
{
    for (int round = 1; round < SB_LANES; round *= 2) {
        sb_vec w[SB_LANES];
        for (int i = 0; i < SB_LANES / 2; i++) {
            w[2 * i] = sb_vec_interleave_low(v[i], v[i + SB_LANES / 2]);
            w[2 * i + 1] = sb_vec_interleave_high(v[i], v[i + SB_LANES / 2]);
        }
        for (int i = 0; i < SB_LANES; i++) v[i] = w[i];
    }
}

static inline __attribute__((always_inline)) void sb_vec_turn_part(const sb_real *from, size_t from_row, int rows,
                                                                   int columns, sb_real *to, size_t to_row, int stored)
{
    sb_vec v[SB_LANES];
    for (int l = 0; l < SB_LANES; l++) v[l] = l < rows ? sb_vec_load_n(from + l * from_row, columns) : sb_vec_all(0);
    sb_vec_transpose(v);
    for (int l = 0; l < columns; l++) sb_vec_store_n(to + l * to_row, v[l], stored);
}

/* Up to SB_LANES x SB_LANES numbers, turned: to[c * to_row + r] = from[r * from_row + c] for r < rows, c < columns; of
 * every row of `to` this many are stored, zeros from `rows` on. Whole ones without a branch: they are nearly all. */
static inline void sb_vec_turn(const sb_real *from, size_t from_row, int rows, int columns, sb_real *to, size_t to_row,
                               int stored)
{
    if (rows == SB_LANES && columns == SB_LANES && stored == SB_LANES)
        sb_vec_turn_part(from, from_row, SB_LANES, SB_LANES, to, to_row, SB_LANES);
    else
        sb_vec_turn_part(from, from_row, rows, columns, to, to_row, stored);
}

/* The micro-kernel works on tiles of up to SB_TILE_ROWS rows by SB_TILE_VECS vectors: as many accumulators as registers
 * allow next to one row of b and one broadcast. Every SB_PREFETCH_VECS vectors of a row of b a line of it is asked for. */
/* ROWS(n) for each number of rows that a tile may have, 1 to SB_TILE_ROWS. */
#define SB_TILE_ROWS_2(ROWS)  ROWS(1) ROWS(2)
#define SB_TILE_ROWS_6(ROWS)  SB_TILE_ROWS_2(ROWS) ROWS(3) ROWS(4) ROWS(5) ROWS(6)
#define SB_TILE_ROWS_14(ROWS) SB_TILE_ROWS_6(ROWS) ROWS(7) ROWS(8) ROWS(9) ROWS(10) ROWS(11) ROWS(12) ROWS(13) ROWS(14)
#if SB_TILE_ROWS_MAX == 14
#define SB_EACH_TILE_ROWS(ROWS) SB_TILE_ROWS_14(ROWS)
#elif SB_TILE_ROWS_MAX == 6
#define SB_EACH_TILE_ROWS(ROWS) SB_TILE_ROWS_6(ROWS)
#else
#define SB_EACH_TILE_ROWS(ROWS) SB_TILE_ROWS_2(ROWS)
#endif

/* VECS(n) for each number of vectors. */
#define SB_TILE_VECS_2(VECS) VECS(1) VECS(2)
#define SB_TILE_VECS_4(VECS) SB_TILE_VECS_2(VECS) VECS(3) VECS(4)
#if SB_TILE_VECS_MAX == 4
#define SB_EACH_TILE_VECS(VECS) SB_TILE_VECS_4(VECS)
#else
#define SB_EACH_TILE_VECS(VECS) SB_TILE_VECS_2(VECS)
#endif

enum { SB_TILE_ROWS = SB_TILE_ROWS_MAX, SB_TILE_VECS = SB_TILE_VECS_MAX, SB_TILE_COLUMNS = SB_TILE_VECS * SB_LANES };

/* n rounded up to whole vectors. */
static inline int sb_whole_vectors(int n)
{
    return (n + SB_LANES - 1) / SB_LANES * SB_LANES;
}

/* Where piece i of n begins, cut into pieces of nearly equal size; piece number `pieces` begins at n. */
static inline int sb_piece_begin(int n, int pieces, int i)
{
    return (int)((int64_t)i * n / pieces);
}

/* Tiles of nearly equal height that n rows are cut into, so that the last is not a thin one, and where one begins. */
static inline int sb_tiles_of(int n)
{
    return (n + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
}

static inline int sb_tile_begin(int n, int tile)
{
    return sb_piece_begin(n, sb_tiles_of(n), tile);
}

/* Lanes of the vector that starts at element `first` of n. */
static inline int sb_lanes_at(int first, int n)
{
    return n - first < SB_LANES ? n - first : SB_LANES;
}

/* Where the vector begins that holds element `first` of n, a whole one if n has this many: the last one goes back over
 * elements of the one before. For results that may be stored twice. */
static inline int sb_whole_at(int first, int n)
{
    return n - first >= SB_LANES || n < SB_LANES ? first : n - SB_LANES;
}
