/* Which cells are meant: a value for each fact that matters, alternatives separated by '|', NULL for any.
 *
 *     {study: cpus, backend: openblas, hardware: i5-4590|i7-6800k, target: copy}
 *
 * Facts are the settings (core/setting.h) that all cells of an arm share, `device`, which is cpu or gpu, by the
 * backend, and `evidence`. Cells of a one-ulp ensemble are never selected. */
#ifndef SB_PAPER_CLAIMS_SELECTOR_H
#define SB_PAPER_CLAIMS_SELECTOR_H

#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_selector {
    char *setting[SB_N_SETTINGS], *device, *evidence;
} sb_selector;

/* FACT(key, member) for each fact. Seed and ulp tell the cells of an arm apart; how long a run may take and what it
 * writes on the way (the group RUN) is no column. */
#define SB_SELECTOR_FACTS(FACT)                                                                                        \
    SB_SETTINGS(FACT, SB_SELECTOR_FACT, SB_SELECTOR_FACT, SB_SELECTOR_FACT, SB_SETTING_NONE)                           \
    FACT("device", device)                                                                                             \
    FACT("evidence", evidence)
#define SB_SELECTOR_FACT(FACT, ID, key, option, KIND, words, fallback, min, max, of, without, role, ...)               \
    SB_SELECTOR_##role(FACT, #key, setting[SB_SETTING_##ID])
#define SB_SELECTOR_LABEL(FACT, key, member)   FACT(key, member)
#define SB_SELECTOR_RECIPE(FACT, key, member)  FACT(key, member)
#define SB_SELECTOR_SETTING(FACT, key, member) FACT(key, member)
#define SB_SELECTOR_ARM(FACT, key, member)     FACT(key, member)
#define SB_SELECTOR_REPLICATE(FACT, key, member)

bool sb_selector_matches(const sb_selector *selector, const sb_result *cell);

/* Does it name anything at all? */
bool sb_selector_is_empty(const sb_selector *selector);

/* Can only a GPU give such cells? */
bool sb_selector_wants_gpu(const sb_selector *selector);

/* "study cpus, target copy". */
void sb_selector_text(const sb_selector *selector, char *text, size_t size);

#endif
