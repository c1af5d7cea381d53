#include "train/run_parts.h"

#include "io/h5_attribute.h"

#include <stdio.h>
#include <string.h>

typedef struct setting {
    const char *name;
    char value[256];
    bool changes_results; /* with another value it is another experiment, also on the native backend */
} setting;

enum { SETTINGS = 18 };

/* The digest of the data set's whole content, read once for all checkpoints of a sitting. */
static sb_status data_digest(sb_run *run)
{
    sb_hash digest;
    if (*run->data_digest) return SB_OK;
    SB_TRY(sb_dataset_digest(run->setup->dataset, &digest));
    sb_hash_text(digest, run->data_digest);
    return SB_OK;
}

static sb_status settings_of(sb_run *run, setting list[SETTINGS])
{
    const sb_setup_options *o = run->setup->options;
    const sb_dataset_facts *facts = sb_dataset_about(run->setup->dataset);
    bool prednet = strcmp(o->model, "prednet") == 0, native = sb_backend_find(o->backend)->in_written_order;
    int n = 0;
    char channels[128] = "";
    for (int i = 0; i < o->channels.n; i++)
        snprintf(channels + strlen(channels), sizeof channels - strlen(channels), "%s%d", i ? "," : "",
                 o->channels.item[i]);
#define SETTING(name_, matters, ...)                                                                                   \
    do {                                                                                                               \
        list[n] = (setting){.name = name_, .changes_results = matters};                                                \
        snprintf(list[n++].value, sizeof list->value, __VA_ARGS__);                                                    \
    } while (0)
    SETTING("model", true, "%s", o->model);
    SETTING("precision", true, "%s", SB_REAL_NAME);
    SETTING("data_name", false, "%s", facts->name);
    SETTING("data_shape", true, "%zux%zux%zux%zu", facts->n, facts->h, facts->w, facts->c);
    SB_TRY(data_digest(run));
    SETTING("data_digest", true, "%s", run->data_digest);
    SETTING("backend", true, "%s", o->backend);
    SETTING("arithmetic", true, "%s", !native ? "blas" : prednet ? o->arithmetic : "direct");
    SETTING("kernel", !native, "%s", sb_backend_variant(run->setup->ops));
    SETTING("threads", !native, "%ld", o->threads);
    SETTING("target", true, "%s", o->target);
    SETTING("seed", true, "%ld", o->seed);
    SETTING("ulp", true, "%ld", o->ulp);
    SETTING("channels", true, "%s", prednet ? channels : "");
    SETTING("window", true, "%ld", prednet ? o->window : 0);
    SETTING("hidden", true, "%ld", prednet ? 0 : o->hidden);
    SETTING("batch", true, "%ld", prednet ? 1 : o->batch);
    SETTING("lr", true, "%.17g", o->alpha);
    SETTING("updates", false, "%ld", run->target_updates);
#undef SETTING
    return SB_OK;
}

sb_status sb_run_write_config(sb_run *run, sb_h5 *file)
{
    setting list[SETTINGS];
    SB_TRY(settings_of(run, list));
    for (int i = 0; i < SETTINGS; i++) SB_TRY(sb_h5_set_text(file, "config", list[i].name, list[i].value));
    return SB_OK;
}

sb_status sb_run_check_config(sb_run *run, sb_h5 *file)
{
    setting list[SETTINGS];
    SB_TRY(settings_of(run, list));
    for (int i = 0; i < SETTINGS; i++) {
        char recorded[256];
        SB_TRY(sb_h5_get_text(file, "config", list[i].name, recorded, sizeof recorded));
        if (!list[i].changes_results || strcmp(recorded, list[i].value) == 0) continue;
        return sb_fail(SB_E_USAGE, "%s: holds a run with %s '%s', not '%s'; choose another -o or remove it",
                       sb_h5_path(file), list[i].name, recorded, list[i].value);
    }
    return SB_OK;
}

sb_status sb_run_experiment(sb_run *run, sb_hash *experiment)
{
    setting list[SETTINGS];
    SB_TRY(settings_of(run, list));
    sb_hasher *hasher = sb_hasher_begin();
    if (!hasher) return sb_fail(SB_E_MEMORY, "%s: not enough memory", run->options->output);
    for (int i = 0; i < SETTINGS; i++)
        if (list[i].changes_results) sb_hasher_add(hasher, list[i].value, strlen(list[i].value) + 1);
    *experiment = sb_hasher_end(hasher);
    return SB_OK;
}
