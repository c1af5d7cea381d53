#include "net/models.h"
#include "train/setup.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct layers_options {
    const char *model;
    sb_size size;
    sb_list channels, hidden;
    const char *layers, *tied;
    long colors, classes, blocks, heads, width, context;
    bool typed[SB_N_SETTINGS], has_colors, has_classes; /* what was typed */
} layers_options;

#define TYPED(ID) .typed = offsetof(layers_options, typed) + SB_SETTING_##ID

static const sb_option options[] = {
    SB_OPTION_CHOICE(layers_options, model, "--model", SB_MODEL_WORDS, "prednet", "network"),
    SB_OPTION_SIZE(layers_options, size, "--size", NULL, 1, 4096,
                   "size of frames or images [160x120; of images 28x28]"),
    {"--channels", 0, SB_KIND_LIST, offsetof(layers_options, channels), "N,N,...", "3,48,96,192", 1, 4096,
     "prednet: channels of its layers", TYPED(CHANNELS)},
    {"--hidden", 0, SB_KIND_LIST, offsetof(layers_options, hidden), "N,N,...", "64", 1, 65536,
     "autoencoder: units of its encoder's layers", TYPED(HIDDEN)},
    {"--layers", 0, SB_KIND_TEXT, offsetof(layers_options, layers), "FILE.layers", NULL, 0, 0,
     "layers: file that describes your own network", TYPED(LAYERS)},
    {"--blocks", 0, SB_KIND_INT, offsetof(layers_options, blocks), "N", "6", 1, 12,
     "gpt: blocks of attention and dense layers", TYPED(BLOCKS)},
    {"--heads", 0, SB_KIND_INT, offsetof(layers_options, heads), "N", "6", 1, 4096, "gpt: heads of attention",
     TYPED(HEADS)},
    {"--width", 0, SB_KIND_INT, offsetof(layers_options, width), "N", "384", 1, 1024,
     "gpt: numbers of the representation of a token", TYPED(WIDTH)},
    {"--context", 0, SB_KIND_INT, offsetof(layers_options, context), "TOKENS", "256", 1, 4096,
     "gpt: tokens of a window", TYPED(CONTEXT)},
    {"--tied", 0, SB_KIND_CHOICE, offsetof(layers_options, tied), "off|on", "on", 0, 0,
     "gpt: the logits have the weights of the embedding", TYPED(TIED)},
    {"--colors", 0, SB_KIND_INT, offsetof(layers_options, colors), "N", "1", 1, 4, "number of color channels",
     .typed = offsetof(layers_options, has_colors)},
    {"--colours", 0, SB_KIND_INT, offsetof(layers_options, colors), "N", NULL, 1, 4, "the same as --colors",
     .typed = offsetof(layers_options, has_colors)},
    {"--classes", 0, SB_KIND_INT, offsetof(layers_options, classes), "N", "10", 2, SB_VOCABULARY_MAX,
     "number of classes; of a text the number of different tokens", .typed = offsetof(layers_options, has_classes)},
    SB_OPTION_END,
};

/* What is no setting, of a network that does not have it. */
static sb_status check_images(const layers_options *values)
{
    const bool is_video = sb_model_learns_from_video(values->model);
    const sb_setting_names names = {.of = {[SB_OF_NETWORK] = values->model}};
    if (values->has_colors && is_video)
        return sb_fail(SB_E_USAGE, "--colors: model %s has frames of 3 colors", values->model);
    if (values->has_classes && !sb_setting_applies(SB_SETTING_SMOOTHING, &names))
        return sb_fail(SB_E_USAGE, "--classes: model %s has no classes", values->model);
    return SB_OK;
}

/* A line for each layer: name, kind (input, convolution, convlstm gate, dense, ...), names of its inputs, channels of
 * what it reads and gives (of a dense layer: inputs and units), rows and columns of what it gives, kernel ("3x3",
 * "map"), activation and parameters. */
static sb_status print(const sb_net *net)
{
    sb_net_layer *list = calloc(SB_NET_LAYERS_MAX, sizeof *list);
    size_t total = 0;
    if (!list) return sb_fail(SB_E_MEMORY, "not enough memory for the layers of a network");
    const int n = net->layers(net, list);
    printf("name,kind,inputs,in_channels,out_channels,height,width,kernel,activation,parameters\n");
    for (const sb_net_layer *l = list; l < list + n; l++) {
        printf("%s,%s,%s,%d,%d,%d,%d,", l->name, l->kind, l->inputs, l->in, l->out, l->h, l->w);
        if (l->kernel > 0) printf("%dx%d", l->kernel, l->kernel);
        if (l->kernel == SB_NET_WHOLE_MAP) printf("map");
        printf(",%s,%zu\n", l->activation, l->n_parameters);
        total += l->n_parameters;
    }
    free(list);
    if (total != net->params.total)
        return sb_fail(SB_E_INTEGRITY, "%s: its layers have %zu parameters, but the network has %zu", net->model, total,
                       net->params.total);
    fprintf(stderr, "%zu parameters\n", total);
    return SB_OK;
}

static sb_status layers(const sb_call *call)
{
    const layers_options *values = call->values;
    const sb_size usual = sb_model_learns_from_video(values->model) ? (sb_size){160, 120} : (sb_size){28, 28};
    const sb_size size = values->size.w ? values->size : usual;
    sb_settings settings;
    SB_TRY(check_images(values));
    sb_settings_default(&settings);
    memcpy(settings.typed, values->typed, sizeof settings.typed);
    settings.model = values->model, settings.hidden = values->hidden, settings.channels = values->channels;
    settings.layers = values->layers, settings.tied = values->tied;
    settings.blocks = values->blocks, settings.heads = values->heads;
    settings.width = values->width, settings.context = values->context;
    settings.threads = settings.window = 1;
    settings.batch = sb_model_learns_from_video(values->model) ? 1 : 16; /* groups of batch norm must divide it */
    SB_OWNED(sb_setup_close) sb_setup setup = {0};
    const sb_data_shape shape = {sb_model_learns_from_video(values->model) ? 3 : (int)values->colors, size.h, size.w,
                                 (int)values->classes};
    SB_TRY(sb_setup_open_net(&setup, &settings, &shape));
    return print(setup.learner.net);
}

const sb_command sb_verb_layers = {
    .program = "samebits",
    .verb = "layers",
    .summary = "print the layers of a network and their parameters as csv, in forward order",
    .options = options,
    .values_bytes = sizeof(layers_options),
    .epilogue = "The column inputs names other rows; NAME@t-1 is the row NAME of the step before.\n",
    .run = layers,
};
