/* The facts of a selector as fields of a schema, for files that hold selectors. */
#pragma once

#include "io/yaml/yaml.h"

extern const cyaml_schema_field_t sb_selector_fields[];
