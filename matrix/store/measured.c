#include "matrix/store/program.h"

#include "core/machine/guard.h"
#include "io/table.h"
#include "record/external_file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *column_of(const sb_measure *m)
{
    return m->column ? m->column : m->name;
}

static sb_status fail_missing(const char *path, const sb_study *study, uint32_t index)
{
    return sb_fail(SB_E_INTEGRITY, "%s: has no value of '%s', which metrics of study '%s' promises", path,
                   column_of(&study->metrics[index]), study->name);
}

/* -- a table: the last field of a column that is not empty -- */

static bool is_no_number(const char *text)
{
    static const char *const argv[] = {"na", "none", "null"};
    for (size_t i = 0; i < sizeof argv / sizeof *argv; i++)
        if (strcasecmp(text, argv[i]) == 0) return true;
    return false;
}

static sb_status read_field(const sb_table *table, size_t column, double *value, bool *found)
{
    for (size_t row = table->n_rows; row-- > 0 && !*found;) {
        const char *text = sb_table_text(table, row, column);
        if (!*text) continue;
        *found = true;
        *value = NAN;
        if (!is_no_number(text)) SB_TRY(sb_table_real(table, row, column, value));
    }
    return SB_OK;
}

static sb_status read_table(sb_measured *m, const sb_study *study, const char *path)
{
    SB_OWNED(sb_table_free) sb_table table = {0};
    SB_TRY(sb_table_read_any(&table, path));
    for (uint32_t i = 0; i < study->n_metrics; i++) {
        bool found = false;
        const size_t column = sb_table_find(&table, column_of(&study->metrics[i]));
        if (column < table.n_columns) SB_TRY(read_field(&table, column, &m->value[i], &found));
        if (!found) return fail_missing(path, study, i);
    }
    m->n = (int64_t)table.n_rows;
    return SB_OK;
}

/* -- lines of JSON: the last line that has the key -- */

/* Python writes NaN and Infinity, which JSON does not have: an empty text takes their place, which is no number either. */
static void spell_numbers(char *line)
{
    static const char *const argv[] = {"-Infinity", "Infinity", "NaN"};
    bool quoted = false;
    for (char *at = line; *at; at++) {
        if (*at == '\\' && at[1]) {
            at++;
            continue;
        }
        quoted ^= *at == '"';
        for (size_t i = 0; !quoted && i < sizeof argv / sizeof *argv; i++) {
            const size_t n = strlen(argv[i]);
            if (strncmp(at, argv[i], n) != 0) continue;
            memset(at, ' ', n);
            at[0] = at[1] = '"';
            at += n - 1;
            break;
        }
    }
}

static sb_status read_line(sb_measured *m, bool found[SB_MEASURES_MAX], const sb_study *study, const char *path,
                           char *line)
{
    json_error_t error;
    spell_numbers(line);
    json_t *object = json_loads(line, 0, &error);
    if (!json_is_object(object)) {
        json_decref(object);
        return sb_fail(SB_E_INTEGRITY, "%s: line %lld is no JSON object", path, (long long)m->n + 1);
    }
    for (uint32_t i = 0; i < study->n_metrics; i++) {
        const json_t *value = json_object_get(object, column_of(&study->metrics[i]));
        if (!value) continue;
        found[i] = true;
        m->value[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    m->n++;
    json_decref(object);
    return SB_OK;
}

static sb_status read_lines(sb_measured *m, const sb_study *study, const char *path)
{
    bool found[SB_MEASURES_MAX] = {false};
    char *text;
    SB_TRY(sb_file_read(path, &text, NULL));
    sb_status status = SB_OK;
    for (char *line = text, *next; status == SB_OK && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (line[strspn(line, " \t\r")]) status = read_line(m, found, study, path, line);
    }
    free(text);
    for (uint32_t i = 0; status == SB_OK && i < study->n_metrics; i++)
        if (!found[i]) status = fail_missing(path, study, i);
    return status;
}

/* -- a recording: the values of its last update -- */

static sb_status read_links(sb_measured *m, const sb_external *e, const sb_study *study, const char *path)
{
    const sb_chain_link *last = e->n_links ? &e->link[e->n_links - 1] : NULL;
    if (!e->complete || !last)
        return sb_fail(SB_E_INTEGRITY, "%s: the recording was not finished; the program has to close it", path);
    for (uint32_t i = 0; i < study->n_metrics; i++) {
        size_t column = 0;
        while (column < e->columns.n && strcmp(e->columns.item[column], column_of(&study->metrics[i])) != 0) column++;
        if (column >= last->n_values) return fail_missing(path, study, i);
        m->value[i] = last->value[column];
    }
    m->n = last->update;
    if (!(last->absent & 1u << SB_PART_WEIGHTS)) sb_hash_text(last->part[SB_PART_WEIGHTS], m->weights);
    return SB_OK;
}

static sb_status read_recording(sb_measured *m, const sb_study *study, const char *path)
{
    SB_OWNED(sb_external_free) sb_external e = {0};
    SB_TRY(sb_external_read(&e, path, false));
    return read_links(m, &e, study, path);
}

/* -- any of them -- */

typedef struct subject {
    const sb_study *study;
    const char *path;
} subject;

static sb_status read_output(void *context, void *result)
{
    const subject *s = context;
    sb_measured *m = result;
    sb_status (*const read[SB_N_OUTPUTS])(sb_measured *, const sb_study *, const char *) = {read_recording, read_table,
                                                                                            read_lines};
    SB_TRY(sb_sha256_file(s->path, m->sha256));
    return read[sb_command_output(s->study)](m, s->study, s->path);
}

sb_status sb_measured_read(sb_measured *measured, const sb_study *study, const char *path)
{
    subject s = {study, path};
    const sb_output_kind output = sb_command_output(study);
    *measured = (sb_measured){0};
    if (!sb_file_exists(path))
        return sb_fail(SB_E_INTEGRITY, "%s: not there; the command promises %s in place of {%s}", path,
                       sb_output_text(output), sb_output_name(output));
    const sb_status status = sb_guard_call(read_output, &s, path, measured, sizeof *measured);
    return status == SB_OK || status == SB_E_MEMORY ? status : sb_fail(SB_E_INTEGRITY, "%s", sb_message());
}

bool sb_measured_diverged(const sb_measured *measured, const sb_study *study)
{
    for (uint32_t i = 0; i < study->n_metrics; i++)
        if (!isfinite(measured->value[i])) return true;
    return false;
}
