#include "data/loader.h"

#include "core/random.h"
#include "core/size.h"
#include "core/text/plural.h"
#include "data/whitening.h"
#include "io/windows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { EPOCHS_MOST = 1 << 20 }; /* distance between the streams of random numbers */

struct sb_loader {
    sb_dataset *dataset;
    const sb_dataset_facts *facts;
    sb_loader_plan plan;
    sb_image_plan image_plan; /* plan.images points here, where there is one */
    sb_images images;
    sb_tokens tokens;
    uint8_t *frames; /* all of a video that is resident, else NULL */
    long epoch_updates;
    sb_epoch epoch; /* of sb_loader_batch */
    sb_room room;
    sb_room part; /* of sb_loader_part */
};

static size_t frame_bytes(const sb_loader *loader)
{
    return loader->facts->h * loader->facts->w * loader->facts->c;
}

static bool is_video(const sb_loader *loader)
{
    return loader->facts->kind == SB_DATASET_VIDEO;
}

static bool is_text(const sb_loader *loader)
{
    return loader->facts->kind == SB_DATASET_TEXT;
}

static bool is_images(const sb_loader *loader)
{
    return loader->facts->kind == SB_DATASET_IMAGES;
}

/* Of a frame, an image or a window of tokens. */
static size_t sample_bytes(const sb_loader *loader)
{
    return is_text(loader) ? loader->tokens.context + 1 : frame_bytes(loader);
}

static size_t elements(const sb_loader *loader)
{
    return sb_image_elements(loader->images.shape);
}

static const sb_image_part *training(const sb_loader *loader)
{
    return &loader->images.part[SB_PART_TRAIN];
}

static size_t lanes_of(const sb_loader *loader)
{
    return loader->plan.n_lanes ? (size_t)loader->plan.n_lanes : 1;
}

/* Windows of the sequences that the lanes walk at a time: of as many sequences as there are lanes, from that one on. */
static long windows_of(const sb_loader *loader, size_t round)
{
    return sb_windows_count_in(loader->facts, loader->plan.length, round * lanes_of(loader));
}

static long count_updates(const sb_loader *loader)
{
    const size_t length = (size_t)loader->plan.length;
    long n = 0;
    if (is_images(loader)) return (long)(training(loader)->n / length);
    if (is_text(loader)) {
        const size_t n_updates = loader->facts->n / (length * loader->tokens.context);
        return n_updates ? (long)n_updates : 1;
    }
    for (size_t round = 0; round < loader->facts->n_sequences / lanes_of(loader); round++)
        n += windows_of(loader, round);
    return n;
}

/* ---- memory ---- */

sb_status sb_epoch_open(sb_epoch *epoch, const sb_loader *loader)
{
    const size_t n = training(loader)->n;
    *epoch = (sb_epoch){.number = -1};
    if (!is_images(loader)) return SB_OK;
    epoch->order = sb_size_allocate(n, sizeof *epoch->order);
    sb_status status = epoch->order ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for the order of %zu images", n);
    if (status == SB_OK && loader->plan.images)
        status =
            sb_augment_open(&epoch->augment, &loader->image_plan.augment, loader->images.shape, loader->plan.seed, n);
    if (status != SB_OK) sb_epoch_close(epoch);
    return status;
}

void sb_epoch_close(sb_epoch *epoch)
{
    sb_augment_close(&epoch->augment);
    free(epoch->order);
    *epoch = (sb_epoch){.number = -1};
}

/* The next of an epoch that is asked for. */
static void begin_epoch(const sb_loader *loader, sb_epoch *epoch, long number)
{
    if (number == epoch->number) return;
    epoch->number = number;
    sb_random_permutation(loader->plan.seed, SB_STREAM_ORDER + (uint32_t)number, 0, (uint32_t)training(loader)->n,
                          epoch->order);
    if (loader->plan.images) sb_augment_begin(&epoch->augment, number);
}

/* n elements of `size` bytes, whose memory it has, get their labels. */
static sb_status finish_room(sb_room *room, const sb_loader *loader, size_t n, size_t size, const void *memory)
{
    const bool labels = training(loader)->labels;
    room->n_bytes = n * (size + labels);
    if (labels) room->labels = sb_size_allocate(n, 1);
    if (memory && (!labels || room->labels)) return SB_OK;
    sb_room_close(room);
    return sb_fail(SB_E_MEMORY, "not enough memory for a batch of %d", loader->plan.length);
}

sb_status sb_room_open(sb_room *room, const sb_loader *loader)
{
    const size_t length = (size_t)loader->plan.length, n = is_video(loader) ? lanes_of(loader) * (length + 1) : length;
    const bool values = loader->plan.images;
    const size_t size = values ? elements(loader) * sizeof(sb_real) : sample_bytes(loader);
    void *memory = sb_size_allocate(n, size);
    *room = values ? (sb_room){.values = memory} : (sb_room){.bytes = memory};
    return finish_room(room, loader, n, size, memory);
}

sb_status sb_room_open_choices(sb_room *room, const sb_loader *loader)
{
    const size_t n = (size_t)loader->plan.length, size = sizeof *room->choice;
    *room = (sb_room){.choice = sb_size_allocate(n, size)};
    return finish_room(room, loader, n, size, room->choice);
}

void sb_room_close(sb_room *room)
{
    free(room->choice);
    free(room->bytes);
    free(room->labels);
    free(room->values);
    *room = (sb_room){0};
}

/* ---- opening ---- */

static sb_status check_plan(const sb_loader *loader)
{
    const sb_dataset_facts *facts = loader->facts;
    const int length = loader->plan.length;
    if (loader->epoch_updates > 0) return SB_OK;
    if (is_images(loader))
        return sb_fail(SB_E_USAGE, "the data set has %zu images to learn from, not one batch of %d",
                       training(loader)->n, length);
    return sb_fail(SB_E_USAGE, "the data set holds %zu frames in %zu sequence%s, not one window of %d", facts->n,
                   facts->n_sequences, sb_plural(facts->n_sequences), length);
}

/* The lanes begin their sequences at the same time, for a first window has a term less than the others. */
static sb_status check_lanes(const sb_loader *loader)
{
    const sb_dataset_facts *facts = loader->facts;
    const size_t n_lanes = lanes_of(loader), n_rounds = facts->n_sequences / n_lanes;
    if (n_rounds == 0)
        return sb_fail(SB_E_USAGE, "the data set has %zu sequence%s, and a batch wants %zu side by side",
                       facts->n_sequences, sb_plural(facts->n_sequences), n_lanes);
    for (size_t i = 0; i < n_rounds * n_lanes; i++) {
        const long n = sb_windows_count_in(facts, loader->plan.length, i), wanted = windows_of(loader, i / n_lanes);
        if (n != wanted)
            return sb_fail(SB_E_USAGE,
                           "sequence %zu has %ld window%s, and sequence %zu, which would be in the same "
                           "batch, %ld: all sequences of a batch must have the same length",
                           i, n, sb_plural((size_t)n), i / n_lanes * n_lanes, wanted);
    }
    return SB_OK;
}

static sb_status open_parts(sb_loader *loader)
{
    SB_TRY(sb_shards_check(loader->plan.n_shards, is_video(loader) ? (long)lanes_of(loader) : loader->plan.length));
    if (is_video(loader)) SB_TRY(check_lanes(loader));
    if (is_images(loader))
        SB_TRY(sb_images_open(&loader->images, loader->dataset, loader->plan.images, (size_t)loader->plan.hold_out));
    if (is_text(loader))
        SB_TRY(sb_tokens_open(&loader->tokens, loader->dataset, (size_t)loader->plan.context, loader->plan.is_read_only));
    loader->epoch_updates = count_updates(loader);
    SB_TRY(check_plan(loader));
    SB_TRY(sb_epoch_open(&loader->epoch, loader));
    SB_TRY(sb_room_open(&loader->room, loader));
    return loader->plan.images || is_text(loader) ? sb_room_open(&loader->part, loader) : SB_OK;
}

sb_status sb_loader_open(sb_loader **loader, sb_dataset *dataset, const sb_loader_plan *plan)
{
    sb_loader *l = *loader = calloc(1, sizeof **loader);
    if (!l) return sb_fail(SB_E_MEMORY, "not enough memory for a data loader");
    *l = (sb_loader){.dataset = dataset, .facts = sb_dataset_about(dataset), .plan = *plan};
    assert((!plan->images && !plan->hold_out) || is_images(l));
    if (plan->images) l->image_plan = *plan->images, l->plan.images = &l->image_plan;
    const sb_status status = open_parts(l);
    if (status == SB_OK) return SB_OK;
    sb_loader_close(l);
    *loader = NULL;
    return status;
}

void sb_loader_close(sb_loader *loader)
{
    if (!loader) return;
    sb_room_close(&loader->part);
    sb_room_close(&loader->room);
    sb_epoch_close(&loader->epoch);
    sb_images_close(&loader->images);
    sb_tokens_close(&loader->tokens);
    free(loader->frames);
    free(loader);
}

sb_status sb_loader_reside(sb_loader *loader)
{
    const size_t n = loader->facts->n;
    if (!is_video(loader) || loader->frames) return SB_OK;
    uint8_t *frames = sb_size_allocate(n, frame_bytes(loader));
    if (!frames)
        return sb_fail(SB_E_MEMORY, "not enough memory for all %zu frames; --input prefetch reads them as it goes", n);
    const sb_status status = sb_dataset_read(loader->dataset, 0, n, frames);
    if (status == SB_OK)
        loader->frames = frames;
    else
        free(frames);
    return status;
}

long sb_loader_epoch_updates(const sb_loader *loader)
{
    return loader->epoch_updates;
}

/* ---- video ---- */

/* The window of a lane. All lanes have reached the same window of their sequences. */
static sb_frames place_lane(const sb_loader *loader, long update, size_t lane)
{
    long k = (update - 1) % loader->epoch_updates;
    size_t round = 0;
    for (long n; k >= (n = windows_of(loader, round)); round++) k -= n;
    return sb_windows_place_in(loader->facts, loader->plan.length, round * lanes_of(loader) + lane, k);
}

static sb_status read_frames(const sb_loader *loader, size_t first, size_t n, uint8_t *to)
{
    const size_t size = frame_bytes(loader);
    if (!loader->frames) return sb_dataset_read(loader->dataset, first, n, to);
    memcpy(to, loader->frames + first * size, n * size);
    return SB_OK;
}

/* The shards lie one after the other, in each its lanes, of each lane the frames. */
static sb_status fill_video(const sb_loader *loader, sb_room *room, long update, int rank, int ranks, sb_batch *batch)
{
    const int n_shards = loader->plan.n_shards, own = n_shards / ranks;
    const size_t n_lanes = lanes_of(loader), of_shard = n_lanes / (size_t)n_shards;
    const sb_frames frames = place_lane(loader, update, 0);
    const size_t n = (size_t)frames.n + 1, lane_bytes = n * frame_bytes(loader);
    *batch = (sb_batch){.n_shards = own, .shard_bytes = of_shard * lane_bytes};
    for (int s = 0; s < own; s++) {
        uint8_t *to = room->bytes + (size_t)s * batch->shard_bytes;
        batch->shard[s] = (sb_window){
            .bytes = to, .n = frames.n, .reset = frames.reset, .n_lanes = (int)of_shard, .n_batch = (int)n_lanes};
        for (size_t i = 0; i < of_shard; i++) {
            const size_t lane = (size_t)(rank * own + s) + i * (size_t)n_shards;
            const sb_frames at = place_lane(loader, update, lane);
            SB_TRY(read_frames(loader, (size_t)at.first, n, to + i * lane_bytes));
        }
    }
    return SB_OK;
}

/* ---- images ---- */

/* What is drawn for an image, as a device takes it. */
static sb_image_choice choice_of(const sb_loader *loader, const sb_epoch *epoch, size_t at, size_t number)
{
    if (!loader->plan.images) return (sb_image_choice){.number = (uint32_t)number};
    const sb_choice drawn = sb_augment_choose(&epoch->augment, at, number);
    const int crop = loader->image_plan.augment.crop;
    return (sb_image_choice){.number = (uint32_t)number,
                             .x0 = drawn.crop_x - crop,
                             .y0 = drawn.crop_y - crop,
                             .flip = drawn.flip,
                             .cut_x = drawn.cutout_x,
                             .cut_y = drawn.cutout_y,
                             .contrast = (sb_real)drawn.contrast,
                             .brightness = (sb_real)drawn.brightness};
}

/* The image at a place of the epoch into place `to` of the room. */
static void fill_image(const sb_loader *loader, sb_epoch *epoch, sb_room *room, size_t place, size_t to)
{
    const sb_image_part *train = training(loader);
    const size_t size = elements(loader), at = epoch->order[place], number = train->number[at];
    const uint8_t *image = train->bytes + number * size;
    if (room->labels) room->labels[to] = train->labels[number];
    if (room->choice) {
        room->choice[to] = choice_of(loader, epoch, at, number);
        return;
    }
    if (!room->values) {
        memcpy(room->bytes + to * size, image, size);
        return;
    }
    const sb_choice choice = sb_augment_choose(&epoch->augment, at, number);
    sb_augment_apply(&epoch->augment, &choice, number, image, &loader->images.normal, room->values + to * size);
}

/* n images that lie in the room from place `first` on. */
static sb_window window_at(const sb_room *room, size_t size, size_t first, int n, int n_batch)
{
    return (sb_window){.bytes = room->bytes ? room->bytes + first * size : NULL,
                       .values = room->values ? room->values + first * size : NULL,
                       .choice = room->choice ? room->choice + first : NULL,
                       .labels = room->labels ? room->labels + first : NULL,
                       .n = n,
                       .n_batch = n_batch};
}

static size_t bytes_of_image(const sb_room *room, size_t n_elements)
{
    if (room->choice) return sizeof *room->choice;
    return room->values ? n_elements * sizeof *room->values : n_elements;
}

/* The shards lie one after the other, each as if it were a batch of its own. */
static void fill_shards(const sb_loader *loader, sb_epoch *epoch, sb_room *room, long update, int rank, int ranks,
                        sb_batch *batch)
{
    const int n_shards = loader->plan.n_shards, own = n_shards / ranks, n = loader->plan.length / n_shards;
    const size_t first = (size_t)((update - 1) % loader->epoch_updates) * (size_t)loader->plan.length;
    const size_t size = elements(loader), each = bytes_of_image(room, size);
    *batch = (sb_batch){.n_shards = own, .shard_bytes = (size_t)n * each};
    for (int s = 0; s < own; s++) {
        const size_t to = (size_t)s * (size_t)n;
        for (size_t i = 0; i < (size_t)n; i++)
            fill_image(loader, epoch, room, first + (size_t)(rank * own + s) + i * (size_t)n_shards, to + i);
        batch->shard[s] = window_at(room, size, to, n, loader->plan.length);
    }
}

/* ---- text ---- */

static sb_window tokens_at(const sb_loader *loader, const sb_room *room, size_t first, int n, int n_batch)
{
    return (sb_window){.tokens = room->bytes + first * sample_bytes(loader), .n = n, .n_batch = n_batch};
}

/* The shards lie one after the other. */
static void fill_text(const sb_loader *loader, sb_room *room, long update, int rank, int ranks, sb_batch *batch)
{
    const int n_shards = loader->plan.n_shards, own = n_shards / ranks, n = loader->plan.length / n_shards;
    const uint64_t first = (uint64_t)(update - 1) * (uint64_t)loader->plan.length;
    const size_t size = sample_bytes(loader);
    *batch = (sb_batch){.n_shards = own, .shard_bytes = (size_t)n * size};
    for (int s = 0; s < own; s++) {
        const size_t to = (size_t)s * (size_t)n;
        for (int i = 0; i < n; i++) {
            const uint64_t place = (uint64_t)(rank * own + s) + (uint64_t)i * (uint64_t)n_shards;
            const size_t start = sb_tokens_start(&loader->tokens, loader->plan.seed, first + place);
            sb_tokens_copy(&loader->tokens, SB_PART_TRAIN, start, room->bytes + (to + (size_t)i) * size);
        }
        batch->shard[s] = tokens_at(loader, room, to, n, loader->plan.length);
    }
}

/* ---- batches ---- */

sb_status sb_loader_fill(const sb_loader *loader, sb_epoch *epoch, sb_room *room, long update, int rank, int ranks,
                         sb_batch *batch)
{
    assert(update >= 1 && rank >= 0 && rank < ranks && loader->plan.n_shards % ranks == 0);
    if (is_video(loader)) return fill_video(loader, room, update, rank, ranks, batch);
    if (is_text(loader)) {
        fill_text(loader, room, update, rank, ranks, batch);
        return SB_OK;
    }
    const long number = (update - 1) / loader->epoch_updates;
    if (number >= EPOCHS_MOST)
        return sb_fail(SB_E_USAGE, "update %ld is in epoch %ld, and random numbers are for %d epochs", update, number,
                       EPOCHS_MOST);
    begin_epoch(loader, epoch, number);
    fill_shards(loader, epoch, room, update, rank, ranks, batch);
    return SB_OK;
}

sb_status sb_loader_batch(sb_loader *loader, long update, int rank, int ranks, sb_batch *batch)
{
    return sb_loader_fill(loader, &loader->epoch, &loader->room, update, rank, ranks, batch);
}

int64_t sb_loader_target(const sb_loader *loader, long update, int shard, int i)
{
    if (!is_video(loader)) return shard + (int64_t)i * loader->plan.n_shards;
    const size_t last = (size_t)shard + lanes_of(loader) - (size_t)loader->plan.n_shards;
    return place_lane(loader, update, last).first + 1 + i;
}

/* ---- what a loader has ---- */

const sb_images *sb_loader_image_set(const sb_loader *loader)
{
    return is_images(loader) ? &loader->images : NULL;
}

size_t sb_loader_n_images(const sb_loader *loader)
{
    return loader->facts->n;
}

const sb_image_plan *sb_loader_image_plan(const sb_loader *loader)
{
    return loader->plan.images;
}

/* ---- parts ---- */

sb_loader_images sb_loader_about_images(const sb_loader *loader)
{
    assert(loader->plan.images);
    return (sb_loader_images){.shape = loader->images.shape, .n_classes = loader->images.n_classes};
}

size_t sb_loader_part_samples(const sb_loader *loader, sb_part part)
{
    return is_text(loader) ? sb_tokens_windows(&loader->tokens, part) : loader->images.part[part].n;
}

static void load_windows(sb_loader *loader, sb_part part, size_t first, size_t n, sb_window *window)
{
    const size_t size = sample_bytes(loader), context = loader->tokens.context;
    for (size_t i = 0; i < n; i++)
        sb_tokens_copy(&loader->tokens, part, (first + i) * context, loader->part.bytes + i * size);
    *window = tokens_at(loader, &loader->part, 0, (int)n, (int)n);
}

sb_status sb_loader_part(sb_loader *loader, sb_part part, size_t first, size_t n, bool mirrored, sb_window *window)
{
    if (is_text(loader)) {
        load_windows(loader, part, first, n, window);
        return SB_OK;
    }
    const sb_image_part *from = &loader->images.part[part];
    const sb_choice plain = sb_augment_plain(&loader->epoch.augment, mirrored);
    const size_t size = elements(loader);
    sb_room *room = &loader->part;
    assert(loader->plan.images && n <= (size_t)loader->plan.length && first <= from->n && n <= from->n - first);
    for (size_t i = 0; i < n; i++) {
        const size_t number = from->number[first + i];
        sb_augment_apply(&loader->epoch.augment, &plain, number, from->bytes + number * size, &loader->images.normal,
                         room->values + i * size);
        room->labels[i] = from->labels[number];
    }
    *window = window_at(room, size, 0, (int)n, (int)n);
    return SB_OK;
}

sb_status sb_loader_whitening(const sb_loader *loader, sb_real *w)
{
    const sb_image_part *train = training(loader);
    const sb_image_shape shape = loader->images.shape;
    const size_t d = 9 * (size_t)shape.c;
    assert(loader->plan.images);
    if (shape.h < 3 || shape.w < 3)
        return sb_fail(SB_E_USAGE, "patches of 3x3 do not fit into images of %dx%d", shape.w, shape.h);
    SB_FREED double *room = sb_size_allocate(2 * (size_t)shape.c + d + 2 * d * d, sizeof *room);
    if (!room) return sb_fail(SB_E_MEMORY, "not enough memory to whiten patches of %zu", d);
    double *mean = room, *sd = mean + shape.c, *value = sd + shape.c, *vector = value + d, *filter = vector + d * d;
    const sb_whitening_images images = {.n = train->n < SB_WHITENING_IMAGES ? train->n : SB_WHITENING_IMAGES,
                                        .c = shape.c,
                                        .h = shape.h,
                                        .w = shape.w,
                                        .bytes = train->bytes,
                                        .number = train->number,
                                        .mean = mean,
                                        .sd = sd};
    SB_TRY(sb_normal_moments(loader->image_plan.normal, (size_t)shape.c, mean, sd));
    SB_TRY(sb_whitening(&images, value, vector));
    sb_whitening_filters((int)d, value, vector, filter);
    for (size_t i = 0; i < d * d; i++) w[i] = (sb_real)filter[i];
    return SB_OK;
}
