/* The facts of a selector as fields of a schema, for files that hold selectors. */
#ifndef SB_IO_SELECTOR_FIELDS_H
#define SB_IO_SELECTOR_FIELDS_H

#include "io/yaml/yaml.h"

extern const cyaml_schema_field_t sb_selector_fields[];

#endif
