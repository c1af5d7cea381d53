#include "io/columns.h"

#include "core/rows/evidence.h"
#include "core/rows/metrics.h"
#include "core/rows/setting.h"
#include "core/text/text.h"
#include "io/run/run_lists.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* -- the tables -- */

#define COLUMNS(table, name, need)                                                                                     \
    const sb_columns sb_columns_##table = {name, SB_TABLE_##need, sizeof table / sizeof *table, table}

/* The columns of settings (core/rows/setting.h). What only some networks or backends have may be empty. The name of a
 * network or backend may be one that this program does not know; which arm it is decides what is compared. */
#define SETTING(A, ID, key, option, KIND, words, fallback, min, max, of, without, role, ...)                           \
    {#key, COLUMN_##KIND(role), EMPTY_##of, words},
#define COLUMN_NAME(role)     SB_COLUMN_NAME
#define COLUMN_CHOICE(role)   COLUMN_CHOICE_##role
#define COLUMN_CHOICE_ARM     SB_COLUMN_CHOICE
#define COLUMN_CHOICE_RECIPE  SB_COLUMN_NAME
#define COLUMN_CHOICE_SETTING SB_COLUMN_NAME
#define COLUMN_INT(role)      SB_COLUMN_INT
#define COLUMN_REAL(role)     SB_COLUMN_REAL
#define COLUMN_LIST(role)     SB_COLUMN_NUMBERS
#define COLUMN_INTS(role)     SB_COLUMN_NUMBERS
#define COLUMN_REALS(role)    SB_COLUMN_REALS
#define COLUMN_LAYERS(role)   SB_COLUMN_LAYERS
enum {
    EMPTY_ANY = false,
    EMPTY_NETWORK = true,
    EMPTY_BACKEND = true,
    EMPTY_ARITHMETIC = true,
    EMPTY_SEARCH = true,
    EMPTY_GRADIENT = false, /* without gradients it has a word or a number for none */
    EMPTY_OPTIMIZER = true,
    EMPTY_SCHEDULE = true
};

#define METRIC(ID, key, ...) {#key, SB_COLUMN_REAL},

static const sb_column cells[] = {
    {"name", SB_COLUMN_CELL},
    {"hash", SB_COLUMN_HASH},
    SB_SETTINGS(, SETTING, SETTING, SETTING, SB_SETTING_NONE){"evidence", SB_COLUMN_CHOICE, false, SB_EVIDENCE_WORDS},
    {"kernel", SB_COLUMN_NAME, true},
    {"updates", SB_COLUMN_INT},
    {"data_digest", SB_COLUMN_HASH, true},
    SB_METRICS(METRIC, SB_METRIC_NONE, SB_METRIC_NONE){"accuracy", SB_COLUMN_REAL, true},
    {"validation_accuracy", SB_COLUMN_REAL, true},
    {"test_cross_entropy", SB_COLUMN_REAL, true},
    {"diverged", SB_COLUMN_INT, true}, /* the update; empty: its losses are numbers */
    {"library", SB_COLUMN_TEXT, true}, /* that ordered its sums: name, version, kernel type or GPU */
    {"weights", SB_COLUMN_HASH},
    {"registration", SB_COLUMN_HASH, true},
    {"run", SB_COLUMN_PATH, true},
};
COLUMNS(cells, "cells.csv", NEEDED);

/* What a registration of cells.csv consists of: the claims that stood when such runs began (io/yaml/claim_file.h). */
static const sb_column registrations[] = {
    {"registration", SB_COLUMN_HASH},
    {"claim", SB_COLUMN_NAME},
    {"digest", SB_COLUMN_HASH},
};
COLUMNS(registrations, "registrations.csv", OPTIONAL);

static const sb_column curves[] = {
    {"hash", SB_COLUMN_HASH}, {"update", SB_COLUMN_INT}, SB_METRICS(METRIC, SB_METRIC_NONE, SB_METRIC_NONE){
        "name", SB_COLUMN_CELL, true}};
COLUMNS(curves, "curves.csv", NEEDED);

/* Of a run without gradients; what is no number is empty. */
#define GENERATION_COUNT(key, ...) {#key, SB_COLUMN_INT},
#define REAL_OR_EMPTY(key, ...)    {#key, SB_COLUMN_REAL, true},
static const sb_column generations[] = {
    {"hash", SB_COLUMN_HASH}, {"generation", SB_COLUMN_INT}, SB_RUN_GENERATIONS(GENERATION_COUNT, REAL_OR_EMPTY, )};
COLUMNS(generations, "generations.csv", OPTIONAL);

/* Those whose mutations the next generation is, the best first. */
static const sb_column parents[] = {
    {"hash", SB_COLUMN_HASH},      {"generation", SB_COLUMN_INT}, {"rank", SB_COLUMN_INT},
    {"individual", SB_COLUMN_INT}, {"parent", SB_COLUMN_INT},
};
COLUMNS(parents, "parents.csv", OPTIONAL);

/* Of layer-wise optimizers, at the end of an epoch; what is no number is empty. */
#define TRUST_COUNT(key, ...) TRUST_COUNT_##key
#define TRUST_COUNT_epoch     {"epoch", SB_COLUMN_INT},
#define TRUST_COUNT_tensor    {"tensor", SB_COLUMN_CELL},
static const sb_column trust[] = {{"hash", SB_COLUMN_HASH}, SB_RUN_TRUSTS(TRUST_COUNT, REAL_OR_EMPTY, )};
COLUMNS(trust, "trust.csv", OPTIONAL);

static const sb_column timing[] = {
    {"hash", SB_COLUMN_HASH},
    {"seconds", SB_COLUMN_REAL},
    {"frames_per_second", SB_COLUMN_REAL},
    {"peak_mib", SB_COLUMN_REAL},
};
COLUMNS(timing, "timing.csv", NEEDED);

static const sb_column distances[] = {
    {"a", SB_COLUMN_HASH},     {"b", SB_COLUMN_HASH},        {"differs", SB_COLUMN_CHOICE, false, "target|setting|ulp"},
    {"update", SB_COLUMN_INT}, {"distance", SB_COLUMN_REAL}, {"relative", SB_COLUMN_REAL},
};
COLUMNS(distances, "distances.csv", OPTIONAL);

static const sb_column baselines[] = {
    {"data", SB_COLUMN_NAME},     {"data_digest", SB_COLUMN_HASH},
    {"window", SB_COLUMN_INT},    {"updates", SB_COLUMN_INT},
    {"baseline", SB_COLUMN_NAME}, SB_METRICS(METRIC, SB_METRIC_NONE, SB_METRIC_NONE){"change", SB_COLUMN_REAL},
};
COLUMNS(baselines, "baselines.csv", OPTIONAL);

/* Facts of the matrix, then a row for each cell that is missing: its state, NAME/HASH, why. */
static const sb_column coverage[] = {
    {"what", SB_COLUMN_WORDS},
    {"value", SB_COLUMN_TEXT},
    {"why", SB_COLUMN_TEXT, true},
};
COLUMNS(coverage, "coverage.csv", NEEDED);

static const sb_column environment[] = {
    {"name", SB_COLUMN_TEXT},
    {"value", SB_COLUMN_TEXT, true},
    {"runs", SB_COLUMN_INT},
};
COLUMNS(environment, "environment.csv", OPTIONAL);

static const sb_column layers[] = {
    {"name", SB_COLUMN_TEXT},
    {"kind", SB_COLUMN_TEXT},
    {"inputs", SB_COLUMN_TEXT, true},
    {"in_channels", SB_COLUMN_INT, true},
    {"out_channels", SB_COLUMN_INT},
    {"height", SB_COLUMN_INT},
    {"width", SB_COLUMN_INT},
    {"kernel", SB_COLUMN_TEXT, true},
    {"activation", SB_COLUMN_TEXT, true},
    {"parameters", SB_COLUMN_INT},
};
COLUMNS(layers, "layers-MODEL.csv", APART);

const sb_columns *const sb_columns_all[] = {
    &sb_columns_cells,         &sb_columns_curves,      &sb_columns_timing,      &sb_columns_coverage,
    &sb_columns_distances,     &sb_columns_registrations, &sb_columns_baselines,   &sb_columns_generations, &sb_columns_parents,
    &sb_columns_trust,         &sb_columns_environment, &sb_columns_layers,      NULL,
};

bool sb_columns_are_collected(const char *file)
{
    for (const sb_columns *const *table = sb_columns_all; *table; table++)
        if ((*table)->need != SB_TABLE_APART && strcmp((*table)->file, file) == 0) return true;
    return strcmp(file, SB_COLLECTED_CLAIMS) == 0;
}

const sb_column *sb_columns_find(const sb_columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->n; i++)
        if (strcmp(columns->column[i].name, name) == 0) return &columns->column[i];
    return NULL;
}

void sb_columns_write(sb_writer *csv, const sb_columns *columns)
{
    for (size_t i = 0; i < columns->n; i++) sb_write(csv, i ? ",%s" : "%s", columns->column[i].name);
    sb_write(csv, "\n");
}

/* -- what each kind holds -- */

/* Names joined by '/'. */
static bool is_cell(const char *text)
{
    for (;; text++) {
        char name[64];
        size_t n = strcspn(text, "/");
        if (n >= sizeof name) return false;
        memcpy(name, text, n);
        name[n] = 0;
        if (!sb_text_is_name(name)) return false;
        text += n;
        if (!*text) return true;
    }
}

static bool is_hash(const char *text)
{
    size_t n = strspn(text, "0123456789abcdef");
    return n >= 8 && n <= 64 && !text[n];
}

static bool are_numbers(const char *text)
{
    for (;; text++) {
        size_t n = strspn(text, "0123456789");
        text += n;
        if (n == 0 || n > 9 || (*text && *text != ' ')) return false;
        if (!*text) return true;
    }
}

static bool are_words(const char *text)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_ ");
    return n > 0 && n < 64 && !text[n] && *text != ' ' && text[n - 1] != ' ';
}

static bool is_plain(const char *text)
{
    return *text && !text[sb_text_plain_length(text, false)];
}

static bool is_below(const char *path)
{
    if (*path == '/' || !is_plain(path)) return false;
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (!part[2] || part[2] == '/')) return false;
    }
    return true;
}

static bool is_real(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && !*end && strspn(text, "+-0123456789.eEinfaINFA") == strlen(text);
}

static bool are_reals(const char *text)
{
    char item[32];
    for (size_t length; *text; text += length + (text[length] == ' ' && text[length + 1])) {
        length = strcspn(text, " ");
        if (length >= sizeof item) return false;
        memcpy(item, text, length);
        item[length] = 0;
        if (*item == '-' || *item == '+' || !is_real(item)) return false;
        if (!text[length]) return true;
    }
    return false;
}

static bool is_whole(const char *text)
{
    long whole;
    return sb_parse_int(text, (double)LONG_MIN, (double)LONG_MAX, &whole);
}

static bool are_layers(const char *text)
{
    return sb_layer_text_check(text) == SB_OK;
}

static const struct kind {
    bool (*holds)(const char *text); /* NULL: one of the column's words */
    const char *wanted;
} kinds[SB_N_COLUMN_KINDS] = {
    [SB_COLUMN_NAME] = {sb_text_is_name, "letters, digits, '.', '_' and '-' (63 at most)"},
    [SB_COLUMN_CELL] = {is_cell, "names joined by '/'"},
    [SB_COLUMN_HASH] = {is_hash, "8 to 64 hexadecimal digits"},
    [SB_COLUMN_WORDS] = {are_words, "small letters, '_' and blanks"},
    [SB_COLUMN_CHOICE] = {NULL, "another word"},
    [SB_COLUMN_INT] = {is_whole, "a whole number"},
    [SB_COLUMN_REAL] = {is_real, "a number"},
    [SB_COLUMN_NUMBERS] = {are_numbers, "whole numbers with blanks"},
    [SB_COLUMN_REALS] = {are_reals, "numbers from 0 with blanks"},
    [SB_COLUMN_LAYERS] = {are_layers, "a network in one line"},
    [SB_COLUMN_PATH] = {is_below, "a path below the results"},
    [SB_COLUMN_TEXT] = {is_plain, "one line of text without control characters"},
};

bool sb_column_holds(sb_column_kind kind, const char *words, const char *text)
{
    return kinds[kind].holds ? kinds[kind].holds(text) : *text && sb_option_is_choice(words, text);
}

bool sb_column_accepts(const sb_column *column, const char *text)
{
    return *text ? sb_column_holds(column->kind, column->words, text) : column->may_be_empty;
}

const char *sb_column_wanted(sb_column_kind kind)
{
    return kinds[kind].wanted;
}
