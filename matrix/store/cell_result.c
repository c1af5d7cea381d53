#include "matrix/store/program.h"

#include "core/file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_cell_result_write(const sb_cell_result *result, const char *record, const char *path)
{
    char sha256[SB_SHA256_TEXT];
    json_t *object = json_pack("{s:s, s:s, s:b, s:s, s:s, s:f, s:I, s:s}", "claims", result->claims, "cpu", result->cpu,
                               "diverged", result->diverged, "output", result->output, "record", record, "seconds",
                               result->seconds, "updates", (json_int_t)result->updates, "weights", result->weights);
    SB_FREED char *line = object ? json_dumps(object, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    json_decref(object);
    const size_t n = line ? strlen(line) : 0;
    SB_FREED char *text = line ? malloc(n + SB_SHA256_TEXT + 2) : NULL;
    if (!text) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    sb_sha256_bytes(line, n, sha256);
    const int length = sprintf(text, "%s\n%s\n", line, sha256);
    return sb_file_write(path, text, (size_t)length);
}

static bool copy_text(const json_t *object, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && (size_t)snprintf(text, size, "%s", value) < size;
}

static bool take(sb_cell_result *result, char record[SB_RECORD_BYTES], const json_t *object)
{
    const json_t *updates = json_object_get(object, "updates"), *seconds = json_object_get(object, "seconds");
    result->updates = json_integer_value(updates);
    result->seconds = json_number_value(seconds);
    result->diverged = json_is_true(json_object_get(object, "diverged"));
    return json_is_integer(updates) && json_is_number(seconds) &&
           copy_text(object, "output", result->output, sizeof result->output) &&
           copy_text(object, "weights", result->weights, sizeof result->weights) &&
           copy_text(object, "claims", result->claims, sizeof result->claims) &&
           copy_text(object, "cpu", result->cpu, sizeof result->cpu) &&
           copy_text(object, "record", record, SB_RECORD_BYTES);
}

static bool parse(sb_cell_result *result, char record[SB_RECORD_BYTES], char *text)
{
    char sha256[SB_SHA256_TEXT], *end = strchr(text, '\n');
    if (!end) return false;
    *end = 0;
    sb_sha256_bytes(text, (size_t)(end - text), sha256);
    if (strncmp(end + 1, sha256, SB_SHA256_TEXT - 1) != 0) return false;
    json_t *object = json_loads(text, 0, NULL);
    const bool whole = json_is_object(object) && take(result, record, object);
    json_decref(object);
    return whole;
}

sb_status sb_cell_result_read(sb_cell_result *result, char record[SB_RECORD_BYTES], const char *path)
{
    char *text;
    *result = (sb_cell_result){0};
    if (!sb_file_exists(path)) return sb_fail(SB_E_EMPTY, "%s: not there", path);
    SB_TRY(sb_file_read(path, &text, NULL));
    const bool whole = parse(result, record, text);
    free(text);
    return whole ? SB_OK : sb_fail(SB_E_INTEGRITY, "%s: not as it was written; remove it and run the cell again", path);
}
