#include "matrix/cells/cells.h"

#include "matrix/process/process.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Is it part of the record: does it decide what is computed, or name the cell? */
static bool holds(sb_setting_id setting)
{
    return setting != SB_SETTING_CHECKPOINT_EVERY;
}

static json_t *to_json(const sb_setting_row *form, const char *text)
{
    const bool is_one = form->kind == SB_VALUE_INT || (form->kind == SB_VALUE_INTS && !strchr(text, ','));
    if (is_one) return json_integer(strtol(text, NULL, 10));
    if (form->kind == SB_VALUE_REAL) return json_real(strtod(text, NULL));
    return json_string(text);
}

sb_status sb_record_make(char **record, const char *const value[SB_N_SETTINGS], const char *data_make)
{
    *record = NULL;
    sb_argv argv = {0};
    sb_argv_add_split(&argv, data_make); /* a command line broken over several lines of YAML is still the same */
    char *make = argv.lost ? NULL : sb_argv_text(&argv);
    json_t *object = json_object();
    bool whole = make && object && json_object_set_new(object, "data_make", json_string(make)) == 0;
    for (sb_setting_id setting = 0; whole && setting < SB_N_SETTINGS; setting++) {
        const sb_setting_row *form = &sb_settings_table[setting];
        if (!value[setting] || !holds(setting)) continue;
        whole = json_object_set_new(object, form->key, to_json(form, value[setting])) == 0;
    }
    if (whole) *record = json_dumps(object, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(object);
    free(make);
    sb_argv_free(&argv);
    /* Texts that are not UTF-8 are the one other thing jansson refuses. */
    if (!*record) return sb_fail(SB_E_MEMORY, "a cell's record cannot be made: not enough memory, or not UTF-8");
    return SB_OK;
}

/* -- comparing -- */

static char *value_text(const json_t *record, const char *key)
{
    const json_t *value = json_object_get(record, key);
    if (json_is_string(value)) return strdup(json_string_value(value));
    return value ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)) : NULL;
}

static void compare_key(const json_t *before, const json_t *after, const char *key, sb_record_change *change,
                        void *context)
{
    char *old = value_text(before, key), *now = value_text(after, key);
    if (!old != !now || (old && strcmp(old, now) != 0)) change(context, key, old, now);
    free(old);
    free(now);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void compare_objects(json_t *before, json_t *after, json_t *both, sb_record_change *change, void *context)
{
    const char *keys[SB_N_SETTINGS + 64], *key;
    json_t *value;
    size_t n = 0;
    json_object_foreach(both, key, value)
    {
        if (n < sizeof keys / sizeof *keys) keys[n++] = key;
    }
    qsort(keys, n, sizeof *keys, by_text);
    for (size_t i = 0; i < n; i++) compare_key(before, after, keys[i], change, context);
}

sb_status sb_record_compare(const char *before, const char *after, sb_record_change *change, void *context)
{
    json_t *old = json_loads(before, 0, NULL), *now = json_loads(after, 0, NULL);
    json_t *both = json_is_object(old) ? json_copy(old) : NULL;
    sb_status status = SB_OK;
    if (!both || !json_is_object(now) || json_object_update(both, now) != 0)
        status = sb_fail(SB_E_INTEGRITY, "'%.60s': not the record of a cell", json_is_object(old) ? after : before);
    else
        compare_objects(old, now, both, change, context);
    json_decref(both);
    json_decref(now);
    json_decref(old);
    return status;
}
