#include "train/classify.h"
#include "train/evaluate.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct eval_options {
    sb_settings setup;
} eval_options;

static const sb_option options[] = {SB_OPTIONS_DATA(eval_options) SB_OPTIONS_COMPUTE(eval_options) SB_OPTION_END};

/* The test images if there are any, else the training images. */
static sb_status classify(sb_setup *setup)
{
    sb_classification found;
    const bool has_tests = sb_loader_about_images(setup->loader).n[SB_PART_TEST] > 0;
    sb_status status = sb_classify(setup, has_tests ? SB_PART_TEST : SB_PART_TRAIN, &found);
    if (status == SB_OK) {
        printf("n %zu  loss %.9g  cross_entropy %.9g  correct %zu", found.n, found.loss, found.cross_entropy,
               found.correct);
        if (found.flips) printf("  correct_flipped %zu", found.correct_flipped);
        putchar('\n');
    }
    free(found.predicted);
    return status;
}

static sb_status evaluate(const sb_call *call)
{
    eval_options *values = call->values;
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    sb_setup setup;
    sb_evaluation evaluation;
    SB_TRY(sb_evaluate_open(&setup, &values->setup, call->arguments.item[0]));
    if (setup.learner.net->classes.n) {
        sb_status status = classify(&setup);
        sb_setup_close(&setup);
        return status;
    }
    sb_status status = sb_evaluate_loss(&setup, &evaluation);
    if (status == SB_OK) printf("n %zu  loss %.9g  sd %.6g\n", evaluation.n, evaluation.mean, evaluation.sd);
    sb_setup_close(&setup);
    return status;
}

const sb_command sb_verb_eval = {
    .program = "samebits",
    .verb = "eval",
    .summary = "loss of a run's network on a data set, forward only",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(eval_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "Network and sizes come from the run file.\n",
    .run = evaluate,
};
