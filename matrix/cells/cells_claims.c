#include "matrix/cells/cells.h"

#include "io/run/runfile.h"
#include "io/yaml/claim_cells.h"
#include "io/yaml/place.h"
#include "matrix/cells/command.h"

#include <stdlib.h>
#include <string.h>

sb_status sb_cells_load_claims(const sb_cells *cells, sb_claim_file **file)
{
    char path[SB_PATH_MAX];
    *file = NULL;
    if (!cells->matrix->claims) return SB_OK;
    sb_cells_beside(cells, cells->matrix->claims, path);
    if (!sb_file_exists(path)) return sb_place_fail(cells->path, "claims", "%s: no such file", path);
    return cells->matrix->has_commands ? SB_OK : sb_claim_file_load(file, path);
}

bool sb_cells_has_judged_claims(const sb_cells *cells)
{
    const char *name = cells->matrix->claims, *end = name ? strrchr(name, '.') : NULL;
    return name && (!cells->matrix->has_commands || (end && strcmp(end, ".yaml") == 0));
}

/* Claims speak of the columns that the tables of a file of commands will have; seed and ulp are no facts. */
static sb_status check_custom(const sb_cells *cells, const char *path)
{
    const char *metric[SB_MEASURES_MAX];
    sb_claim_names names = {.metric = metric};
    sb_command_columns columns;
    sb_claim_file *file;
    SB_TRY(sb_command_columns_find(&columns, cells));
    for (unsigned id = 0; id < SB_N_SETTINGS + cells->matrix->n_custom; id++)
        if (columns.has_value[id] && id != SB_SETTING_SEED && id != SB_SETTING_ULP)
            names.fact[names.n_facts++] = sb_schema_key(cells->matrix, id);
    while (names.n_metrics < columns.n_metrics) {
        metric[names.n_metrics] = columns.metric[names.n_metrics]->name;
        names.n_metrics++;
    }
    SB_TRY(sb_claim_file_load_custom(&file, path, &names));
    sb_claim_file_free(file);
    return SB_OK;
}

sb_status sb_cells_digest_claims(sb_cells *cells)
{
    char path[SB_PATH_MAX];
    if (!cells->matrix->claims || !cells->matrix->has_commands) return SB_OK;
    sb_cells_beside(cells, cells->matrix->claims, path);
    if (sb_cells_has_judged_claims(cells)) SB_TRY(check_custom(cells, path));
    cells->claims = calloc(1, SB_SHA256_TEXT);
    if (!cells->claims) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the cells", cells->path);
    for (size_t i = 0; i < cells->n; i++) cells->item[i].claims = cells->claims;
    return sb_sha256_file(path, cells->claims);
}

sb_status sb_cells_register_claims(sb_cells *cells, const sb_claim_file *file)
{
    if (!file) return SB_OK;
    SB_FREED sb_named_cell *named = malloc((cells->n + 1) * sizeof *named);
    if (!named) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the cells", cells->path);
    for (size_t i = 0; i < cells->n; i++) named[i] = (sb_named_cell){cells->item[i].name, cells->item[i].hash};
    SB_TRY(sb_claim_file_register(file, named, cells->n, &cells->claims));
    for (size_t i = 0; i < cells->n; i++) cells->item[i].claims = cells->claims;
    if (strlen(cells->claims) < SB_RUN_CLAIMS) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: more claims than a run can register (%zu bytes of %d)", cells->matrix->claims,
                   strlen(cells->claims), SB_RUN_CLAIMS - 1);
}
