#include "paper/exchange/exchange.h"

#include "core/text/csv.h"
#include "io/columns.h"
#include "io/sums.h"
#include "paper/files/output.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TOP "samebits-results"

/* -- packing -- */

static sb_status add_file(sb_archive *archive, const char *folder, const char *file, bool needed)
{
    char path[SB_PATH_MAX], *content;
    size_t n_bytes;
    SB_TRY(sb_path_join(path, folder, "%s", file));
    if (!needed && !sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_file_read(path, &content, &n_bytes));
    return sb_archive_add(archive, file, content, n_bytes);
}

/* The machines, if a run file is here; what came with results that were unpacked is a file next to them already. */
static sb_status add_environment(sb_archive *archive, const sb_machine_facts *facts)
{
    char *text;
    size_t n_bytes;
    if (facts->n_runs == 0) return SB_OK;
    sb_writer *csv = sb_writer_open(&sb_csv);
    sb_status status = sb_machine_facts_write(csv, facts);
    if (status != SB_OK) {
        sb_writer_drop(csv);
        return status;
    }
    SB_TRY(sb_writer_close(csv, SB_ENVIRONMENT_FILE, &text, &n_bytes));
    return sb_archive_add(archive, SB_ENVIRONMENT_FILE, text, n_bytes);
}

static sb_status add_sums(sb_archive *archive)
{
    char *text;
    size_t n_bytes;
    sb_writer *list = sb_writer_open(&sb_lines);
    for (size_t i = 0; i < archive->n; i++)
        sb_sums_write(list, archive->file[i].name, archive->file[i].content, archive->file[i].n_bytes);
    SB_TRY(sb_writer_close(list, SB_SUMS_FILE, &text, &n_bytes));
    return sb_archive_add(archive, SB_SUMS_FILE, text, n_bytes);
}

static sb_status add_tables(sb_archive *archive, const char *folder, sb_table_need need)
{
    for (const sb_columns *const *t = sb_columns_all; *t; t++)
        if ((*t)->need == need && !sb_archive_find(archive, (*t)->file))
            SB_TRY(add_file(archive, folder, (*t)->file, need == SB_TABLE_NEEDED));
    return SB_OK;
}

static sb_status fill(sb_archive *archive, const sb_exchanged *results)
{
    SB_TRY(add_tables(archive, results->folder, SB_TABLE_NEEDED));
    SB_TRY(add_environment(archive, results->facts));
    SB_TRY(add_tables(archive, results->folder, SB_TABLE_OPTIONAL));
    SB_TRY(add_file(archive, results->folder, SB_COLLECTED_CLAIMS, false));
    SB_TRY(sb_crate_add(archive, results));
    return add_sums(archive);
}

sb_status sb_exchange_pack(const sb_exchanged *results, const char *path)
{
    SB_OWNED(sb_archive_free) sb_archive archive = {0};
    SB_TRY(fill(&archive, results));
    return sb_archive_write(&archive, path, TOP);
}

/* -- unpacking -- */

/* SB_OK: the folder's file is the one that the sums name. */
static sb_status check_file(const sb_sums *sums, const char *folder, const char *name)
{
    char path[SB_PATH_MAX], digest[SB_SHA256_TEXT];
    const char *wanted = sb_sums_find(sums, name);
    if (!wanted) return sb_fail(SB_E_INTEGRITY, "holds '%s', which its " SB_SUMS_FILE " does not name", name);
    SB_TRY(sb_path_join(path, folder, "%s", name));
    SB_TRY(sb_sha256_file(path, digest));
    if (strcmp(digest, wanted) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s was changed; its SHA-256 is not the one in " SB_SUMS_FILE, name);
}

/* A name from outside is only compared with those that were unpacked, never opened. */
static sb_status check_present(char *const *names, size_t n, const char *wanted, const char *why)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], wanted) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "holds no %s%s", wanted, why);
}

/* Files and sums are the same, none is missing, and every digest holds. */
static sb_status check_names(const sb_sums *sums, const char *folder, char *const *names, size_t n)
{
    for (const sb_columns *const *t = sb_columns_all; *t; t++)
        if ((*t)->need == SB_TABLE_NEEDED) SB_TRY(check_present(names, n, (*t)->file, ""));
    for (size_t i = 0; i < sums->n; i++)
        SB_TRY(check_present(names, n, sums->item[i].name, ", which its " SB_SUMS_FILE " names"));
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], SB_SUMS_FILE) != 0) SB_TRY(check_file(sums, folder, names[i]));
    return SB_OK;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static sb_status check_sums(const sb_sums *sums, const char *folder)
{
    struct dirent **entry;
    char *names[SB_ARCHIVE_FILES];
    int n = scandir(folder, &entry, is_visible, alphasort);
    if (n < 0) return sb_fail(SB_E_IO, "%s", strerror(errno));
    for (int i = 0; i < n && i < SB_ARCHIVE_FILES; i++) names[i] = entry[i]->d_name;
    sb_status status = n <= SB_ARCHIVE_FILES ? check_names(sums, folder, names, (size_t)n)
                                             : sb_fail(SB_E_INTEGRITY, "holds too many files");
    for (int i = 0; i < n; i++) free(entry[i]);
    free(entry);
    return status;
}

static sb_status check(const char *folder)
{
    char path[SB_PATH_MAX];
    SB_FREED char *text = NULL;
    SB_OWNED(sb_sums_free) sb_sums sums = {0};
    size_t n_bytes;
    SB_TRY(sb_path_join(path, folder, "%s", SB_SUMS_FILE));
    if (!sb_file_exists(path)) return sb_fail(SB_E_INTEGRITY, "holds no " SB_SUMS_FILE);
    SB_TRY(sb_file_read(path, &text, &n_bytes));
    SB_TRY(sb_sums_parse(&sums, text, n_bytes, SB_SUMS_FILE));
    return check_sums(&sums, folder);
}

sb_status sb_exchange_unpack(const char *path, const char *folder)
{
    static const sb_archive_rules rules = {.top = TOP,
                                           .what = "bundle of results",
                                           .kind = SB_SEAL_RESULTS,
                                           .may_be_gzipped = true,
                                           .n_entries_max = SB_ARCHIVE_FILES,
                                           .n_bytes_max = SB_ARCHIVE_BYTES,
                                           .check = check};
    return sb_archive_unpack(path, &rules, folder);
}

/* -- either -- */

sb_status sb_exchange_open(sb_exchange *exchange, const char *path)
{
    struct stat about;
    *exchange = (sb_exchange){0};
    if (stat(path, &about) != 0 || S_ISDIR(about.st_mode)) {
        snprintf(exchange->folder, sizeof exchange->folder, "%s", path);
        return SB_OK;
    }
    SB_TRY(sb_folder_temporary(exchange->temporary, sizeof exchange->temporary));
    snprintf(exchange->folder, sizeof exchange->folder, "%.4000s/" TOP, exchange->temporary);
    sb_status status = sb_exchange_unpack(path, exchange->folder);
    if (status != SB_OK) sb_exchange_close(exchange);
    return status;
}

void sb_exchange_close(sb_exchange *exchange)
{
    if (*exchange->temporary) sb_folder_remove(exchange->temporary);
    *exchange = (sb_exchange){0};
}
