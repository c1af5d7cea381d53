#include "paper/claims/report_schema.h"

#include "io/yaml.h"

#define OPTIONAL(type, member) SB_YAML_TEXT(#member, type, member, CYAML_FLAG_OPTIONAL)
#define REQUIRED(type, member) SB_YAML_TEXT(#member, type, member, 0)

#define FACT(key, member)      SB_YAML_TEXT(key, sb_selector, member, CYAML_FLAG_OPTIONAL),
static const cyaml_schema_field_t selector_fields[] = {SB_SELECTOR_FACTS(FACT) CYAML_FIELD_END};
#undef FACT

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
    CYAML_FIELD_MAPPING("cell", CYAML_FLAG_OPTIONAL, sb_record_text, cell, selector_fields),
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

static const cyaml_schema_field_t claim_fields[] = {
    REQUIRED(sb_claim, name),
    REQUIRED(sb_claim, by),
    REQUIRED(sb_claim, text),
    REQUIRED(sb_claim, relation),
    REQUIRED(sb_claim, metric),
    OPTIONAL(sb_claim, each),
    OPTIONAL(sb_claim, margin),
    OPTIONAL(sb_claim, why),
    OPTIONAL(sb_claim, uncounted),
    CYAML_FIELD_MAPPING("of", 0, sb_claim, of, selector_fields),
    CYAML_FIELD_MAPPING("over", 0, sb_claim, over, selector_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t claim_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_claim, claim_fields)};
static const cyaml_schema_field_t claim_file_fields[] = {
    SB_YAML_LIST("claims", sb_claim_file, claims, n_claims, &claim_value, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t claim_file_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_claim_file, claim_file_fields)};

sb_status sb_schema_load_records(const char *path, sb_record_file **file)
{
    return sb_yaml_load(path, &record_file_value, (void **)file);
}

void sb_schema_free_records(sb_record_file *file)
{
    sb_yaml_free(&record_file_value, file);
}

sb_status sb_schema_load_claims(const char *path, sb_claim_file **file)
{
    return sb_yaml_load(path, &claim_file_value, (void **)file);
}

void sb_schema_free_claims(sb_claim_file *file)
{
    sb_yaml_free(&claim_file_value, file);
}
