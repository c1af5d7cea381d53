#include "core/rows/setting.h"

#include "core/text/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
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
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) /* the first letter spares most of the calls */
        if (sb_settings_table[id].key[0] == key[0] && strcmp(sb_settings_table[id].key, key) == 0) return id;
    return SB_N_SETTINGS;
}

sb_setting_id sb_setting_chooser(sb_setting_of of)
{
    static const sb_setting_id choosers[SB_N_OF] = {[SB_OF_ANY] = SB_N_SETTINGS,
                                                    [SB_OF_NETWORK] = SB_SETTING_MODEL,
                                                    [SB_OF_BACKEND] = SB_SETTING_BACKEND,
                                                    [SB_OF_ARITHMETIC] = SB_SETTING_ARITHMETIC,
                                                    [SB_OF_SEARCH] = SB_SETTING_SEARCH,
                                                    [SB_OF_OPTIMIZER] = SB_SETTING_OPTIMIZER,
                                                    [SB_OF_SCHEDULE] = SB_SETTING_SCHEDULE};
    return choosers[of];
}

/* What the network, backend, ... of that name lists, each key ended by a 0 and the list by another. */
typedef struct listed {
    sb_setting_of of;
    const char *name, *keys, *recipe;
} listed;

static const listed *find_listed(sb_setting_of of, const char *name)
{
    static const listed rows[] = {
#define OF_NETWORK(id, name, data, settings, recipe, summary)          {SB_OF_NETWORK, name, settings "\0", recipe "\0"},
#define OF_BACKEND(id, name, device, order, settings, summary)         {SB_OF_BACKEND, name, settings "\0", ""},
#define OF_ARITHMETIC(id, name, rules, settings, summary)              {SB_OF_ARITHMETIC, name, settings "\0", ""},
#define OF_SEARCH(id, name, settings)                                  {SB_OF_SEARCH, name, settings "\0", ""},
#define OF_OPTIMIZER(A, id, name, title, states, kind, one, settings)  {SB_OF_OPTIMIZER, name, settings "\0", ""},
#define OF_SCHEDULE(id, name, settings)                                {SB_OF_SCHEDULE, name, settings "\0", ""},
        SB_MODELS(OF_NETWORK) SB_BACKENDS(OF_BACKEND) SB_ARITHMETICS(OF_ARITHMETIC)
            SB_SEARCHES(OF_SEARCH) SB_OPTIMIZERS(OF_OPTIMIZER, SB_NO_STATE, ) SB_SCHEDULES(OF_SCHEDULE)};
    for (size_t i = 0; name && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].of == of && strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

/* NULL: there is none of that name. */
static const char *keys_of(sb_setting_of of, const char *name)
{
    const listed *found = find_listed(of, name);
    return found ? found->keys : NULL;
}

bool sb_setting_knows(sb_setting_of of, const char *name)
{
    const char *none = sb_settings_table[sb_setting_chooser(of)].without;
    return keys_of(of, name) || (*none && name && strcmp(name, none) == 0);
}

/* What follows the key in a list: "", "=0.01" or ":0.9"; NULL: it is not there. */
static const char *find_in(const char *keys, const char *wanted)
{
    const size_t length = strlen(wanted);
    for (const char *key = keys; key && *key; key += strlen(key) + 1)
        if (strncmp(key, wanted, length) == 0 && (!key[length] || strchr("=:", key[length]))) return key + length;
    return NULL;
}

/* The same in the list of its network, backend, ... */
static const char *find_key(sb_setting_id id, const sb_setting_names *names)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    return find_in(keys_of(setting->of, names->of[setting->of]), setting->key);
}

/* The same in the last rung up to the run's that lists it, among its settings or in its recipe. */
static const char *find_in_rungs(const char *wanted, const char *rung, bool in_recipe)
{
    static const struct {
        const char *name, *keys, *recipe;
    } rungs[] = {
#define RUNG(name, settings, recipe) {name, settings "\0", recipe "\0"},
        SB_RUNGS(RUNG)};
    const char *found = NULL;
    for (size_t i = 0; rung && i < sizeof rungs / sizeof *rungs; i++) {
        const char *here = find_in(in_recipe ? rungs[i].recipe : rungs[i].keys, wanted);
        if (here) found = here;
        if (strcmp(rungs[i].name, rung) == 0) return found;
    }
    return NULL;
}

bool sb_setting_applies(sb_setting_id id, const sb_setting_names *names)
{
    return sb_settings_table[id].of == SB_OF_ANY || find_key(id, names);
}

bool sb_setting_is_unrecorded(sb_setting_id id, const sb_setting_names *names)
{
    const char *found = find_key(id, names);
    return found && *found == ':';
}

/* The optimizer's own default of what every search by gradients has. */
static const char *optimizers_keys(const sb_setting_names *names)
{
    return keys_of(SB_OF_OPTIMIZER, names->of[SB_OF_OPTIMIZER]);
}

/* "auto" may also be a word of a choice, and then says what it says there. */
static bool is_auto(const sb_setting_row *setting)
{
    const bool is_word =
        setting->kind == SB_VALUE_CHOICE && sb_option_is_choice(setting->words, SB_OPTION_AUTO);
    return setting->kind != SB_VALUE_NAME && !is_word && setting->fallback &&
           strcmp(setting->fallback, SB_OPTION_AUTO) == 0;
}

/* What the network says with its rung: "=0.4"; NULL: nothing. */
static const char *find_in_network(const char *key, const sb_setting_names *names, bool in_recipe)
{
    const listed *network = find_listed(SB_OF_NETWORK, names->of[SB_OF_NETWORK]);
    if (!network) return NULL;
    const bool has_rungs = find_in(network->keys, sb_settings_table[SB_SETTING_RUNG].key);
    const char *of_rung = has_rungs ? find_in_rungs(key, names->rung, in_recipe) : NULL;
    const char *found = of_rung ? of_rung : find_in(in_recipe ? network->recipe : network->keys, key);
    return found && *found ? found : NULL;
}

/* The recipe holds for its own optimizer. */
static bool has_recipe(sb_setting_id id, const sb_setting_names *names)
{
    const char *optimizer = find_in_network(sb_settings_table[SB_SETTING_OPTIMIZER].key, names, true);
    const char *chosen = names->of[SB_OF_OPTIMIZER];
    return optimizer && (id == SB_SETTING_OPTIMIZER || (chosen && strcmp(optimizer + 1, chosen) == 0));
}

const char *sb_setting_default(sb_setting_id id, const sb_setting_names *names)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    if (!setting->fallback) return "";
    if (!is_auto(setting)) return setting->fallback;
    if (!sb_setting_applies(id, names)) return setting->without;
    const char *found = has_recipe(id, names) ? find_in_network(setting->key, names, true) : NULL;
    if (!found) found = find_in_network(setting->key, names, false);
    if (!found && setting->of == SB_OF_SEARCH) found = find_in(optimizers_keys(names), setting->key);
    if (!found && setting->of != SB_OF_ANY) found = find_key(id, names);
    return found && *found ? found + 1 : setting->without;
}

/* What names a run's network, backend, ... and is not known has its default, in the order in which one decides on the
 * next. */
static void complete_names(sb_setting_names *names)
{
    if (!names->rung) names->rung = sb_settings_table[SB_SETTING_RUNG].fallback;
    for (sb_setting_of of = SB_OF_ANY + 1; of < SB_N_OF; of++) {
        const sb_setting_id id = sb_setting_chooser(of);
        if (!names->of[of]) names->of[of] = sb_setting_default(id, names);
    }
}

const char *sb_setting_absent(sb_setting_id id, const sb_setting_names *names)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    sb_setting_names all = *names;
    complete_names(&all);
    const bool is_recorded = sb_setting_applies(id, &all) && !sb_setting_is_unrecorded(id, &all);
    return is_recorded ? sb_setting_default(id, &all) : setting->without;
}

sb_setting_names sb_setting_names_from(const char *const text[SB_N_SETTINGS])
{
    sb_setting_names names = {.rung = text[SB_SETTING_RUNG]};
    for (sb_setting_of of = SB_OF_ANY + 1; of < SB_N_OF; of++) {
        const char *name = text[sb_setting_chooser(of)];
        names.of[of] = name && *name ? name : NULL;
    }
    if (names.rung && !*names.rung) names.rung = NULL;
    complete_names(&names);
    return names;
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
    else if (sb_settings_table[id].kind == SB_VALUE_LAYERS)
        *(const char **)(void *)((char *)settings + options[id].offset) = NULL;
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

/* The same text in memory that stays: a word of a choice, or a network. */
static const char *kept(const char *text)
{
    typedef struct item {
        struct item *next;
        char text[];
    } item;
    static item *first;
    for (const item *i = first; i; i = i->next)
        if (strcmp(i->text, text) == 0) return i->text;
    item *added = malloc(sizeof *added + strlen(text) + 1);
    if (!added) return NULL;
    added->next = first, first = added;
    return strcpy(added->text, text);
}

static bool keep(const char **field, const char *text)
{
    *field = kept(text);
    return *field != NULL;
}

/* A text is copied, as the caller's may not live as long. */
bool sb_setting_set(sb_settings *settings, sb_setting_id id, const char *text)
{
    const sb_setting_kind kind = sb_settings_table[id].kind;
    if (!is_field(id) || !sb_option_set(&options[id], text, settings)) return false;
    const char **field = (const char **)(void *)((char *)settings + options[id].offset);
    if (kind == SB_VALUE_LAYERS) return (!*text || sb_layer_text_check(text) == SB_OK) && keep(field, text);
    return kind != SB_VALUE_CHOICE || sb_option_has_auto(&options[id], settings) || keep(field, text);
}

static const char *unless_auto(const char *word)
{
    return word && strcmp(word, SB_OPTION_AUTO) != 0 ? word : NULL;
}

/* A backend without the setting has no arithmetic, whatever the option says. */
sb_setting_names sb_setting_names_of(const sb_settings *settings)
{
    sb_setting_names names = {.of = {[SB_OF_NETWORK] = settings->model,
                                     [SB_OF_BACKEND] = settings->backend,
                                     [SB_OF_ARITHMETIC] = settings->arithmetic,
                                     [SB_OF_SEARCH] = unless_auto(settings->search),
                                     [SB_OF_OPTIMIZER] = unless_auto(settings->optimizer),
                                     [SB_OF_SCHEDULE] = unless_auto(settings->schedule)},
                              .rung = settings->rung};
    const bool has_arithmetic = sb_setting_applies(SB_SETTING_ARITHMETIC, &names);
    if (!has_arithmetic) names.of[SB_OF_ARITHMETIC] = sb_settings_table[SB_SETTING_ARITHMETIC].without;
    for (sb_setting_of of = SB_OF_SEARCH; of <= SB_OF_SCHEDULE; of++)
        if (!names.of[of]) names.of[of] = sb_setting_default(sb_setting_chooser(of), &names);
    return names;
}

/* "2", "E", "E/5" or "E-2", E the epochs of the run. */
static double time_of(const char *text, double epochs)
{
    const double number = *text == 'E' ? (text[1] && text[1] != ',' ? strtod(text + 2, NULL) : 0) : strtod(text, NULL);
    if (*text != 'E') return number;
    return text[1] == '/' ? epochs / number : text[1] == '-' ? epochs - number : epochs;
}

/* A default in epochs of the run, as numbers. */
static void times_text(const char *text, double epochs, char plain[SB_SETTING_TEXT])
{
    size_t used = 0;
    *plain = 0;
    for (const char *at = text; at; at = strchr(at, ',')) {
        if (*at == ',') at++;
        used += (size_t)snprintf(plain + used, SB_SETTING_TEXT - used, "%s%.17g", used ? "," : "", time_of(at, epochs));
        assert(used < SB_SETTING_TEXT);
    }
}

/* A list that its network does not have stays empty; a choice that a run does not have is the word for that. */
static void resolve(sb_settings *settings, sb_setting_id id, const sb_setting_names *names)
{
    const char *text = sb_setting_default(id, names);
    char plain[SB_SETTING_TEXT];
    if (strchr(text, 'E') && sb_settings_table[id].kind == SB_VALUE_REALS) {
        const char *epochs = sb_setting_default(SB_SETTING_EPOCHS, names);
        times_text(text, settings->of_epochs ? (double)settings->of_epochs : strtod(epochs, NULL), plain);
        text = plain;
    }
    if (!*text) return;
    if (sb_settings_table[id].kind == SB_VALUE_CHOICE && !sb_setting_applies(id, names))
        keep((const char **)(void *)((char *)settings + options[id].offset), text);
    else
        sb_setting_set(settings, id, text);
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

bool sb_setting_agrees(sb_setting_id id, const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return true;
    return sb_settings_table[id].kind == SB_VALUE_REAL && *a && *b && strtod(a, NULL) == strtod(b, NULL);
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
    case SB_VALUE_INTS:
        snprintf(wanted, 160, "at most %d whole numbers in [%.0f, %.0f] with commas", SB_OPTION_LIST_MAX,
                 setting->min, setting->max);
        return is_list(text, setting, is_int);
    case SB_VALUE_REALS:
        snprintf(wanted, 160, "at most %d numbers in [%g, %g] with commas", SB_OPTION_LIST_MAX, setting->min,
                 setting->max);
        return is_list(text, setting, is_real);
    case SB_VALUE_LAYERS:
        snprintf(wanted, 160, "a file NAME.layers, or a network in one line");
        return sb_layer_text_is_file(text) || sb_layer_text_check(text) == SB_OK;
    }
    return false;
}
