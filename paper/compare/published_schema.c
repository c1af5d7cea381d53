#include "paper/compare/published_schema.h"

#include "io/yaml/selector_fields.h"

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

sb_status sb_schema_load_records(const char *path, sb_record_file **file)
{
    return sb_yaml_load(path, &record_file_value, (void **)file);
}

void sb_schema_free_records(sb_record_file *file)
{
    sb_yaml_free(&record_file_value, file);
}
