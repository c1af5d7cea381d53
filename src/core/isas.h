/* The instruction sets that the native kernels are compiled for, declared once, best first on each CPU. From a row follow
 * the words of --isa and of the matrix key, and what the native backend chooses among (backend/native.c); the flags of
 * the compiler stand in cmake/kernels.cmake, the vectors in ops/simd.h.
 *
 *     ROW(name)   sb_ops_native_NAME, sb_ops_imitated_NAME and sb_peak_NAME are its functions
 */
#ifndef SB_CORE_ISAS_H
#define SB_CORE_ISAS_H

#define SB_ISAS_OF_X86(ROW) ROW(avx512) ROW(avx2)
#define SB_ISAS_OF_ARM(ROW) ROW(neon)
#define SB_ISAS(ROW)        SB_ISAS_OF_X86(ROW) SB_ISAS_OF_ARM(ROW) ROW(plain)

/* Those that this program has kernels for. */
#if defined(SB_HAVE_X86_KERNELS)
#define SB_ISAS_HERE(ROW) SB_ISAS_OF_X86(ROW) ROW(plain)
#elif defined(SB_HAVE_ARM_KERNELS)
#define SB_ISAS_HERE(ROW) SB_ISAS_OF_ARM(ROW) ROW(plain)
#else
#define SB_ISAS_HERE(ROW) ROW(plain)
#endif

/* "|avx512|avx2|...", as words of a choice; ", avx512, avx2, ..." in sentences. */
#define SB_ISA_WORD(name)  "|" #name
#define SB_ISA_WORDS       SB_ISAS(SB_ISA_WORD)
#define SB_ISA_COMMA(name) ", " #name
#define SB_ISA_LIST        (&(SB_ISAS(SB_ISA_COMMA))[2])

#endif
