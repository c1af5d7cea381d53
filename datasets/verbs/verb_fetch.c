#include "core/command/options.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/status.h"
#include "core/text/text.h"
#include "datasets/convert/fpsi.h"
#include "datasets/fetch/fetch.h"
#include "datasets/verbs/verbs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of files by their checksums: what samebits-data fetches although it is no data set, such as the packages of
 * container images. A line each, with blanks between its words; # begins a comment, and empty lines count for nothing:
 *
 *     PACKAGE BYTES SHA256 FILE ADDRESS
 *
 * PACKAGE  a name; the files of a package are the lines that begin with it
 * FILE     its name: letters, digits, and . _ + ~ -
 * ADDRESS  of the folder that has the file, with the / at its end: https://.../
 */

typedef struct sb_listed {
    char package[64], sha256[SB_SHA256_TEXT], name[256], address[512];
    int64_t n_bytes;
} sb_listed;

typedef struct sb_listing {
    size_t n;
    sb_listed *item; /* in the order of the file */
} sb_listing;

enum { WORDS = 5 };

static bool is_file_name(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+~-";
    return *text != '.' && *text != '-' && strspn(text, allowed) == strlen(text);
}

static bool is_address(const char *text)
{
    size_t n = strlen(text);
    return (strncmp(text, "https://", 8) == 0 || strncmp(text, "http://", 7) == 0) && text[n - 1] == '/';
}

/* What a line's words say; NULL, or what is wrong with them. */
static const char *read_words(sb_listed *file, char *const word[WORDS])
{
    long n_bytes;
    if (!sb_text_is_name(word[0])) return "PACKAGE wants a name";
    if (!sb_parse_int(word[1], 1, 1e15, &n_bytes)) return "BYTES wants a whole number";
    if (strlen(word[2]) != SB_SHA256_TEXT - 1 || strspn(word[2], "0123456789abcdef") != SB_SHA256_TEXT - 1)
        return "SHA256 wants 64 hex digits";
    if (!is_file_name(word[3]) || strlen(word[3]) >= sizeof file->name) return "FILE wants the name of a file";
    if (!is_address(word[4]) || strlen(word[4]) >= sizeof file->address) return "ADDRESS wants https://.../";
    file->n_bytes = n_bytes;
    snprintf(file->package, sizeof file->package, "%s", word[0]);
    snprintf(file->sha256, sizeof file->sha256, "%s", word[2]);
    snprintf(file->name, sizeof file->name, "%s", word[3]);
    snprintf(file->address, sizeof file->address, "%s", word[4]);
    return NULL;
}

/* Add what a line says, nothing if it says nothing; NULL, or what is wrong with it. */
static const char *add_line(sb_listing *listing, char *line)
{
    char *word[WORDS + 1];
    int n = 0;
    line[strcspn(line, "#")] = 0;
    for (char *rest = line; n <= WORDS && (word[n] = strtok_r(rest, " \t\r", &rest)); n++) continue;
    if (n == 0) return NULL;
    if (n != WORDS) return "wants PACKAGE BYTES SHA256 FILE ADDRESS";
    sb_listed *grown = realloc(listing->item, (listing->n + 1) * sizeof *grown);
    if (!grown) return "not enough memory";
    listing->item = grown;
    return read_words(&grown[listing->n++], word);
}

static void listing_free(sb_listing *listing)
{
    free(listing->item);
    *listing = (sb_listing){0};
}

/* Read and check. SB_E_USAGE: no such file; SB_E_INTEGRITY: "PATH:LINE: ...". A failed call leaves nothing to free. */
static sb_status listing_read(sb_listing *listing, const char *path)
{
    char *text;
    *listing = (sb_listing){0};
    if (!sb_file_exists(path)) return sb_fail(SB_E_USAGE, "%s: no such file", path);
    SB_TRY(sb_file_read(path, &text, NULL));
    const char *wrong = NULL;
    long number = 0;
    for (char *line = text; line && !wrong; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        wrong = add_line(listing, line);
        line = end ? end + 1 : NULL;
    }
    free(text);
    if (!wrong) return SB_OK;
    listing_free(listing);
    return sb_fail(SB_E_INTEGRITY, "%s:%ld: %s", path, number, wrong);
}

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
    SB_TRY(listing_read(&listing, v->list));
    sb_status status = SB_OK;
    for (int i = 0; i < names->n && status == SB_OK; i++) status = fetch_package(&listing, names->item[i], v);
    listing_free(&listing);
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
