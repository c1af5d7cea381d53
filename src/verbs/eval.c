#include "core/file.h"
#include "core/size.h"
#include "io/baselines.h"
#include "io/png.h"
#include "io/quality.h"
#include "train/classify.h"
#include "train/evaluate.h"
#include "verbs/verbs.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct eval_options {
    sb_settings setup;
    const char *images;
    long first, frames;
    const char *output;
    bool quality, by_class;
} eval_options;

static const sb_option options[] = {
    SB_OPTIONS_DATA(eval_options) SB_OPTIONS_COMPUTE(eval_options)
        SB_OPTION_CHOICE(eval_options, images, "--images", "auto|test|held-out|training", "auto",
                         "networks that classify: images to evaluate, or tokens of a text, where test and held-out are "
                         "the same; auto: test images or held-out tokens, or training if the data set has none"),
    SB_OPTION_FLAG(eval_options, by_class, "--by-class",
                   "networks that classify: a table of the classes; of a text, of its characters"),
    SB_OPTION_INT(eval_options, frames, "--frames", "N", NULL, 1, 1e9,
                  "write this number of predicted frames, and the true frames, as PNG"),
    SB_OPTION_INT(eval_options, first, "--first", "N", "1", 0, 1e12, "first of these frames in the data set"),
    SB_OPTION_FLAG(eval_options, quality, "--quality",
                   "print PSNR and SSIM of the predicted frames, and of repeating the frame before"),
    SB_OPTION_TEXT_LETTER(eval_options, output, "--output", 'o', "DIR", "predicted", "folder of the pictures"),
    SB_OPTION_END};

/* The part of a text that a word names: its held-out end is the test part (data/tokens.h). A text without held-out tokens
 * is evaluated whole. */
static sb_status find_part_of_text(const sb_setup *setup, const char *word, sb_part *part)
{
    const bool is_auto = strcmp(word, "auto") == 0;
    const bool is_whole = is_auto && sb_dataset_about(setup->dataset)->n_test == 0;
    *part = is_whole || strcmp(word, "training") == 0 ? SB_PART_TRAIN : SB_PART_TEST;
    if (sb_loader_part_samples(setup->loader, *part) > 0) return SB_OK;
    if (*part == SB_PART_TRAIN)
        return sb_fail(SB_E_USAGE, "%s: has no window of the tokens to learn from", setup->options->data);
    return sb_fail(SB_E_USAGE,
                   "%s: has no held-out window; convert the text with a larger --hold-out, or choose "
                   "--images training",
                   setup->options->data);
}

/* The part of the images or of the text that a word names. */
static sb_status find_part(const sb_setup *setup, const char *word, sb_part *part)
{
    if (sb_dataset_about(setup->dataset)->kind == SB_DATASET_TEXT) return find_part_of_text(setup, word, part);
    *part = sb_loader_part_samples(setup->loader, SB_PART_TEST) > 0 ? SB_PART_TEST : SB_PART_TRAIN;
    if (strcmp(word, "auto") == 0) return SB_OK;
    *part = strcmp(word, "test") == 0 ? SB_PART_TEST : strcmp(word, "held-out") == 0 ? SB_PART_HOLD_OUT : SB_PART_TRAIN;
    if (sb_loader_part_samples(setup->loader, *part) > 0) return SB_OK;
    if (*part == SB_PART_TEST) return sb_fail(SB_E_USAGE, "%s: has no test images", setup->options->data);
    return sb_fail(SB_E_USAGE, "this run held out no images: its network was trained without --hold-out");
}

/* A line for each class that occurs: its number, of a text its character, how often it is the label, how often it was
 * predicted then, and the mean cross-entropy. */
static void print_classes(const sb_setup *setup, const sb_classification *found)
{
    const sb_characters *table = &sb_dataset_about(setup->dataset)->characters;
    printf("class,%sn,correct,cross_entropy\n", table->n ? "character," : "");
    for (int k = 0; k < setup->learner.net->classes.n; k++) {
        char name[12] = "";
        const double entropy = found->entropy_of_class[k];
        if (!found->of_class[k]) continue;
        if (table->n) sb_characters_name(table, (uint8_t)k, name);
        printf("%d,%s%s%zu,%zu,%.9g\n", k, name, table->n ? "," : "", found->of_class[k], found->right_of_class[k],
               isnan(entropy) ? fabs(entropy) : entropy); /* nan, never -nan */
    }
}

static sb_status classify(sb_setup *setup, const eval_options *values)
{
    sb_classification found = {0};
    sb_part part;
    SB_TRY(find_part(setup, values->images, &part));
    sb_status status = sb_classify(setup, part, &found);
    if (status == SB_OK && values->by_class) {
        print_classes(setup, &found);
    } else if (status == SB_OK) {
        printf("n %zu  loss %.9g  cross_entropy %.9g  correct %zu", found.n, found.loss, found.cross_entropy,
               found.correct);
        if (found.flips) printf("  correct_flipped %zu", found.correct_flipped);
        putchar('\n');
    }
    free(found.predicted);
    return status;
}

/* ---- pictures ---- */

typedef struct pictures {
    const char *folder;
    int w, h, c;
    size_t n;
    uint8_t *rgb; /* one picture */
} pictures;

static sb_status write_picture(const pictures *p, size_t frame, const char *kind, const uint8_t *bytes)
{
    char path[SB_PATH_MAX];
    snprintf(path, sizeof path, "%s/%06zu_%s.png", p->folder, frame, kind);
    for (int i = 0; i < p->w * p->h; i++)
        for (int k = 0; k < 3; k++) p->rgb[3 * i + k] = bytes[i * p->c + (p->c == 3 ? k : 0)];
    return sb_png_write(path, p->w, p->h, p->rgb);
}

static sb_status write_pair(void *context, size_t frame, const uint8_t *truth, const uint8_t *predicted)
{
    pictures *p = context;
    p->n++;
    SB_TRY(write_picture(p, frame, "true", truth));
    return write_picture(p, frame, "predicted", predicted);
}

static sb_status write_frames(sb_setup *setup, const eval_options *values)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    pictures p = {values->output, (int)facts->w, (int)facts->h, (int)facts->c, 0, malloc(facts->w * facts->h * 3)};
    sb_status status = p.rgb ? sb_folder_make(values->output) : sb_fail(SB_E_MEMORY, "not enough memory");
    if (status == SB_OK)
        status = sb_evaluate_frames(setup, (size_t)values->first, (size_t)values->frames, write_pair, &p);
    if (status == SB_OK) printf("%zu predicted frames and the true frames in %s\n", p.n, values->output);
    free(p.rgb);
    return status;
}

/* ---- their quality ---- */

typedef struct qualities {
    sb_dataset *dataset;
    int h, w, c;
    size_t n;
    uint8_t *before;                /* one picture; NULL: images, which have none before them */
    sb_quality predicted, repeated; /* sums */
} qualities;

static sb_status add_quality(sb_quality *sum, const qualities *q, const uint8_t *truth, const uint8_t *other)
{
    sb_quality quality;
    SB_TRY(sb_quality_of(truth, other, q->h, q->w, q->c, &quality));
    sum->mse += quality.mse, sum->ssim += quality.ssim;
    return SB_OK;
}

static sb_status compare_pair(void *context, size_t frame, const uint8_t *truth, const uint8_t *predicted)
{
    qualities *q = context;
    q->n++;
    SB_TRY(add_quality(&q->predicted, q, truth, predicted));
    if (!q->before) return SB_OK;
    SB_TRY(sb_dataset_read(q->dataset, frame - 1, 1, q->before));
    return add_quality(&q->repeated, q, truth, q->before);
}

static void print_quality(const char *name, const sb_quality *sum, size_t n)
{
    const double mse = sum->mse / (double)n;
    printf("n %zu  %s  mse %.6g  psnr %.4g dB  ssim %.4f\n", n, name, mse, sb_psnr(mse), sum->ssim / (double)n);
}

static sb_status print_qualities(sb_setup *setup)
{
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    const bool video = facts->kind == SB_DATASET_VIDEO;
    qualities q = {.dataset = setup->dataset, .h = (int)facts->h, .w = (int)facts->w, .c = (int)facts->c};
    q.before = video ? sb_size_allocate((size_t)(facts->h * facts->w), facts->c) : NULL;
    sb_status status = video && !q.before ? sb_fail(SB_E_MEMORY, "not enough memory for a frame") : SB_OK;
    if (status == SB_OK) status = sb_evaluate_all(setup, compare_pair, &q);
    if (status == SB_OK) {
        assert(q.n > 0); /* data without a window or an image is refused when it is opened */
        print_quality("predicted", &q.predicted, q.n);
        if (video) print_quality(sb_baseline_name[SB_BASELINE_REPEAT], &q.repeated, q.n);
    }
    free(q.before);
    return status;
}

/* ---- losses ---- */

static sb_status evaluate_frames(sb_setup *setup, const eval_options *values)
{
    sb_evaluation evaluation;
    const bool has_part = strcmp(values->images, "auto") != 0;
    if (has_part || values->by_class)
        return sb_fail(SB_E_USAGE, "%s is for networks that classify, and %s is none",
                       has_part ? "--images" : "--by-class", setup->learner.net->model);
    SB_TRY(sb_evaluate_loss(setup, &evaluation));
    printf("n %zu  loss %.9g  sd %.6g\n", evaluation.n, evaluation.mean, evaluation.sd);
    return SB_OK;
}

static sb_status check_has_pictures(const sb_setup *setup, const eval_options *values)
{
    if (!values->frames && !values->quality) return SB_OK;
    if (sb_dataset_about(setup->dataset)->kind != SB_DATASET_TEXT) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: is a text, and %s is for networks that make images", setup->options->data,
                   values->frames ? "--frames" : "--quality");
}

static sb_status evaluate_as(sb_setup *setup, const eval_options *values)
{
    SB_TRY(check_has_pictures(setup, values));
    if (values->frames) return write_frames(setup, values);
    if (values->quality) return print_qualities(setup);
    return setup->learner.net->classes.n ? classify(setup, values) : evaluate_frames(setup, values);
}

static sb_status evaluate(const sb_call *call)
{
    eval_options *values = call->values;
    if (values->frames && values->quality) return sb_fail(SB_E_USAGE, "samebits eval: --frames or --quality, not both");
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    SB_OWNED(sb_setup_close) sb_setup setup = {0};
    const bool holds_out = strcmp(values->images, "held-out") == 0 || strcmp(values->images, "training") == 0;
    SB_TRY(sb_evaluate_open(&setup, &values->setup, call->arguments.item[0], holds_out));
    return evaluate_as(&setup, values);
}

const sb_command sb_verb_eval = {
    .program = "samebits",
    .verb = "eval",
    .summary = "print the loss of a trained network on a data set, or the quality of its predicted frames, or write "
               "these as PNG",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(eval_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue =
        "The run file has the network and its sizes. With --frames the pictures are DIR/NNNNNN_true.png and\n"
        "DIR/NNNNNN_predicted.png, and no loss is computed. --quality compares all predicted frames in 8 bits:\n"
        "mean squared error (pixels in [0, 1]), its PSNR, and the mean SSIM (11x11 Gaussian window, sigma 1.5).\n"
        "Of images it compares the test images, or the training images if there are no test images.\n",
    .run = evaluate,
};
