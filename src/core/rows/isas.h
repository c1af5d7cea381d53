/* The instruction sets that the native kernels are compiled for, declared once, best first on each CPU. From a row follow
 * the words of --isa and of the matrix key, and what the native backend chooses among (backend/native.c); the flags of
 * the compiler are in cmake/kernels.cmake, the vectors in ops/simd.h.
 *
 *     ROW(name)   sb_ops_native_NAME, sb_ops_imitated_NAME and sb_peak_NAME are its functions
 */
#pragma once

#define SB_ISAS(ROW) ROW(avx512) ROW(avx2) ROW(neon) ROW(plain)

/* Those that this program has kernels for (cmake/kernels.cmake, sb_isas). */
#ifdef SB_HAVE_AVX512
#define SB_IF_AVX512(ROW) ROW(avx512)
#else
#define SB_IF_AVX512(ROW)
#endif
#ifdef SB_HAVE_AVX2
#define SB_IF_AVX2(ROW) ROW(avx2)
#else
#define SB_IF_AVX2(ROW)
#endif
#ifdef SB_HAVE_NEON
#define SB_IF_NEON(ROW) ROW(neon)
#else
#define SB_IF_NEON(ROW)
#endif
#define SB_ISAS_HERE(ROW) SB_IF_AVX512(ROW) SB_IF_AVX2(ROW) SB_IF_NEON(ROW) ROW(plain)

/* "|avx512|avx2|...", as words of a choice; ", avx512, avx2, ..." in sentences. */
#define SB_ISA_WORD(name)  "|" #name
#define SB_ISA_WORDS       SB_ISAS(SB_ISA_WORD)
#define SB_ISA_COMMA(name) ", " #name
#define SB_ISA_LIST        (&(SB_ISAS(SB_ISA_COMMA))[2])
