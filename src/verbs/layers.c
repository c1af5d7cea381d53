#include "inspect/layers.h"
#include "net/models.h"
#include "train/setup.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct layers_options {
    const char *model;
    sb_size size;
    sb_list channels, hidden;
    const char *layers;
    long colours, classes;
} layers_options;

static const sb_option options[] = {
    SB_OPTION_CHOICE(layers_options, model, "--model", SB_MODEL_WORDS, "prednet", "network"),
    SB_OPTION_SIZE(layers_options, size, "--size", NULL, 1, 4096, "of frames or images [160x120; of images 28x28]"),
    SB_OPTION_LIST(layers_options, channels, "--channels", "3,48,96,192", 1, 4096, "prednet: channels of its layers"),
    SB_OPTION_LIST(layers_options, hidden, "--hidden", "64", 1, 65536, "autoencoder: units of its encoder's layers"),
    SB_OPTION_TEXT(layers_options, layers, "--layers", "FILE.layers", NULL, "layers: a network of one's own"),
    SB_OPTION_INT(layers_options, colours, "--colours", "N", "1", 1, 4, "of images"),
    SB_OPTION_INT(layers_options, classes, "--classes", "N", "10", 2, SB_CLASSES_MAX, "that images are told apart by"),
    SB_OPTION_END,
};

static sb_status layers(const sb_call *call)
{
    const layers_options *values = call->values;
    const sb_size usual = sb_model_learns_from_video(values->model) ? (sb_size){160, 120} : (sb_size){28, 28};
    const sb_size size = values->size.w ? values->size : usual;
    sb_settings settings;
    sb_settings_default(&settings);
    settings.model = values->model, settings.hidden = values->hidden, settings.channels = values->channels;
    settings.layers = values->layers;
    settings.threads = settings.window = 1;
    settings.batch = sb_model_learns_from_video(values->model) ? 1 : 16; /* groups of batch norm must divide it */
    sb_setup setup;
    size_t n_parameters;
    uint8_t *frames = calloc((size_t)2 * 3 * (size_t)size.w, (size_t)size.h);
    if (!frames) return sb_fail(SB_E_MEMORY, "not enough memory for two frames");
    const sb_data_shape shape = {sb_model_learns_from_video(values->model) ? 3 : (int)values->colours, size.h, size.w,
                                 (int)values->classes};
    sb_status status = sb_setup_open_net(&setup, &settings, &shape);
    if (status == SB_OK) {
        status = sb_layers_print(setup.learner.net, &(sb_window){.bytes = frames, .n = 1}, stdout, &n_parameters);
        sb_setup_close(&setup);
    }
    free(frames);
    if (status == SB_OK) fprintf(stderr, "%zu parameters\n", n_parameters);
    return status;
}

const sb_command sb_verb_layers = {
    .program = "samebits",
    .verb = "layers",
    .summary = "the layers of a network and their parameters as csv, in the order of a forward step",
    .options = options,
    .values_bytes = sizeof(layers_options),
    .epilogue = "inputs are names of other rows; @t-1 behind one: of the step before\n",
    .run = layers,
};
