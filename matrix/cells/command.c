#include "matrix/cells/command.h"

#include "matrix/process/process.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
} outputs[SB_N_OUTPUTS] = {{"run", "a recording"}, {"csv", "a table"}, {"jsonl", "lines of JSON"}};

const char *sb_output_name(sb_output_kind output)
{
    return outputs[output].name;
}

const char *sb_output_text(sb_output_kind output)
{
    return outputs[output].text;
}

static bool text_has(const char *text, const char *slot)
{
    char name[SB_SLOT_NAME];
    for (const char *at = text; (at = sb_slot_find(at, name)); at++)
        if (strcmp(name, slot) == 0) return true;
    return false;
}

bool sb_command_has(const sb_study *study, const char *slot)
{
    bool has = text_has(study->command, slot);
    for (uint32_t i = 0; i < study->environment.n; i++) has = has || text_has(study->environment.item[i], slot);
    return has;
}

sb_output_kind sb_command_output(const sb_study *study)
{
    sb_output_kind output = 0;
    while (output < SB_N_OUTPUTS - 1 && !sb_command_has(study, outputs[output].name)) output++;
    return output;
}

/* -- words -- */

typedef struct filling {
    const sb_cell *cell;
    const sb_command_paths *paths;
} filling;

static const char *value_of(void *context, const char *name)
{
    const filling *f = context;
    if (strcmp(name, "data") == 0) return f->paths->data;
    if (strcmp(name, "folder") == 0) return f->paths->folder;
    for (sb_output_kind i = 0; i < SB_N_OUTPUTS; i++)
        if (strcmp(name, outputs[i].name) == 0) return f->paths->output;
    for (unsigned id = 0; id < SB_N_SETTINGS + f->cell->matrix->n_custom; id++)
        if (f->cell->value[id] && strcmp(name, sb_schema_key(f->cell->matrix, id)) == 0) return f->cell->value[id];
    return strcmp(name, sb_settings_table[SB_SETTING_ULP].key) == 0 ? "0" : NULL;
}

static void add_filled(sb_argv *argv, const char *text, filling *f)
{
    SB_FREED char *word = sb_slot_fill(text, value_of, f);
    argv->lost = argv->lost || !word;
    if (word) sb_argv_add(argv, word);
}

void sb_command_argv(sb_argv *argv, const sb_cell *cell, const sb_command_paths *paths)
{
    filling f = {cell, paths};
    sb_argv plain = {0};
    sb_argv_add_split(&plain, cell->study->command);
    for (int i = 0; i < plain.n; i++) add_filled(argv, plain.item[i], &f);
    argv->lost = argv->lost || plain.lost;
    sb_argv_free(&plain);
}

void sb_command_environment(sb_argv *argv, const sb_cell *cell, const sb_command_paths *paths)
{
    filling f = {cell, paths};
    for (uint32_t i = 0; i < cell->study->environment.n; i++) add_filled(argv, cell->study->environment.item[i], &f);
}

sb_status sb_command_folder(char folder[SB_PATH_MAX], const char *matrix)
{
    char path[SB_PATH_MAX];
    if (!realpath(matrix, path)) return sb_fail(SB_E_IO, "%s: %s", matrix, strerror(errno));
    *strrchr(path, '/') = 0;
    snprintf(folder, SB_PATH_MAX, "%s", *path ? path : "/");
    return SB_OK;
}

const char *sb_command_absent(const sb_study *study, const char *matrix, char name[SB_PATH_MAX])
{
    char path[SB_PATH_MAX], slot[SB_SLOT_NAME];
    const char *absent = NULL;
    sb_argv argv = {0};
    sb_argv_add_split(&argv, study->command);
    if (argv.n && !study->image && !sb_slot_find(argv.item[0], slot)) {
        snprintf(path, sizeof path, "%s", argv.item[0]);
        if (strchr(path, '/')) sb_file_beside(matrix, argv.item[0], path);
        if (!sb_process_is_here(path)) absent = name;
        if (absent) snprintf(name, SB_PATH_MAX, "%s", argv.item[0]);
    }
    sb_argv_free(&argv);
    return absent;
}

/* -- name -- */

/* A part of a path that a shell and a reader take as it is. */
static bool is_plain(const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    return *value && strlen(value) <= 40 && !value[strspn(value, plain)];
}

void sb_command_name(const sb_cell *cell, char *name, size_t size)
{
    const char *const *v = cell->value;
    size_t n = (size_t)snprintf(name, size, "%s", v[SB_SETTING_STUDY]);
    for (unsigned id = 0; id < SB_N_SETTINGS + cell->matrix->n_custom && n < size; id++) {
        const bool is_shown = id == SB_SETTING_HARDWARE || id == SB_SETTING_DATA;
        const bool is_axis = id == SB_SETTING_THREADS || id >= SB_N_SETTINGS;
        char digest[SB_SHA256_TEXT];
        if (!v[id] || !(is_shown || is_axis)) continue;
        n += (size_t)snprintf(name + n, size - n, "/%s%s", is_axis ? sb_schema_key(cell->matrix, id) : "",
                              is_axis ? "=" : "");
        sb_sha256_bytes(v[id], strlen(v[id]), digest);
        if (n < size) n += (size_t)snprintf(name + n, size - n, "%.40s", is_plain(v[id]) ? v[id] : digest + 56);
    }
    if (n < size) n += (size_t)snprintf(name + n, size - n, "/s%03ld", strtol(v[SB_SETTING_SEED], NULL, 10));
    if (v[SB_SETTING_ULP] && n < size) snprintf(name + n, size - n, "u%02ld", strtol(v[SB_SETTING_ULP], NULL, 10));
}

/* -- record -- */

static json_t *list_of(const sb_value_list *values)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < values->n; i++) json_array_append_new(list, json_string(values->item[i]));
    return list;
}

static json_t *files_of(const sb_cell *cell)
{
    json_t *files = json_object();
    for (uint32_t i = 0; i < cell->study->files.n; i++)
        json_object_set_new(files, cell->study->files.item[i], json_string(cell->file_digest[i]));
    return files;
}

static json_t *values_of(const sb_cell *cell)
{
    json_t *values = json_object();
    for (unsigned id = 0; id < SB_N_SETTINGS + cell->matrix->n_custom; id++)
        if (cell->value[id] && id != SB_SETTING_STUDY)
            json_object_set_new(values, sb_schema_key(cell->matrix, id), json_string(cell->value[id]));
    return values;
}

sb_status sb_command_record(char **record, const sb_cell *cell)
{
    sb_argv argv = {0};
    sb_argv_add_split(&argv, cell->study->command); /* broken over several lines it is still the same */
    char *command = argv.lost ? NULL : sb_argv_text(&argv);
    json_t *object = values_of(cell);
    const bool whole = command && object && json_object_set_new(object, "study", json_string(cell->study->name)) == 0 &&
                       json_object_set_new(object, "command", json_string(command)) == 0 &&
                       json_object_set_new(object, "environment", list_of(&cell->study->environment)) == 0 &&
                       json_object_set_new(object, "files", files_of(cell)) == 0;
    if (cell->study->image) json_object_set_new(object, "image", json_string(cell->study->image));
    if (cell->data) json_object_set_new(object, "data_make", json_string(cell->data->make));
    *record = whole ? json_dumps(object, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    json_decref(object);
    free(command);
    sb_argv_free(&argv);
    if (!*record) return sb_fail(SB_E_MEMORY, "a cell's record cannot be made: not enough memory, or not UTF-8");
    return SB_OK;
}

/* -- columns of tables -- */

static sb_status note_metric(sb_command_columns *columns, const sb_measure *metric, const char *path)
{
    for (size_t i = 0; i < columns->n_metrics; i++)
        if (strcmp(columns->metric[i]->name, metric->name) == 0) return SB_OK;
    if (columns->n_metrics == SB_MEASURES_MAX)
        return sb_fail(SB_E_USAGE, "%s: more than %d metrics in all studies together", path, SB_MEASURES_MAX);
    columns->metric[columns->n_metrics++] = metric;
    return SB_OK;
}

sb_status sb_command_columns_find(sb_command_columns *columns, const sb_cells *cells)
{
    *columns = (sb_command_columns){0};
    for (size_t i = 0; i < cells->n; i++)
        for (unsigned id = 0; id < SB_N_VALUES; id++)
            columns->has_value[id] = columns->has_value[id] || cells->item[i].value[id];
    for (uint32_t s = 0; s < cells->matrix->n_studies; s++) {
        const sb_study *study = &cells->matrix->studies[s];
        for (uint32_t m = 0; m < study->n_metrics; m++) SB_TRY(note_metric(columns, &study->metrics[m], cells->path));
    }
    return SB_OK;
}

const char *sb_slot_find(const char *text, char name[SB_SLOT_NAME])
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz", more[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    for (const char *at = text; (at = strchr(at, '{')); at++) {
        const size_t n = strspn(at + 1, more);
        if (!n || n >= SB_SLOT_NAME || at[n + 1] != '}' || !strchr(first, at[1])) continue;
        memcpy(name, at + 1, n);
        name[n] = 0;
        return at;
    }
    return NULL;
}

char *sb_slot_fill(const char *text, sb_slot_value *value, void *context)
{
    char *filled = NULL, name[SB_SLOT_NAME];
    size_t n_filled;
    FILE *out = open_memstream(&filled, &n_filled);
    if (!out) return NULL;
    for (const char *slot; (slot = sb_slot_find(text, name)); text = slot + strlen(name) + 2) {
        const char *word = value(context, name);
        fwrite(text, 1, (size_t)(slot - text), out);
        if (word)
            fputs(word, out);
        else
            fprintf(out, "{%s}", name);
    }
    fputs(text, out);
    const int failed = ferror(out);
    if (fclose(out) == 0 && !failed) return filled;
    free(filled);
    return NULL;
}
