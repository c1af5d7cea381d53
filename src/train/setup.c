#include "train/setup.h"

#include "core/rows/layer_text.h"
#include "core/rows/typed.h"
#include "core/size.h"
#include "net/models.h"

#include <stdlib.h>
#include <string.h>

/* The settings of a setup come first, so that who has them has all. */
typedef struct kept {
    sb_settings settings;
    sb_layer_text layers;
} kept;

/* A user's own network: from its file, or in one line. */
static sb_status read_layers(kept *k)
{
    const char *layers = k->settings.layers;
    if (!layers || !*layers) return SB_OK;
    if (!sb_layer_text_is_file(layers)) {
        if (sb_layer_text_check(layers) == SB_OK) return SB_OK;
        return sb_fail(SB_E_USAGE, "--layers wants a file NAME.layers, or a network in one line, not '%.40s'", layers);
    }
    SB_TRY(sb_layer_text_read(&k->layers, layers));
    k->settings.layers = k->layers.text, k->settings.layer_file = &k->layers;
    return SB_OK;
}

/* What the options mean, in memory of its own. */
static sb_status keep_options(sb_setup *setup, const sb_settings *options, sb_ranks *ranks)
{
    kept *k = calloc(1, sizeof *k);
    *setup = (sb_setup){.ranks = ranks};
    if (!k) return sb_fail(SB_E_MEMORY, "not enough memory for the settings");
    k->settings = sb_settings_resolved(options);
    setup->options = &k->settings;
    SB_TRY(sb_typed_check(options));
    return read_layers(k);
}

/* A training takes as many processes as --ranks says, and so does what repeats one that its engine summed
 * (train/readback.c). */
static sb_status check_ranks(const sb_setup *setup)
{
    const int size = sb_ranks_size(setup->ranks);
    const long wanted = setup->options->ranks;
    if ((wanted ? wanted : 1) == size) return SB_OK;
    return sb_fail(SB_E_USAGE, "--ranks %ld: started as %d process%s; 'mpiexec -n %ld samebits train' starts as many",
                   wanted, size, size == 1 ? "" : "es", wanted);
}

/* Ranks of one host take its devices in turns. */
static sb_status open_backend(sb_ops **ops, const sb_settings *options, long threads, const sb_ranks *ranks)
{
    const sb_backend_options backend = {.threads = (int)threads,
                                        .isa = options->isa,
                                        .arithmetic = options->arithmetic,
                                        .seed = (uint64_t)options->seed,
                                        .draw = (uint64_t)options->draw,
                                        .winograd_channels = options->winograd_channels,
                                        .blas_kernel = options->blas_kernel,
                                        .cudnn_algorithm = options->cudnn_algorithm,
                                        .cudnn_version = options->cudnn_version,
                                        .tf32 = sb_setting_says(options->tf32, "on"),
                                        .device = sb_ranks_number_on_host(ranks),
                                        .is_traced = options->is_traced};
    return sb_backend_open(ops, options->backend, &backend);
}

/* Backend and learner of a setup that has its options. */
static sb_status open_net(sb_setup *setup, const sb_data_shape *data)
{
    const sb_settings *options = setup->options;
    const sb_model *model = sb_model_find(options->model);
    setup->shape = *data;
    if (!model) return sb_model_unknown(options->data ? options->data : "settings", options->model);
    SB_TRY(check_ranks(setup));
    SB_TRY(sb_shards_check(options->shards, options->batch));
    SB_TRY(sb_shards_check_steps(options->shards, options->batch, options->sync_every));
    SB_TRY(open_backend(&setup->ops, options, options->threads, setup->ranks));
    sb_net *net;
    SB_TRY(model->open(&net, setup->ops, options, data));
    /* without gradients nothing of a learner is added up over ranks */
    return sb_learner_open(&setup->learner, net, options, sb_settings_use_gradients(options) ? setup->ranks : NULL);
}

sb_status sb_setup_open_net(sb_setup *setup, const sb_settings *options, const sb_data_shape *data)
{
    sb_status status = keep_options(setup, options, NULL);
    if (status == SB_OK) status = open_net(setup, data);
    if (status != SB_OK) sb_setup_close(setup);
    return status;
}

/* What changes images has no effect on a text. */
static sb_status check_text(const sb_settings *options)
{
    static const sb_setting_id of_images[] = {SB_SETTING_NORMALISE, SB_SETTING_CROP,       SB_SETTING_FLIP,
                                              SB_SETTING_CUTOUT,    SB_SETTING_BRIGHTNESS, SB_SETTING_CONTRAST,
                                              SB_SETTING_NOISE,     SB_SETTING_TEST_FLIP};
    const sb_setting_names names = sb_setting_names_of(options);
    if (options->hold_out > 0)
        return sb_fail(SB_E_USAGE, "--hold-out sets images aside; the held-out tokens of a text are in its data set");
    for (size_t i = 0; i < sizeof of_images / sizeof *of_images; i++) {
        char text[SB_SETTING_TEXT];
        const sb_setting_id id = of_images[i];
        if (!options->typed[id]) continue;
        sb_setting_text(options, id, text);
        if (strcmp(text, SB_OPTION_AUTO) == 0 || sb_setting_agrees(id, text, sb_setting_default(id, &names))) continue;
        return sb_fail(SB_E_USAGE, "%s is for images, but %s holds text", sb_settings_table[id].option, options->data);
    }
    return SB_OK;
}

/* The data set is of the kind that the network learns from. */
static sb_status check_data(const sb_settings *options, const sb_dataset_facts *facts)
{
    static const char *const held[] = {"video frames", "images", "text"}; /* sb_dataset_kind */
    static const struct {
        sb_dataset_kind kind;
        const char *word, *maker;
    } wanted[] = {[SB_LEARNS_FROM_VIDEO] = {SB_DATASET_VIDEO, "video", "walk"},
                  [SB_LEARNS_FROM_IMAGES] = {SB_DATASET_IMAGES, "images", "digits"},
                  [SB_LEARNS_FROM_TEXT] = {SB_DATASET_TEXT, "text", "text"}};
    if (!sb_model_find(options->model)) return sb_model_unknown(options->data, options->model);
    const sb_model_data data = sb_model_data_of(options);
    sb_image_plan plan;
    const char *maker = wanted[data].maker;
    if (facts->kind != wanted[data].kind && strcmp(options->data, SB_MADE_TEXT) == 0)
        return sb_fail(SB_E_USAGE,
                       "%s learns from %s: name the data set with --data FILE; "
                       "'samebits-data synth %s -o %s.h5' makes one",
                       options->model, wanted[data].word, maker, maker);
    if (facts->kind != wanted[data].kind)
        return sb_fail(SB_E_USAGE, "%s: holds %s, but %s learns from %s", options->data, held[facts->kind],
                       options->model, wanted[data].word);
    if (data == SB_LEARNS_FROM_IMAGES && facts->c > 1 && !sb_image_plan_of(options, &plan))
        return sb_fail(SB_E_USAGE, "%s: holds images of %zu channels, but %s learns from images of one", options->data,
                       facts->c, options->model);
    return data == SB_LEARNS_FROM_TEXT ? check_text(options) : SB_OK;
}

static bool takes_numbers(const sb_settings *options, sb_image_plan *plan)
{
    return sb_model_data_of(options) == SB_LEARNS_FROM_IMAGES && sb_image_plan_of(options, plan);
}

/* The network is open where it learns from text. */
static sb_status open_loader(sb_setup *setup)
{
    const sb_settings *options = setup->options;
    const sb_dataset_kind kind = sb_dataset_about(setup->dataset)->kind;
    const bool video = kind == SB_DATASET_VIDEO, text = kind == SB_DATASET_TEXT;
    const sb_setting_names names = sb_setting_names_of(options);
    sb_image_plan images;
    const bool has_numbers = takes_numbers(options, &images);
    const sb_loader_plan plan = {.length = (int)(video ? options->window : options->batch),
                                 .n_shards = (int)options->shards,
                                 .seed = (uint64_t)options->seed,
                                 .hold_out = sb_setting_applies(SB_SETTING_HOLD_OUT, &names) ? options->hold_out : 0,
                                 .images = has_numbers ? &images : NULL,
                                 .n_lanes = video ? (int)options->batch : 0,
                                 .context = text ? setup->learner.net->classes.n_targets : 0,
                                 .is_read_only = setup->is_read_only};
    const sb_status status = sb_loader_open(&setup->loader, setup->dataset, &plan);
    return text && status == SB_E_USAGE ? sb_fail(status, "%s: %.400s", options->data, sb_message()) : status;
}

/* ---- the network ---- */

/* What the network sees: of images as numbers what the loader makes of them; of a text its characters. */
static sb_data_shape shape_of(const sb_settings *options, const sb_dataset_facts *facts, const sb_loader *loader)
{
    sb_image_plan plan;
    if (!takes_numbers(options, &plan))
        return (sb_data_shape){(int)facts->c, (int)facts->h, (int)facts->w, facts->characters.n};
    const sb_loader_images images = sb_loader_about_images(loader);
    return (sb_data_shape){images.shape.c, images.shape.h, images.shape.w, images.n_classes};
}

/* A convolution that is not trained whitens the patches of the images. */
static sb_status fill_frozen(sb_net *net, const sb_loader *loader)
{
    for (int i = 0; i < net->n_states; i++) {
        const sb_state *state = &net->state[i];
        const size_t n = sb_tensor_size(&state->tensor);
        if (state->kind != SB_STATE_FROZEN) continue;
        sb_real *host = sb_size_allocate(n, sizeof *host);
        if (!host) return sb_fail(SB_E_MEMORY, "not enough memory for the weights of %s", state->name);
        sb_status status = sb_loader_whitening(loader, host);
        if (status == SB_OK) net->ops->to_device(net->ops, state->tensor.x, host, n * sizeof *host);
        free(host);
        SB_TRY(status);
    }
    return net->ops->error(net->ops);
}

static sb_status start(sb_setup *setup)
{
    setup->learner.epoch_updates = sb_loader_epoch_updates(setup->loader);
    SB_TRY(fill_frozen(setup->learner.net, setup->loader));
    return sb_learner_start(&setup->learner, (uint64_t)setup->options->seed, (uint64_t)setup->options->ulp);
}

/* A network that takes numbers is as the loader's images, and of another one the loader comes last. */
static sb_status open_parts(sb_setup *setup)
{
    const sb_settings *options = setup->options;
    SB_TRY(sb_dataset_open(&setup->dataset, options->data));
    const sb_dataset_facts *facts = sb_dataset_about(setup->dataset);
    SB_TRY(check_data(options, facts));
    sb_image_plan plan;
    if (takes_numbers(options, &plan)) SB_TRY(open_loader(setup));
    const sb_data_shape shape = shape_of(options, facts, setup->loader);
    SB_TRY(open_net(setup, &shape));
    if (!setup->loader) SB_TRY(open_loader(setup));
    return start(setup);
}

sb_status sb_setup_open_twin(const sb_setup *setup, sb_ops **ops, sb_net **net)
{
    const sb_settings *options = setup->options;
    const sb_net *from = setup->learner.net;
    *ops = NULL, *net = NULL;
    SB_TRY(open_backend(ops, options, 1, setup->ranks));
    SB_TRY(sb_model_find(options->model)->open(net, *ops, options, &setup->shape));
    for (int i = 0; i < (*net)->n_states; i++) {
        const sb_tensor *to = &(*net)->state[i].tensor;
        (*ops)->copy(*ops, to->x, from->state[i].tensor.x, sb_tensor_size(to) * sizeof *to->x);
    }
    return (*ops)->error(*ops);
}

static sb_status open_all(sb_setup *setup, const sb_settings *options, sb_ranks *ranks, bool is_read_only)
{
    sb_status status = keep_options(setup, options, ranks);
    setup->is_read_only = is_read_only;
    if (status == SB_OK) status = open_parts(setup);
    if (status != SB_OK) sb_setup_close(setup);
    return status;
}

sb_status sb_setup_open(sb_setup *setup, const sb_settings *options)
{
    return open_all(setup, options, NULL, false);
}

sb_status sb_setup_open_read_only(sb_setup *setup, const sb_settings *options)
{
    return open_all(setup, options, NULL, true);
}

sb_status sb_setup_open_among(sb_setup *setup, const sb_settings *options, sb_ranks *ranks)
{
    return open_all(setup, options, ranks, false);
}

void sb_setup_close(sb_setup *setup)
{
    sb_loader_close(setup->loader);
    sb_learner_close(&setup->learner);
    sb_backend_close(setup->ops);
    sb_dataset_close(setup->dataset);
    free(setup->options);
    *setup = (sb_setup){0};
}
