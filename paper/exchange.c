#define _XOPEN_SOURCE 700
#include "paper/exchange.h"

#include "io/sums.h"
#include "paper/archive.h"
#include "paper/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOP "samebits-results"

static const char *const needed[] = {"cells.csv", "curves.csv", "timing.csv", "coverage.csv"};
static const char *const optional[] = {"distances.csv", SB_ENVIRONMENT_FILE};
enum { N_NEEDED = sizeof needed / sizeof *needed, N_OPTIONAL = sizeof optional / sizeof *optional };

/* -- packing -- */

static sb_status add_file(sb_archive *archive, const char *folder, const char *name, bool is_needed)
{
    char path[SB_PATH_MAX], *content;
    size_t n_bytes;
    SB_TRY(sb_path_join(path, folder, "%s", name));
    if (!is_needed && !sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_file_read(path, &content, &n_bytes));
    return sb_archive_add(archive, name, content, n_bytes);
}

static sb_status end_text(sb_archive *archive, const char *name, FILE *out, char **text, const size_t *n_bytes)
{
    if (fclose(out) == 0) return sb_archive_add(archive, name, *text, *n_bytes);
    free(*text);
    return sb_fail(SB_E_MEMORY, "not enough memory for %s", name);
}

/* The machines, if a run file is here; what came with results that were unpacked is a file beside them already. */
static sb_status add_environment(sb_archive *archive, const sb_facts *facts)
{
    char *text;
    size_t n_bytes;
    if (facts->n_runs == 0) return SB_OK;
    FILE *out = open_memstream(&text, &n_bytes);
    if (!out) return sb_fail(SB_E_MEMORY, "not enough memory for the facts of the machines");
    sb_facts_write(out, facts);
    return end_text(archive, SB_ENVIRONMENT_FILE, out, &text, &n_bytes);
}

static sb_status add_sums(sb_archive *archive)
{
    char *text;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    if (!out) return sb_fail(SB_E_MEMORY, "not enough memory for the digests");
    for (size_t i = 0; i < archive->n; i++)
        sb_sums_write(out, archive->file[i].name, archive->file[i].content, archive->file[i].n_bytes);
    return end_text(archive, SB_SUMS_FILE, out, &text, &n_bytes);
}

static sb_status fill(sb_archive *archive, const char *folder, const sb_facts *facts)
{
    for (size_t i = 0; i < N_NEEDED; i++) SB_TRY(add_file(archive, folder, needed[i], true));
    SB_TRY(add_environment(archive, facts));
    for (size_t i = 0; i < N_OPTIONAL; i++)
        if (!sb_archive_find(archive, optional[i])) SB_TRY(add_file(archive, folder, optional[i], false));
    return add_sums(archive);
}

sb_status sb_exchange_pack(const char *folder, const sb_facts *facts, const char *path)
{
    sb_archive archive = {0};
    sb_status status = fill(&archive, folder, facts);
    if (status == SB_OK) status = sb_archive_write(&archive, path, TOP);
    sb_archive_free(&archive);
    return status;
}

/* -- unpacking -- */

/* The tables of sums and archive are the same, none is missing, and every digest holds. */
static sb_status check(const sb_archive *archive, const sb_sums *sums, const char *path)
{
    for (size_t i = 0; i < N_NEEDED; i++)
        if (!sb_archive_find(archive, needed[i])) return sb_fail(SB_E_INTEGRITY, "%s: holds no %s", path, needed[i]);
    for (size_t i = 0; i < sums->n; i++)
        if (!sb_archive_find(archive, sums->item[i].name))
            return sb_fail(SB_E_INTEGRITY, "%s: holds no %s, which its " SB_SUMS_FILE " names", path,
                           sums->item[i].name);
    for (size_t i = 0; i < archive->n; i++) {
        const sb_archive_file *file = &archive->file[i];
        char digest[SB_SHA256_TEXT];
        const char *wanted = sb_sums_find(sums, file->name);
        if (strcmp(file->name, SB_SUMS_FILE) == 0) continue;
        if (!wanted)
            return sb_fail(SB_E_INTEGRITY, "%s: holds '%s', which its " SB_SUMS_FILE " does not name", path,
                           file->name);
        sb_sha256_bytes(file->content, file->n_bytes, digest);
        if (strcmp(digest, wanted) != 0)
            return sb_fail(SB_E_INTEGRITY, "%s: %s was changed; its SHA-256 is not the one in " SB_SUMS_FILE, path,
                           file->name);
    }
    return SB_OK;
}

static sb_status check_sums(const sb_archive *archive, const char *path)
{
    const sb_archive_file *file = sb_archive_find(archive, SB_SUMS_FILE);
    if (!file) return sb_fail(SB_E_INTEGRITY, "%s: holds no " SB_SUMS_FILE, path);
    sb_sums sums;
    SB_TRY(sb_sums_parse(&sums, file->content, path));
    sb_status status = check(archive, &sums, path);
    sb_sums_free(&sums);
    return status;
}

/* A folder of plain files and nothing else: what write_files makes. */
static void remove_folder(const char *folder)
{
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));) unlinkat(dirfd(open), entry->d_name, 0);
    if (open) closedir(open);
    rmdir(folder);
}

static sb_status write_files(const sb_archive *archive, const char *folder)
{
    SB_TRY(sb_folder_make(folder));
    for (size_t i = 0; i < archive->n; i++) {
        char path[SB_PATH_MAX];
        SB_TRY(sb_path_join(path, folder, "%s", archive->file[i].name));
        SB_TRY(sb_file_write(path, archive->file[i].content, archive->file[i].n_bytes));
    }
    return SB_OK;
}

static sb_status read_checked(sb_archive *archive, const char *path)
{
    SB_TRY(sb_archive_read(archive, path, TOP));
    sb_status status = check_sums(archive, path);
    if (status != SB_OK) sb_archive_free(archive);
    return status;
}

sb_status sb_exchange_unpack(const char *path, const char *folder)
{
    char part[SB_PATH_MAX];
    sb_archive archive;
    if (strlen(folder) + sizeof ".part" > SB_PATH_MAX)
        return sb_fail(SB_E_USAGE, "%.60s...: this path is too long", folder);
    if (sb_file_exists(folder)) return sb_fail(SB_E_USAGE, "%s: is there already; -o wants a new folder", folder);
    SB_TRY(read_checked(&archive, path));
    sb_file_part(folder, part);
    remove_folder(part);
    sb_status status = write_files(&archive, part);
    if (status == SB_OK && rename(part, folder) != 0) status = sb_fail(SB_E_IO, "%s: %s", folder, strerror(errno));
    if (status != SB_OK) remove_folder(part);
    sb_archive_free(&archive);
    return status;
}

/* -- either -- */

sb_status sb_exchange_open(sb_exchange *exchange, const char *path)
{
    struct stat about;
    sb_archive archive;
    *exchange = (sb_exchange){0};
    if (stat(path, &about) != 0 || S_ISDIR(about.st_mode)) {
        snprintf(exchange->folder, sizeof exchange->folder, "%s", path);
        return SB_OK;
    }
    SB_TRY(read_checked(&archive, path));
    const char *temporary = getenv("TMPDIR");
    snprintf(exchange->folder, sizeof exchange->folder, "%.4000s/samebits-XXXXXX", temporary ? temporary : "/tmp");
    sb_status status = SB_OK;
    if (mkdtemp(exchange->folder))
        exchange->unpacked = true;
    else
        status = sb_fail(SB_E_IO, "%s: %s", exchange->folder, strerror(errno));
    if (status == SB_OK) status = write_files(&archive, exchange->folder);
    sb_archive_free(&archive);
    if (status != SB_OK) sb_exchange_close(exchange);
    return status;
}

void sb_exchange_close(sb_exchange *exchange)
{
    if (exchange->unpacked) remove_folder(exchange->folder);
    *exchange = (sb_exchange){0};
}
