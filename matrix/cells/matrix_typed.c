#include "matrix/cells/matrix_check.h"

#include "core/hash.h"
#include "core/rows/typed.h"
#include "io/yaml/place.h"

#include <stdio.h>
#include <string.h>

enum { PLACE = 160 };

/* Matrix files of published results, and what they set without effect: Adam has no decay of the weights, and the autoencoder holds
 * no images out. The results name these files by their digest, so that they stay as they are. */
static const struct {
    const char *sha256;
    sb_setting_id id;
} published[] = {{"b92c197c06895de32c7b773208b47bae9364537526d6547ef75e884c9122cdd8", /* largebatch.yaml */
                  SB_SETTING_WEIGHT_DECAY},
                 {"dd289593f1409d35fbd52871f4ea7bab3995c8265c91220ad8d6c53d3251fa61", /* largebatch/rates.yaml */
                  SB_SETTING_WEIGHT_DECAY},
                 {"ff33560a39ee6431c69b775dfc2748baf7a08fb248976549e0ed7693b1723240", /* lbfgs.yaml */
                  SB_SETTING_HOLD_OUT}};

static bool is_published(const char *path, sb_setting_id id)
{
    char sha256[SB_SHA256_TEXT];
    if (sb_sha256_file(path, sha256) != SB_OK) return false;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (published[i].id == id && strcmp(published[i].sha256, sha256) == 0) return true;
    return false;
}

/* The place of the value in its study: "studies/0/zip/1/window". Values are texts of the file, each with an address of
 * its own. */
static void find_place(const sb_typed_place *at, sb_setting_id id, const char *value, char place[PLACE])
{
    const char *key = sb_settings_table[id].key;
    const sb_study *study = at->study;
    snprintf(place, PLACE, "%s/%s", at->place, key);
    if (study->options.value[id] == value) snprintf(place, PLACE, "%s/options/%s", at->place, key);
    for (uint32_t i = 0; i < study->axes[id].n; i++)
        if (study->axes[id].item[i] == value) snprintf(place, PLACE, "%s/axes/%s/%u", at->place, key, i);
    for (uint32_t i = 0; i < study->n_zip; i++)
        if (study->zip[i].value[id] == value) snprintf(place, PLACE, "%s/zip/%u/%s", at->place, i, key);
}

sb_status sb_matrix_check_typed(const sb_typed_place *at, sb_typed_defaults *defaults,
                                const char *const value[SB_N_SETTINGS])
{
    char why[SB_TYPED_WHY], place[PLACE];
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        if (!value[id]) continue;
        const bool holds = sb_typed_holds(id, value, why);
        if (value[id] == at->matrix->defaults.value[id]) {
            defaults->taken[id] = true;
            defaults->holds[id] = defaults->holds[id] || holds;
        } else if (!holds && !is_published(at->path, id)) {
            find_place(at, id, value[id], place);
            return sb_place_fail(at->path, place, "%s: %s", sb_settings_table[id].key, why);
        }
    }
    return SB_OK;
}

/* Every cell that takes it has the same reason, or one like it. */
static sb_status fail_default(const sb_cells *cells, sb_setting_id id)
{
    char why[SB_TYPED_WHY] = "", place[PLACE];
    const char *value = cells->matrix->defaults.value[id];
    for (size_t i = 0; i < cells->n && !*why; i++)
        if (cells->item[i].value[id] == value) sb_typed_holds(id, cells->item[i].value, why);
    snprintf(place, sizeof place, "defaults/%s", sb_settings_table[id].key);
    return sb_place_fail(cells->path, place, "%s has an effect in no cell: %s", sb_settings_table[id].key, why);
}

sb_status sb_matrix_check_defaults(const sb_cells *cells, const sb_typed_defaults *defaults)
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        if (defaults->taken[id] && !defaults->holds[id] && !is_published(cells->path, id))
            return fail_default(cells, id);
    return SB_OK;
}
