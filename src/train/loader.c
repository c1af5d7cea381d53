#include "train/loader.h"

#include "core/plural.h"
#include "core/random.h"
#include "core/size.h"
#include "io/windows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct sb_loader {
    sb_dataset *dataset;
    const sb_dataset_facts *facts;
    sb_loader_plan plan;
    long epoch_updates;
    uint8_t *bytes, *labels;          /* of one batch; labels: NULL where there are none */
    uint8_t *all_images, *all_labels; /* of the training set */
    uint32_t *order;                  /* permutation of the images for `epoch` */
    long epoch;
};

static size_t frame_bytes(const sb_loader *loader)
{
    return loader->facts->h * loader->facts->w * loader->facts->c;
}

static bool is_video(const sb_loader *loader)
{
    return loader->facts->kind == SB_DATASET_VIDEO;
}

static long count_updates(const sb_loader *loader)
{
    if (!is_video(loader)) return (long)(loader->facts->n / (size_t)loader->plan.length);
    return sb_windows_count(loader->facts, loader->plan.length);
}

/* ---- opening ---- */

static sb_status take_memory(sb_loader *loader)
{
    const size_t length = (size_t)loader->plan.length, n = loader->facts->n;
    const bool images = !is_video(loader), labels = images && loader->facts->has_labels;
    loader->bytes = sb_size_allocate(images ? length : length + 1, frame_bytes(loader));
    if (images) loader->all_images = sb_size_allocate(n, frame_bytes(loader));
    if (images) loader->order = sb_size_allocate(n, sizeof *loader->order);
    if (labels) loader->labels = sb_size_allocate(length, 1);
    if (labels) loader->all_labels = sb_size_allocate(n, 1);
    const bool has_images = loader->all_images && loader->order, has_labels = loader->labels && loader->all_labels;
    if (loader->bytes && (!images || has_images) && (!labels || has_labels)) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for a batch of %d", loader->plan.length);
}

static sb_status read_images(sb_loader *loader)
{
    SB_TRY(sb_dataset_read(loader->dataset, 0, loader->facts->n, loader->all_images));
    if (!loader->all_labels) return SB_OK;
    return sb_dataset_read_labels(loader->dataset, 0, loader->facts->n, loader->all_labels);
}

static sb_status check_plan(const sb_loader *loader)
{
    const sb_dataset_facts *facts = loader->facts;
    SB_TRY(sb_shards_check(loader->plan.n_shards, is_video(loader) ? 1 : loader->plan.length));
    if (loader->epoch_updates > 0) return SB_OK;
    return sb_fail(SB_E_USAGE, "the data set holds %zu %s in %zu sequence%s, not one window of %d", facts->n,
                   is_video(loader) ? "frames" : "images", facts->n_sequences, sb_plural(facts->n_sequences),
                   loader->plan.length);
}

sb_status sb_loader_open(sb_loader **loader, sb_dataset *dataset, const sb_loader_plan *plan)
{
    *loader = calloc(1, sizeof **loader);
    if (!*loader) return sb_fail(SB_E_MEMORY, "not enough memory for a data loader");
    **loader = (sb_loader){.dataset = dataset, .facts = sb_dataset_about(dataset), .plan = *plan, .epoch = -1};
    (*loader)->epoch_updates = count_updates(*loader);
    sb_status status = check_plan(*loader);
    if (status == SB_OK) status = take_memory(*loader);
    if (status == SB_OK && !is_video(*loader)) status = read_images(*loader);
    if (status == SB_OK) return SB_OK;
    sb_loader_close(*loader);
    *loader = NULL;
    return status;
}

void sb_loader_close(sb_loader *loader)
{
    if (!loader) return;
    free(loader->bytes);
    free(loader->labels);
    free(loader->all_images);
    free(loader->all_labels);
    free(loader->order);
    free(loader);
}

long sb_loader_epoch_updates(const sb_loader *loader)
{
    return loader->epoch_updates;
}

/* ---- video ---- */

static sb_status video_batch(sb_loader *loader, long update, sb_batch *batch)
{
    const sb_frames frames = sb_windows_place(loader->facts, loader->plan.length, update);
    *batch = (sb_batch){.n_shards = 1,
                        .shard = {{.bytes = loader->bytes, .n = frames.n, .reset = frames.reset}},
                        .shard_bytes = frame_bytes(loader) * ((size_t)frames.n + 1)};
    return sb_dataset_read(loader->dataset, (size_t)frames.first, (size_t)frames.n + 1, loader->bytes);
}

/* ---- images ---- */

/* Image number `place` of the epoch into place `to` of the memory of a batch. */
static void load_image(sb_loader *loader, size_t place, size_t to)
{
    const size_t size = frame_bytes(loader), image = loader->order[place];
    memcpy(loader->bytes + to * size, loader->all_images + image * size, size);
    if (loader->labels) loader->labels[to] = loader->all_labels[image];
}

/* The shards lie one after the other, each as if it were a batch of its own. */
static void image_batch(sb_loader *loader, long update, int rank, int ranks, sb_batch *batch)
{
    const int n_shards = loader->plan.n_shards, own = n_shards / ranks, n = loader->plan.length / n_shards;
    const size_t first = (size_t)((update - 1) % loader->epoch_updates) * (size_t)loader->plan.length;
    const long epoch = (update - 1) / loader->epoch_updates;
    if (epoch != loader->epoch)
        sb_random_permutation(loader->plan.seed, SB_STREAM_ORDER + (uint32_t)epoch, 0, (uint32_t)loader->facts->n,
                              loader->order);
    loader->epoch = epoch;
    *batch = (sb_batch){.n_shards = own, .shard_bytes = (size_t)n * frame_bytes(loader)};
    for (int s = 0; s < own; s++) {
        const size_t to = (size_t)s * (size_t)n;
        for (size_t i = 0; i < (size_t)n; i++)
            load_image(loader, first + (size_t)(rank * own + s) + i * (size_t)n_shards, to + i);
        batch->shard[s] = (sb_window){.bytes = loader->bytes + to * frame_bytes(loader),
                                      .labels = loader->labels ? loader->labels + to : NULL,
                                      .n = n,
                                      .n_batch = loader->plan.length};
    }
}

sb_status sb_loader_batch(sb_loader *loader, long update, int rank, int ranks, sb_batch *batch)
{
    assert(update >= 1 && rank >= 0 && rank < ranks && loader->plan.n_shards % ranks == 0);
    if (is_video(loader)) return video_batch(loader, update, batch);
    image_batch(loader, update, rank, ranks, batch);
    return SB_OK;
}

int64_t sb_loader_target(const sb_loader *loader, long update, int shard, int i)
{
    if (!is_video(loader)) return shard + (int64_t)i * loader->plan.n_shards;
    return sb_windows_place(loader->facts, loader->plan.length, update).first + 1 + i;
}
