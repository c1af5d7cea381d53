#include "core/setting.h"

#include "core/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the tables ---- */

#define OPTION_OF(A, ID, key, option, KIND, words, fallback, min, max, ...)                                            \
    [SB_SETTING_##                                                                                                     \
        ID] = {option, 0, SB_SETTING_OPTION_##KIND, offsetof(sb_settings, key), words, fallback, min, max, ""},

/* The groups that are fields of sb_settings; the others have rows without a name. */
static const sb_option options[SB_N_SETTINGS] = {SB_SETTINGS(, SB_SETTING_NONE, OPTION_OF, OPTION_OF, SB_SETTING_NONE)};

#define ROW_OF(group, ID, key, option, KIND, words, fallback, min, max, of, without, role, bits, since)                \
    [SB_SETTING_##ID] = {key, option,     SB_GROUP_##group, SB_VALUE_##KIND, words,          fallback, min,            \
                         max, SB_OF_##of, without,          SB_ROLE_##role,  SB_BITS_##bits, since},
#define CELL(A, ID, key, option, KIND, w, f, min, max, of, without, role, bits, since, help)                           \
    ROW_OF(CELL, ID, #key, option, KIND, w, f, min, max, of, without, role, bits, since)
#define LEARN(A, ID, key, option, KIND, w, f, min, max, of, without, role, bits, since, help)                          \
    ROW_OF(LEARN, ID, #key, option, KIND, w, f, min, max, of, without, role, bits, since)
#define COMPUTE(A, ID, key, option, KIND, w, f, min, max, of, without, role, bits, since, help)                        \
    ROW_OF(COMPUTE, ID, #key, option, KIND, w, f, min, max, of, without, role, bits, since)
#define RUN(A, ID, key, option, KIND, w, f, min, max, of, without, role, bits, since, help)                            \
    ROW_OF(RUN, ID, #key, option, KIND, w, f, min, max, of, without, role, bits, since)

const sb_setting_row sb_settings_table[SB_N_SETTINGS] = {SB_SETTINGS(, CELL, LEARN, COMPUTE, RUN)};

sb_setting_id sb_setting_find(const char *key)
{
    sb_setting_id id = 0;
    while (id < SB_N_SETTINGS && strcmp(sb_settings_table[id].key, key) != 0) id++;
    return id;
}

sb_setting_id sb_setting_chooser(sb_setting_of of)
{
    static const sb_setting_id choosers[SB_N_OF] = {[SB_OF_ANY] = SB_N_SETTINGS,
                                                    [SB_OF_NETWORK] = SB_SETTING_MODEL,
                                                    [SB_OF_BACKEND] = SB_SETTING_BACKEND,
                                                    [SB_OF_ARITHMETIC] = SB_SETTING_ARITHMETIC,
                                                    [SB_OF_OPTIMIZER] = SB_SETTING_OPTIMIZER,
                                                    [SB_OF_SCHEDULE] = SB_SETTING_SCHEDULE};
    return choosers[of];
}

/* What the network, backend, ... of that name lists, each key ended by a 0 and the list by another; NULL: there is none
 * of it. */
static const char *keys_of(sb_setting_of of, const char *name)
{
    static const struct {
        sb_setting_of of;
        const char *name, *keys;
    } rows[] = {
#define OF_NETWORK(id, name, data, settings, summary)                  {SB_OF_NETWORK, name, settings "\0"},
#define OF_BACKEND(id, name, device, order, settings, summary)         {SB_OF_BACKEND, name, settings "\0"},
#define OF_ARITHMETIC(id, name, imitated, settings, summary)           {SB_OF_ARITHMETIC, name, settings "\0"},
#define OF_OPTIMIZER(A, id, name, title, states, norms, one, settings) {SB_OF_OPTIMIZER, name, settings "\0"},
#define OF_SCHEDULE(id, name, settings)                                {SB_OF_SCHEDULE, name, settings "\0"},
        SB_MODELS(OF_NETWORK) SB_BACKENDS(OF_BACKEND) SB_ARITHMETICS(OF_ARITHMETIC)
            SB_OPTIMIZERS(OF_OPTIMIZER, SB_NO_STATE, ) SB_SCHEDULES(OF_SCHEDULE)};
    for (size_t i = 0; name && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].of == of && strcmp(rows[i].name, name) == 0) return rows[i].keys;
    return NULL;
}

bool sb_setting_knows(sb_setting_of of, const char *name)
{
    const char *none = sb_settings_table[sb_setting_chooser(of)].without;
    return keys_of(of, name) || (*none && name && strcmp(name, none) == 0);
}

/* What stands behind the key in a list: "" or "=0.01"; NULL: it is not there. */
static const char *find_in(const char *keys, const char *wanted)
{
    const size_t length = strlen(wanted);
    for (const char *key = keys; key && *key; key += strlen(key) + 1)
        if (strncmp(key, wanted, length) == 0 && (!key[length] || key[length] == '=')) return key + length;
    return NULL;
}

/* The same in the list of its network, backend, ... */
static const char *find_key(sb_setting_id id, const sb_setting_names *names)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    return find_in(keys_of(setting->of, names->of[setting->of]), setting->key);
}

/* The same in the last rung up to the run's that lists it. */
static const char *find_in_rungs(const char *wanted, const char *rung)
{
    static const struct {
        const char *name, *keys;
    } rungs[] = {
#define RUNG(name, settings) {name, settings "\0"},
        SB_RUNGS(RUNG)};
    const char *found = NULL;
    for (size_t i = 0; rung && i < sizeof rungs / sizeof *rungs; i++) {
        const char *here = find_in(rungs[i].keys, wanted);
        if (here) found = here;
        if (strcmp(rungs[i].name, rung) == 0) return found;
    }
    return NULL;
}

bool sb_setting_applies(sb_setting_id id, const sb_setting_names *names)
{
    return sb_settings_table[id].of == SB_OF_ANY || find_key(id, names);
}

const char *sb_setting_default(sb_setting_id id, const sb_setting_names *names)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    if (!setting->fallback) return "";
    if (!sb_option_is_auto(&options[id])) return setting->fallback;
    const bool has_rungs = find_key(SB_SETTING_RUNG, names);
    const char *of_rung = has_rungs ? find_in_rungs(setting->key, names->rung) : NULL;
    const char *own = of_rung ? of_rung : find_key(id, names);
    assert((!own || *own) && "who lists a setting whose default is auto says what that is");
    return own ? own + 1 : setting->without;
}

const char *sb_setting_absent(sb_setting_id id, const sb_setting_names *names)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    sb_setting_names all = *names;
    if (setting->of != SB_OF_ANY && !all.of[setting->of])
        all.of[setting->of] = sb_settings_table[sb_setting_chooser(setting->of)].fallback;
    return sb_setting_applies(id, &all) ? sb_setting_default(id, &all) : setting->without;
}

/* ---- values ---- */

static bool is_field(sb_setting_id id)
{
    return options[id].name != NULL;
}

/* A list may have no default: then it is empty. */
static void set_default(sb_settings *settings, sb_setting_id id)
{
    const char *fallback = sb_settings_table[id].fallback;
    if (fallback)
        sb_setting_set(settings, id, fallback);
    else if (sb_settings_table[id].kind == SB_VALUE_REALS)
        memset((char *)settings + options[id].offset, 0, sizeof(sb_reals));
}

void sb_settings_default_group(sb_settings *settings, sb_setting_group group)
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        if (is_field(id) && sb_settings_table[id].group == group) set_default(settings, id);
}

void sb_settings_default(sb_settings *settings)
{
    *settings = (sb_settings){0};
    sb_settings_default_group(settings, SB_GROUP_LEARN);
    sb_settings_default_group(settings, SB_GROUP_COMPUTE);
}

/* The word of a choice itself, in memory that stays. */
static const char *word_of(const char *words, const char *text)
{
    static char copy[2 * SB_N_SETTINGS * SB_SETTING_TEXT];
    static size_t used;
    for (const char *word = copy; word < copy + used; word += strlen(word) + 1)
        if (strcmp(word, text) == 0) return word;
    assert(sb_option_is_choice(words, text) && used + strlen(text) < sizeof copy);
    (void)words;
    char *word = strcpy(copy + used, text);
    used += strlen(text) + 1;
    return word;
}

/* A choice is kept as a word of its own, for who has the text may not keep it. */
bool sb_setting_set(sb_settings *settings, sb_setting_id id, const char *text)
{
    if (!is_field(id) || !sb_option_set(&options[id], text, settings)) return false;
    const bool is_choice = sb_settings_table[id].kind == SB_VALUE_CHOICE;
    const char **field = (const char **)(void *)((char *)settings + options[id].offset);
    if (is_choice && !sb_option_has_auto(&options[id], settings)) *field = word_of(options[id].placeholder, text);
    return true;
}

/* A backend without the setting has no arithmetic, whatever the option says. */
sb_setting_names sb_setting_names_of(const sb_settings *settings)
{
    sb_setting_names names = {.of = {[SB_OF_NETWORK] = settings->model,
                                     [SB_OF_BACKEND] = settings->backend,
                                     [SB_OF_OPTIMIZER] = settings->optimizer,
                                     [SB_OF_SCHEDULE] = settings->schedule},
                              .rung = settings->rung};
    const bool has_arithmetic = sb_setting_applies(SB_SETTING_ARITHMETIC, &names);
    names.of[SB_OF_ARITHMETIC] =
        has_arithmetic ? settings->arithmetic : sb_settings_table[SB_SETTING_ARITHMETIC].without;
    return names;
}

/* A list that its network does not have stays empty. */
static void resolve(sb_settings *settings, sb_setting_id id, const sb_setting_names *names)
{
    const char *text = sb_setting_default(id, names);
    if (*text) sb_setting_set(settings, id, text);
}

sb_settings sb_settings_resolved(const sb_settings *settings)
{
    const sb_setting_names names = sb_setting_names_of(settings);
    sb_settings resolved = *settings;
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        if (is_field(id) && sb_option_has_auto(&options[id], settings)) resolve(&resolved, id, &names);
    }
    return resolved;
}

void sb_setting_text(const sb_settings *settings, sb_setting_id id, char text[SB_SETTING_TEXT])
{
    const sb_settings resolved = sb_settings_resolved(settings);
    *text = 0;
    if (is_field(id)) sb_option_text(&options[id], &resolved, text, SB_SETTING_TEXT);
}

/* ---- what a text may say ---- */

static bool is_int(const char *text, size_t length, const sb_setting_row *setting)
{
    char number[24], plain[24];
    long value;
    if (length >= sizeof number) return false;
    memcpy(number, text, length);
    number[length] = 0;
    if (!sb_parse_int(number, setting->min, setting->max, &value)) return false;
    snprintf(plain, sizeof plain, "%ld", value);
    return strcmp(plain, number) == 0;
}

static bool is_real(const char *text, size_t length, const sb_setting_row *setting)
{
    char number[32];
    double value;
    if (length >= sizeof number) return false;
    memcpy(number, text, length);
    number[length] = 0;
    return sb_parse_real(number, setting->min, setting->max, &value);
}

static bool is_list(const char *text, const sb_setting_row *setting,
                    bool (*is_item)(const char *text, size_t length, const sb_setting_row *setting))
{
    for (int n = 0; n < SB_OPTION_LIST_MAX; n++, text++) {
        size_t length = strcspn(text, ",");
        if (!is_item(text, length, setting)) return false;
        text += length;
        if (!*text) return true;
    }
    return false;
}

bool sb_setting_check(sb_setting_id id, const char *text, char wanted[160])
{
    const sb_setting_row *setting = &sb_settings_table[id];
    double value;
    switch (setting->kind) {
    case SB_VALUE_NAME:
        snprintf(wanted, 160, "letters, digits, '.', '_' and '-' (63 at most)");
        return sb_text_is_name(text);
    case SB_VALUE_CHOICE:
        snprintf(wanted, 160, "one of %s", setting->words);
        return *text && sb_option_is_choice(setting->words, text);
    case SB_VALUE_INT:
        snprintf(wanted, 160, "a whole number in [%.0f, %.0f]", setting->min, setting->max);
        return is_int(text, strlen(text), setting);
    case SB_VALUE_REAL:
        snprintf(wanted, 160, "a number in [%g, %g]", setting->min, setting->max);
        return sb_parse_real(text, setting->min, setting->max, &value);
    case SB_VALUE_LIST:
        snprintf(wanted, 160, "whole numbers in [%.0f, %.0f] with commas", setting->min, setting->max);
        return is_list(text, setting, is_int);
    case SB_VALUE_REALS:
        snprintf(wanted, 160, "numbers in [%g, %g] with commas", setting->min, setting->max);
        return is_list(text, setting, is_real);
    }
    return false;
}
