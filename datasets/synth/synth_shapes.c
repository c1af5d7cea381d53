#include "datasets/synth/shape_draw.h"
#include "datasets/synth/synth.h"
#include "datasets/synth/synth_pictures.h"

static const sb_option options[] = {SB_PICTURES_OPTIONS("shapes.h5", "50000", "seed of the pictures")};

static sb_status synth_shapes(const sb_call *call)
{
    static const sb_pictures shapes = {.draw = sb_shape_draw,
                                       .side = SB_SHAPE_SIDE,
                                       .channels = SB_SHAPE_CHANNELS,
                                       .kind = "images",
                                       .source = "samebits-data synth shapes",
                                       .classes = sb_shape_classes};
    return sb_pictures_write(&shapes, call);
}

const sb_command sb_verb_synth_shapes = {
    .program = "samebits-data",
    .verb = "synth shapes",
    .summary = "make colored shapes of ten kinds in the format of CIFAR-10, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(sb_pictures_values),
    .epilogue = "The program uses whole numbers only, so the same seed gives the same images on every machine.\n",
    .run = synth_shapes,
};
