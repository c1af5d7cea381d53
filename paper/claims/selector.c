#include "paper/claims/selector.h"

#include "paper/results/recipe.h"

#include <stdio.h>
#include <string.h>

/* Is `value` one of the alternatives of `words`? */
static bool is_one_of(const char *words, const char *value)
{
    size_t length = strlen(value);
    for (const char *word = words; word; word = strchr(word, '|')) {
        word += *word == '|';
        if (strcspn(word, "|") == length && strncmp(word, value, length) == 0) return true;
    }
    return false;
}

typedef struct fact {
    const char *key, *wanted;
    char value[64]; /* of the cell */
} fact;
enum { N_FACTS = 11 };

/* What the selector wants, beside what the cell has (cell may be NULL). */
static void list_facts(const sb_selector *s, const sb_cell *cell, fact facts[N_FACTS])
{
    const char *wanted[N_FACTS] = {s->study,    s->data,     s->model,   s->device,      s->backend, s->arithmetic,
                                   s->hardware, s->evidence, s->threads, s->blas_kernel, s->target};
    static const char *const keys[N_FACTS] = {"study",    "data",     "model",   "device",      "backend", "arithmetic",
                                              "hardware", "evidence", "threads", "blas_kernel", "target"};
    for (int i = 0; i < N_FACTS; i++) facts[i] = (fact){.key = keys[i], .wanted = wanted[i]};
    if (!cell) return;
    char threads[24];
    snprintf(threads, sizeof threads, "%ld", cell->threads);
    const char *has[N_FACTS] = {cell->study,
                                cell->data,
                                cell->model,
                                sb_recipe_on_gpu(cell) ? "gpu" : "cpu",
                                cell->backend,
                                cell->arithmetic,
                                cell->hardware,
                                cell->emulated ? "emulated" : "measured",
                                threads,
                                cell->blas_kernel,
                                sb_target_name[cell->target]};
    for (int i = 0; i < N_FACTS; i++) snprintf(facts[i].value, sizeof facts[i].value, "%s", has[i]);
}

bool sb_selector_matches(const sb_selector *selector, const sb_cell *cell)
{
    fact facts[N_FACTS];
    if (cell->ulp > 0) return false;
    list_facts(selector, cell, facts);
    for (int i = 0; i < N_FACTS; i++)
        if (facts[i].wanted && !is_one_of(facts[i].wanted, facts[i].value)) return false;
    return true;
}

bool sb_selector_is_empty(const sb_selector *selector)
{
    fact facts[N_FACTS];
    list_facts(selector, NULL, facts);
    for (int i = 0; i < N_FACTS; i++)
        if (facts[i].wanted) return false;
    return true;
}

bool sb_selector_wants_gpu(const sb_selector *selector)
{
    if (selector->device) return !is_one_of(selector->device, "cpu");
    if (!selector->backend) return false;
    return !is_one_of(selector->backend, "native") && !is_one_of(selector->backend, "openblas");
}

void sb_selector_text(const sb_selector *selector, char *text, size_t size)
{
    fact facts[N_FACTS];
    size_t used = 0;
    list_facts(selector, NULL, facts);
    *text = 0;
    for (int i = 0; i < N_FACTS && used < size; i++)
        if (facts[i].wanted)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s %s", used ? ", " : "", facts[i].key, facts[i].wanted);
}
