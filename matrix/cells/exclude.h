/* The excludes of one study: rules that take cells out, each with its reason. */
#pragma once

#include "core/status.h"
#include "matrix/schema/matrix_schema.h"

typedef struct sb_excludes sb_excludes;

/* Compile the study's rules; path and place ("studies/0") are for the sentences. The study must outlive them.
 * SB_E_USAGE: a rule that is no regular expression, or names no setting. */
sb_status sb_exclude_compile(sb_excludes **excludes, const sb_study *study, const char *path, const char *place);
void sb_exclude_free(sb_excludes *excludes); /* NULL is fine */

/* The reason of the first rule all of whose settings match in full, NULL if none does. The study's. */
const char *sb_exclude_reason(sb_excludes *excludes, const char *const value[SB_N_VALUES]);

/* SB_E_USAGE for a rule that has not matched anything so far: it does not do what its writer thinks. */
sb_status sb_exclude_check_used(const sb_excludes *excludes);
