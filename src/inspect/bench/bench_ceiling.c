/* The two ceilings of a machine at a number of threads. */
#include "inspect/bench/bench_parts.h"

#include "backend/backend.h"
#include "core/machine/clock.h"
#include "core/rows/isas.h"
#include "ops/library/gemm_openblas.h"
#include "ops/peak.h"

#include <math.h>
#include <string.h>

static sb_peak *peak_of(const char *isa)
{
#define IS_IT(name)                                                                                                    \
    if (strcmp(isa, #name) == 0) return sb_peak_##name;
    SB_ISAS_HERE(IS_IT)
#undef IS_IT
    return sb_peak_plain;
}

/* n steps on every thread; GFLOP/s from the first start to the last end. */
static double run_peak(sb_peak *peak, int threads, long n, double *seconds)
{
    double flop = 0, start = sb_clock_seconds();
    sb_real sums = 0;
#pragma omp parallel num_threads(threads) reduction(+ : flop, sums)
    flop += peak(n, &sums);
    *seconds = sb_clock_seconds() - start;
    return isfinite(sums) ? flop / *seconds * 1e-9 : 0;
}

/* GFLOP/s of fused multiply-adds in registers on all threads together: the best of some pieces that take about `seconds`
 * all together, because other work disturbs not all of them. isa: one of this CPU. */
static double ceiling_peak(const char *isa, int threads, double seconds)
{
    enum { TRIAL = 10000, PIECES = 50 };
    double first, trial, best = 0;
    run_peak(peak_of(isa), threads, TRIAL, &first); /* starts the threads */
    run_peak(peak_of(isa), threads, TRIAL, &trial);
    const double n = ceil(TRIAL * seconds / PIECES / fmin(first, trial));
    for (int i = 0; i < PIECES; i++)
        best = fmax(best, run_peak(peak_of(isa), threads, n < 1e9 ? (long)n : 1000000000, &trial));
    return best;
}

/* GFLOP/s of OpenBLAS's product of two size x size matrices, repeated for about `seconds`. The environment variable
 * OPENBLAS_CORETYPE selects the kernels. */
static sb_status ceiling_gemm(int size, int threads, double seconds, double *gflops)
{
    sb_ops *ops; /* sets OpenBLAS's number of threads, and makes sure of it */
    SB_TRY(sb_backend_open(&ops, "openblas", &(sb_backend_options){.threads = threads}));
    const size_t n = (size_t)size * size;
    sb_real *memory = ops->allocate(ops, 3 * n * sizeof *memory);
    if (memory) {
        sb_real *a = memory, *b = a + n, *c = b + n;
        for (size_t i = 0; i < n; i++) a[i] = (sb_real)(i % 7) - 3, b[i] = (sb_real)(i % 5) - 2;
        sb_gemm(false, false, size / 4, size / 4, size, a, size, b, size, 0, c, size); /* wakes the threads */
        int repeats = 0;
        double start = sb_clock_seconds(), passed;
        do {
            sb_gemm(false, false, size, size, size, a, size, b, size, 0, c, size);
            repeats++;
            passed = sb_clock_seconds() - start;
        } while (passed < seconds);
        *gflops = 2.0 * size * size * size * repeats / passed * 1e-9;
        ops->release(ops, memory);
    }
    sb_backend_close(ops);
    return memory ? SB_OK : SB_E_MEMORY;
}

enum { GEMM_SIZE = 2048, GEMM_SIZE_QUICK = 512 };

double sb_bench_ceiling_seconds(const sb_bench_state *state)
{
    return state->options->quick ? 0.01 : 0.2;
}

const char *sb_bench_isa_of(const sb_bench_state *state, const sb_bench_case *c)
{
    return sb_bench_case_is_native(c) ? c->variant : state->best_isa;
}

sb_status sb_bench_measure_ceilings(const sb_bench_state *state, sb_bench_case *c)
{
    const bool quick = state->options->quick;
    const double seconds = sb_bench_ceiling_seconds(state);
    const int threads = (int)c->setup.threads;
    double gemm;
    SB_TRY(ceiling_gemm(quick ? GEMM_SIZE_QUICK : GEMM_SIZE, threads, seconds, &gemm));
    sb_series_add(&c->gemm, gemm);
    sb_series_add(&c->peak, ceiling_peak(sb_bench_isa_of(state, c), threads, seconds));
    return SB_OK;
}
