#include "train/evaluate.h"
#include "verbs/verbs.h"

#include <stdio.h>

typedef struct eval_options {
    sb_setup_options setup;
} eval_options;

static const sb_option options[] = {SB_SETUP_OPTIONS(eval_options), SB_OPTION_END};

static const sb_command command = {
    "samebits", "eval",
    "RUN.h5",   "Loss of a run's network on a data set, forward only. Network and sizes come from the run file.",
    options,    1,
    1,          NULL};

sb_status sb_verb_eval(int argc, char **argv)
{
    eval_options values = {0};
    sb_arguments arguments;
    bool help;
    SB_VERB_PARSE(&command, argc, argv, &values, &arguments, &help);
    if (help) return SB_OK;
    SB_TRY(sb_backend_prepare(values.setup.backend, values.setup.blas_kernel, values.setup.threads, argv));
    sb_setup setup;
    sb_evaluation evaluation;
    SB_TRY(sb_evaluate_open(&setup, &values.setup, arguments.item[0]));
    sb_status status = sb_evaluate_loss(&setup, &evaluation);
    if (status == SB_OK) printf("n %zu  loss %.9g  sd %.6g\n", evaluation.n, evaluation.mean, evaluation.sd);
    sb_setup_close(&setup);
    return status;
}
