#include "core/options.h"
#include "datasets/convert/fpsi.h"
#include "datasets/fetch/fetch.h"
#include "datasets/verbs/verbs.h"

#include <stdio.h>

typedef struct values {
    const char *mirror, *cache;
    bool only_mirror, offline;
    long retries;
    double delay_s, timeout_s, least_rate;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, mirror, "--mirror", "DIR|URL", NULL,
                   "look here first: a folder or an address with the files"),
    SB_OPTION_FLAG(values, only_mirror, "--only-mirror", "look nowhere else"),
    SB_OPTION_FLAG(values, offline, "--offline", "use the cache and a --mirror folder, never the net"),
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "the cache; else $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_INT(values, retries, "--retries", "N", "4", 0, 20, "further attempts at an address that fails for now"),
    SB_OPTION_REAL(values, delay_s, "--retry-delay", "SECONDS", "1", 0, 30,
                   "pause before the first; doubles, up to 30 s"),
    SB_OPTION_REAL(values, timeout_s, "--timeout", "SECONDS", "30", 1, 3600, "a server silent for so long has stopped"),
    SB_OPTION_REAL(values, least_rate, "--least-rate", "BYTES", "1000", 0, 1e9,
                   "so has one that sends fewer a second, over that time on average"),
    SB_OPTION_END,
};

static sb_status fetch_all(const sb_catalog_entry *entry, const values *v)
{
    char folder[SB_PATH_MAX];
    sb_catalog_folder(entry, v->cache, folder);
    sb_fetch_options how = {.folder = folder,
                            .offline = v->offline,
                            .retries = v->retries,
                            .delay_s = v->delay_s,
                            .timeout_s = v->timeout_s,
                            .least_rate = v->least_rate};
    int n = 0;
    if (v->mirror) how.mirror[n++] = v->mirror;
    for (int i = 0; i < SB_CATALOG_MIRRORS && !v->only_mirror; i++)
        if (entry->mirror[i]) how.mirror[n++] = entry->mirror[i];
    for (const sb_catalog_file *file = entry->file; file->name; file++) {
        SB_TRY(sb_fetch_file(file, &how));
        printf("%s/%s\n", folder, file->name);
    }
    fprintf(stderr, "%s: complete; next: %s\n", entry->name, entry->next);
    return SB_OK;
}

static sb_status fetch(const sb_call *call)
{
    const values *v = call->values;
    const sb_catalog_entry *entry;
    SB_TRY(sb_catalog_find(call->arguments.item[0], &entry));
    if (v->only_mirror && !v->mirror) return sb_fail(SB_E_USAGE, "samebits-data fetch: --only-mirror wants a --mirror");
    switch (entry->origin) {
    case SB_ORIGIN_NET:
        return fetch_all(entry, v);
    case SB_ORIGIN_FOLDER:
        return sb_fpsi_explain(NULL);
    case SB_ORIGIN_SYNTH:
        break;
    }
    return sb_fail(SB_E_USAGE, "samebits-data fetch: %s is made, not fetched: '%s'", entry->name, entry->next);
}

const sb_command sb_verb_fetch = {
    .program = "samebits-data",
    .verb = "fetch",
    .summary = "bring a data set's files into the cache, checked",
    .arguments = "NAME",
    .options = options,
    .values_bytes = sizeof(values),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "Prints the paths of the files. A fetch that broke off goes on where it stopped.\n"
                "'samebits-data list' shows the names.\n",
    .run = fetch,
};
