#include "core/interrupt.h"
#include "core/options.h"
#include "core/plural.h"
#include "datasets/catalog/provenance.h"
#include "datasets/synth/digit_draw.h"
#include "datasets/verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct values {
    const char *output;
    long n_images, n_test, seed;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(values, output, "--output", 'o', "FILE", "digits.h5", "data set file to write"),
    SB_OPTION_INT(values, n_images, "--images", "N", "60000", 1, 1000000, "training images"),
    SB_OPTION_INT(values, n_test, "--test", "N", "10000", 1, 1000000, "test images"),
    SB_OPTION_INT(values, seed, "--seed", "N", "1", 0, 2147483647, "which hands"),
    SB_OPTION_END,
};

/* Images number first .. first+n-1 as the data sets `images` and `labels`. */
static sb_status write_half(sb_h5 *file, const values *v, long first, long n, const char *images, const char *labels)
{
    size_t dim[] = {(size_t)n, SB_DIGIT_SIDE, SB_DIGIT_SIDE};
    uint8_t *pixels = malloc((size_t)n * SB_DIGIT_BYTES), *label = malloc((size_t)n);
    sb_status status = SB_OK;
    if (!pixels || !label) status = sb_fail(SB_E_MEMORY, "%s: not enough memory for %ld images", v->output, n);
    for (long i = 0; i < n && status == SB_OK; i++) {
        label[i] = sb_digit_draw((uint32_t)v->seed, (uint32_t)(first + i), pixels + i * SB_DIGIT_BYTES);
        if (sb_interrupt_signal())
            status = sb_fail(SB_E_INTERRUPTED, "%s: interrupted, nothing was written", v->output);
    }
    if (status == SB_OK) status = sb_h5_write(file, images, SB_U8, 3, dim, pixels, SB_H5_PACKED);
    if (status == SB_OK) status = sb_h5_write(file, labels, SB_U8, 1, dim, label, SB_H5_PACKED);
    free(label);
    free(pixels);
    return status;
}

static sb_status write_all(sb_h5 *file, const values *v)
{
    SB_TRY(write_half(file, v, 0, v->n_images, "images", "labels"));
    SB_TRY(write_half(file, v, v->n_images, v->n_test, "test_images", "test_labels"));
    return sb_provenance_write(file, &(sb_provenance){
                                         .kind = "mnist",
                                         .source = "samebits-data synth digits",
                                         .licence = "Apache-2.0",
                                         .command = &sb_verb_synth_digits,
                                         .values = v,
                                     });
}

static sb_status synth_digits(const sb_call *call)
{
    const values *v = call->values;
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, v->output, SB_SEAL_DATA));
    SB_TRY(sb_h5_finish(file, write_all(file, v)));
    fprintf(stderr, "%s: %ld image%s and %ld test image%s\n", v->output, v->n_images, sb_plural((size_t)v->n_images),
            v->n_test, sb_plural((size_t)v->n_test));
    return SB_OK;
}

const sb_command sb_verb_synth_digits = {
    .program = "samebits-data",
    .verb = "synth digits",
    .summary = "make handwritten-like digits of the form of MNIST, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(values),
    .epilogue = "Whole-number arithmetic alone makes them: the same seed gives the same images on every machine.\n",
    .run = synth_digits,
};
