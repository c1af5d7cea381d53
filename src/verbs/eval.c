#include "train/classify.h"
#include "train/evaluate.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct eval_options {
    sb_settings setup;
    const char *images;
} eval_options;

static const sb_option options[] = {
    SB_OPTIONS_DATA(eval_options) SB_OPTIONS_COMPUTE(eval_options)
        SB_OPTION_CHOICE(eval_options, images, "--images", "auto|test|held-out|training", "auto",
                         "networks that classify: images to evaluate; auto: test images, or training images if there "
                         "are none"),
    SB_OPTION_END};

/* The part of the images that a word names. */
static sb_status find_part(const sb_setup *setup, const char *word, sb_part *part)
{
    const size_t *n = sb_loader_about_images(setup->loader).n;
    *part = n[SB_PART_TEST] > 0 ? SB_PART_TEST : SB_PART_TRAIN;
    if (strcmp(word, "auto") == 0) return SB_OK;
    *part = strcmp(word, "test") == 0 ? SB_PART_TEST : strcmp(word, "held-out") == 0 ? SB_PART_HOLD_OUT : SB_PART_TRAIN;
    if (n[*part] > 0) return SB_OK;
    if (*part == SB_PART_TEST) return sb_fail(SB_E_USAGE, "%s: has no test images", setup->options->data);
    return sb_fail(SB_E_USAGE, "this run held out no images: its network was trained without --hold-out");
}

static sb_status classify(sb_setup *setup, const char *images)
{
    sb_classification found = {0};
    sb_part part;
    SB_TRY(find_part(setup, images, &part));
    sb_status status = sb_classify(setup, part, &found);
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
    const bool holds_out = strcmp(values->images, "held-out") == 0 || strcmp(values->images, "training") == 0;
    SB_TRY(sb_evaluate_open(&setup, &values->setup, call->arguments.item[0], holds_out));
    if (setup.learner.net->classes.n) {
        sb_status status = classify(&setup, values->images);
        sb_setup_close(&setup);
        return status;
    }
    sb_status status =
        strcmp(values->images, "auto") == 0
            ? sb_evaluate_loss(&setup, &evaluation)
            : sb_fail(SB_E_USAGE, "--images is for networks that classify, and %s is none", setup.learner.net->model);
    if (status == SB_OK) printf("n %zu  loss %.9g  sd %.6g\n", evaluation.n, evaluation.mean, evaluation.sd);
    sb_setup_close(&setup);
    return status;
}

const sb_command sb_verb_eval = {
    .program = "samebits",
    .verb = "eval",
    .summary = "print the loss of a trained network on a data set",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(eval_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "The run file has the network and its sizes.\n",
    .run = evaluate,
};
