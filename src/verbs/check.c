#include "inspect/check/check.h"
#include "verbs/verbs.h"

typedef struct check_options {
    sb_settings setup;
    double tolerance;
} check_options;

static const sb_option options[] = {
    SB_OPTIONS_COMPUTE(check_options)
    SB_OPTION_REAL(check_options, tolerance, "--tolerance", "T", "0", 0, 1,
                   "largest deviation as a share of a tensor's largest element; 0: what rounding explains"),
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
    .summary = "hold a backend against golden files",
    .arguments = "GOLDEN.h5 ...",
    .options = options,
    .values_bytes = sizeof(check_options),
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "Network and sizes come from the file. Rounding explains 2 sqrt(n) epsilon, n the terms of the longest sum, "
        "and with\n"
        "Winograd's transforms 6 sqrt(n + 50) (src/inspect/check/check_tolerance.c); epsilon is that of the less "
        "precise\nof program and file. exit code: 0 holds, 1 deviates, 7 no golden file, or one of another network\n"
        "example:\n  samebits check --backend openblas tests/golden/prednet_16x8_bprop4_f4.h5\n",
    .run = check,
};
