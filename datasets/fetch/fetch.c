#include "datasets/fetch/fetch.h"

#include "core/file_lock.h"
#include "core/machine/interrupt.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { URL_MAX = 3 * SB_PATH_MAX, DELAY_MAX_S = 30 };

/* One file on its way: PATH.part, open and locked for the whole time. */
typedef struct job {
    const sb_catalog_file *wanted;
    const sb_fetch_options *options;
    char path[SB_PATH_MAX], part[SB_PATH_MAX];
    FILE *file;
    bool is_locked;
    char sha256[SB_SHA256_TEXT]; /* of the part when it is whole */
} job;

static sb_status open_part(job *j)
{
    int fd;
    switch (sb_file_lock_open(&fd, j->part, 0)) {
    case SB_LOCK_BUSY:
        return sb_fail(SB_E_IO, "%s: another samebits-data is fetching it; wait for that one", j->part);
    case SB_LOCK_FAILED:
        return sb_fail(SB_E_IO, "%s: %s", j->part, strerror(errno));
    case SB_LOCK_NONE:
        sb_file_lock_note(j->part, "do not fetch this file by two processes at a time");
        break;
    case SB_LOCK_TAKEN:
        j->is_locked = true;
    }
    j->file = fdopen(fd, "r+b");
    if (j->file) return SB_OK;
    close(fd);
    return sb_fail(SB_E_IO, "%s: %s", j->part, strerror(errno));
}

static sb_status empty_part(job *j)
{
    rewind(j->file);
    return ftruncate(fileno(j->file), 0) == 0 ? SB_OK : sb_fail(SB_E_IO, "%s: %s", j->part, strerror(errno));
}

/* Hash what is there already, and continue after it. A part that is too long is of no use and emptied. */
static sb_status read_part(job *j, sb_download *download)
{
    uint8_t block[1 << 16];
    size_t n_bytes;
    rewind(j->file);
    download->n_there = 0;
    while ((n_bytes = fread(block, 1, sizeof block, j->file)) > 0) {
        download->n_there += (int64_t)n_bytes;
        if (download->n_there > j->wanted->n_bytes) {
            download->n_there = 0;
            return empty_part(j);
        }
        sb_sha256_add(download->hash, block, n_bytes);
    }
    if (ferror(j->file)) return sb_fail(SB_E_IO, "%s: %s", j->part, strerror(errno));
    fseeko(j->file, 0, SEEK_END); /* between reading and writing, as stdio wants it */
    return SB_OK;
}

/* One attempt, with what the part holds. *resumed: it did not begin at 0. */
static sb_download_end attempt(job *j, const char *url, bool *resumed, sb_status *status)
{
    sb_download download = {
        .url = url,
        .path = j->path,
        .file = j->file,
        .hash = sb_sha256_begin(),
        .n_wanted = j->wanted->n_bytes,
        .timeout_s = j->options->timeout_s,
        .least_rate = j->options->least_rate,
    };
    if (!download.hash) {
        *status = sb_fail(SB_E_MEMORY, "%s: not enough memory", j->path);
        return SB_DOWNLOAD_STOP;
    }
    sb_download_end end = SB_DOWNLOAD_STOP;
    *status = read_part(j, &download);
    *resumed = download.n_there > 0;
    if (*status == SB_OK)
        end = download.n_there == download.n_wanted ? SB_DOWNLOAD_DONE : sb_download_run(&download, status);
    sb_sha256_end(download.hash, j->sha256);
    if (end != SB_DOWNLOAD_DONE || strcmp(j->sha256, j->wanted->sha256) == 0) return end;
    *status = sb_fail(SB_E_INTEGRITY, "%s: its sha256 is %s, %s expected: another file, removed", url, j->sha256,
                      j->wanted->sha256);
    return SB_DOWNLOAD_WRONG;
}

/* Sleep before attempt number n; ends early when interrupted. */
static void pause_before(double delay_s, long n)
{
    for (; n > 1 && delay_s < DELAY_MAX_S; n--) delay_s *= 2;
    if (delay_s > DELAY_MAX_S) delay_s = DELAY_MAX_S;
    struct timespec time = {(time_t)delay_s, (long)((delay_s - (double)(time_t)delay_s) * 1e9)};
    nanosleep(&time, NULL);
}

/* All attempts at one address. *stop: other addresses would not help. */
static sb_status try_address(job *j, const char *url, bool *stop)
{
    sb_status status;
    bool resumed;
    for (long n_retries = 0;;) {
        sb_download_end end = attempt(j, url, &resumed, &status);
        *stop = end == SB_DOWNLOAD_STOP;
        if (end == SB_DOWNLOAD_DONE || *stop) return status;
        if (end == SB_DOWNLOAD_RESTART || end == SB_DOWNLOAD_WRONG) {
            *stop = empty_part(j) != SB_OK;
            if (*stop) return SB_E_IO;
            if (resumed) continue; /* the bytes from before may have been the wrong ones */
        }
        if (end != SB_DOWNLOAD_AGAIN || n_retries == j->options->retries) return status;
        n_retries++;
        fprintf(stderr, "%s; attempt %ld of %ld follows\n", sb_message(), n_retries + 1, j->options->retries + 1);
        pause_before(j->options->delay_s, n_retries);
        if (sb_interrupt_signal()) {
            *stop = true;
            return sb_fail(SB_E_INTERRUPTED, "%s: interrupted; the same command continues", j->path);
        }
    }
}

/* The address of attempt i: the mirrors in order, then the file's own. *url is empty where there are no more. */
static sb_status address_of(const job *j, int i, char url[URL_MAX])
{
    const sb_fetch_options *options = j->options;
    int n = 0;
    while (n < SB_FETCH_MIRRORS && options->mirror[n]) n++;
    *url = 0;
    if (i < n) return sb_download_address(options->mirror[i], j->wanted->name, url, URL_MAX);
    if (i == n && j->wanted->address) snprintf(url, URL_MAX, "%s", j->wanted->address);
    return SB_OK;
}

static sb_status try_mirrors(job *j)
{
    const sb_fetch_options *options = j->options;
    char url[URL_MAX], first[512] = "";
    sb_status status = SB_E_MISSING, worst = SB_OK;
    bool stop = false;
    for (int i = 0; !stop; i++) {
        SB_TRY(address_of(j, i, url));
        if (!*url) break;
        if (options->offline && strncmp(url, "file://", 7) != 0) continue;
        if (worst != SB_OK) fprintf(stderr, "%s; next mirror\n", sb_message());
        status = try_address(j, url, &stop);
        if (status == SB_OK || stop) return status;
        /* Wrong content at one mirror weighs more than another that is out of reach. */
        if (worst != SB_E_INTEGRITY) {
            worst = status;
            snprintf(first, sizeof first, "%s", sb_message());
        }
    }
    if (worst == SB_OK)
        return sb_fail(SB_E_MISSING, "%s: not in the cache, and --offline forbids the net; give --mirror DIR%s",
                       j->path, options->has_substitute ? ", or run 'make demo', which needs no data set" : "");
    return sb_fail(worst, "%s; give --mirror DIR or --mirror URL to take it from elsewhere%s", first,
                   options->has_substitute ? ", or run 'make demo', which needs no network" : "");
}

/* Without a lock another process may have changed the part after these bytes were counted. */
static sb_status check_part(const job *j)
{
    char hex[SB_SHA256_TEXT];
    SB_TRY(sb_sha256_file(j->part, hex));
    if (strcmp(hex, j->wanted->sha256) == 0) return SB_OK;
    return sb_fail(SB_E_IO, "%s: another process wrote into it; run again when that one has ended", j->part);
}

/* Give the part its name, or leave what a later run can use, and nothing else. */
static sb_status close_part(job *j, sb_status status)
{
    fseeko(j->file, 0, SEEK_END);
    bool is_empty = ftello(j->file) == 0;
    bool disk_failed = ferror(j->file);
    if (fclose(j->file) != 0 && status == SB_OK) {
        disk_failed = true;
        status = sb_fail(SB_E_IO, "%s: cannot be written: %s", j->part, strerror(errno));
    }
    if (status == SB_OK && !j->is_locked) status = check_part(j);
    if (status == SB_OK) return sb_file_commit(j->path);
    if (is_empty || disk_failed) unlink(j->part);
    return status;
}

/* Is the file there, and is it the right one? A wrong one is removed and said. */
static sb_status look_into_cache(const job *j, bool *is_there)
{
    char hex[SB_SHA256_TEXT];
    *is_there = false;
    if (!sb_file_exists(j->path)) return SB_OK;
    SB_TRY(sb_sha256_file(j->path, hex));
    *is_there = strcmp(hex, j->wanted->sha256) == 0;
    if (*is_there) return SB_OK;
    fprintf(stderr, "%s: its sha256 is %s, %s expected: removed, fetched again\n", j->path, hex, j->wanted->sha256);
    return unlink(j->path) == 0 ? SB_OK : sb_fail(SB_E_IO, "%s: %s", j->path, strerror(errno));
}

sb_status sb_fetch_file(const sb_catalog_file *file, const sb_fetch_options *options)
{
    job j = {.wanted = file, .options = options};
    bool is_there;
    if (snprintf(j.path, sizeof j.path, "%s/%s", options->folder, file->name) + 6 > SB_PATH_MAX)
        return sb_file_too_long(options->folder);
    sb_file_part(j.path, j.part);
    SB_TRY(look_into_cache(&j, &is_there));
    if (is_there) return SB_OK;
    SB_TRY(sb_folder_make(options->folder));
    SB_TRY(open_part(&j));
    return close_part(&j, try_mirrors(&j));
}
