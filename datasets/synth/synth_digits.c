#include "datasets/synth/digit_draw.h"
#include "datasets/synth/synth.h"
#include "datasets/synth/synth_pictures.h"

static const sb_option options[] = {SB_PICTURES_OPTIONS("digits.h5", "60000", "seed of the handwriting")};

static sb_status synth_digits(const sb_call *call)
{
    static const sb_pictures digits = {.draw = sb_digit_draw,
                                       .side = SB_DIGIT_SIDE,
                                       .channels = 1,
                                       .kind = "mnist",
                                       .source = "samebits-data synth digits"};
    return sb_pictures_write(&digits, call);
}

const sb_command sb_verb_synth_digits = {
    .program = "samebits-data",
    .verb = "synth digits",
    .summary = "make images like handwritten digits in the format of MNIST, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(sb_pictures_values),
    .epilogue = "The program uses whole numbers only, so the same seed gives the same images on every machine.\n",
    .run = synth_digits,
};
