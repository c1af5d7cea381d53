#include "matrix/schema/matrix_schema.h"

#include "core/command/options.h"
#include "io/yaml/place.h"
#include "io/yaml/yaml.h"

#include <stdio.h>
#include <string.h>

/* -- the schemas; those over settings are filled from the settings' table -- */

static const cyaml_schema_value_t text_value = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED)};

static cyaml_schema_field_t row_fields[SB_N_VALUES + 1];     /* the settings of one row */
static cyaml_schema_field_t exclude_fields[SB_N_VALUES + 2]; /* the same and the reason */
static cyaml_schema_field_t axes_fields[SB_N_VALUES + 1];    /* a list of values for each setting */

static const cyaml_schema_value_t row_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_row, row_fields)};
static const cyaml_schema_value_t exclude_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_row, exclude_fields)};

static const cyaml_schema_field_t measure_fields[] = {
    SB_YAML_TEXT("name", sb_measure, name, 0),
    SB_YAML_TEXT("column", sb_measure, column, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("better", sb_measure, better, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t measure_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_measure, measure_fields)};

static const cyaml_schema_field_t study_fields[] = {
    SB_YAML_TEXT("name", sb_study, name, 0),
    SB_YAML_TEXT("command", sb_study, command, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("image", sb_study, image, CYAML_FLAG_OPTIONAL),
    SB_YAML_LIST("files", sb_study, files.item, files.n, &text_value, 0),
    SB_YAML_LIST("environment", sb_study, environment.item, environment.n, &text_value, 0),
    SB_YAML_LIST("metrics", sb_study, metrics, n_metrics, &measure_value, 0),
    SB_YAML_TEXT("seeds", sb_study, seeds_text, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("replicates", sb_study, replicates_text, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_MAPPING("options", CYAML_FLAG_OPTIONAL, sb_study, options, row_fields),
    {.key = "axes",
     .data_offset = offsetof(sb_study, axes),
     .value = {.type = CYAML_MAPPING,
               .flags = CYAML_FLAG_OPTIONAL,
               .data_size = sizeof(((sb_study *)NULL)->axes),
               .mapping = {.fields = axes_fields}}},
    SB_YAML_LIST("zip", sb_study, zip, n_zip, &row_value, 0),
    SB_YAML_LIST("exclude", sb_study, exclude, n_exclude, &exclude_value, 0),
    SB_YAML_LIST("include", sb_study, include, n_include, &row_value, 0),
    SB_YAML_LIST("require", sb_study, require.item, require.n, &text_value, 0),
    SB_YAML_LIST("tags", sb_study, tags.item, tags.n, &text_value, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t study_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_study, study_fields)};

static const cyaml_schema_field_t source_fields[] = {
    SB_YAML_TEXT("name", sb_data_source, name, 0),
    SB_YAML_TEXT("fetch", sb_data_source, fetch, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("make", sb_data_source, make, 0),
    SB_YAML_TEXT("from", sb_data_source, from, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("hint", sb_data_source, hint, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t source_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_data_source, source_fields)};

static cyaml_schema_field_t matrix_fields[] = {
    SB_YAML_TEXT("hardware", sb_matrix, hardware, 0),
    SB_YAML_TEXT("claims", sb_matrix, claims, CYAML_FLAG_OPTIONAL),
    SB_YAML_LIST("data", sb_matrix, data, n_data, &source_value, 1),
    CYAML_FIELD_MAPPING("defaults", CYAML_FLAG_OPTIONAL, sb_matrix, defaults, row_fields),
    SB_YAML_LIST("studies", sb_matrix, studies, n_studies, &study_value, 1),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t matrix_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_matrix, matrix_fields)};

static const cyaml_schema_field_t hardware_fields[] = {
    SB_YAML_TEXT("name", sb_hardware, name, 0),
    SB_YAML_TEXT("cpu", sb_hardware, cpu, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("gpu", sb_hardware, gpu, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("sm", sb_hardware, sm_text, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("gres", sb_hardware, gres, CYAML_FLAG_OPTIONAL),
    SB_YAML_TEXT("emulator", sb_hardware, emulator, CYAML_FLAG_OPTIONAL),
    SB_YAML_LIST("require", sb_hardware, require.item, require.n, &text_value, 0),
    SB_YAML_TEXT("note", sb_hardware, note, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t hardware_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_hardware, hardware_fields)};
static const cyaml_schema_field_t hardware_file_fields[] = {
    SB_YAML_LIST("hardware", sb_hardware_file, hardware, n, &hardware_value, 1),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t hardware_file_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_hardware_file, hardware_file_fields)};

static const cyaml_schema_field_t locked_image_fields[] = {
    SB_YAML_TEXT("stack", sb_locked_image, stack, 0),
    SB_YAML_TEXT("id", sb_locked_image, id, 0),
    SB_YAML_TEXT("build_id", sb_locked_image, build_id, 0),
    SB_YAML_TEXT("revision", sb_locked_image, revision, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t locked_image_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_locked_image, locked_image_fields)};
static const cyaml_schema_field_t locked_data_fields[] = {
    SB_YAML_TEXT("file", sb_locked_data, file, 0),
    SB_YAML_TEXT("digest", sb_locked_data, digest, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t locked_data_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_locked_data, locked_data_fields)};
static const cyaml_schema_field_t image_lock_fields[] = {
    SB_YAML_LIST("images", sb_image_lock, images, n_images, &locked_image_value, 1),
    SB_YAML_LIST("data", sb_image_lock, data, n_data, &locked_data_value, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t image_lock_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_image_lock, image_lock_fields)};

/* The fields of value `id` in a row and in the axes, under that key. */
static void fill_field(unsigned n, unsigned id, const char *key)
{
    cyaml_schema_field_t one = SB_YAML_TEXT(key, sb_row, value[0], CYAML_FLAG_OPTIONAL);
    one.data_offset = (uint32_t)(offsetof(sb_row, value) + id * sizeof(char *));
    row_fields[n] = exclude_fields[n] = one;
    cyaml_schema_field_t list = SB_YAML_LIST(key, sb_value_list, item, n, &text_value, 0);
    list.value.sequence.min = 1;
    list.data_offset += (uint32_t)(id * sizeof(sb_value_list));
    list.count_offset += (uint32_t)(id * sizeof(sb_value_list));
    axes_fields[n] = list;
}

/* Of a file of commands the settings that it shares with all, and its own names; else all settings. NULL: everything
 * that a file of either kind can hold. */
static void fill_fields(const sb_custom_names *custom)
{
    static char no_name[SB_CUSTOM_MAX][8];
    unsigned n = 0;
    for (unsigned id = SB_SETTING_STUDY + 1; id < SB_N_SETTINGS; id++) /* a study's name has a key of its own */
        if (!custom || !custom->has_commands || sb_custom_names_share(id))
            fill_field(n++, id, sb_settings_table[id].key);
    for (unsigned i = 0; i < (custom ? custom->n : SB_CUSTOM_MAX); i++)
        fill_field(n++, SB_N_SETTINGS + i, custom ? custom->name[i] : no_name[i]);
    row_fields[n] = axes_fields[n] = (cyaml_schema_field_t)CYAML_FIELD_END;
    exclude_fields[n] = (cyaml_schema_field_t)SB_YAML_TEXT("reason", sb_row, reason, 0);
    exclude_fields[n + 1] = (cyaml_schema_field_t)CYAML_FIELD_END;
}

/* Without hardware and data sets a file of commands is complete. */
static void fill_matrix_fields(bool has_commands)
{
    const cyaml_schema_field_t hardware =
        SB_YAML_TEXT("hardware", sb_matrix, hardware, has_commands ? CYAML_FLAG_OPTIONAL : 0);
    const cyaml_schema_field_t data = SB_YAML_LIST("data", sb_matrix, data, n_data, &source_value, 1);
    const cyaml_schema_field_t no_data = SB_YAML_LIST("data", sb_matrix, data, n_data, &source_value, 0);
    matrix_fields[0] = hardware;
    matrix_fields[2] = has_commands ? no_data : data;
}

/* -- loading -- */

const char *sb_schema_key(const sb_matrix *matrix, unsigned id)
{
    return id < SB_N_SETTINGS ? sb_settings_table[id].key : matrix->custom[id - SB_N_SETTINGS];
}

/* libcyaml's own numbers also take the beginning of "1e3", and 010 as 8: these are read as a person does. */
static sb_status read_number(const char *path, const char *list, uint32_t i, const char *key, const char *text,
                             long most, int64_t *number)
{
    char place[64], plain[24];
    long value = 0;
    if (!text) return SB_OK;
    const bool is_number = sb_parse_int(text, 1, (double)most, &value);
    snprintf(plain, sizeof plain, "%ld", value);
    snprintf(place, sizeof place, "%s/%u/%s", list, i, key);
    if (!is_number || strcmp(text, plain) != 0)
        return sb_place_fail(path, place, "%s wants a whole number in [1, %ld], not '%s'", key, most, text);
    *number = value;
    return SB_OK;
}

static sb_status read_study_numbers(const char *path, const sb_matrix *matrix)
{
    for (uint32_t i = 0; i < matrix->n_studies; i++) {
        sb_study *study = &matrix->studies[i];
        SB_TRY(read_number(path, "studies", i, "seeds", study->seeds_text, SB_SEEDS_MAX, &study->seeds));
        SB_TRY(read_number(path, "studies", i, "replicates", study->replicates_text, SB_REPLICATES_MAX,
                           &study->replicates));
    }
    return SB_OK;
}

static sb_status read_hardware_numbers(const char *path, const sb_hardware_file *file)
{
    enum { MOST = 999 };
    for (uint32_t i = 0; i < file->n; i++)
        SB_TRY(read_number(path, "hardware", i, "sm", file->hardware[i].sm_text, MOST, &file->hardware[i].sm));
    return SB_OK;
}

sb_status sb_schema_load_matrix(const char *path, sb_matrix **matrix)
{
    sb_custom_names custom;
    *matrix = NULL;
    SB_TRY(sb_place_check(path));
    SB_TRY(sb_custom_names_read(&custom, path));
    fill_fields(&custom);
    fill_matrix_fields(custom.has_commands);
    SB_TRY(sb_yaml_load(path, &matrix_value, (void **)matrix));
    (*matrix)->has_commands = custom.has_commands;
    (*matrix)->n_custom = custom.n;
    memcpy((*matrix)->custom, custom.name, sizeof custom.name);
    const sb_status status = read_study_numbers(path, *matrix);
    if (status != SB_OK) sb_schema_free_matrix(*matrix), *matrix = NULL;
    return status;
}

sb_status sb_schema_spell_seeds(sb_study *study)
{
    enum { TEXT = 24 };
    sb_value_list *axis = &study->axes[SB_SETTING_SEED];
    if (!study->seeds) return SB_OK;
    /* cyaml_free will free them, so they come from its allocator. */
    axis->item = cyaml_mem(NULL, NULL, (size_t)study->seeds * sizeof *axis->item);
    for (; axis->item && axis->n < study->seeds; axis->n++) {
        axis->item[axis->n] = cyaml_mem(NULL, NULL, TEXT);
        if (!axis->item[axis->n]) break;
        snprintf(axis->item[axis->n], TEXT, "%u", axis->n + 1);
    }
    if (axis->n < study->seeds) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the seeds", study->name);
    return SB_OK;
}

void sb_schema_free_matrix(sb_matrix *matrix)
{
    fill_fields(NULL);
    sb_yaml_free(&matrix_value, matrix);
}

sb_status sb_schema_load_hardware(const char *path, sb_hardware_file **file)
{
    SB_TRY(sb_yaml_load(path, &hardware_file_value, (void **)file));
    const sb_status status = read_hardware_numbers(path, *file);
    if (status != SB_OK) sb_schema_free_hardware(*file), *file = NULL;
    return status;
}

void sb_schema_free_hardware(sb_hardware_file *file)
{
    sb_yaml_free(&hardware_file_value, file);
}

sb_status sb_schema_load_image_lock(const char *path, sb_image_lock **locked)
{
    return sb_yaml_load(path, &image_lock_value, (void **)locked);
}

void sb_schema_free_image_lock(sb_image_lock *locked)
{
    sb_yaml_free(&image_lock_value, locked);
}
