#include "train/feed.h"

#include "core/plural.h"
#include "core/random.h"
#include "core/size.h"

#include <stdlib.h>
#include <string.h>

enum { SHUFFLE_STREAM = 1u << 20 }; /* behind the streams of the parameters */

struct sb_feed {
    sb_dataset *dataset;
    const sb_dataset_facts *facts;
    int length;
    uint64_t seed;
    long epoch_updates;
    uint8_t *bytes;  /* one window */
    uint8_t *images; /* all training images */
    uint32_t *order; /* permutation of the images for `epoch` */
    long epoch;
};

static size_t frame_bytes(const sb_feed *feed)
{
    return feed->facts->h * feed->facts->w * feed->facts->c;
}

static int64_t sequence_end(const sb_dataset_facts *facts, size_t i)
{
    return i + 1 < facts->n_sequences ? facts->sequence[i + 1] : (int64_t)facts->n;
}

static bool is_video(const sb_feed *feed)
{
    return feed->facts->kind == SB_DATASET_VIDEO;
}

/* A window ends where the number of frames seen is divisible by its length. Nothing predicts a sequence's first frame,
 * so that with windows of one frame none ends there: it would have no loss term. */
static long windows_without_term(const sb_feed *feed)
{
    return feed->length == 1;
}

/* Windows of sequence i, a partial last one left out. */
static long count_windows(const sb_feed *feed, size_t i)
{
    long n = (long)((sequence_end(feed->facts, i) - feed->facts->sequence[i]) / feed->length);
    return n > windows_without_term(feed) ? n - windows_without_term(feed) : 0;
}

static long count_updates(const sb_feed *feed)
{
    if (!is_video(feed)) return (long)(feed->facts->n / (size_t)feed->length);
    long n = 0;
    for (size_t i = 0; i < feed->facts->n_sequences; i++) n += count_windows(feed, i);
    return n;
}

static sb_status take_memory(sb_feed *feed)
{
    size_t n = is_video(feed) ? (size_t)feed->length + 1 : (size_t)feed->length;
    feed->bytes = sb_size_allocate(n, frame_bytes(feed));
    if (!is_video(feed)) {
        feed->images = sb_size_allocate(feed->facts->n, frame_bytes(feed));
        feed->order = sb_size_allocate(feed->facts->n, sizeof *feed->order);
    }
    if (feed->bytes && (is_video(feed) || (feed->images && feed->order))) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for a window of %d", feed->length);
}

sb_status sb_feed_open(sb_feed **feed, sb_dataset *dataset, int length, uint64_t seed)
{
    *feed = calloc(1, sizeof **feed);
    if (!*feed) return sb_fail(SB_E_MEMORY, "not enough memory for a feed");
    **feed =
        (sb_feed){.dataset = dataset, .facts = sb_dataset_about(dataset), .length = length, .seed = seed, .epoch = -1};
    (*feed)->epoch_updates = count_updates(*feed);
    sb_status status = SB_OK;
    if ((*feed)->epoch_updates == 0)
        status = sb_fail(SB_E_USAGE, "the data set holds %zu %s in %zu sequence%s, not one window of %d",
                         (*feed)->facts->n, is_video(*feed) ? "frames" : "images", (*feed)->facts->n_sequences,
                         sb_plural((*feed)->facts->n_sequences), length);
    if (status == SB_OK) status = take_memory(*feed);
    if (status == SB_OK && !is_video(*feed)) status = sb_dataset_read(dataset, 0, (*feed)->facts->n, (*feed)->images);
    if (status == SB_OK) return SB_OK;
    sb_feed_close(*feed);
    *feed = NULL;
    return status;
}

void sb_feed_close(sb_feed *feed)
{
    if (!feed) return;
    free(feed->bytes);
    free(feed->images);
    free(feed->order);
    free(feed);
}

long sb_feed_epoch_updates(const sb_feed *feed)
{
    return feed->epoch_updates;
}

/* Fisher and Yates, from counter-based random numbers: the permutation depends on seed and epoch alone. */
static void shuffle(sb_feed *feed, long epoch)
{
    if (epoch == feed->epoch) return;
    feed->epoch = epoch;
    uint32_t n = (uint32_t)feed->facts->n;
    for (uint32_t i = 0; i < n; i++) feed->order[i] = i;
    for (uint32_t i = n - 1; i > 0; i--) {
        sb_random4 r = sb_random_words(feed->seed, SHUFFLE_STREAM + (uint32_t)epoch, i);
        uint32_t j = (uint32_t)((uint64_t)r.word[0] * (i + 1) >> 32);
        uint32_t kept = feed->order[i];
        feed->order[i] = feed->order[j];
        feed->order[j] = kept;
    }
}

/* First frame and number of loss terms of an update's window. */
static void place_window(const sb_feed *feed, long update, int64_t *first, int *n, bool *reset)
{
    long k = (update - 1) % feed->epoch_updates;
    for (size_t i = 0; i < feed->facts->n_sequences; i++) {
        long windows = count_windows(feed, i);
        if (k >= windows) {
            k -= windows;
            continue;
        }
        *reset = k == 0;
        k += windows_without_term(feed);
        *first = feed->facts->sequence[i] + k * feed->length - (k > 0);
        *n = feed->length - (k == 0);
        return;
    }
}

static sb_status video_window(sb_feed *feed, long update, sb_window *window)
{
    int64_t first = 0;
    place_window(feed, update, &first, &window->n, &window->reset);
    return sb_dataset_read(feed->dataset, (size_t)first, (size_t)window->n + 1, feed->bytes);
}

static sb_status image_batch(sb_feed *feed, long update, sb_window *window)
{
    size_t size = frame_bytes(feed), k = (size_t)((update - 1) % feed->epoch_updates);
    shuffle(feed, (update - 1) / feed->epoch_updates);
    for (int b = 0; b < feed->length; b++)
        memcpy(feed->bytes + b * size, feed->images + feed->order[k * feed->length + b] * size, size);
    window->n = feed->length;
    window->reset = false;
    return SB_OK;
}

sb_status sb_feed_window(sb_feed *feed, long update, sb_window *window)
{
    *window = (sb_window){.bytes = feed->bytes};
    return is_video(feed) ? video_window(feed, update, window) : image_batch(feed, update, window);
}

size_t sb_feed_window_bytes(const sb_feed *feed, const sb_window *window)
{
    return frame_bytes(feed) * ((size_t)window->n + (is_video(feed) ? 1 : 0));
}

int64_t sb_feed_target_frame(const sb_feed *feed, long update, int i)
{
    int64_t first = 0;
    int n;
    bool reset;
    place_window(feed, update, &first, &n, &reset);
    return first + 1 + i;
}
