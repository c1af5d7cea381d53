#include "matrix/cells/matrix_check.h"

#include "matrix/schema/matrix_schema.h"

#include "core/command/nearest.h"
#include "io/yaml/place.h"

#include <stdio.h>
#include <string.h>

/* Room for the place of a study, of a row or an axis in it, and of a value there. */
enum { STUDY_PLACE = 32, ROW_PLACE = 96, PLACE = 256 };

static sb_status check_value(const char *path, const char *place, const char *step, sb_setting_id setting,
                             const char *text)
{
    char where[PLACE], wanted[160], guess[SB_NEAREST_GUESS] = "";
    if (sb_setting_check(setting, text, wanted)) return SB_OK;
    if (sb_settings_table[setting].kind == SB_VALUE_CHOICE)
        sb_nearest_guess(sb_settings_table[setting].words, text, guess);
    snprintf(where, sizeof where, "%s/%s", place, step);
    return sb_place_fail(path, where, "%s wants %s, not '%s'%s", sb_settings_table[setting].key, wanted, text, guess);
}

static sb_status check_row(const char *path, const char *place, const sb_row *row)
{
    for (sb_setting_id setting = 0; setting < SB_N_SETTINGS; setting++)
        if (row->value[setting])
            SB_TRY(check_value(path, place, sb_settings_table[setting].key, setting, row->value[setting]));
    return SB_OK;
}

static sb_status check_rows(const char *path, const char *study, const char *key, const sb_row *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char place[ROW_PLACE];
        snprintf(place, sizeof place, "%s/%s/%u", study, key, i);
        SB_TRY(check_row(path, place, &rows[i]));
    }
    return SB_OK;
}

static sb_status check_axis(const char *path, const char *study, const char *key, unsigned id,
                            const sb_value_list *axis)
{
    for (uint32_t i = 0; i < axis->n; i++) {
        char step[ROW_PLACE], place[PLACE];
        snprintf(step, sizeof step, "axes/%s/%u", key, i);
        if (id < SB_N_SETTINGS) SB_TRY(check_value(path, study, step, (sb_setting_id)id, axis->item[i]));
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(axis->item[k], axis->item[i]) != 0) continue;
            snprintf(place, sizeof place, "%s/%s", study, step);
            return sb_place_fail(path, place, "the value '%s' is on this axis twice", axis->item[i]);
        }
    }
    return SB_OK;
}

static sb_status check_axes(const char *path, const char *study_place, const sb_matrix *matrix, const sb_study *study)
{
    for (unsigned id = 0; id < SB_N_SETTINGS + matrix->n_custom; id++)
        SB_TRY(check_axis(path, study_place, sb_schema_key(matrix, id), id, &study->axes[id]));
    return SB_OK;
}

/* A setting set in two places of one study contradicts itself; defaults are there to be overridden. */
static sb_status check_once(const char *path, const char *place, const sb_matrix *matrix, const sb_study *study)
{
    for (unsigned id = 0; id < SB_N_SETTINGS + matrix->n_custom; id++) {
        bool zipped = false;
        for (uint32_t i = 0; i < study->n_zip; i++) zipped = zipped || study->zip[i].value[id];
        if (zipped + (study->axes[id].n > 0) + (study->options.value[id] != NULL) > 1)
            return sb_place_fail(path, place, "study '%s' sets %s in more than one of options, axes and zip",
                                 study->name, sb_schema_key(matrix, id));
    }
    return SB_OK;
}

static sb_status check_seeds(const char *path, const char *study_place, const sb_study *study)
{
    char place[ROW_PLACE];
    snprintf(place, sizeof place, "%s/seeds", study_place);
    if (study->seeds && (study->axes[SB_SETTING_SEED].n || study->options.value[SB_SETTING_SEED]))
        return sb_place_fail(path, place, "either seeds (how many) or seed (which ones), not both");
    return SB_OK;
}

static sb_status check_replicates(const char *path, const char *study_place, const sb_matrix *matrix,
                                  const sb_study *study)
{
    static const sb_setting_id by[] = {SB_SETTING_ULP, SB_SETTING_DRAW};
    char place[ROW_PLACE];
    bool named = false;
    snprintf(place, sizeof place, "%s/replicates", study_place);
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        named = named || study->axes[by[i]].n || study->options.value[by[i]] || matrix->defaults.value[by[i]];
        for (uint32_t k = 0; k < study->n_zip; k++) named = named || study->zip[k].value[by[i]];
    }
    if (study->replicates && named)
        return sb_place_fail(path, place, "either replicates (how many) or ulp and draw (which ones), not both");
    return SB_OK;
}

static sb_status check_study(const char *path, const sb_matrix *matrix, uint32_t index)
{
    const sb_study *study = &matrix->studies[index];
    char place[STUDY_PLACE], where[ROW_PLACE], wanted[160];
    snprintf(place, sizeof place, "studies/%u", index);
    if (!sb_setting_check(SB_SETTING_STUDY, study->name, wanted))
        return sb_place_fail(path, place, "name wants %s, not '%s'", wanted, study->name);
    snprintf(where, sizeof where, "%s/options", place);
    SB_TRY(check_row(path, where, &study->options));
    SB_TRY(check_axes(path, place, matrix, study));
    SB_TRY(check_rows(path, place, "zip", study->zip, study->n_zip));
    SB_TRY(check_rows(path, place, "include", study->include, study->n_include));
    SB_TRY(check_once(path, place, matrix, study));
    SB_TRY(check_seeds(path, place, study));
    SB_TRY(check_replicates(path, place, matrix, study));
    if (matrix->has_commands) SB_TRY(sb_command_check(path, place, matrix, study));
    for (uint32_t i = 0; i < study->require.n; i++) {
        snprintf(where, sizeof where, "%s/require/%u", place, i);
        if (!sb_hardware_is_requirement(study->require.item[i]))
            return sb_place_fail(path, where, "require wants gpu, sm>=N or driver>=N, not '%s'",
                                 study->require.item[i]);
    }
    return SB_OK;
}

/* A name of the catalog, and names of its files. */
static sb_status check_fetch(const char *path, const char *place, const char *fetch)
{
    char wanted[160];
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    sb_argv_add_split(&argv, fetch);
    SB_TRY(sb_argv_check(&argv));
    for (int i = 0; i < argv.n; i++)
        if (!sb_setting_check(SB_SETTING_DATA, argv.item[i], wanted))
            return sb_place_fail(path, place, "fetch wants %s, not '%s'", wanted, argv.item[i]);
    if (argv.n == 0) return sb_place_fail(path, place, "fetch wants a name, not ''");
    return SB_OK;
}

/* Its commands go to samebits-data. */
static sb_status check_source(const char *path, const sb_matrix *matrix, uint32_t index)
{
    const sb_data_source *source = &matrix->data[index];
    char place[STUDY_PLACE], where[ROW_PLACE], wanted[160];
    snprintf(place, sizeof place, "data/%u", index);
    if (!sb_setting_check(SB_SETTING_DATA, source->name, wanted))
        return sb_place_fail(path, place, "name wants %s, not '%s'", wanted, source->name);
    for (uint32_t k = 0; k < index; k++)
        if (strcmp(matrix->data[k].name, source->name) == 0)
            return sb_place_fail(path, place, "data set '%s' is here twice", source->name);
    snprintf(where, sizeof where, "%s/fetch", place);
    if (source->fetch) SB_TRY(check_fetch(path, where, source->fetch));
    snprintf(where, sizeof where, "%s/make", place);
    return sb_make_argv_check(path, where, source->make);
}

sb_status sb_matrix_check(const char *path, const sb_matrix *matrix)
{
    for (uint32_t i = 0; i < matrix->n_data; i++) SB_TRY(check_source(path, matrix, i));
    SB_TRY(check_row(path, "defaults", &matrix->defaults));
    for (uint32_t i = 0; i < matrix->n_studies; i++) SB_TRY(check_study(path, matrix, i));
    return SB_OK;
}

static sb_status fail_name(const char *path, const char *place, const char *kind, const sb_nearest *nearest,
                           const char *list)
{
    const bool found = nearest->name != NULL;
    return sb_place_fail(path, place, "%s '%s' is not in %s%s%s%s", kind, nearest->word, list,
                         found ? ", did you mean '" : "", found ? nearest->name : "", found ? "'?" : "");
}

static sb_status check_data_name(const char *path, const char *place, const sb_matrix *matrix, const char *data)
{
    sb_nearest sets = sb_nearest_begin(data);
    for (uint32_t i = 0; i < matrix->n_data; i++) {
        if (strcmp(matrix->data[i].name, data) == 0) return SB_OK;
        sb_nearest_offer(&sets, matrix->data[i].name);
    }
    return fail_name(path, place, "data set", &sets, "the list 'data' of this file");
}

static sb_status check_hardware_name(const char *path, const char *place, const sb_matrix *matrix,
                                     const sb_hardware_table *table, const char *hardware)
{
    sb_nearest machines = sb_nearest_begin(hardware);
    if (!table->file)
        return sb_place_fail(path, place, "hardware '%s' wants a file of hardware: hardware: hardware.yaml", hardware);
    if (sb_hardware_find(table, hardware)) return SB_OK;
    for (uint32_t i = 0; i < table->file->n; i++) sb_nearest_offer(&machines, table->file->hardware[i].name);
    return fail_name(path, place, "hardware", &machines, matrix->hardware);
}

sb_status sb_matrix_check_names(const char *path, const char *place, const sb_matrix *matrix,
                                const sb_hardware_table *table, const char *const value[SB_N_SETTINGS])
{
    const char *data = value[SB_SETTING_DATA], *hardware = value[SB_SETTING_HARDWARE];
    if (data) SB_TRY(check_data_name(path, place, matrix, data));
    return hardware ? check_hardware_name(path, place, matrix, table, hardware) : SB_OK;
}

sb_status sb_matrix_check_complete(const char *path, const char *place, const char *const value[SB_N_SETTINGS])
{
    static const sb_setting_id needed[] = {SB_SETTING_MODEL,    SB_SETTING_DATA,   SB_SETTING_BACKEND,
                                           SB_SETTING_HARDWARE, SB_SETTING_TARGET, SB_SETTING_SEED};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!value[needed[i]])
            return sb_place_fail(path, place, "its cells have no %s: set it in options, axes, zip or defaults",
                                 sb_settings_table[needed[i]].key);
    if (!value[SB_SETTING_UPDATES] == !value[SB_SETTING_EPOCHS])
        return sb_place_fail(path, place, "its cells want either updates or epochs, %s",
                             value[SB_SETTING_UPDATES] ? "not both" : "and have neither");
    return SB_OK;
}
