#include "io/h5/h5_attribute.h"
#include "io/run/runfile_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t sb_runfile_tail_length(size_t n)
{
    return n / 5 ? n / 5 : 1;
}

double sb_runfile_tail(const double *loss, size_t stride_bytes, size_t n)
{
    const size_t tail = sb_runfile_tail_length(n);
    double mean = 0;
    for (size_t i = n - tail; i < n; i++)
        mean += *(const double *)((const char *)loss + i * stride_bytes) / (double)tail;
    return mean;
}

static sb_status tail_of(sb_h5 *file, const char *name, size_t n, double *mean)
{
    double *loss;
    SB_TRY(sb_h5_read_new(file, name, SB_F64, n, &loss));
    *mean = sb_runfile_tail(loss, sizeof *loss, n);
    free(loss);
    return SB_OK;
}

/* The first of n updates whose loss is no finite number; 0: none. */
static sb_status first_not_finite(sb_h5 *file, const char *name, size_t n, int64_t *update)
{
    double *loss;
    size_t i = 0;
    SB_TRY(sb_h5_read_new(file, name, SB_F64, n, &loss));
    while (i < n && isfinite(loss[i])) i++;
    free(loss);
    *update = i < n ? (int64_t)i + 1 : 0;
    return SB_OK;
}

sb_status sb_runfile_diverged(sb_h5 *file, int64_t *update)
{
    sb_h5_shape rows;
    *update = 0;
    SB_TRY(sb_h5_shape_of(file, "train/loss_last", &rows));
    if (sb_h5_has(file, "train", "diverged")) SB_TRY(sb_h5_get_int(file, "train", "diverged", update));
    if (*update && *update != (int64_t)rows.n)
        return sb_fail(SB_E_INTEGRITY, "%s: diverged at update %lld, and has %zu of them", sb_h5_path(file),
                       (long long)*update, rows.n);
#define LOOK(ID, key, ...)                                                                                             \
    {                                                                                                                  \
        int64_t first;                                                                                                 \
        SB_TRY(first_not_finite(file, "train/" #key, rows.n, &first));                                                 \
        if (first && first != *update)                                                                                 \
            return sb_fail(SB_E_INTEGRITY, "%s: " #key " of update %lld is no finite number, and its run went on",     \
                           sb_h5_path(file), (long long)first);                                                        \
    }
    SB_METRICS(LOOK, SB_METRIC_NONE, SB_METRIC_NONE)
    return SB_OK;
}

sb_status sb_runfile_final_of(sb_h5 *file, sb_run_summary *final)
{
    sb_h5_shape rows;
    int64_t terms;
    SB_TRY(sb_h5_shape_of(file, "train/loss_last", &rows));
    if (rows.n == 0) return sb_fail(SB_E_INTEGRITY, "%s: a finished run without an update", sb_h5_path(file));
    final->updates = (int64_t)rows.n;
    SB_TRY(sb_runfile_diverged(file, &final->diverged));
#define TAIL(ID, key, ...) SB_TRY(tail_of(file, "train/" #key, rows.n, &final->key));
    SB_METRICS(TAIL, SB_METRIC_NONE, SB_METRIC_NONE)
    SB_TRY(sb_h5_get_real(file, "train", "seconds_total", &final->seconds));
    SB_TRY(sb_h5_get_real(file, "train", "cpu_seconds_total", &final->cpu_seconds));
    SB_TRY(sb_h5_get_int(file, "train", "loss_terms", &terms));
    final->frames_per_second = final->seconds > 0 ? (double)terms / final->seconds : 0;
    if (!sb_h5_has(file, "head", "weights")) return SB_OK;
    return sb_h5_get_text(file, "head", "weights", final->weights, sizeof final->weights);
}

sb_status sb_runfile_write_final(sb_h5 *file, double peak_memory_bytes)
{
    sb_run_summary final = {0};
    char digest[SB_HASH_TEXT];
    SB_TRY(sb_runfile_final_of(file, &final));
    final.peak_memory_bytes = peak_memory_bytes;
    SB_TRY(sb_h5_set_int(file, "final", "updates", final.updates));
    if (final.diverged) SB_TRY(sb_h5_set_int(file, "final", "diverged", final.diverged));
    SB_TRY(sb_h5_set_text(file, "final", "weights", final.weights));
    for (size_t i = 0; i < SB_RUN_FINALS; i++)
        SB_TRY(sb_h5_set_real(file, "final", sb_run_finals[i].name, *sb_run_final_at(&final, i)));
    SB_TRY(sb_h5_get_text(file, "head", "digest", digest, sizeof digest));
    return sb_h5_set_text(file, "final", "digest", digest);
}

/* The column of right images that counts: with the mirror images where the run takes these, too. */
static sb_status name_of_right(sb_h5 *file, const char **name)
{
    char flip[16];
    SB_TRY(sb_h5_attribute_text(file, "config", "test_flip", flip, sizeof flip));
    *name = strcmp(flip, "on") == 0 ? "correct_flipped" : "correct";
    return SB_OK;
}

static sb_status share_of(sb_h5 *file, int64_t right, int64_t n, double *share)
{
    if (right < 0 || right > n || n < 1)
        return sb_fail(SB_E_INTEGRITY, "%s: %lld of %lld images are right", sb_h5_path(file), (long long)right,
                       (long long)n);
    *share = (double)right / (double)n;
    return SB_OK;
}

sb_status sb_runfile_accuracy(sb_h5 *file, double *accuracy)
{
    const char *name;
    int64_t right, n;
    *accuracy = NAN;
    if (!sb_h5_exists(file, "eval/predicted")) return SB_OK;
    SB_TRY(name_of_right(file, &name));
    SB_TRY(sb_h5_get_int(file, "eval", name, &right));
    SB_TRY(sb_h5_get_int(file, "eval", "n", &n));
    return share_of(file, right, n, accuracy);
}

sb_status sb_runfile_test_cross_entropy(sb_h5 *file, double *loss)
{
    *loss = NAN;
    return sb_h5_exists(file, "eval/predicted") ? sb_h5_get_real(file, "eval", "cross_entropy", loss) : SB_OK;
}

/* The last look: its update, and how many images were right. */
static sb_status read_last_look(sb_h5 *file, size_t n_looks, int64_t *update, int64_t *right)
{
    char path[64];
    const char *name;
    SB_TRY(name_of_right(file, &name));
    snprintf(path, sizeof path, "validation/%s", name);
    SB_TRY(sb_h5_read_rows(file, "validation/update", SB_I64, n_looks - 1, 1, 1, update));
    return sb_h5_read_rows(file, path, SB_I64, n_looks - 1, 1, 1, right);
}

sb_status sb_runfile_validation_accuracy(sb_h5 *file, double *accuracy)
{
    int64_t update = 0, right = 0, n, updates;
    sb_h5_shape looks;
    *accuracy = NAN;
    if (!sb_h5_exists(file, "validation/update")) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, "validation/update", &looks));
    if (looks.n == 0) return SB_OK;
    SB_TRY(read_last_look(file, looks.n, &update, &right));
    SB_TRY(sb_h5_get_int(file, "final", "updates", &updates));
    if (update != updates) return SB_OK;
    SB_TRY(sb_h5_get_int(file, "validation", "n", &n));
    return share_of(file, right, n, accuracy);
}
