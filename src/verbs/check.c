#include "inspect/check.h"
#include "verbs/verbs.h"

typedef struct check_options {
    sb_setup_options setup;
    double tolerance;
} check_options;

static const sb_option options[] = {
    SB_SETUP_OPTIONS(check_options),
    SB_OPTION_REAL(check_options, tolerance, "--tolerance", "T", "0", 0, 1,
                   "largest deviation as a share of a tensor's largest element; 0: 5e-6, in float64 1e-12"),
    SB_OPTION_END,
};

static const sb_command command = {
    "samebits",
    "check",
    "GOLDEN.h5 ...",
    "Hold a backend against golden files. Network and sizes come from the file.",
    options,
    1,
    64,
    "example:\n  samebits check --backend openblas tests/golden/prednet_16x8_bprop4_f4.h5\n"};

sb_status sb_verb_check(int argc, char **argv)
{
    check_options values = {0};
    sb_arguments arguments;
    bool help;
    SB_VERB_PARSE(&command, argc, argv, &values, &arguments, &help);
    if (help) return SB_OK;
    SB_TRY(sb_backend_prepare(values.setup.backend, values.setup.blas_kernel, values.setup.threads, argv));
    for (int i = 0; i < arguments.n; i++)
        SB_TRY(sb_check_golden(arguments.item[i], values.setup, values.tolerance, stdout));
    return SB_OK;
}
