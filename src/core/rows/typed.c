#include "core/rows/typed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings that another one switches off ---- */

/* ROW(setting, other, value): with no `other` of that value the setting has no effect. "": any value but off and 0.
 * Several rows of one setting: any of them switches it on. */
/* clang-format off */
#define SWITCHES(ROW)                                                                                                  \
    ROW(ALPHA, ACTIVATION, "celu")                                                                                     \
    ROW(EMA_EVERY, EMA_MOMENTUM, "")                                                                                   \
    ROW(PATIENCE, VALIDATE_EVERY, "")                                                                                  \
    ROW(MIN_DELTA, VALIDATE_EVERY, "")                                                                                 \
    ROW(DECAY_BY_KIND, WEIGHT_DECAY, "")                                                                               \
    ROW(AUGMENT_FORM, CROP, "") ROW(AUGMENT_FORM, FLIP, "") ROW(AUGMENT_FORM, CUTOUT, "")                              \
    ROW(LR_BY_KIND, SEARCH, "gradient")                                                                                \
    ROW(EMA_MOMENTUM, SEARCH, "gradient")                                                                              \
    ROW(LR_START, LR_WARMUP, "")                                                                                       \
    ROW(REDUCE, RANKS, "above 1")
/* clang-format on */

typedef struct switch_row {
    sb_setting_id setting, other;
    const char *value;
} switch_row;

#define SWITCH(ID, OTHER, value) {SB_SETTING_##ID, SB_SETTING_##OTHER, value},
static const switch_row switches[] = {SWITCHES(SWITCH)};
enum { N_SWITCHES = sizeof switches / sizeof *switches };

/* The value that a run has of it. */
static const char *value_of(sb_setting_id id, const char *const text[SB_N_SETTINGS], const sb_setting_names *names)
{
    if (text[id] && strcmp(text[id], SB_OPTION_AUTO) != 0) return text[id];
    return sb_setting_applies(id, names) ? sb_setting_default(id, names) : sb_settings_table[id].without;
}

static bool is_on(const switch_row *row, const char *value)
{
    if (row->other == SB_SETTING_RANKS) return *value && strcmp(value, "1") != 0;
    if (*row->value) return strcmp(value, row->value) == 0;
    return strspn(value, "0.") < strlen(value) && strcmp(value, "off") != 0;
}

/* ---- one setting ---- */

static const char *plural_of(sb_setting_of of)
{
    static const char *const plural[SB_N_OF] = {"",         "models",     "backends", "arithmetics",
                                                "searches", "optimizers", "schedules"};
    return plural[of];
}

static void append(char text[SB_TYPED_WHY], const char *word, size_t length)
{
    const size_t used = strlen(text);
    snprintf(text + used, SB_TYPED_WHY - used, "%.*s", (int)length, word);
}

/* "; model prednet has it", "; optimizers adam, lamb and nvlamb have it" */
static void append_choices(sb_setting_id id, char why[SB_TYPED_WHY])
{
    const sb_setting_of of = sb_settings_table[id].of;
    const sb_setting_row *chooser = &sb_settings_table[sb_setting_chooser(of)];
    const char *having[64];
    size_t length[64], n = 0;
    for (const char *word = chooser->words; word; word = strchr(word, '|')) {
        char name[64];
        word += *word == '|';
        const size_t letters = strcspn(word, "|");
        snprintf(name, sizeof name, "%.*s", (int)letters, word);
        sb_setting_names names = {0};
        names.of[of] = name;
        if (n < 64 && sb_setting_applies(id, &names)) having[n] = word, length[n++] = letters;
    }
    append(why, "; ", 2);
    append(why, n == 1 ? chooser->key : plural_of(of), SB_TYPED_WHY);
    for (size_t i = 0; i < n; i++) {
        append(why, i == 0 ? " " : i + 1 == n ? " and " : ", ", SB_TYPED_WHY);
        append(why, having[i], length[i]);
    }
    append(why, n == 1 ? " has it" : " have it", SB_TYPED_WHY);
}

/* What chooses and is auto decides by its default. */
static sb_setting_names names_from(const char *const text[SB_N_SETTINGS])
{
    const char *known[SB_N_SETTINGS];
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        known[id] = text[id] && strcmp(text[id], SB_OPTION_AUTO) != 0 ? text[id] : NULL;
    sb_setting_names names = sb_setting_names_from(known);
    if (!sb_setting_applies(SB_SETTING_ARITHMETIC, &names))
        names.of[SB_OF_ARITHMETIC] = sb_settings_table[SB_SETTING_ARITHMETIC].without;
    return names;
}

/* Is it switched on, or does nothing switch it? */
static bool is_switched_on(sb_setting_id id, const char *const text[SB_N_SETTINGS], const sb_setting_names *names,
                           char why[SB_TYPED_WHY])
{
    int n = 0;
    for (const switch_row *row = switches; row < switches + N_SWITCHES; row++) {
        if (row->setting != id) continue;
        if (is_on(row, value_of(row->other, text, names))) {
            *why = 0;
            return true;
        }
        append(why, n++ == 0 ? "without " : " or ", SB_TYPED_WHY);
        append(why, sb_settings_table[row->other].key, SB_TYPED_WHY);
        append(why, *row->value ? " " : "", 1);
        append(why, row->value, SB_TYPED_WHY);
    }
    if (n) append(why, " it has no effect", SB_TYPED_WHY);
    return n == 0;
}

bool sb_typed_acts(sb_setting_id id, const char *const text[SB_N_SETTINGS], char why[SB_TYPED_WHY])
{
    const sb_setting_row *row = &sb_settings_table[id];
    const sb_setting_names names = names_from(text);
    *why = 0;
    if (sb_setting_applies(id, &names)) return is_switched_on(id, text, &names, why);
    snprintf(why, SB_TYPED_WHY, "%s %s has no %s", sb_settings_table[sb_setting_chooser(row->of)].key,
             names.of[row->of], row->key);
    append_choices(id, why);
    return false;
}

/* A default that run files do not record would be taken for what they record in its place. */
static bool hides(sb_setting_id id, const char *text, const sb_setting_names *names, char why[SB_TYPED_WHY])
{
    if (!sb_setting_is_unrecorded(id, names) || !sb_setting_agrees(id, text, sb_settings_table[id].without))
        return false;
    snprintf(why, SB_TYPED_WHY, "%s wants a number above 0, because %s in a run file means its default %s; 1e-30 "
             "computes what 0 would",
             names->of[sb_settings_table[id].of], sb_settings_table[id].without, sb_setting_default(id, names));
    return true;
}

/* Those that every run has and nothing switches off need no look at the others. */
static bool always_acts(sb_setting_id id)
{
    for (const switch_row *row = switches; row < switches + N_SWITCHES; row++)
        if (row->setting == id) return false;
    return sb_settings_table[id].of == SB_OF_ANY;
}

bool sb_typed_holds(sb_setting_id id, const char *const text[SB_N_SETTINGS], char why[SB_TYPED_WHY])
{
    const sb_setting_row *row = &sb_settings_table[id];
    *why = 0;
    if (always_acts(id)) return true;
    const sb_setting_names names = names_from(text);
    if (strcmp(text[id], SB_OPTION_AUTO) == 0) return true;
    if (sb_typed_acts(id, text, why)) return !hides(id, text[id], &names, why);
    if (sb_setting_applies(id, &names)) return sb_setting_agrees(id, text[id], sb_setting_default(id, &names));
    const bool is_none = row->kind == SB_VALUE_NAME && row->fallback && strcmp(text[id], row->fallback) == 0;
    return is_none || strcmp(text[id], "off") == 0 || sb_setting_agrees(id, text[id], row->without);
}

/* ---- a command line ---- */

static void free_texts(char *text[SB_N_SETTINGS])
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) free(text[id]);
}

/* A verb may choose as well, 'samebits evolve' its search, and the launcher how many processes there are. */
static bool is_known(const sb_settings *settings, sb_setting_id id)
{
    bool chooses = id == SB_SETTING_RANKS;
    for (sb_setting_of of = SB_OF_ANY + 1; of < SB_N_OF; of++) chooses = chooses || id == sb_setting_chooser(of);
    return chooses || settings->typed[id];
}

static bool read_texts(const sb_settings *settings, char *text[SB_N_SETTINGS])
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        char value[SB_SETTING_TEXT];
        if (!is_known(settings, id)) continue;
        sb_setting_text(settings, id, value);
        if (!(text[id] = strdup(value))) return false;
    }
    return true;
}

sb_status sb_typed_check(const sb_settings *settings)
{
    char *text[SB_N_SETTINGS] = {0}, why[SB_TYPED_WHY];
    sb_status status = read_texts(settings, text) ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for the settings");
    for (sb_setting_id id = 0; status == SB_OK && id < SB_N_SETTINGS; id++)
        if (settings->typed[id] && !sb_typed_holds(id, (const char *const *)text, why))
            status = sb_fail(SB_E_USAGE, "%s: %s", sb_settings_table[id].option, why);
    free_texts(text);
    return status;
}
