#include "core/text/json.h"

#include "core/machine/version.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_json_kind_name[] = {"text", "integer", "number", "true or false", "object", "list"};

const sb_json_key sb_json_common[] = {
    {"schema", SB_JSON_INTEGER, "version of these keys; grows when one goes or changes its meaning"},
    {"program", SB_JSON_TEXT, "the program"},
    {"version", SB_JSON_TEXT, "its version"},
    {"verb", SB_JSON_TEXT, "the verb"},
    {"exit_code", SB_JSON_INTEGER, "the exit code of the process"},
    {"message", SB_JSON_TEXT, "the sentence for an exit code that is not 0; else null"},
    SB_JSON_END,
};

/* -- the language -- */

static void write_json(FILE *out, const char *text, bool quoted)
{
    (void)quoted;
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c == '\n' || *c == '\t')
            fputs(*c == '\n' ? "\\n" : "\\t", out);
        else
            fputc(*c, out);
    }
}

static const sb_language language = {.name = "JSON", .text = write_json, .lines = true};

/* -- rows -- */

/* The bit of the row of this path, among the common rows and the verb's; *kind: its kind. */
static uint64_t find_row(const sb_command *command, const char *path, sb_json_kind *kind)
{
    const sb_json_key *const tables[] = {sb_json_common, command->json};
    int bit = 0;
    for (int t = 0; t < 2; t++)
        for (const sb_json_key *row = tables[t]; row->path; row++, bit++) {
            if (strcmp(row->path, path) != 0) continue;
            assert(bit < 64);
            *kind = row->kind;
            return UINT64_C(1) << bit;
        }
    return 0;
}

/* Is the row a key of the object that is open? */
static bool is_key_of(const char *row, const char *path, size_t length)
{
    if (strncmp(row, path, length) != 0) return false;
    row += length;
    if (length && *row++ != '.') return false;
    return !strpbrk(row, ".[");
}

static bool is_whole(const sb_json *json)
{
    const sb_json_key *const tables[] = {sb_json_common, json->command->json};
    sb_json_kind kind;
    for (int t = 0; t < 2; t++)
        for (const sb_json_key *row = tables[t]; row->path; row++)
            if (is_key_of(row->path, json->path, json->level[json->depth].length) &&
                !(json->level[json->depth].written & find_row(json->command, row->path, &kind)))
                return false;
    return true;
}

/* -- values -- */

/* Comma, line, indentation and key. The path of the value replaces json->path until it is cut again. */
static void begin_value(sb_json *json, const char *key, sb_json_kind kind, bool null)
{
    const int depth = json->depth;
    const bool list = json->level[depth].list;
    const size_t length = json->level[depth].length;
    sb_json_kind declared = kind;
    assert(list == !key);
    snprintf(json->path + length, SB_JSON_PATH - length, "%s%s", list ? "[]" : length ? "." : "", key ? key : "");
    uint64_t bit = find_row(json->command, json->path, &declared);
    assert((bit || (list && kind == SB_JSON_OBJECT)) && "a key that has no row");
    assert((null || declared == kind) && !(json->level[depth].written & bit & -(uint64_t)!list));
    (void)null;
    json->level[depth].written |= bit;
    if (json->level[depth].begun) sb_write(json->out, ",");
    if (depth < 2) sb_write(json->out, depth ? "\n  " : "\n");
    if (depth >= 2 && json->level[depth].begun) sb_write(json->out, " ");
    if (key) sb_write(json->out, "\"%s\": ", key);
    json->level[depth].begun = true;
}

static void end_value(sb_json *json)
{
    json->path[json->level[json->depth].length] = 0;
}

static void open_level(sb_json *json, const char *key, bool list)
{
    begin_value(json, key, list ? SB_JSON_LIST : SB_JSON_OBJECT, false);
    assert(json->depth + 1 < SB_JSON_DEPTH);
    json->depth++;
    json->level[json->depth].length = strlen(json->path);
    json->level[json->depth].list = list;
    json->level[json->depth].begun = false;
    json->level[json->depth].written = 0;
    sb_write(json->out, list ? "[" : "{");
}

void sb_json_object(sb_json *json, const char *key)
{
    open_level(json, key, false);
}

void sb_json_list(sb_json *json, const char *key)
{
    open_level(json, key, true);
}

void sb_json_end(sb_json *json)
{
    const bool list = json->level[json->depth].list;
    assert(json->depth > 0 && (list || is_whole(json)));
    sb_write(json->out, list ? "]" : "}");
    json->depth--;
    end_value(json);
}

void sb_json_text(sb_json *json, const char *key, const char *text)
{
    begin_value(json, key, SB_JSON_TEXT, false);
    if (text)
        sb_write(json->out, "\"%s\"", text);
    else
        sb_write(json->out, "null");
    end_value(json);
}

void sb_json_words(sb_json *json, const char *key, const char *format, ...)
{
    SB_FREED char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    sb_writer *words = sb_writer_open(&sb_plain);
    sb_write_list(words, format, arguments);
    va_end(arguments);
    if (sb_writer_close(words, "--json", &text, NULL) != SB_OK) sb_writer_fail(json->out);
    sb_json_text(json, key, text);
}

void sb_json_integer(sb_json *json, const char *key, int64_t value)
{
    begin_value(json, key, SB_JSON_INTEGER, false);
    sb_write(json->out, "%jd", (intmax_t)value);
    end_value(json);
}

void sb_json_integer_if(sb_json *json, const char *key, int64_t value, bool there)
{
    if (there)
        sb_json_integer(json, key, value);
    else
        sb_json_null(json, key);
}

void sb_json_real(sb_json *json, const char *key, double value)
{
    begin_value(json, key, SB_JSON_REAL, false);
    if (isfinite(value))
        sb_write(json->out, "%.17g", value);
    else
        sb_write(json->out, "null");
    end_value(json);
}

void sb_json_reals(sb_json *json, const char *key, const double *value, size_t n)
{
    sb_json_list(json, key);
    for (size_t i = 0; i < n; i++) sb_json_real(json, NULL, value[i]);
    sb_json_end(json);
}

void sb_json_flag(sb_json *json, const char *key, bool value)
{
    begin_value(json, key, SB_JSON_FLAG, false);
    sb_write(json->out, value ? "true" : "false");
    end_value(json);
}

void sb_json_null(sb_json *json, const char *key)
{
    begin_value(json, key, SB_JSON_TEXT, true);
    sb_write(json->out, "null");
    end_value(json);
}

/* -- the document -- */

sb_json sb_json_begin(const sb_command *command)
{
    sb_json json = {.out = sb_writer_open(&language), .command = command};
    sb_write(json.out, "{");
    sb_json_integer(&json, "schema", SB_JSON_SCHEMA);
    sb_json_text(&json, "program", command->program);
    sb_json_text(&json, "version", sb_version());
    sb_json_text(&json, "verb", command->verb);
    return json;
}

sb_status sb_json_print(sb_json *json, sb_status status)
{
    char *text;
    assert(json->depth == 0);
    sb_json_integer(json, "exit_code", sb_exit_code(status));
    sb_json_text(json, "message", status == SB_OK ? NULL : sb_message());
    assert(is_whole(json));
    sb_write(json->out, "\n}\n");
    SB_TRY(sb_writer_close(json->out, "--json", &text, NULL));
    fputs(text, stdout);
    free(text);
    return status;
}

sb_status sb_json_drop(sb_json *json, sb_status status)
{
    sb_writer_drop(json->out);
    return status;
}
