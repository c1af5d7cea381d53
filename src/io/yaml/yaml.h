/* A YAML file read against a schema of libcyaml into structs; whatever does not fit is a sentence with file and line:
 * an unknown key, a missing one, one that is there twice, a list where a text should be.
 *
 *     static const cyaml_schema_field_t fields[] = {SB_YAML_TEXT("name", thing, name, 0), CYAML_FIELD_END};
 *     static const cyaml_schema_value_t schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, thing, fields)};
 *     thing *t;
 *     SB_TRY(sb_yaml_load("thing.yaml", &schema, (void **)&t));
 *     ... sb_place_fail("thing.yaml", "name", "...") where the schema cannot say what is wrong ...
 *     sb_yaml_free(&schema, t);
 */
#pragma once

#include "core/status.h"

#include <cyaml/cyaml.h>

/* A text of any length (char *), and a list of entries with its count (an unsigned next to it) of at least `min`. A
 * field with CYAML_FLAG_OPTIONAL, or a list of min 0, may be absent: NULL and 0. */
#define SB_YAML_TEXT(key, type, member, flags)                                                                         \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 1, CYAML_UNLIMITED)
#define SB_YAML_LIST(key, type, member, count, entry, min)                                                             \
    CYAML_FIELD_SEQUENCE_COUNT(key, CYAML_FLAG_POINTER | ((min) ? 0 : CYAML_FLAG_OPTIONAL), type, member, count,       \
                               entry, min, CYAML_UNLIMITED)

/* SB_E_USAGE with "PATH:LINE: ...". A failed call leaves *data NULL. */
sb_status sb_yaml_load(const char *path, const cyaml_schema_value_t *schema, void **data);
/* The same of a text that is part of the program, which `name` names. */
sb_status sb_yaml_parse(const char *name, const char *text, const cyaml_schema_value_t *schema, void **data);
void sb_yaml_free(const cyaml_schema_value_t *schema, void *data);
