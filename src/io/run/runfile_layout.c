#include "io/run/runfile.h"

#include "io/h5/h5_layout.h"

#include <assert.h>

/* An older file lacks some of them, a checkpoint the predictions. */
static const sb_h5_row layout[] = {
    {"train/update", SB_H5_COUNTS, "n", .may_lack = true, .units = "1", .long_name = "update"},
#define METRIC(ID, key, unit, title, words)                                                                            \
    {"train/" #key, SB_H5_DOUBLES, "n", .may_lack = true, .units = unit, .scale = "train/update", .long_name = words},
    SB_METRICS(METRIC, METRIC, METRIC){"train/seconds", SB_H5_DOUBLES, "n", .may_lack = true, .units = "s",
                                       .scale = "train/update", .long_name = "wall time of the update"},
#define COUNT(key, unit, words, group, dim)                                                                            \
    {#group "/" #key, SB_H5_COUNTS, dim, .may_lack = true, .units = unit, .long_name = words},
#define REAL(key, unit, words, group, dim)                                                                             \
    {#group "/" #key, SB_H5_DOUBLES, dim, .may_lack = true, .units = unit, .long_name = words},
#define LIST(group, row, dim, COLUMNS) COLUMNS(COUNT, REAL, group, dim)
    SB_RUN_LISTS(LIST){"evolution/individual", SB_H5_COUNTS, "n b", .may_lack = true, .units = "1",
                       .long_name = "individuals chosen as parents, the best first"},
    {"evolution/parent", SB_H5_COUNTS, "n b", .may_lack = true, .units = "1",
     .long_name = "parent of each in the generation before; -1: none"},
    {"evolution/place", SB_H5_COUNTS, "n b", .may_lack = true, .units = "1",
     .long_name = "place of its last mutation in the table; -1: the elite, unchanged"},
    {"evolution/genome", SB_H5_COUNTS, "a l", .may_lack = true, .units = "1",
     .long_name = "places in the table, of the elite and of the parents chosen last; -1: after the last"},
    {"evolution/elite_result", SB_H5_DOUBLES, "2", .may_lack = true, .units = "1",
     .long_name = "mean cross-entropy and right images of the elite, when it became that"},
    {"chain/update", SB_H5_COUNTS, "k", .may_lack = true, .units = "1",
     .long_name = "update after which the hashes were taken"},
    {"chain/batch", SB_H5_BYTES, "k 16", .may_lack = true, .scale = "chain/update chain/byte",
     .long_name = "XXH3 of the bytes that the update learned from"},
    {"chain/weights", SB_H5_BYTES, "k 16", .may_lack = true, .scale = "chain/update chain/byte",
     .long_name = "XXH3 of the weights"},
    {"chain/optimiser", SB_H5_BYTES, "k 16", .may_lack = true, .scale = "chain/update chain/byte",
     .long_name = "XXH3 of what the optimiser keeps"},
    {"chain/gradient", SB_H5_BYTES, "k 16", .may_lack = true, .scale = "chain/update chain/byte",
     .long_name = "XXH3 of the gradient"},
    {"chain/byte", SB_H5_COUNTS, "16", .may_lack = true, .units = "1", .long_name = "byte of a hash"},
    {"sketch/update", SB_H5_COUNTS, "s", .may_lack = true, .units = "1",
     .long_name = "update after which the weights were condensed"},
    {"sketch/row", SB_H5_DOUBLES, "s 1024", .may_lack = true, .units = "1", .scale = "sketch/update sketch/bucket",
     .long_name = "count sketch of all weights"},
    {"sketch/bucket", SB_H5_COUNTS, "1024", .may_lack = true, .units = "1", .long_name = "bucket of the sketch"},
    {"sketch/weights", SB_H5_COUNTS, "1", .may_lack = true, .units = "1", .long_name = "number of weights"},
    {"eval/predicted", SB_H5_BYTES, "t", .may_lack = true, .units = "1",
     .long_name = "predicted class of each test image; 255: none, for a logit is no number"},
    {"eval/class_images", SB_H5_COUNTS, "q", .may_lack = true, .units = "1", .long_name = "test images of each class"},
    {"eval/class_correct", SB_H5_COUNTS, "q", .may_lack = true, .units = "1",
     .long_name = "test images of each class that were taken for it"},
    {"eval/class_cross_entropy", SB_H5_DOUBLES, "q", .may_lack = true, .units = "1",
     .long_name = "mean cross-entropy of the test images of each class; 0 of a class without one"},
    {"characters", SB_H5_COUNTS, "y", .may_lack = true, .units = "1",
     .long_name = "code point or byte of each token of the text that was learned from"},
    {"prediction/frame", SB_H5_COUNTS, "m", .may_lack = true, .units = "1", .long_name = "frame of the data set"},
    {"prediction/true", SB_H5_BYTES, "m h w c", .may_lack = true, .units = "1",
     .scale = "prediction/frame prediction/row prediction/column prediction/channel",
     .long_name = "true frame, pixels from 0 to 255"},
    {"prediction/predicted", SB_H5_BYTES, "m h w c", .may_lack = true, .units = "1",
     .scale = "prediction/frame prediction/row prediction/column prediction/channel",
     .long_name = "predicted frame, pixels from 0 to 255"},
    {"prediction/row", SB_H5_COUNTS, "h", .may_lack = true, .units = "1", .long_name = "row, from the top"},
    {"prediction/column", SB_H5_COUNTS, "w", .may_lack = true, .units = "1", .long_name = "column, from the left"},
    {"prediction/channel", SB_H5_COUNTS, "c", .may_lack = true, .units = "1", .long_name = "red, green, blue; or grey"},
};

static_assert(SB_SKETCH_BUCKETS == 1024 && sizeof(sb_hash) == 16, "as the layout says");

/* The updates of a list ascend from `first` at least to `last` at most. */
static sb_status check_updates(sb_h5 *file, const char *name, size_t n, int64_t first, int64_t last)
{
    if (!sb_h5_exists(file, name)) return SB_OK;
    SB_FREED int64_t *update = NULL;
    SB_TRY(sb_h5_read_new(file, name, SB_I64, n, &update));
    for (size_t i = 0; i < n; i++) {
        int64_t least = i ? update[i - 1] + 1 : first;
        if (update[i] < least || update[i] > last)
            return sb_fail(SB_E_INTEGRITY, "%s: /%s does not ascend from %lld to %lld at most", sb_h5_path(file), name,
                           (long long)first, (long long)last);
    }
    return SB_OK;
}

sb_status sb_runfile_check_layout(sb_h5 *file)
{
    sb_h5_dims dims;
    SB_TRY(sb_h5_check_layout(file, layout, sizeof layout / sizeof *layout, &dims));
    size_t n = dims.of['n' - 'a'];
    int64_t last = sb_h5_exists(file, "train/update") ? (int64_t)n : INT64_MAX - 1;
    SB_TRY(check_updates(file, "train/update", n, 1, last));
    SB_TRY(check_updates(file, "chain/update", dims.of['k' - 'a'], 1, last));
    /* of a run that stopped early, validations of later updates, too */
    SB_TRY(check_updates(file, "validation/update", dims.of['v' - 'a'], 1, INT64_MAX - 1));
    return check_updates(file, "sketch/update", dims.of['s' - 'a'], 0, last);
}

sb_status sb_runfile_describe(sb_h5 *file)
{
    return sb_h5_describe(file, layout, sizeof layout / sizeof *layout);
}
