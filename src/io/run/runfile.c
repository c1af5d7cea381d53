#include "io/h5/h5_attribute.h"
#include "io/run/runfile_parts.h"

#include <stdlib.h>

#define FINAL(name_, is_measured_)                                                                                     \
    {                                                                                                                  \
#name_, offsetof(sb_run_summary, name_), is_measured_                                                          \
    }
const struct sb_run_final_row sb_run_finals[SB_RUN_FINALS] = {
#define METRIC(ID, key, ...) FINAL(key, false),
    SB_METRICS(METRIC, SB_METRIC_NONE, SB_METRIC_NONE) FINAL(seconds, false),
    FINAL(cpu_seconds, false),
    FINAL(frames_per_second, false),
    FINAL(peak_memory_bytes, true),
};
#undef FINAL

double *sb_run_final_at(sb_run_summary *summary, size_t row)
{
    return (double *)((char *)summary + sb_run_finals[row].offset);
}

sb_status sb_runfile_summary(sb_h5 *file, sb_run_summary *summary)
{
    *summary = (sb_run_summary){0};
    SB_TRY(sb_h5_get_text(file, "meta", "cell", summary->cell, sizeof summary->cell));
    SB_TRY(sb_h5_get_text(file, "meta", "hash", summary->hash, sizeof summary->hash));
    SB_TRY(sb_h5_get_int(file, "final", "updates", &summary->updates));
    if (sb_h5_has(file, "final", "diverged")) SB_TRY(sb_h5_get_int(file, "final", "diverged", &summary->diverged));
    SB_TRY(sb_h5_get_text(file, "final", "weights", summary->weights, sizeof summary->weights));
    for (size_t i = 0; i < SB_RUN_FINALS; i++)
        SB_TRY(sb_h5_get_real(file, "final", sb_run_finals[i].name, sb_run_final_at(summary, i)));
    return SB_OK;
}

sb_status sb_runfile_sketches(sb_h5 *file, sb_run_sketches *sketches)
{
    sb_h5_shape shape;
    *sketches = (sb_run_sketches){0};
    if (!sb_h5_exists(file, "sketch/update")) return SB_OK;
    SB_TRY(sb_h5_read(file, "sketch/weights", SB_I64, 1, &sketches->n_weights));
    SB_TRY(sb_h5_shape_of(file, "sketch/update", &shape));
    sketches->n = shape.n;
    sb_status status = sb_h5_read_new(file, "sketch/update", SB_I64, shape.n, &sketches->update);
    if (status == SB_OK)
        status = sb_h5_read_new(file, "sketch/row", SB_F64, shape.n * SB_SKETCH_BUCKETS, &sketches->row);
    if (status != SB_OK) sb_run_sketches_free(sketches);
    return status;
}

void sb_run_sketches_free(sb_run_sketches *sketches)
{
    free(sketches->update);
    free(sketches->row);
    *sketches = (sb_run_sketches){0};
}

bool sb_run_sketches_match(const sb_run_sketches *a, const sb_run_sketches *b, size_t *i, size_t *j)
{
    if (a->n_weights != b->n_weights) return false;
    while (*i < a->n && *j < b->n) {
        if (a->update[*i] == b->update[*j]) return true;
        a->update[*i] < b->update[*j] ? (*i)++ : (*j)++;
    }
    return false;
}
