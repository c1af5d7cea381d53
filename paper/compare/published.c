#include "paper/compare/compare.h"

#include "paper/files/output.h"

#include "core/command/options.h"
#include "io/yaml/place.h"
#include "io/yaml/selector_fields.h"

#include <float.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- a file (results/published/README.md), texts as written -- */

typedef struct sb_record_text {
    char *label, *what, *value, *low, *high, *sd, *n, *unit, *metric;
    sb_selector cell;
} sb_record_text;

struct sb_record_file {
    char *title, *source, *date, *kind;
    sb_record_text *records;
    unsigned n_records;
};

#define OPTIONAL(type, member) SB_YAML_TEXT(#member, type, member, CYAML_FLAG_OPTIONAL)
#define REQUIRED(type, member) SB_YAML_TEXT(#member, type, member, 0)

static const cyaml_schema_field_t record_fields[] = {
    REQUIRED(sb_record_text, label),
    REQUIRED(sb_record_text, what),
    OPTIONAL(sb_record_text, value),
    OPTIONAL(sb_record_text, low),
    OPTIONAL(sb_record_text, high),
    OPTIONAL(sb_record_text, sd),
    OPTIONAL(sb_record_text, n),
    OPTIONAL(sb_record_text, unit),
    OPTIONAL(sb_record_text, metric),
    CYAML_FIELD_MAPPING("cell", CYAML_FLAG_OPTIONAL, sb_record_text, cell, sb_selector_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t record_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_record_text, record_fields)};
static const cyaml_schema_field_t record_file_fields[] = {
    REQUIRED(sb_record_file, title),
    REQUIRED(sb_record_file, source),
    REQUIRED(sb_record_file, date),
    REQUIRED(sb_record_file, kind),
    SB_YAML_LIST("records", sb_record_file, records, n_records, &record_value, 1),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t record_file_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_record_file, record_file_fields)};

/* -- what they mean -- */

const char *const sb_published_kind_name[SB_N_PUBLISHED_KINDS] = {"measured", "digitised", "claim"};

static sb_status fail_at(const char *path, size_t record, const char *key, const char *wanted, const char *text)
{
    char place[64];
    snprintf(place, sizeof place, "records/%zu/%s", record, key);
    return sb_place_fail(path, place, "%s wants %s, not '%s'", key, wanted, text);
}

static sb_status read_kind(const char *path, const sb_record_file *file, sb_published_kind *kind)
{
    for (int k = 0; k < SB_N_PUBLISHED_KINDS; k++)
        if (strcmp(file->kind, sb_published_kind_name[k]) == 0) {
            *kind = (sb_published_kind)k;
            return SB_OK;
        }
    return sb_place_fail(path, "kind", "kind wants measured, digitised or claim, not '%s'", file->kind);
}

/* The numbers of one record; absent ones are NAN. */
static sb_status read_reals(const char *path, size_t i, const sb_record_text *from, sb_published_record *to)
{
    const struct {
        const char *key, *text;
        double *value;
    } reals[] = {
        {"value", from->value, &to->value},
        {"low", from->low, &to->low},
        {"high", from->high, &to->high},
        {"sd", from->sd, &to->sd},
    };
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
        *reals[k].value = NAN;
        if (reals[k].text && !sb_parse_real(reals[k].text, -DBL_MAX, DBL_MAX, reals[k].value))
            return fail_at(path, i, reals[k].key, "a number", reals[k].text);
        if (reals[k].text && to->kind == SB_PUBLISHED_CLAIM)
            return fail_at(path, i, reals[k].key, "kind measured or digitised: a claim has no number", reals[k].text);
    }
    return SB_OK;
}

static sb_status read_record(const char *path, size_t i, const sb_record_file *file, sb_published_record *to)
{
    const sb_record_text *from = &file->records[i];
    long n = 0;
    to->label = from->label;
    to->what = from->what;
    to->unit = from->unit ? from->unit : "1";
    to->source = file->source;
    to->date = file->date;
    to->cell = &from->cell;
    sb_number clean;
    sb_number_label(&clean, "%s", from->label);
    if (strcmp(clean.label, from->label) != 0)
        return fail_at(path, i, "label", "the characters a-z 0-9 - . /", from->label);
    SB_TRY(read_reals(path, i, from, to));
    if (from->n && !sb_parse_int(from->n, 1, 1e9, &n)) return fail_at(path, i, "n", "a whole number from 1", from->n);
    to->n = (size_t)n;
    to->metric = SB_METRIC_LAST;
    if (from->metric && strcmp(from->metric, sb_metric_column[SB_METRIC_MEAN]) == 0)
        to->metric = SB_METRIC_MEAN;
    else if (from->metric && strcmp(from->metric, sb_metric_column[SB_METRIC_LAST]) != 0)
        return fail_at(path, i, "metric", "loss_last or loss_mean", from->metric);
    return SB_OK;
}

static sb_status read_records(sb_published *p, const char *path, const sb_record_file *file)
{
    sb_published_kind kind = SB_PUBLISHED_CLAIM;
    SB_TRY(read_kind(path, file, &kind));
    sb_published_record *grown = realloc(p->record, (p->n + file->n_records) * sizeof *grown);
    if (!grown) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    p->record = grown;
    for (size_t i = 0; i < file->n_records; i++) {
        sb_published_record *to = &p->record[p->n];
        *to = (sb_published_record){.kind = kind};
        SB_TRY(read_record(path, i, file, to));
        for (size_t k = 0; k < p->n; k++)
            if (strcmp(p->record[k].label, to->label) == 0)
                return fail_at(path, i, "label", "a label of its own", to->label);
        p->n++;
    }
    return SB_OK;
}

sb_status sb_published_read(sb_published *p, const char *folder)
{
    char pattern[SB_PATH_MAX];
    SB_OWNED(globfree) glob_t found = {0};
    *p = (sb_published){0};
    if (!sb_file_exists(folder)) return sb_fail(SB_E_USAGE, "%s: no such folder of published records", folder);
    SB_TRY(sb_path_join(pattern, folder, "*.yaml"));
    if (glob(pattern, 0, NULL, &found) != 0)
        return sb_fail(SB_E_EMPTY, "%s: holds no published records (*.yaml)", folder);
    p->file = calloc(found.gl_pathc, sizeof(sb_record_file *));
    if (!p->file) return sb_fail(SB_E_MEMORY, "%s: not enough memory", folder);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        SB_TRY(sb_yaml_load(path, &record_file_value, (void **)&p->file[i]));
        p->n_files++;
        SB_TRY(read_records(p, path, p->file[i]));
    }
    return SB_OK;
}

void sb_published_free(sb_published *p)
{
    for (size_t i = 0; i < p->n_files; i++) sb_yaml_free(&record_file_value, p->file[i]);
    free(p->file);
    free(p->record);
    *p = (sb_published){0};
}

sb_status sb_published_add(sb_numbers *numbers, const sb_published *published)
{
    for (const sb_published_record *r = published->record; r < published->record + published->n; r++) {
        if (isnan(r->value) && isnan(r->low)) continue;
        sb_number number = {.value = isnan(r->value) ? 0.5 * (r->low + r->high) : r->value,
                            .low = r->low,
                            .high = r->high,
                            .p = NAN,
                            .n = r->n,
                            .unit = r->unit,
                            .formula = r->what,
                            .source = r->source,
                            .evidence = SB_EVIDENCE_PUBLISHED};
        if (isnan(r->value)) snprintf(number.text, sizeof number.text, "%.4g to %.4g", r->low, r->high);
        sb_number_label(&number, "published.%s", r->label);
        SB_TRY(sb_numbers_add(numbers, &number));
    }
    return SB_OK;
}
