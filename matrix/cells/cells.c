#include "matrix/cells/cells.h"

#include "matrix/cells/command.h"
#include "matrix/cells/matrix_check.h"

#include "core/file.h"
#include "io/yaml/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 64 };

static sb_status spell_replicates(sb_cells *cells)
{
    cells->replicate = malloc(SB_REPLICATES_MAX * sizeof *cells->replicate);
    if (!cells->replicate) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the replicates", cells->path);
    for (int i = 0; i < SB_REPLICATES_MAX; i++) snprintf(cells->replicate[i], sizeof *cells->replicate, "%d", i + 1);
    return SB_OK;
}

/* -- the whole -- */

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const sb_cell *const *)a)->name, (*(const sb_cell *const *)b)->name);
}

static int by_shown_hash(const void *a, const void *b)
{
    return strncmp((*(const sb_cell *const *)a)->hash, (*(const sb_cell *const *)b)->hash, SB_CELL_HASH_SHOWN);
}

/* Two cells that are equal in this order, as they are in the file; NULL: there are none. */
static sb_status find_pair(const sb_cell *pair[2], char place[PLACE], const sb_cells *cells,
                           int (*order)(const void *, const void *))
{
    SB_FREED const sb_cell **sorted = malloc((cells->n + 1) * sizeof *sorted);
    pair[0] = pair[1] = NULL;
    if (!sorted) return sb_fail(SB_E_MEMORY, "%s: not enough memory", cells->path);
    for (size_t i = 0; i < cells->n; i++) sorted[i] = &cells->item[i];
    qsort(sorted, cells->n, sizeof *sorted, order);
    for (size_t i = 1; !pair[0] && i < cells->n; i++) {
        if (order(&sorted[i - 1], &sorted[i]) != 0) continue;
        const bool turned = sorted[i - 1] > sorted[i];
        pair[turned] = sorted[i - 1];
        pair[!turned] = sorted[i];
        snprintf(place, PLACE, "studies/%ld", (long)(pair[1]->study - cells->matrix->studies));
    }
    return SB_OK;
}

static sb_status check_names(const sb_cells *cells)
{
    const sb_cell *pair[2];
    char place[PLACE];
    SB_TRY(find_pair(pair, place, cells, by_name));
    if (!pair[0]) return SB_OK;
    return sb_place_fail(cells->path, place,
                         "duplicate cell %s: what its name does not show (%s) wants a study of its own", pair[1]->name,
                         "updates, batch, threads, ...");
}

/* Tables name a cell by these digits alone. */
static sb_status check_shown_hashes(const sb_cells *cells)
{
    const sb_cell *pair[2];
    char place[PLACE];
    SB_TRY(find_pair(pair, place, cells, by_shown_hash));
    if (!pair[0]) return SB_OK;
    return sb_place_fail(cells->path, place,
                         "the hashes of %s and %s both begin with %.*s, and tables identify cells by these "
                         "digits; give one of them another seed, or its study another name",
                         pair[0]->name, pair[1]->name, SB_CELL_HASH_SHOWN, pair[0]->hash);
}

void sb_cells_beside(const sb_cells *cells, const char *file, char path[SB_PATH_MAX])
{
    sb_file_beside(cells->path, file, path);
}

static sb_status load_hardware(sb_cells *cells, const sb_host *host)
{
    char path[SB_PATH_MAX];
    cells->hardware.host = *host;
    if (!cells->matrix->hardware) return SB_OK;
    sb_cells_beside(cells, cells->matrix->hardware, path);
    if (!sb_file_exists(path)) return sb_place_fail(cells->path, "hardware", "%s: no such file", path);
    return sb_hardware_load(&cells->hardware, path, host);
}

/* The digest over all files, whose paths are relative to the matrix file. */
static sb_status add_digest(const sb_cells *cells, const char *file, char digest[SB_SHA256_TEXT])
{
    char path[SB_PATH_MAX], both[2][SB_SHA256_TEXT] = {0};
    if (!file) return SB_OK;
    sb_cells_beside(cells, file, path);
    memcpy(both[0], digest, SB_SHA256_TEXT);
    SB_TRY(sb_sha256_file(path, both[1]));
    sb_sha256_bytes(both, sizeof both, digest);
    return SB_OK;
}

static sb_status digest_files(const sb_cells *cells, char digest[SB_SHA256_TEXT])
{
    SB_TRY(sb_sha256_file(cells->path, digest));
    SB_TRY(add_digest(cells, cells->matrix->hardware, digest));
    SB_TRY(add_digest(cells, cells->matrix->claims, digest));
    for (size_t i = 0; i < cells->layer_files.n; i++) SB_TRY(add_digest(cells, cells->layer_files.name[i], digest));
    for (uint32_t i = 0; i < cells->matrix->n_studies; i++)
        for (uint32_t k = 0; k < cells->matrix->studies[i].files.n; k++)
            SB_TRY(add_digest(cells, cells->matrix->studies[i].files.item[k], digest));
    return SB_OK;
}

/* Of the files of commands, which records hold. */
static sb_status digest_command_files(sb_cells *cells)
{
    const sb_matrix *matrix = cells->matrix;
    char place[PLACE];
    cells->file_digest = calloc(matrix->n_studies + 1, sizeof *cells->file_digest);
    if (!cells->file_digest) return sb_fail(SB_E_MEMORY, "%s: not enough memory", cells->path);
    for (uint32_t i = 0; i < matrix->n_studies; i++) {
        snprintf(place, sizeof place, "studies/%u", i);
        SB_TRY(sb_command_digest_files(&cells->file_digest[i], cells->path, place, &matrix->studies[i]));
    }
    return SB_OK;
}

bool sb_cells_edited(const sb_cells *cells)
{
    char digest[SB_SHA256_TEXT];
    return digest_files(cells, digest) != SB_OK || strcmp(digest, cells->digest) != 0;
}

static void leave_claims(sb_claim_file **claims)
{
    sb_claim_file_free(*claims);
}

sb_status sb_cells_load(sb_cells **cells, const char *path, const sb_host *host)
{
    SB_OWNED(sb_cells_leave) sb_cells *made = calloc(1, sizeof *made);
    SB_OWNED(leave_claims) sb_claim_file *claims = NULL;
    sb_typed_defaults defaults = {0};
    *cells = NULL;
    if (!made || !(made->path = strdup(path))) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    SB_TRY(sb_schema_load_matrix(path, &made->matrix));
    SB_TRY(sb_matrix_check(path, made->matrix));
    SB_TRY(sb_layer_files_read(&made->layer_files, made->matrix, path));
    SB_TRY(load_hardware(made, host));
    SB_TRY(sb_cells_load_claims(made, &claims));
    SB_TRY(digest_command_files(made));
    SB_TRY(digest_files(made, made->digest));
    SB_TRY(spell_replicates(made));
    for (uint32_t i = 0; i < made->matrix->n_studies; i++) SB_TRY(sb_expand_study(made, i, &defaults));
    SB_TRY(sb_matrix_check_defaults(made, &defaults));
    SB_TRY(check_names(made));
    SB_TRY(check_shown_hashes(made));
    SB_TRY(sb_cells_register_claims(made, claims));
    SB_TRY(sb_cells_digest_claims(made));
    if (made->matrix->has_commands) /* better here than after the last run */
        SB_TRY(sb_command_columns_find(&(sb_command_columns){0}, made));
    *cells = made;
    made = NULL;
    return SB_OK;
}

static void free_cells(sb_cell *item, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(item[i].name);
        free(item[i].record);
    }
    free(item);
}

void sb_cells_free(sb_cells *cells)
{
    if (!cells) return;
    free_cells(cells->item, cells->n);
    free_cells(cells->excluded, cells->n_excluded);
    sb_hardware_free(&cells->hardware);
    for (uint32_t i = 0; cells->file_digest && i < cells->matrix->n_studies; i++) free(cells->file_digest[i]);
    free(cells->file_digest);
    sb_schema_free_matrix(cells->matrix);
    sb_layer_files_free(&cells->layer_files);
    free(cells->claims);
    free(cells->replicate);
    free(cells->path);
    free(cells);
}

void sb_cells_leave(sb_cells **cells)
{
    sb_cells_free(*cells);
}
