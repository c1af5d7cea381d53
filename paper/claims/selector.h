/* Which cells are meant: a value for each fact that matters, alternatives separated by '|', NULL for any.
 *
 *     {study: cpus, backend: openblas, hardware: i5-4590|i7-6800k, target: copy}
 *
 * Facts are the settings (core/rows/setting.h) that all cells of an arm share, `device`, which is cpu or gpu, by the
 * backend, and `evidence`. Cells of a one-ulp ensemble are never selected. */
#pragma once

#include "io/yaml/claim_file.h"
#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>

bool sb_selector_matches(const sb_selector *selector, const sb_result *cell);

/* Is the value of this setting one that it wants, or does it want none? */
bool sb_selector_allows(const sb_selector *selector, sb_setting_id id, const char *value);

/* The same of a fact of another program's results. */
bool sb_selector_allows_custom(const sb_selector *selector, size_t fact, const char *value);

/* Does it name anything at all? */
bool sb_selector_is_empty(const sb_selector *selector);

/* Can only a GPU give such cells? */
bool sb_selector_wants_gpu(const sb_selector *selector);

/* "study cpus, target copy". */
void sb_selector_text(const sb_selector *selector, char *text, size_t size);
