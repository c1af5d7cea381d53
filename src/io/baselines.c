#include "io/baselines.h"

#include "core/size.h"
#include "io/run/runfile.h"
#include "io/windows.h"

#include <stdlib.h>
#include <string.h>

#define NAME(ID, function, name, rule) name,
#define RULE(ID, function, name, rule) rule,
const char *const sb_baseline_name[SB_N_BASELINES] = {SB_BASELINES(NAME)};
const char *const sb_baseline_rule[SB_N_BASELINES] = {SB_BASELINES(RULE)};

enum { BEFORE_LAST, LAST, NOW, N_HELD }; /* frames held at a time */

struct sb_baselines {
    sb_dataset *dataset;
    const sb_dataset_facts *facts;
    size_t frame_bytes;
    uint8_t *frame[N_HELD];
    double *mean; /* [frame_bytes], of all frames, from 0 to 255 */
    double change;
};

/* ---- errors of one frame: the sum of squares in units of 1/255 ---- */

static double error_repeat(const sb_baselines *b)
{
    int64_t sum = 0;
    for (size_t i = 0; i < b->frame_bytes; i++) {
        const int d = b->frame[NOW][i] - b->frame[LAST][i];
        sum += d * d;
    }
    return (double)sum;
}

static double error_linear(const sb_baselines *b)
{
    int64_t sum = 0;
    for (size_t i = 0; i < b->frame_bytes; i++) {
        int p = 2 * b->frame[LAST][i] - b->frame[BEFORE_LAST][i];
        p = p < 0 ? 0 : p > 255 ? 255 : p;
        const int d = b->frame[NOW][i] - p;
        sum += d * d;
    }
    return (double)sum;
}

static double error_mean(const sb_baselines *b)
{
    double sum = 0;
    for (size_t i = 0; i < b->frame_bytes; i++) {
        const double d = b->frame[NOW][i] - b->mean[i];
        sum += d * d;
    }
    return sum;
}

/* As losses are: the mean over the pixels, which are in [0, 1]. */
static double loss_of(const sb_baselines *b, sb_baseline_id id)
{
#define ERROR(ID, function, ...) error_##function,
    static double (*const error[SB_N_BASELINES])(const sb_baselines *) = {SB_BASELINES(ERROR)};
    return error[id](b) / (255.0 * 255.0 * (double)b->frame_bytes);
}

/* ---- frames, one after the other ---- */

/* The next frame; where none came before it (`is_first`) it counts as the one before it, too. */
static sb_status step(sb_baselines *b, int64_t frame, bool is_first)
{
    uint8_t *oldest = b->frame[BEFORE_LAST];
    b->frame[BEFORE_LAST] = b->frame[LAST], b->frame[LAST] = b->frame[NOW], b->frame[NOW] = oldest;
    SB_TRY(sb_dataset_read(b->dataset, (size_t)frame, 1, b->frame[NOW]));
    if (is_first) memcpy(b->frame[LAST], b->frame[NOW], b->frame_bytes);
    return SB_OK;
}

static sb_status read_all(sb_baselines *b)
{
    size_t sequence = 0, n_pairs = 0;
    for (size_t f = 0; f < b->facts->n; f++) {
        const bool is_first = sequence < b->facts->n_sequences && (size_t)b->facts->sequence[sequence] == f;
        sequence += is_first;
        SB_TRY(step(b, (int64_t)f, is_first));
        for (size_t i = 0; i < b->frame_bytes; i++) b->mean[i] += b->frame[NOW][i]; /* whole numbers: exact */
        if (!is_first) b->change += loss_of(b, SB_BASELINE_REPEAT), n_pairs++;
    }
    for (size_t i = 0; i < b->frame_bytes; i++) b->mean[i] /= (double)b->facts->n;
    if (n_pairs) b->change /= (double)n_pairs;
    return SB_OK;
}

static sb_status prepare(sb_baselines *b)
{
    const bool is_text = b->facts->kind == SB_DATASET_TEXT;
    if (b->facts->kind != SB_DATASET_VIDEO)
        return sb_fail(SB_E_USAGE, "baselines are of videos; this holds %s", is_text ? "text" : "images");
    b->frame_bytes = b->facts->h * b->facts->w * b->facts->c;
    b->mean = sb_size_allocate(b->frame_bytes, sizeof *b->mean);
    for (int i = 0; i < N_HELD; i++) b->frame[i] = sb_size_allocate(b->frame_bytes, 1);
    for (int i = 0; i < N_HELD; i++)
        if (!b->mean || !b->frame[i]) return sb_fail(SB_E_MEMORY, "not enough memory for baselines");
    return read_all(b);
}

sb_status sb_baselines_open(sb_baselines **baselines, sb_dataset *dataset)
{
    *baselines = calloc(1, sizeof **baselines);
    if (!*baselines) return sb_fail(SB_E_MEMORY, "not enough memory for baselines");
    **baselines = (sb_baselines){.dataset = dataset, .facts = sb_dataset_about(dataset)};
    sb_status status = prepare(*baselines);
    if (status == SB_OK) return SB_OK;
    sb_baselines_close(*baselines);
    *baselines = NULL;
    return status;
}

void sb_baselines_close(sb_baselines *baselines)
{
    if (!baselines) return;
    for (int i = 0; i < N_HELD; i++) free(baselines->frame[i]);
    free(baselines->mean);
    free(baselines);
}

double sb_baselines_change(const sb_baselines *baselines)
{
    return baselines->change;
}

/* ---- windows ---- */

/* The losses of one window; with the frame before its first one, where the sequence has that. */
static sb_status one_window(sb_baselines *b, sb_frames frames, sb_baseline window[SB_N_BASELINES])
{
    memset(window, 0, SB_N_BASELINES * sizeof *window);
    if (!frames.reset) SB_TRY(step(b, frames.first - 1, true));
    SB_TRY(step(b, frames.first, frames.reset));
    for (int i = 1; i <= frames.n; i++) {
        SB_TRY(step(b, frames.first + i, false));
        for (int id = 0; id < SB_N_BASELINES; id++) {
            window[id].loss_last = loss_of(b, (sb_baseline_id)id);
            window[id].loss_mean += window[id].loss_last / frames.n;
        }
    }
    return SB_OK;
}

sb_status sb_baselines_compute(sb_baselines *b, int window, long updates, sb_baseline baseline[SB_N_BASELINES])
{
    const long n = (long)sb_runfile_tail_length((size_t)updates);
    if (sb_windows_count(b->facts, window) == 0)
        return sb_fail(SB_E_USAGE, "the data set holds not one window of %d", window);
    memset(baseline, 0, SB_N_BASELINES * sizeof *baseline);
    for (long update = updates - n + 1; update <= updates; update++) {
        sb_baseline one[SB_N_BASELINES];
        SB_TRY(one_window(b, sb_windows_place(b->facts, window, update), one));
        for (int id = 0; id < SB_N_BASELINES; id++) {
#define ADD(ID, key, ...) baseline[id].key += one[id].key / (double)n;
            SB_METRICS(ADD, SB_METRIC_NONE, SB_METRIC_NONE)
        }
    }
    return SB_OK;
}

sb_status sb_baselines_write(sb_baselines *b, sb_writer *csv, const char *name, const char *digest, int window,
                             long updates)
{
    sb_baseline baseline[SB_N_BASELINES];
    SB_TRY(sb_baselines_compute(b, window, updates, baseline));
    for (int id = 0; id < SB_N_BASELINES; id++) {
        sb_write(csv, "%s,%s,%d,%ld,%s", name, digest, window, updates, sb_baseline_name[id]);
#define WRITE(ID, key, ...) sb_write(csv, ",%.9g", baseline[id].key);
        SB_METRICS(WRITE, SB_METRIC_NONE, SB_METRIC_NONE)
        sb_write(csv, ",%.9g\n", b->change);
    }
    return SB_OK;
}
