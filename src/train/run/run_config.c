/* /config of a run file: what was asked for, a typed attribute for each setting (core/rows/setting.h), and what it
 * met. */
#include "train/run/run_parts.h"

#include "io/h5/h5_attribute.h"
#include "net/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a run met, next to its settings; all of it text but `updates`. */
#define FACTS(ROW)                                                                                                     \
    ROW(PRECISION, "precision", true)                                                                                  \
    ROW(DATA_NAME, "data_name", false)                                                                                 \
    ROW(DATA_SHAPE, "data_shape", true)                                                                                \
    ROW(DATA_DIGEST, "data_digest", true)                                                                              \
    ROW(KERNEL, "kernel", !native)                                                                                     \
    ROW(UPDATES, "updates", false)

enum {
#define FACT_ID(id, ...) FACT_##id,
    FACTS(FACT_ID) N_FACTS
};

typedef struct entry {
    const char *key;
    char value[SB_SETTING_TEXT];
    bool changes_results; /* with another value it is another experiment, also on the native backend */
    bool is_later;        /* files of an older schema lack it; absent, it has the value `before` */
    const char *before;
    sb_setting_id id;
} entry;

typedef struct config {
    entry setting[SB_N_SETTINGS]; /* those without a key are none of the trainer's */
    entry fact[N_FACTS];
} config;

/* The digest of the data set's whole content, read once for all checkpoints of a session. One batch again and again is
 * no data set: its digest then matches none, so that no table accepts the run. */
static sb_status data_digest(sb_run *run)
{
    sb_hash digest;
    if (*run->data_digest) return SB_OK;
    if (sb_run_input_mode(run) == SB_INPUT_FAKE) {
        strcpy(run->data_digest, "fake");
        return SB_OK;
    }
    SB_TRY(sb_dataset_digest(run->setup->dataset, &digest));
    sb_hash_text(digest, run->data_digest);
    return SB_OK;
}

static bool has_convolutions(const sb_net *net)
{
    for (int i = 0; i < net->params.n; i++)
        if (net->params.list[i].rank == 4) return true;
    return false;
}

static void add_setting(const sb_run *run, sb_setting_id id, const sb_backend *backend, entry *e)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    const sb_settings *settings = run->setup->options;
    if (setting->group != SB_GROUP_LEARN && setting->group != SB_GROUP_COMPUTE) return;
    *e = (entry){.id = id, .key = setting->key, .is_later = setting->since > 1};
    const bool stops_early = sb_setting_says(settings->early_stop, "on");
    e->changes_results = setting->bits == SB_BITS_ALWAYS ||
                         (setting->bits == SB_BITS_LIBRARY && !backend->in_written_order) ||
                         (setting->bits == SB_BITS_STOPPING && stops_early) ||
                         (id == SB_SETTING_RANKS && strcmp(settings->reduce, "fast") == 0);
    const sb_setting_names names = sb_setting_names_of(settings);
    e->before = sb_setting_absent(id, &names);
    if (!sb_setting_applies(id, &names))
        snprintf(e->value, sizeof e->value, "%s", setting->without);
    else if (id == SB_SETTING_ARITHMETIC && sb_arithmetic_rules(settings->arithmetic) == SB_RULE_WINOGRAD &&
             !has_convolutions(run->setup->learner.net))
        snprintf(e->value, sizeof e->value, "direct"); /* winograd differs from it in convolutions alone */
    else
        sb_setting_text(settings, id, e->value);
    const bool is_default = sb_setting_agrees(id, e->value, sb_setting_default(id, &names));
    if (is_default && sb_setting_is_unrecorded(id, &names)) snprintf(e->value, sizeof e->value, "%s", setting->without);
}

static sb_status fill_config(sb_run *run, config *all)
{
    const sb_dataset_facts *data = sb_dataset_about(run->setup->dataset);
    const sb_backend *backend = sb_backend_find(run->setup->options->backend);
    const bool native = backend->in_written_order;
    SB_TRY(data_digest(run));
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) add_setting(run, id, backend, &all->setting[id]);
    entry *fact = all->fact;
#define FACT_ROW(id, key_, matters) fact[FACT_##id] = (entry){.key = key_, .changes_results = matters};
    FACTS(FACT_ROW)
    enum { SIZE = sizeof fact->value };
    snprintf(fact[FACT_PRECISION].value, SIZE, "%s", SB_REAL_NAME);
    snprintf(fact[FACT_DATA_NAME].value, SIZE, "%s", data->name);
    snprintf(fact[FACT_DATA_SHAPE].value, SIZE, "%zux%zux%zux%zu", data->n, data->h, data->w, data->c);
    snprintf(fact[FACT_DATA_DIGEST].value, SIZE, "%s", run->data_digest);
    snprintf(fact[FACT_KERNEL].value, SIZE, "%s", sb_backend_variant(run->setup->ops));
    snprintf(fact[FACT_UPDATES].value, SIZE, "%ld", run->target_updates);
    return SB_OK;
}

static void free_config(config **all)
{
    free(*all);
}

/* A config of this name until the function returns. It is too large for a stack that cannot grow. */
#define CONFIG(all) __attribute__((cleanup(free_config))) config *all = NULL

static sb_status read_config(sb_run *run, config **all)
{
    *all = calloc(1, sizeof **all);
    if (!*all) return sb_fail(SB_E_MEMORY, "%s: not enough memory", run->options->output);
    return fill_config(run, *all);
}

static entry *entry_at(config *all, int i)
{
    return i < SB_N_SETTINGS ? &all->setting[i] : &all->fact[i - SB_N_SETTINGS];
}

sb_status sb_run_config_lines(sb_run *run, char *text, size_t size)
{
    CONFIG(all);
    size_t used = 0;
    SB_TRY(read_config(run, &all));
    for (int i = 0; i < SB_N_SETTINGS + N_FACTS; i++) {
        const entry *e = entry_at(all, i);
        const bool is_length = e == &all->fact[FACT_UPDATES];
        if (!e->key || !(e->changes_results || is_length)) continue;
        used += (size_t)snprintf(text + used, size - used, "%s '%s'\n", e->key, e->value);
        if (used >= size) return sb_fail(SB_E_MEMORY, "%s: the settings are too long", run->options->output);
    }
    return SB_OK;
}

/* ---- to a file ---- */

static sb_status write_list(sb_h5 *file, const char *key, const char *value)
{
    int item[SB_OPTION_LIST_MAX];
    size_t n = 0;
    for (const char *at = value; at && n < SB_OPTION_LIST_MAX; at = strchr(at, ',')) {
        at += *at == ',';
        item[n++] = (int)strtol(at, NULL, 10);
    }
    return sb_h5_set_ints(file, "config", key, n, item);
}

/* Numbers as numbers, a list as a list; what a network or backend does not have as `without` says it. */
static sb_status write_setting(sb_h5 *file, const sb_setting_row *setting, const char *value)
{
    const bool is_one = setting->kind == SB_VALUE_INT || (setting->kind == SB_VALUE_INTS && !strchr(value, ','));
    const bool is_list = setting->kind == SB_VALUE_LIST || setting->kind == SB_VALUE_INTS;
    if (is_one && *value) return sb_h5_set_int(file, "config", setting->key, strtol(value, NULL, 10));
    if (setting->kind == SB_VALUE_REAL && *value)
        return sb_h5_set_real(file, "config", setting->key, strtod(value, NULL));
    if (is_list && *value) return write_list(file, setting->key, value);
    return sb_h5_set_text(file, "config", setting->key, value);
}

sb_status sb_run_write_config(sb_run *run, sb_h5 *file)
{
    CONFIG(all);
    SB_TRY(read_config(run, &all));
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        if (all->setting[id].key) SB_TRY(write_setting(file, &sb_settings_table[id], all->setting[id].value));
    for (int i = 0; i < N_FACTS; i++) {
        if (i == FACT_UPDATES)
            SB_TRY(sb_h5_set_int(file, "config", all->fact[i].key, run->target_updates));
        else
            SB_TRY(sb_h5_set_text(file, "config", all->fact[i].key, all->fact[i].value));
    }
    return SB_OK;
}

/* ---- against a file ---- */

sb_status sb_run_check_config(sb_run *run, sb_h5 *file)
{
    CONFIG(all);
    SB_TRY(read_config(run, &all));
    for (int i = 0; i < SB_N_SETTINGS + N_FACTS; i++) {
        const entry *e = entry_at(all, i);
        char recorded[SB_SETTING_TEXT];
        if (!e->key || !e->changes_results) continue;
        if (!e->is_later || sb_h5_has(file, "config", e->key))
            SB_TRY(sb_h5_attribute_text(file, "config", e->key, recorded, sizeof recorded));
        else if (sb_setting_agrees(e->id, e->value, e->before))
            continue;
        else
            snprintf(recorded, sizeof recorded, "%s", e->before);
        if (strcmp(recorded, e->value) == 0) continue;
        return sb_fail(SB_E_USAGE, "%s: holds a run with %s '%s', not '%s'; choose another -o or remove it",
                       sb_h5_path(file), e->key, recorded, e->value);
    }
    return SB_OK;
}

/* What is later and has its default counts for nothing, so that a journal of an older program is of the same one. */
sb_status sb_run_experiment(sb_run *run, sb_hash *experiment)
{
    CONFIG(all);
    SB_TRY(read_config(run, &all));
    sb_hasher *hasher = sb_hasher_begin();
    if (!hasher) return sb_fail(SB_E_MEMORY, "%s: not enough memory", run->options->output);
    for (int i = 0; i < SB_N_SETTINGS + N_FACTS; i++) {
        const entry *e = entry_at(all, i);
        if (!e->key || !e->changes_results) continue;
        if (e->is_later && sb_setting_agrees(e->id, e->value, e->before)) continue;
        sb_hasher_add(hasher, e->key, strlen(e->key) + 1, 1);
        sb_hasher_add(hasher, e->value, strlen(e->value) + 1, 1);
    }
    *experiment = sb_hasher_end(hasher);
    return SB_OK;
}
