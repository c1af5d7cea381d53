#include "paper/claims/claims.h"

#include "core/rows/backends.h"
#include "paper/results/recipe.h"

#include <stdlib.h>
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

/* wanted NULL: any value will do. */
static bool suits(const char *wanted, const char *value)
{
    return !wanted || is_one_of(wanted, value);
}

/* Of a real number: one of the alternatives is that number, however tables write it (0.003, 0.0030000000000000001). */
static bool suits_real(const char *wanted, const char *value)
{
    if (suits(wanted, value)) return true;
    for (const char *word = wanted; word; word = strchr(word, '|')) {
        char *end;
        word += *word == '|';
        if (strtod(word, &end) == strtod(value, NULL) && end != word && *value && (!*end || *end == '|')) return true;
    }
    return false;
}

bool sb_selector_matches(const sb_selector *selector, const sb_result *cell)
{
    if (cell->ulp > 0) return false;
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        if (!(sb_settings_table[id].kind == SB_VALUE_REAL ? suits_real : suits)(selector->setting[id],
                                                                                cell->setting[id]))
            return false;
    return suits(selector->device, sb_recipe_on_gpu(cell) ? "gpu" : "cpu") &&
           suits(selector->evidence, sb_evidence_name[cell->evidence]);
}

bool sb_selector_allows(const sb_selector *selector, sb_setting_id id, const char *value)
{
    return suits(selector->setting[id], value);
}

bool sb_selector_allows_custom(const sb_selector *selector, size_t fact, const char *value)
{
    return suits_real(selector->custom[fact], value);
}

bool sb_selector_is_empty(const sb_selector *selector)
{
    char text[2];
    sb_selector_text(selector, text, sizeof text);
    return !*text;
}

bool sb_selector_wants_gpu(const sb_selector *selector)
{
    const char *backend = selector->setting[SB_SETTING_BACKEND];
    if (selector->device) return !is_one_of(selector->device, "cpu");
    if (!backend) return false;
    for (const char *word = backend; word; word = strchr(word, '|')) {
        char name[64];
        word += *word == '|';
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "|"), word);
        if (!sb_backend_is_gpu(name)) return false;
    }
    return true;
}

void sb_selector_text(const sb_selector *selector, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
#define FACT(key, member)                                                                                              \
    if (selector->member && used < size)                                                                               \
        used += (size_t)snprintf(text + used, size - used, "%s" key " %s", used ? ", " : "", selector->member);
    SB_SELECTOR_FACTS(FACT)
#undef FACT
    for (size_t i = 0; selector->names && i < selector->names->n_facts; i++)
        if (selector->custom[i] && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s %s", used ? ", " : "", selector->names->fact[i],
                                     selector->custom[i]);
}
