#include "inspect/check/check.h"
#include "verbs/verbs.h"

typedef struct check_options {
    sb_settings setup;
    double tolerance;
} check_options;

static const sb_option options[] = {
    SB_OPTIONS_COMPUTE(check_options)
        SB_OPTION_REAL(check_options, tolerance, "--tolerance", "T", "0", 0, 1,
                       "largest accepted deviation, relative to the largest element of a tensor; 0: what rounding "
                       "explains"),
    SB_OPTION_END,
};

static sb_status check(const sb_call *call)
{
    const check_options *values = call->values;
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    for (int i = 0; i < call->arguments.n; i++)
        SB_TRY(sb_check_golden(call->arguments.item[i], values->setup, values->tolerance, stdout));
    return SB_OK;
}

const sb_command sb_verb_check = {
    .program = "samebits",
    .verb = "check",
    .summary = "compare a backend with golden files",
    .arguments = "GOLDEN.h5 ...",
    .options = options,
    .values_bytes = sizeof(check_options),
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "The golden file has the network and its sizes. The tolerance by default is 2 sqrt(n) epsilon for sums of n "
        "terms,\n"
        "and 6 sqrt(n + 50) epsilon for Winograd convolutions (src/inspect/check/check_tolerance.c).\n"
        "epsilon is the one of the less precise of program and file.\n"
        "exit codes: 0 holds, 1 deviates, 7 no golden file, or one of another network\n"
        "example:\n"
        "  samebits check --backend openblas tests/golden/prednet_16x8_bprop4_f4.h5\n",
    .run = check,
};
