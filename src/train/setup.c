#include "train/setup.h"

#include "net/autoencoder.h"
#include "net/prednet.h"

#include <string.h>

typedef struct holder { /* as a verb has it */
    sb_setup_options setup;
} holder;

bool sb_setup_set(sb_setup_options *options, const char *option, const char *text)
{
    static const sb_option table[] = {SB_SETUP_OPTIONS(holder), SB_OPTION_END};
    return sb_options_set(table, option, text, options);
}

static sb_status open_prednet(sb_setup *setup, int w, int h)
{
    const sb_setup_options *options = setup->options;
    sb_prednet_shape shape = {.n_layers = options->channels.n, .w = w, .h = h, .window = (int)options->window};
    for (int n = 0; n < options->channels.n && n < SB_LAYERS_MAX; n++) shape.channels[n] = options->channels.item[n];
    return sb_prednet_open(&setup->net, setup->ops, &shape);
}

static sb_status open_autoencoder(sb_setup *setup, int w, int h)
{
    const sb_setup_options *options = setup->options;
    sb_autoencoder_shape shape = {.inputs = w * h, .hidden = (int)options->hidden, .batch = (int)options->batch};
    return sb_autoencoder_open(&setup->net, setup->ops, &shape);
}

sb_status sb_setup_open_net(sb_setup *setup, const sb_setup_options *options, int w, int h)
{
    *setup = (sb_setup){.options = options, .adam = SB_ADAM_DEFAULT};
    setup->adam.alpha = options->alpha;
    setup->target = strcmp(options->target, "shared") == 0 ? SB_TARGET_SHARED : SB_TARGET_COPY;
    const sb_backend_options backend = {.threads = (int)options->threads,
                                        .isa = options->isa,
                                        .arithmetic = options->arithmetic,
                                        .wide_channels = options->wide_channels,
                                        .blas_kernel = options->blas_kernel,
                                        .cudnn_algorithm = options->cudnn_algorithm,
                                        .tf32 = options->tf32 && strcmp(options->tf32, "on") == 0};
    SB_TRY(sb_backend_open(&setup->ops, options->backend, &backend));
    sb_status status =
        strcmp(options->model, "prednet") == 0 ? open_prednet(setup, w, h) : open_autoencoder(setup, w, h);
    if (status != SB_OK) sb_setup_close(setup);
    return status;
}

static sb_status check_data(const sb_setup_options *options, const sb_dataset_facts *facts)
{
    bool wants_video = strcmp(options->model, "prednet") == 0;
    if (wants_video == (facts->kind == SB_DATASET_VIDEO)) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: holds %s, but %s learns from %s", options->data,
                   wants_video ? "images" : "video frames", options->model, wants_video ? "video" : "images");
}

sb_status sb_setup_open(sb_setup *setup, const sb_setup_options *options)
{
    sb_dataset *dataset;
    *setup = (sb_setup){0};
    SB_TRY(sb_dataset_open(&dataset, options->data));
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    sb_status status = check_data(options, facts);
    if (status == SB_OK) status = sb_setup_open_net(setup, options, (int)facts->w, (int)facts->h);
    if (status != SB_OK) {
        sb_dataset_close(dataset);
        return status;
    }
    setup->dataset = dataset;
    bool video = facts->kind == SB_DATASET_VIDEO;
    status =
        sb_feed_open(&setup->feed, dataset, (int)(video ? options->window : options->batch), (uint64_t)options->seed);
    if (status == SB_OK) status = sb_net_start(setup->net, (uint64_t)options->seed, (uint64_t)options->ulp);
    if (status != SB_OK) sb_setup_close(setup);
    return status;
}

void sb_setup_close(sb_setup *setup)
{
    sb_feed_close(setup->feed);
    sb_net_close(setup->net);
    sb_backend_close(setup->ops);
    sb_dataset_close(setup->dataset);
    *setup = (sb_setup){0};
}
