#include "paper/judge/time_to_accuracy.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run ---- */

static sb_status read_epochs(sb_time_run *run, sb_h5 *file, bool flips)
{
    const size_t n = run->n;
    const char *name = flips ? "validation/correct_flipped" : "validation/correct";
    int64_t *epoch = NULL, *correct = NULL;
    double *seconds = NULL;
    run->epoch = sb_size_allocate(n, sizeof *run->epoch);
    sb_status status = run->epoch ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", run->path);
    if (status == SB_OK) status = sb_h5_read_new(file, "validation/epoch", SB_I64, n, &epoch);
    if (status == SB_OK) status = sb_h5_read_new(file, name, SB_I64, n, &correct);
    if (status == SB_OK) status = sb_h5_read_new(file, "validation/seconds", SB_F64, n, &seconds);
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        run->epoch[i] = (sb_time_epoch){seconds[i], 100.0 * (double)correct[i] / (double)run->n_images};
        if (epoch[i] != (int64_t)i + 1)
            status =
                sb_fail(SB_E_USAGE, "%s: was not validated after each epoch; train with --validate-every 1", run->path);
    }
    free(epoch);
    free(correct);
    free(seconds);
    return status;
}

static sb_status read_run(sb_time_run *run, sb_h5 *file, double threshold)
{
    char flip[16];
    sb_h5_shape shape;
    SB_TRY(sb_runfile_check(file));
    if (!sb_h5_exists(file, "validation/epoch"))
        return sb_fail(SB_E_USAGE, "%s: was not validated while it trained; train with --validate-every 1", run->path);
    SB_TRY(sb_h5_shape_of(file, "validation/epoch", &shape));
    run->n = shape.n;
    SB_TRY(sb_h5_attribute_text(file, "validation", "images", run->images, sizeof run->images));
    SB_TRY(sb_h5_get_int(file, "validation", "n", &run->n_images));
    SB_TRY(sb_h5_attribute_text(file, "config", "test_flip", flip, sizeof flip));
    if (run->n_images < 1) return sb_fail(SB_E_INTEGRITY, "%s: was validated with no images", run->path);
    SB_TRY(read_epochs(run, file, strcmp(flip, "on") == 0));
    for (size_t i = 0; !run->at && i < run->n; i++)
        if (run->epoch[i].percent >= threshold) run->at = i + 1;
    return SB_OK;
}

sb_status sb_time_read(sb_time_run *run, const char *path, double threshold)
{
    sb_h5 *file;
    *run = (sb_time_run){.path = path};
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    sb_status status = read_run(run, file, threshold);
    if (status == SB_E_EMPTY) status = sb_fail(SB_E_USAGE, "%s: is not finished", path);
    sb_h5_close(file);
    if (status != SB_OK) sb_time_free(run);
    return status;
}

void sb_time_free(sb_time_run *run)
{
    free(run->epoch);
    *run = (sb_time_run){0};
}

sb_share sb_share_of(size_t k, size_t n)
{
    const double z = 1.959963984540054, share = (double)k / (double)n, zz = z * z / (double)n;
    const double middle = (share + zz / 2) / (1 + zz);
    const double half = z * sqrt(share * (1 - share) / (double)n + zz / (4 * (double)n)) / (1 + zz);
    return (sb_share){share, k ? middle - half : 0, k < n ? middle + half : 1};
}
