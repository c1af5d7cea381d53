#include "core/command/options.h"
#include "datasets/convert/fpsi.h"
#include "datasets/fetch/fetch.h"
#include "datasets/fetch/list.h"
#include "datasets/verbs/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct values {
    const char *mirror, *cache, *list;
    bool only_mirror, offline;
    long retries;
    double delay_s, timeout_s, least_rate;
} values;

static const sb_option options[] = {
    SB_OPTION_TEXT(values, mirror, "--mirror", "DIR|URL", NULL, "folder or address to search first"),
    SB_OPTION_TEXT(values, list, "--list", "FILE", NULL,
                   "fetch packages from this list, such as containers/packages.lock, not data sets"),
    SB_OPTION_FLAG(values, only_mirror, "--only-mirror", "use only the mirror"),
    SB_OPTION_FLAG(values, offline, "--offline", "use the cache and a --mirror folder, no network"),
    SB_OPTION_TEXT(values, cache, "--cache", "DIR", NULL, "cache folder; default: $SAMEBITS_CACHE, else 'cache'"),
    SB_OPTION_INT(values, retries, "--retries", "N", "4", 0, 20, "retries after a temporary failure"),
    SB_OPTION_REAL(values, delay_s, "--retry-delay", "SECONDS", "1", 0, 30,
                   "pause before the first retry; it doubles up to 30 s"),
    SB_OPTION_REAL(values, timeout_s, "--timeout", "SECONDS", "30", 1, 3600, "give up after this time without data"),
    SB_OPTION_REAL(values, least_rate, "--least-rate", "BYTES", "1000", 0, 1e9,
                   "give up below this number of bytes per second, on average over the timeout"),
    SB_OPTION_END,
};

/* How files come into that folder: from these addresses, after the mirror of the command line. */
static sb_fetch_options options_of(const values *v, const char *folder, const char *const address[], int n_addresses)
{
    sb_fetch_options how = {.folder = folder,
                            .offline = v->offline,
                            .has_substitute = v->list == NULL,
                            .retries = v->retries,
                            .delay_s = v->delay_s,
                            .timeout_s = v->timeout_s,
                            .least_rate = v->least_rate};
    int n = 0;
    if (v->mirror) how.mirror[n++] = v->mirror;
    for (int i = 0; i < n_addresses && !v->only_mirror; i++)
        if (address[i]) how.mirror[n++] = address[i];
    return how;
}

/* The files of a data set, or the files that words name, into CACHE/NAME. */
static sb_status fetch_files(const sb_catalog_entry *entry, const sb_arguments *words, const values *v)
{
    char folder[SB_PATH_MAX];
    bool chosen[SB_CATALOG_FILES];
    SB_TRY(sb_catalog_choose(entry, words, chosen));
    sb_catalog_folder(entry, v->cache, folder);
    const sb_fetch_options how = options_of(v, folder, entry->mirror, SB_CATALOG_MIRRORS);
    for (int i = 0; entry->file[i].name; i++) {
        sb_catalog_file file = entry->file[i];
        if (!chosen[i]) continue;
        if (v->only_mirror) file.address = NULL;
        SB_TRY(sb_fetch_file(&file, &how));
        printf("%s/%s\n", folder, file.name);
    }
    fprintf(stderr, "%s: complete; next: %s\n", entry->name, entry->next);
    return SB_OK;
}

/* The files of a package into CACHE/packages/PACKAGE. */
static sb_status fetch_package(const sb_listing *listing, const char *package, const values *v)
{
    char folder[SB_PATH_MAX];
    const sb_catalog_entry packages = {.name = "packages"};
    bool is_known = false;
    sb_catalog_folder(&packages, v->cache, folder);
    size_t used = strlen(folder);
    if (used + sizeof listing->item->package + 1 > sizeof folder) return sb_file_too_long(folder);
    snprintf(folder + used, sizeof folder - used, "/%s", package);
    for (size_t i = 0; i < listing->n; i++) {
        const sb_listed *file = &listing->item[i];
        const char *address = file->address;
        if (strcmp(file->package, package) != 0) continue;
        const sb_fetch_options how = options_of(v, folder, &address, 1);
        is_known = true;
        SB_TRY(sb_fetch_file(&(sb_catalog_file){.name = file->name, .n_bytes = file->n_bytes, .sha256 = file->sha256},
                             &how));
        printf("%s/%s\n", folder, file->name);
    }
    return is_known ? SB_OK : sb_fail(SB_E_USAGE, "%s: no package '%.64s'", v->list, package);
}

static sb_status fetch_listed(const sb_arguments *names, const values *v)
{
    sb_listing listing;
    SB_TRY(sb_listing_read(&listing, v->list));
    sb_status status = SB_OK;
    for (int i = 0; i < names->n && status == SB_OK; i++) status = fetch_package(&listing, names->item[i], v);
    sb_listing_free(&listing);
    return status;
}

static sb_status fetch(const sb_call *call)
{
    const values *v = call->values;
    const sb_catalog_entry *entry;
    if (v->only_mirror && !v->mirror) return sb_fail(SB_E_USAGE, "samebits-data fetch: --only-mirror wants a --mirror");
    if (v->list) return fetch_listed(&call->arguments, v);
    SB_TRY(sb_catalog_find(call->arguments.item[0], &entry));
    sb_arguments words = {.n = call->arguments.n - 1};
    for (int i = 0; i < words.n; i++) words.item[i] = call->arguments.item[i + 1];
    if (words.n && !entry->file->word)
        return sb_fail(SB_E_USAGE, "samebits-data fetch: wants one NAME, not also '%.64s'", words.item[0]);
    switch (entry->origin) {
    case SB_ORIGIN_NET:
        return fetch_files(entry, &words, v);
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
    .summary = "download the files of a data set, or listed packages, into the cache and check them",
    .arguments = "NAME...",
    .options = options,
    .values_bytes = sizeof(values),
    .min_arguments = 1,
    .max_arguments = 16,
    .epilogue =
        "Prints the paths of the files. The same command continues an interrupted download.\n"
        "'samebits-data list' prints the names. Of 'public', words after the name choose files: fetch public all\n",
    .run = fetch,
};
