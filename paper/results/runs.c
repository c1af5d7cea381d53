#include "paper/results/runs.h"

#include "core/file.h"
#include "core/machine/guard.h"
#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"
#include "io/seal.h"
#include "io/table.h"
#include "paper/files/output.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* What other programs leave where tables of samebits train are expected. */

bool sb_recordings_are_in(const char *folder)
{
    bool found = false;
    DIR *entries = opendir(folder);
    if (!entries) return false;
    for (const struct dirent *entry; !found && (entry = readdir(entries)) != NULL;) {
        char path[SB_PATH_MAX];
        sb_seal seal;
        found = sb_path_join(path, folder, "%s", entry->d_name) == SB_OK && sb_seal_peek(path, &seal) &&
                seal.kind == SB_SEAL_RECORDING;
    }
    closedir(entries);
    return found;
}

bool sb_commands_are_in(const char *folder)
{
    char path[SB_PATH_MAX];
    sb_table table;
    if (sb_path_join(path, folder, "cells.csv") != SB_OK || !sb_file_exists(path)) return false;
    if (sb_table_read(&table, path, NULL) != SB_OK) return false;
    const size_t none = table.n_columns;
    const bool found = sb_table_find(&table, "output") < none && sb_table_find(&table, "loss_last") == none;
    sb_table_free(&table);
    return found;
}

sb_status sb_run_find(const sb_results *results, const sb_result *cell, char path[SB_PATH_MAX], bool *there)
{
    bool absolute = cell->run[0] == '/';
    SB_TRY(sb_path_join(path, absolute ? "" : results->run_folder, "%s", cell->run + absolute));
    *there = *cell->run && sb_file_exists(path);
    return SB_OK;
}

/* The csv row and the run file must speak of one cell, and both of them our language. */
static sb_status check_cell(sb_h5 *file, const sb_result *cell)
{
    const char *path = sb_h5_path(file);
    char hash[SB_SHA256_TEXT];
    int64_t schema;
    if (!sb_h5_has(file, "meta", "schema")) return sb_fail(SB_E_INTEGRITY, "%s: not a run file of samebits", path);
    SB_TRY(sb_h5_get_int(file, "meta", "schema", &schema));
    if (!sb_runfile_reads(schema))
        return sb_fail(SB_E_INTEGRITY, "%s: run file of schema %lld, this program reads 1 to %d; run its cell again",
                       path, (long long)schema, SB_RUN_SCHEMA);
    SB_TRY(sb_h5_get_text(file, "meta", "hash", hash, sizeof hash));
    if (strncmp(hash, cell->hash, strlen(cell->hash)) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: the run of cell %.8s, but cells.csv names it for %s (%.8s); collect again",
                   path, hash, cell->name, cell->hash);
}

/* SB_E_EMPTY: absent. */
static sb_status find_there(char path[SB_PATH_MAX], const sb_results *results, const sb_result *cell)
{
    bool there;
    SB_TRY(sb_run_find(results, cell, path, &there));
    return there ? SB_OK : sb_fail(SB_E_EMPTY, "%s: absent", *cell->run ? cell->run : cell->name);
}

static sb_status open_whole(sb_h5 **file, const char *path, const sb_result *cell)
{
    SB_TRY(sb_h5_open(file, path, SB_SEAL_RUNS | SB_SEAL_OWN | SB_SEAL_AT_ONCE));
    sb_status status = check_cell(*file, cell);
    if (status == SB_OK) status = sb_runfile_check(*file);
    if (status != SB_OK) sb_h5_close(*file), *file = NULL;
    return status;
}

sb_status sb_run_open_guarded(sb_h5 **file, const sb_results *results, const sb_result *cell)
{
    char path[SB_PATH_MAX];
    *file = NULL;
    SB_TRY(find_there(path, results, cell));
    return open_whole(file, path, cell);
}

typedef struct subject {
    const char *path;
    const sb_result *cell;
} subject;

static sb_status check_whole(void *context, void *result)
{
    const subject *s = context;
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    (void)result;
    return open_whole(&file, s->path, s->cell);
}

sb_status sb_run_open(sb_h5 **file, const sb_results *results, const sb_result *cell)
{
    char path[SB_PATH_MAX], none;
    *file = NULL;
    SB_TRY(find_there(path, results, cell));
    subject s = {path, cell};
    SB_TRY(sb_guard_call(check_whole, &s, path, &none, 0));
    return sb_h5_open(file, path, SB_SEAL_RUN | SB_SEAL_CHECKED);
}

/* Pictures [n_pixels][c] of grey or colour as RGB. */
static sb_status read_pictures(sb_h5 *file, const char *name, size_t n_pixels, size_t c, uint8_t *rgb)
{
    SB_TRY(sb_h5_read(file, name, SB_U8, n_pixels * c, rgb));
    if (c == 1)
        for (size_t i = n_pixels; i-- > 0;) memset(rgb + 3 * i, rgb[i], 3);
    return SB_OK;
}

static sb_status read_frames(sb_frames *frames, sb_h5 *file)
{
    const char *path = sb_h5_path(file);
    if (!sb_h5_exists(file, "prediction/frame")) return sb_fail(SB_E_EMPTY, "%s: holds no predicted frames", path);
    sb_h5_shape shape, predicted;
    SB_TRY(sb_h5_shape_of(file, "prediction/true", &shape));
    SB_TRY(sb_h5_shape_of(file, "prediction/predicted", &predicted));
    if (shape.rank != 4 || (shape.dim[3] != 3 && shape.dim[3] != 1) || shape.n == 0 ||
        memcmp(&shape, &predicted, sizeof shape) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: /prediction/true and predicted are not [n][h][w][3] or [n][h][w][1] alike",
                       path);
    *frames = (sb_frames){.n = shape.dim[0], .h = shape.dim[1], .w = shape.dim[2]};
    size_t c = shape.dim[3], n_pixels = shape.n / c;
    frames->frame = sb_size_allocate(frames->n, sizeof *frames->frame);
    frames->truth = sb_size_allocate(n_pixels, 3);
    frames->predicted = sb_size_allocate(n_pixels, 3);
    if (!frames->frame || !frames->truth || !frames->predicted)
        return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu frames", path, frames->n);
    SB_TRY(sb_h5_read(file, "prediction/frame", SB_I64, frames->n, frames->frame));
    SB_TRY(read_pictures(file, "prediction/true", n_pixels, c, frames->truth));
    return read_pictures(file, "prediction/predicted", n_pixels, c, frames->predicted);
}

sb_status sb_run_frames(sb_frames *frames, const sb_results *results, const sb_result *cell)
{
    *frames = (sb_frames){0};
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    SB_TRY(sb_run_open(&file, results, cell));
    const sb_status status = read_frames(frames, file);
    if (status != SB_OK) sb_frames_free(frames);
    return status;
}

void sb_frames_free(sb_frames *frames)
{
    free(frames->predicted);
    free(frames->truth);
    free(frames->frame);
    *frames = (sb_frames){0};
}
