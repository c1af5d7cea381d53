#include "schema.h"

#include "place.h"

#include <ctype.h>
#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_MAX = 512 };

/* -- the schemas; those over factors are filled from the factors' table -- */

#define TEXT_FIELD(key, type, member, flags)                                                                           \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 1, CYAML_UNLIMITED)
#define LIST_FIELD(key, type, member, count, entry, min)                                                               \
    CYAML_FIELD_SEQUENCE_COUNT(key, CYAML_FLAG_POINTER | ((min) ? 0 : CYAML_FLAG_OPTIONAL), type, member, count,       \
                               entry, min, CYAML_UNLIMITED)

static const cyaml_schema_value_t text_value = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED)};

static cyaml_schema_field_t row_fields[SB_FACTOR_N + 1];     /* the factors of one row */
static cyaml_schema_field_t exclude_fields[SB_FACTOR_N + 2]; /* the same and the reason */
static cyaml_schema_field_t axes_fields[SB_FACTOR_N + 1];    /* a list of values for each factor */

static const cyaml_schema_value_t row_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_row, row_fields)};
static const cyaml_schema_value_t exclude_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_row, exclude_fields)};

static const cyaml_schema_field_t study_fields[] = {
    TEXT_FIELD("name", sb_study, name, 0),
    CYAML_FIELD_INT("seeds", CYAML_FLAG_OPTIONAL, sb_study, seeds),
    CYAML_FIELD_MAPPING("options", CYAML_FLAG_OPTIONAL, sb_study, options, row_fields),
    {.key = "axes",
     .data_offset = offsetof(sb_study, axes),
     .value = {.type = CYAML_MAPPING,
               .flags = CYAML_FLAG_OPTIONAL,
               .data_size = sizeof(((sb_study *)NULL)->axes),
               .mapping = {.fields = axes_fields}}},
    LIST_FIELD("zip", sb_study, zip, n_zip, &row_value, 0),
    LIST_FIELD("exclude", sb_study, exclude, n_exclude, &exclude_value, 0),
    LIST_FIELD("include", sb_study, include, n_include, &row_value, 0),
    LIST_FIELD("require", sb_study, require.item, require.n, &text_value, 0),
    LIST_FIELD("tags", sb_study, tags.item, tags.n, &text_value, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t study_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_study, study_fields)};

static const cyaml_schema_field_t supply_fields[] = {
    TEXT_FIELD("name", sb_supply, name, 0),
    TEXT_FIELD("fetch", sb_supply, fetch, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD("make", sb_supply, make, 0),
    TEXT_FIELD("from", sb_supply, from, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD("hint", sb_supply, hint, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t supply_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_supply, supply_fields)};

static const cyaml_schema_field_t matrix_fields[] = {
    TEXT_FIELD("hardware", sb_matrix, hardware, 0),
    LIST_FIELD("data", sb_matrix, data, n_data, &supply_value, 1),
    CYAML_FIELD_MAPPING("defaults", CYAML_FLAG_OPTIONAL, sb_matrix, defaults, row_fields),
    LIST_FIELD("studies", sb_matrix, studies, n_studies, &study_value, 1),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t matrix_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_matrix, matrix_fields)};

static const cyaml_schema_field_t hardware_fields[] = {
    TEXT_FIELD("name", sb_hardware, name, 0),
    TEXT_FIELD("cpu", sb_hardware, cpu, CYAML_FLAG_OPTIONAL),
    TEXT_FIELD("gpu", sb_hardware, gpu, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_INT("sm", CYAML_FLAG_OPTIONAL, sb_hardware, sm),
    LIST_FIELD("require", sb_hardware, require.item, require.n, &text_value, 0),
    TEXT_FIELD("note", sb_hardware, note, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t hardware_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_hardware, hardware_fields)};
static const cyaml_schema_field_t hardware_file_fields[] = {
    LIST_FIELD("hardware", sb_hardware_file, hardware, n, &hardware_value, 1),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t hardware_file_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_hardware_file, hardware_file_fields)};

static const cyaml_schema_field_t pinned_image_fields[] = {
    TEXT_FIELD("stack", sb_pinned_image, stack, 0),
    TEXT_FIELD("id", sb_pinned_image, id, 0),
    TEXT_FIELD("build_id", sb_pinned_image, build_id, 0),
    TEXT_FIELD("revision", sb_pinned_image, revision, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t pinned_image_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_pinned_image, pinned_image_fields)};
static const cyaml_schema_field_t pinned_data_fields[] = {
    TEXT_FIELD("file", sb_pinned_data, file, 0),
    TEXT_FIELD("digest", sb_pinned_data, digest, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t pinned_data_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_pinned_data, pinned_data_fields)};
static const cyaml_schema_field_t pins_fields[] = {
    LIST_FIELD("images", sb_pins, images, n_images, &pinned_image_value, 1),
    LIST_FIELD("data", sb_pins, data, n_data, &pinned_data_value, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t pins_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_pins, pins_fields)};

static void fill_factor_fields(void)
{
    unsigned n = 0;
    for (sb_factor factor = SB_FACTOR_STUDY + 1; factor < SB_FACTOR_N;
         factor++, n++) { /* a study's name has a key of its own */
        cyaml_schema_field_t one = TEXT_FIELD(sb_factor_about(factor)->key, sb_row, value[0], CYAML_FLAG_OPTIONAL);
        one.data_offset = (uint32_t)(offsetof(sb_row, value) + factor * sizeof(char *));
        row_fields[n] = exclude_fields[n] = one;
        cyaml_schema_field_t list = LIST_FIELD(one.key, sb_values, item, n, &text_value, 0);
        list.value.sequence.min = 1;
        list.data_offset += (uint32_t)(factor * sizeof(sb_values));
        list.count_offset += (uint32_t)(factor * sizeof(sb_values));
        axes_fields[n] = list;
    }
    row_fields[n] = axes_fields[n] = (cyaml_schema_field_t)CYAML_FIELD_END;
    exclude_fields[n] = (cyaml_schema_field_t)TEXT_FIELD("reason", sb_row, reason, 0);
    exclude_fields[n + 1] = (cyaml_schema_field_t)CYAML_FIELD_END;
}

/* -- errors: libcyaml logs a sentence, then from the inside out where it was -- */

typedef struct complaint {
    char sentence[256];
    char place[PLACE_MAX];
} complaint;

/* Put a step before the place; one that would not fit is left out. */
static void prepend(char place[PLACE_MAX], const char *step)
{
    size_t old = strlen(place), more = strlen(step), slash = old > 0;
    if (old + slash + more >= PLACE_MAX) return;
    memmove(place + more + slash, place, old + 1);
    memcpy(place, step, more);
    if (slash) place[more] = '/';
}

static void on_log(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    (void)level;
    complaint *said = context;
    char line[256], step[128];
    unsigned entry;
    vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\n")] = 0;
    bool missing = strstr(said->sentence, "Missing required") != NULL;
    if (sscanf(line, " in mapping field '%127[^']'", step) == 1) {
        /* The innermost step of a missing key is the key that came before it. */
        if (missing && !*said->place) snprintf(step, sizeof step, ".");
        prepend(said->place, step);
    } else if (sscanf(line, " in sequence entry '%u'", &entry) == 1) {
        snprintf(step, sizeof step, "%u", entry - 1);
        prepend(said->place, step);
    } else if (!*said->sentence) {
        snprintf(said->sentence, sizeof said->sentence, "%s", line + (strncmp(line, "Load: ", 6) == 0 ? 6 : 0));
    }
}

/* "SCALAR" and "MAPPING_START" as a reader of YAML would say it. */
static const char *event_name(const char *event)
{
    if (strstr(event, "SCALAR") || strstr(event, "STRING")) return "a text";
    if (strstr(event, "SEQUENCE")) return "a list";
    if (strstr(event, "MAPPING")) return "a mapping";
    if (strstr(event, "INT")) return "a whole number";
    return "something else";
}

static sb_status fail_load(const char *path, complaint *said, const char *otherwise)
{
    char key[128], event[64];
    const char *last = strrchr(said->place, '/');
    last = last ? last + 1 : said->place;
    if (sscanf(said->sentence, "Unexpected key: %127[^\n]", key) == 1) {
        size_t used = strlen(said->place);
        snprintf(said->place + used, sizeof said->place - used, "%s%s", used ? "/" : "", key);
        return sb_place_fail(path, said->place, "unknown key '%s'", key);
    }
    if (sscanf(said->sentence, "Missing required mapping field: %127[^\n]", key) == 1)
        return sb_place_fail(path, said->place, "the key '%s' is missing here", key);
    if (sscanf(said->sentence, "Mapping field already seen: %127[^\n]", key) == 1)
        return sb_place_fail(path, said->place, "the key '%s' is here twice", key);
    if (sscanf(said->sentence, "Invalid INT value: %127[^\n]", key) == 1)
        return sb_place_fail(path, said->place, "%s wants a whole number, not %s", last, key);
    if (sscanf(said->sentence, "Expecting %127[^,], got event: %63s", key, event) == 2)
        return sb_place_fail(path, said->place, "%s wants %s, not %s", *last ? last : "the file", event_name(key),
                             event_name(event));
    return sb_place_fail(path, said->place, "%s%s%s", last, *last ? ": " : "",
                         *said->sentence ? said->sentence : otherwise);
}

/* -- loading -- */

static const cyaml_config_t silent = {.mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};

static sb_status load(const char *path, const cyaml_schema_value_t *schema, void **data)
{
    *data = NULL;
    SB_TRY(sb_place_check(path));
    fill_factor_fields();
    complaint said = {0};
    cyaml_config_t config = silent;
    config.log_fn = on_log;
    config.log_ctx = &said;
    cyaml_err_t error = cyaml_load_file(path, &config, schema, data, NULL);
    if (error == CYAML_OK) return SB_OK;
    if (error == CYAML_ERR_OOM) return sb_fail(SB_E_MEMORY, "%s: not enough memory to read it", path);
    return fail_load(path, &said, cyaml_strerror(error));
}

sb_status sb_schema_load_matrix(const char *path, sb_matrix **matrix)
{
    return load(path, &matrix_value, (void **)matrix);
}

sb_status sb_schema_spell_seeds(sb_study *study)
{
    enum { TEXT = 24 };
    sb_values *axis = &study->axes[SB_FACTOR_SEED];
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
    if (matrix) cyaml_free(&silent, &matrix_value, matrix, 0);
}

sb_status sb_schema_load_hardware(const char *path, sb_hardware_file **file)
{
    return load(path, &hardware_file_value, (void **)file);
}

void sb_schema_free_hardware(sb_hardware_file *file)
{
    if (file) cyaml_free(&silent, &hardware_file_value, file, 0);
}

sb_status sb_schema_load_pins(const char *path, sb_pins **pins)
{
    return load(path, &pins_value, (void **)pins);
}

void sb_schema_free_pins(sb_pins *pins)
{
    if (pins) cyaml_free(&silent, &pins_value, pins, 0);
}
