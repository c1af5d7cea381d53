#include "io/yaml/yaml.h"

#include "core/command/nearest.h"
#include "io/yaml/place.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_MAX = 512 };

/* libcyaml logs a sentence, then from the inside out where it was. */
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
    if (strstr(event, "SCALAR") || strstr(event, "STRING")) return "one value";
    if (strstr(event, "SEQUENCE")) return "a list";
    if (strstr(event, "MAPPING")) return "a mapping";
    return "something else";
}

/* One step of a place, n bytes long, into what it leads to; NULL: into nothing that this file knows. */
static const cyaml_schema_value_t *step_into(const cyaml_schema_value_t *schema, const char *step, size_t n)
{
    if (schema->type == CYAML_SEQUENCE) return schema->sequence.entry;
    if (schema->type != CYAML_MAPPING) return NULL;
    for (const cyaml_schema_field_t *field = schema->mapping.fields; field->key; field++)
        if (strlen(field->key) == n && strncmp(field->key, step, n) == 0) return &field->value;
    return NULL;
}

/* ", did you mean 'threads'?" among the keys of the mapping at that place, or "". */
static void guess_key(const cyaml_schema_value_t *schema, const char *place, const char *key, char *guess, size_t size)
{
    sb_nearest nearest = sb_nearest_begin(key);
    *guess = 0;
    while (schema && *place) {
        const size_t n = strcspn(place, "/");
        schema = step_into(schema, place, n);
        place += n + (place[n] == '/');
    }
    if (!schema || schema->type != CYAML_MAPPING) return;
    for (const cyaml_schema_field_t *field = schema->mapping.fields; field->key; field++)
        sb_nearest_offer(&nearest, field->key);
    if (nearest.name) snprintf(guess, size, ", did you mean '%s'?", nearest.name);
}

/* "studies/0/axes/target": "target"; "studies/0/axes/target/1": "an entry of target"; "": "the file" */
static void name_place(const char *place, char *name, size_t size)
{
    const char *last = strrchr(place, '/'), *before = last;
    const bool is_entry = last && last[1] && last[1 + strspn(last + 1, "0123456789")] == 0;
    while (before && before > place && before[-1] != '/') before--;
    if (is_entry)
        snprintf(name, size, "an entry of %.*s", (int)(last - before), before);
    else
        snprintf(name, size, "%s", last ? last + 1 : *place ? place : "the file");
}

static sb_status fail_load(const char *path, const cyaml_schema_value_t *schema, complaint *said, const char *otherwise)
{
    char key[128], event[64], guess[96], last[PLACE_MAX];
    const bool is_empty = strncmp(said->sentence, "Insufficient entries ", 21) == 0;
    char *entry = is_empty ? strrchr(said->place, '/') : NULL;
    if (entry) *entry = 0; /* its number is that of an entry before the first */
    name_place(said->place, last, sizeof last);
    if (is_empty) return sb_place_fail(path, said->place, "%s wants at least one value", last);
    if (sscanf(said->sentence, "Unexpected key: %127[^\n]", key) == 1) {
        size_t used = strlen(said->place);
        guess_key(schema, said->place, key, guess, sizeof guess);
        snprintf(said->place + used, sizeof said->place - used, "%s%s", used ? "/" : "", key);
        return sb_place_fail(path, said->place, "unknown key '%s'%s", key, guess);
    }
    if (sscanf(said->sentence, "Missing required mapping field: %127[^\n]", key) == 1)
        return sb_place_fail(path, said->place, "the key '%s' is missing here", key);
    if (sscanf(said->sentence, "Mapping field already seen: %127[^\n]", key) == 1)
        return sb_place_fail(path, said->place, "the key '%s' is here twice", key);
    if (strncmp(said->sentence, "STRING length < ", 16) == 0)
        return sb_place_fail(path, said->place, "%s has no value", last);
    if (sscanf(said->sentence, "Expecting %127[^,], got event: %63s", key, event) == 2)
        return sb_place_fail(path, said->place, "%s wants %s, not %s", last, event_name(key), event_name(event));
    return sb_place_fail(path, said->place, "%s: %s", last, *said->sentence ? said->sentence : otherwise);
}

static const cyaml_config_t silent = {.mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};

sb_status sb_yaml_load(const char *path, const cyaml_schema_value_t *schema, void **data)
{
    *data = NULL;
    SB_TRY(sb_place_check(path));
    complaint said = {0};
    cyaml_config_t config = silent;
    config.log_fn = on_log;
    config.log_ctx = &said;
    cyaml_err_t error = cyaml_load_file(path, &config, schema, data, NULL);
    if (error == CYAML_OK && *data) return SB_OK;
    if (error == CYAML_OK) /* it was not, when sb_place_check looked */
        return sb_fail(SB_E_USAGE, "%s: is read twice, and was empty the second time; name a file, not a pipe", path);
    if (error == CYAML_ERR_OOM) return sb_fail(SB_E_MEMORY, "%s: not enough memory to read it", path);
    return fail_load(path, schema, &said, cyaml_strerror(error));
}

sb_status sb_yaml_parse(const char *name, const char *text, const cyaml_schema_value_t *schema, void **data)
{
    *data = NULL;
    const cyaml_err_t error = cyaml_load_data((const uint8_t *)text, strlen(text), &silent, schema, data, NULL);
    if (error == CYAML_OK && *data) return SB_OK;
    if (error == CYAML_ERR_OOM) return sb_fail(SB_E_MEMORY, "%s: not enough memory to read it", name);
    return sb_fail(SB_E_USAGE, "%s: %s", name, cyaml_strerror(error));
}

void sb_yaml_free(const cyaml_schema_value_t *schema, void *data)
{
    if (data) cyaml_free(&silent, schema, data, 0);
}
