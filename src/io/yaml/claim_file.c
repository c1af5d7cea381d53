#include "io/yaml/claim_file.h"

#include "core/command/options.h"
#include "core/text/text.h"
#include "io/yaml/place.h"
#include "io/yaml/selector_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_relation_name[SB_N_RELATIONS] = {"greater", "equivalent", "no difference", "same bits"};

/* -- the schema -- */

#define OPTIONAL(member)  SB_YAML_TEXT(#member, sb_claim, member, CYAML_FLAG_OPTIONAL)
#define REQUIRED(member)  SB_YAML_TEXT(#member, sb_claim, member, 0)

#define FACT(key, member) SB_YAML_TEXT(key, sb_selector, member, CYAML_FLAG_OPTIONAL),
const cyaml_schema_field_t sb_selector_fields[] = {SB_SELECTOR_FACTS(FACT) CYAML_FIELD_END};
#undef FACT

static const cyaml_schema_field_t claim_fields[] = {
    REQUIRED(name),
    REQUIRED(by),
    REQUIRED(text),
    REQUIRED(relation),
    REQUIRED(metric),
    OPTIONAL(each),
    OPTIONAL(family),
    OPTIONAL(margin),
    OPTIONAL(relevant),
    OPTIONAL(seeds),
    OPTIONAL(seeds_added),
    OPTIONAL(replicates),
    OPTIONAL(pairs),
    OPTIONAL(effect),
    OPTIONAL(spread),
    OPTIONAL(pool),
    OPTIONAL(fraction),
    OPTIONAL(across),
    OPTIONAL(orders),
    OPTIONAL(why),
    OPTIONAL(uncounted),
    CYAML_FIELD_MAPPING("of", 0, sb_claim, of, sb_selector_fields),
    CYAML_FIELD_MAPPING("over", 0, sb_claim, over, sb_selector_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t claim_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sb_claim, claim_fields)};
static const cyaml_schema_field_t file_fields[] = {
    CYAML_FIELD_STRING_PTR("question", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, sb_claim_file, question, 0,
                           CYAML_UNLIMITED), /* check_file says what an empty one lacks */
    CYAML_FIELD_STRING_PTR("see", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, sb_claim_file, see, 0, CYAML_UNLIMITED),
    SB_YAML_LIST("claims", sb_claim_file, claims, n_claims, &claim_value, 0),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t file_value = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sb_claim_file, file_fields)};

/* The same schema with selectors of other facts. */
typedef struct sb_custom_schema {
    cyaml_schema_field_t selector[SB_CLAIM_FACTS + 1];
    cyaml_schema_field_t claim[sizeof claim_fields / sizeof *claim_fields];
    cyaml_schema_field_t file[sizeof file_fields / sizeof *file_fields];
    cyaml_schema_value_t claim_value, file_value;
} sb_custom_schema;

static void make_schema(sb_custom_schema *custom, const sb_claim_names *names)
{
    static const cyaml_schema_field_t fact = SB_YAML_TEXT("", sb_selector, custom[0], CYAML_FLAG_OPTIONAL);
    memcpy(custom->claim, claim_fields, sizeof custom->claim);
    memcpy(custom->file, file_fields, sizeof custom->file);
    for (size_t i = 0; i < names->n_facts; i++) {
        custom->selector[i] = fact;
        custom->selector[i].key = names->fact[i];
        custom->selector[i].data_offset += (uint32_t)(i * sizeof(char *));
    }
    for (cyaml_schema_field_t *field = custom->claim; field->key; field++)
        if (field->value.type == CYAML_MAPPING) field->value.mapping.fields = custom->selector;
    custom->claim_value = claim_value;
    custom->claim_value.mapping.fields = custom->claim;
    for (cyaml_schema_field_t *field = custom->file; field->key; field++)
        if (field->value.type == CYAML_SEQUENCE) field->value.sequence.entry = &custom->claim_value;
    custom->file_value = file_value;
    custom->file_value.mapping.fields = custom->file;
}

/* -- what the texts mean -- */

static int find(const char *const *words, int n, const char *word)
{
    int i = 0;
    while (i < n && strcmp(word, words[i]) != 0) i++;
    return i;
}

sb_relation sb_claim_relation(const sb_claim *claim)
{
    return (sb_relation)find(sb_relation_name, SB_N_RELATIONS, claim->relation);
}

#define KEY(ID, key, ...) #key,
static const char *const loss[SB_N_LOSSES] = {SB_METRICS(KEY, SB_METRIC_NONE, SB_METRIC_NONE) SB_TEST_LOSSES(KEY)};
#undef KEY

sb_metric sb_claim_metric(const sb_claim *claim)
{
    return (sb_metric)find(loss, SB_N_LOSSES, claim->metric);
}

static bool parse_ratio(const char *text, double *ratio)
{
    return sb_parse_real(text, 1, 100, ratio) && *ratio > 1;
}

static bool parse_fraction(const char *text, double *fraction)
{
    return sb_parse_real(text, 0, 1, fraction) && *fraction > 0 && *fraction < 1;
}

static double ratio_of(const char *text)
{
    double ratio;
    return text && parse_ratio(text, &ratio) ? ratio : 0;
}

double sb_claim_margin(const sb_claim *claim)
{
    return ratio_of(claim->margin);
}

double sb_claim_fraction(const sb_claim *claim)
{
    double fraction;
    return claim->fraction && parse_fraction(claim->fraction, &fraction) ? fraction : 0;
}

double sb_claim_relevant(const sb_claim *claim)
{
    return ratio_of(claim->relevant);
}

/* The number between '|' at `text`, which moves past the number; false: there is none. */
static bool next_number(const char **text, long *number)
{
    char word[16];
    const size_t length = strcspn(*text, "|");
    if (length >= sizeof word) return false;
    snprintf(word, sizeof word, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == '|');
    return sb_parse_int(word, 2, 100000, number);
}

static bool parse_seeds(const char *text)
{
    long number;
    const size_t n = strlen(text);
    if (n == 0 || text[n - 1] == '|') return false;
    while (*text)
        if (!next_number(&text, &number)) return false;
    return true;
}

const char *sb_claim_seeds(const sb_claim *claim)
{
    return claim->seeds ? claim->seeds : claim->seeds_added;
}

bool sb_claim_wants_seeds(const sb_claim *claim, size_t n)
{
    long number;
    const char *text = sb_claim_seeds(claim);
    if (!text) return true;
    while (*text)
        if (next_number(&text, &number) && (size_t)number == n) return true;
    return false;
}

static bool parse_replicates(const char *text, bool *at_least, long *n)
{
    *at_least = strncmp(text, ">=", 2) == 0;
    return sb_parse_int(text + 2 * *at_least, 1, 100000, n);
}

bool sb_claim_wants_replicates(const sb_claim *claim, size_t least, size_t most)
{
    long n;
    bool at_least;
    if (!claim->replicates || !parse_replicates(claim->replicates, &at_least, &n)) return true;
    return at_least ? least >= (size_t)n : least == (size_t)n && most == (size_t)n;
}

bool sb_claim_is_planned(const sb_claim *claim, double *effect, double *spread, size_t *seeds)
{
    long n;
    const char *text = claim->seeds;
    if (!claim->effect || !claim->spread || !text || !next_number(&text, &n)) return false;
    *seeds = (size_t)n;
    return parse_ratio(claim->effect, effect) && parse_ratio(claim->spread, spread);
}

/* The words between '|' as settings of a recipe; false where one is none. */
static bool parse_across(const char *text, bool across[SB_N_SETTINGS])
{
    for (size_t length;; text += length + 1) {
        char key[64];
        length = strcspn(text, "|");
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1), text);
        const sb_setting_id id = sb_setting_find(key);
        if (id == SB_N_SETTINGS) return false;
        if (id != SB_SETTING_UPDATES && sb_settings_table[id].role != SB_ROLE_RECIPE) return false;
        across[id] = true;
        if (!text[length]) return true;
    }
}

void sb_claim_across(const sb_claim *claim, bool across[SB_N_SETTINGS])
{
    memset(across, 0, SB_N_SETTINGS * sizeof *across);
    if (claim->across) (void)parse_across(claim->across, across);
}

/* -- what they may say -- */

static sb_status fail_at(const char *path, unsigned i, const char *key, const char *wanted, const char *text)
{
    char place[64];
    snprintf(place, sizeof place, "claims/%u/%s", i, key);
    return sb_place_fail(path, place, "%s wants %s, not '%s'", key, wanted, text);
}

static sb_status fail_metric(const char *path, unsigned i, const char *const *metric, size_t n, const char *text)
{
    char wanted[256] = "one of";
    for (size_t k = 0; k < n; k++) {
        const size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s%s", k ? ", " : " ", metric[k]);
    }
    return fail_at(path, i, "metric", wanted, text);
}

static bool is_name(const char *text)
{
    const size_t n = strlen(text);
    return n > 0 && n < SB_CLAIM_NAME && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

/* How many runs it is judged with, and how. */
static sb_status check_runs(const char *path, const sb_claim *claim, unsigned i)
{
    static const char numbers[] = "whole numbers from 2 on, with | between";
    double ratio;
    long n;
    bool at_least;
    if (claim->seeds && !parse_seeds(claim->seeds)) return fail_at(path, i, "seeds", numbers, claim->seeds);
    if (claim->seeds_added && (claim->seeds || !parse_seeds(claim->seeds_added)))
        return fail_at(path, i, "seeds_added", claim->seeds ? "no seeds in the same claim" : numbers,
                       claim->seeds_added);
    if (claim->replicates && !parse_replicates(claim->replicates, &at_least, &n))
        return fail_at(path, i, "replicates", "a whole number from 1 on, or '>=' before it", claim->replicates);
    if (claim->pairs && strcmp(claim->pairs, "common") != 0) return fail_at(path, i, "pairs", "common", claim->pairs);
    if (claim->relevant && (claim->margin || !parse_ratio(claim->relevant, &ratio)))
        return fail_at(path, i, "relevant", claim->margin ? "no margin in the same claim" : "a ratio above 1",
                       claim->relevant);
    if (claim->effect && (!claim->seeds || !claim->spread || !parse_ratio(claim->effect, &ratio)))
        return fail_at(path, i, "effect", "a ratio above 1, together with seeds and spread", claim->effect);
    if (claim->spread && (!claim->effect || !parse_ratio(claim->spread, &ratio)))
        return fail_at(path, i, "spread", "a ratio above 1, together with seeds and effect", claim->spread);
    return SB_OK;
}

/* Of a claim about results of samebits train: what only those have. */
static sb_status check_ours(const char *path, const sb_claim *claim, unsigned i)
{
    double fraction;
    bool across[SB_N_SETTINGS];
    if (claim->pool && strcmp(claim->pool, "data") != 0) return fail_at(path, i, "pool", "data", claim->pool);
    if (claim->pool && (!claim->each || strcmp(claim->each, "setting") != 0 || sb_claim_relation(claim) != SB_RELATION_GREATER))
        return fail_at(path, i, "pool", "each: setting and relation: greater in the same claim", claim->pool);
    if (claim->fraction && (!claim->pool || !parse_fraction(claim->fraction, &fraction)))
        return fail_at(path, i, "fraction", claim->pool ? "a number between 0 and 1" : "pool: data in the same claim",
                       claim->fraction);
    if (claim->orders && !claim->pool) return fail_at(path, i, "orders", "pool: data in the same claim", claim->orders);
    if (claim->across && !parse_across(claim->across, across))
        return fail_at(path, i, "across", "settings of a recipe, such as batch|lr|updates", claim->across);
    if (claim->across && !claim->margin)
        return fail_at(path, i, "across", "margin in the same claim: an ensemble is of one recipe", claim->across);
    return sb_claim_metric(claim) < SB_N_LOSSES ? SB_OK : fail_metric(path, i, loss, SB_N_LOSSES, claim->metric);
}

/* Of a claim about another program's results. */
static sb_status check_custom(const char *path, const sb_claim *claim, unsigned i, const sb_claim_names *names)
{
    const struct {
        const char *key, *text;
    } ours[] = {{"pool", claim->pool}, {"across", claim->across}, {"orders", claim->orders}, {"relevant", claim->relevant},
              {"fraction", claim->fraction},   {"family", claim->family}};
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        if (ours[k].text) return fail_at(path, i, ours[k].key, "results of samebits train", ours[k].text);
    if (claim->each && strcmp(claim->each, "setting") != 0) return fail_at(path, i, "each", "setting", claim->each);
    if (sb_claim_relation(claim) == SB_RELATION_EQUIVALENT && !claim->margin)
        return fail_at(path, i, "relation", "a margin in the same claim", claim->relation);
    for (size_t k = 0; k < names->n_metrics; k++)
        if (strcmp(names->metric[k], claim->metric) == 0) return SB_OK;
    return fail_metric(path, i, names->metric, names->n_metrics, claim->metric);
}

static sb_status check_claim(const char *path, const sb_claim_file *file, unsigned i, const sb_claim_names *names)
{
    const sb_claim *claim = &file->claims[i];
    double margin;
    if (!is_name(claim->name)) return fail_at(path, i, "name", "the characters a-z 0-9 -", claim->name);
    for (unsigned k = 0; k < i; k++)
        if (strcmp(file->claims[k].name, claim->name) == 0)
            return fail_at(path, i, "name", "a name of its own", claim->name);
    if (sb_claim_relation(claim) == SB_N_RELATIONS)
        return fail_at(path, i, "relation", "greater, equivalent, no difference or same bits", claim->relation);
    if (claim->each && strcmp(claim->each, "setting") != 0 && strcmp(claim->each, "hardware") != 0)
        return fail_at(path, i, "each", "setting or hardware", claim->each);
    if (claim->family && (strcmp(claim->family, "part") != 0 || !claim->uncounted))
        return fail_at(path, i, "family", "part, and uncounted in the same claim", claim->family);
    if (claim->margin && !parse_ratio(claim->margin, &margin))
        return fail_at(path, i, "margin", "a ratio above 1", claim->margin);
    SB_TRY(check_runs(path, claim, i));
    return names ? check_custom(path, claim, i, names) : check_ours(path, claim, i);
}

static bool is_question(const char *text)
{
    const size_t n = strlen(text);
    size_t n_characters = 0;
    if (n < 2 || text[n - 1] != '?' || sb_text_plain_length(text, false) < n) return false;
    for (size_t i = 0; i < n; i += sb_text_character(text + i, n - i, NULL)) n_characters++;
    return n_characters <= SB_QUESTION_LENGTH;
}

/* A folder as it is typed in the root of a clone. Pages show it as it is. */
static bool is_folder_name(const char *text)
{
    static const char characters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_./";
    const size_t n = strlen(text);
    return n > 0 && n <= SB_QUESTION_LENGTH && strspn(text, characters) == n;
}

static sb_status check_file(const char *path, const sb_claim_file *file, const sb_claim_names *names)
{
    if (file->see && !is_folder_name(file->see))
        return sb_place_fail(path, "see", "see wants a folder of results, such as results/gpu, not '%.80s'", file->see);
    if (file->question && !is_question(file->question))
        return sb_place_fail(path, "question", "question wants one line of at most %d characters that ends with '?'",
                             SB_QUESTION_LENGTH);
    for (unsigned i = 0; i < file->n_claims; i++) SB_TRY(check_claim(path, file, i, names));
    return SB_OK;
}

static sb_status check_loaded(const char *path, sb_claim_file **file, const sb_claim_names *names)
{
    sb_status status = check_file(path, *file, names);
    if (status == SB_OK) return SB_OK;
    sb_claim_file_free(*file);
    *file = NULL;
    return status;
}

sb_status sb_claim_file_load(sb_claim_file **file, const char *path)
{
    SB_TRY(sb_yaml_load(path, &file_value, (void **)file));
    return check_loaded(path, file, NULL);
}

sb_status sb_claim_file_parse(sb_claim_file **file, const char *name, const char *text)
{
    SB_TRY(sb_yaml_parse(name, text, &file_value, (void **)file));
    return check_loaded(name, file, NULL);
}

sb_status sb_claim_file_load_custom(sb_claim_file **file, const char *path, const sb_claim_names *names)
{
    sb_custom_schema *custom = calloc(1, sizeof *custom);
    *file = NULL;
    if (!custom) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    make_schema(custom, names);
    sb_status status = sb_yaml_load(path, &custom->file_value, (void **)file);
    if (status != SB_OK) {
        free(custom);
        return status;
    }
    (*file)->custom = custom;
    for (unsigned i = 0; i < (*file)->n_claims; i++)
        (*file)->claims[i].of.names = (*file)->claims[i].over.names = names;
    return check_loaded(path, file, names);
}

void sb_claim_file_free(sb_claim_file *file)
{
    SB_FREED sb_custom_schema *custom = file ? file->custom : NULL;
    sb_yaml_free(custom ? &custom->file_value : &file_value, file);
}
