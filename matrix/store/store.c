#define _POSIX_C_SOURCE 200809L
#include "matrix/store/store.h"

#include "matrix/store/lock.h"

#include "core/guard.h"

#include "io/h5_attribute.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sb_status locate(sb_store *store, const char *results, const sb_cell *cell, const char *attempt)
{
    struct {
        char *path;
        const char *ending;
    } files[] = {
        {store->run, "h5"},    {store->log, "log"}, {store->failed, "failed"},
        {store->lock, "lock"}, {store->ok, "ok"},   {store->journal, "h5.journal"},
    };
    char stem[SB_PATH_MAX];
    int length =
        snprintf(stem, sizeof stem, "%s/runs/%s/%.*s%s", results, cell->name, SB_CELL_HASH_SHOWN, cell->hash, attempt);
    if (length + strlen(".corrupt.h5.part") >= SB_PATH_MAX) return sb_file_too_long(results);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        snprintf(files[i].path, SB_PATH_MAX, "%.*s.%s", length, stem, files[i].ending);
    snprintf(store->folder, sizeof store->folder, "%.*s", (int)(strrchr(stem, '/') - stem), stem);
    store->relative = strlen(results) + 1;
    return SB_OK;
}

sb_status sb_store_locate(sb_store *store, const char *results, const sb_cell *cell)
{
    return locate(store, results, cell, "");
}

sb_status sb_store_locate_again(sb_store *store, const char *results, const sb_cell *cell)
{
    return locate(store, results, cell, ".again");
}

static sb_status check_record(sb_h5 *file, const sb_cell *cell)
{
    char record[8192];
    SB_TRY(sb_h5_get_text(file, "meta", "record", record, sizeof record));
    if (strcmp(record, cell->record) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: holds the run of another cell; move it away and run this one again",
                       sb_h5_path(file));
    return SB_OK;
}

/* Read the whole file, and remember what it holds. */
static sb_status check_open(const sb_store *store, const sb_cell *cell, sb_h5 *file, sb_stamp *stamp)
{
    *stamp = (sb_stamp){0};
    SB_TRY(sb_runfile_check(file));
    SB_TRY(check_record(file, cell));
    SB_TRY(sb_h5_get_int(file, "final", "updates", &stamp->updates));
    SB_TRY(sb_h5_get_real(file, "final", "seconds", &stamp->seconds));
    if (sb_h5_has(file, "env", "cpu")) SB_TRY(sb_h5_get_text(file, "env", "cpu", stamp->cpu, sizeof stamp->cpu));
    snprintf(stamp->hash, sizeof stamp->hash, "%s", cell->hash);
    sb_stamp_write(stamp, store->ok, store->run);
    return SB_OK;
}

static bool is_stamped(const sb_store *store, const sb_cell *cell, sb_trust trust, sb_stamp *stamp)
{
    return trust != SB_TRUST_NONE && sb_stamp_read(stamp, store->ok, store->run) &&
           strcmp(stamp->hash, cell->hash) == 0;
}

/* A stamp that speaks of other bytes goes. */
static sb_status hold_against_seal(const sb_store *store)
{
    sb_status status = sb_seal_check(store->run, SB_SEAL_RUN, NULL);
    if (status == SB_E_INTEGRITY) unlink(store->ok);
    return status;
}

typedef struct subject {
    const sb_store *store;
    const sb_cell *cell;
} subject;

static sb_status check_whole(void *context, void *result)
{
    const subject *s = context;
    sb_h5 *file;
    SB_TRY(sb_h5_open(&file, s->store->run, SB_SEAL_RUNS));
    sb_run_sketches sketches = {0};
    sb_status status = check_open(s->store, s->cell, file, result);
    if (status == SB_OK) status = sb_runfile_sketches(file, &sketches); /* collect reads them, too */
    sb_run_sketches_free(&sketches);
    sb_h5_close(file);
    return status;
}

/* A checkpoint, as far as its first bytes say; whoever goes on from it reads it in full. */
static bool is_begun(const sb_store *store, sb_trust trust)
{
    sb_seal seal;
    return trust == SB_TRUST_STAMP && sb_seal_peek(store->run, &seal) && seal.kind == SB_SEAL_CHECKPOINT;
}

sb_status sb_store_check(const sb_store *store, const sb_cell *cell, sb_trust trust, sb_stamp *stamp)
{
    if (!sb_file_exists(store->run)) return sb_fail(SB_E_EMPTY, "%s: not there", store->run);
    if (is_stamped(store, cell, trust, stamp)) return trust == SB_TRUST_SEAL ? hold_against_seal(store) : SB_OK;
    if (is_begun(store, trust)) return sb_fail(SB_E_EMPTY, "%s: not finished", store->run);
    subject s = {store, cell};
    return sb_guard_call(check_whole, &s, store->run, stamp, sizeof *stamp);
}

sb_status sb_store_open(const sb_store *store, const sb_cell *cell, sb_trust trust, sb_run_summary *summary,
                        sb_h5 **file)
{
    sb_stamp stamp;
    SB_TRY(sb_store_check(store, cell, trust, &stamp));
    /* The stamp that was just found or left says that the file is still the one that was read. */
    const bool same = is_stamped(store, cell, SB_TRUST_STAMP, &stamp);
    SB_TRY(sb_h5_open(file, store->run, SB_SEAL_RUN | (same ? SB_SEAL_CHECKED : 0)));
    sb_status status = sb_runfile_summary(*file, summary);
    if (status == SB_OK) return SB_OK;
    sb_h5_close(*file);
    *file = NULL;
    return status;
}

const char *sb_cell_state_word(sb_cell_state state)
{
    static const char *const words[SB_STATE_N] = {"complete", "running",      "failed",          "stale",
                                                  "missing",  "data missing", "hardware missing"};
    return words[state];
}

sb_role sb_cell_state_role(sb_cell_state state)
{
    static const sb_role roles[SB_STATE_N] = {
        [SB_STATE_COMPLETE] = SB_ROLE_GOOD,
        [SB_STATE_FAILED] = SB_ROLE_BAD,
        [SB_STATE_STALE] = SB_ROLE_WARN,
        [SB_STATE_MISSING] = SB_ROLE_WARN,
        [SB_STATE_HARDWARE_MISSING] = SB_ROLE_FAINT,
        [SB_STATE_DATA_MISSING] = SB_ROLE_FAINT,
    };
    return roles[state];
}

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* Its name is then eight other digits. */
bool sb_store_find_other(const sb_store *store, char path[SB_PATH_MAX])
{
    const char *own = strrchr(store->run, '/') + 1;
    struct timespec newest = {0};
    DIR *folder = opendir(store->folder);
    *path = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat info;
        if (strspn(entry->d_name, "0123456789abcdef") != SB_CELL_HASH_SHOWN ||
            strcmp(entry->d_name + SB_CELL_HASH_SHOWN, ".h5") != 0 || strcmp(entry->d_name, own) == 0)
            continue;
        if (fstatat(dirfd(folder), entry->d_name, &info, 0) != 0) continue;
        if (*path && !is_later(info.st_mtim, newest)) continue;
        newest = info.st_mtim;
        snprintf(path, SB_PATH_MAX, "%.*s%s", (int)(own - store->run), store->run, entry->d_name);
    }
    if (folder) closedir(folder);
    return *path != 0;
}

static void read_reason(const char *path, char why[SB_WHY])
{
    char *text;
    if (sb_file_read(path, &text, NULL) != SB_OK) return;
    snprintf(why, SB_WHY, "%.*s", (int)strcspn(text, "\n"), text);
    free(text);
}

static sb_cell_state state_of(const sb_store *store, const sb_cell *cell, sb_trust trust, sb_store_look *look)
{
    char other[SB_PATH_MAX];
    sb_status run = sb_store_check(store, cell, trust, &look->stamp);
    if (run == SB_OK) return SB_STATE_COMPLETE;
    look->is_damaged = run == SB_E_INTEGRITY;
    if (run != SB_E_EMPTY) snprintf(look->why, SB_WHY, "%.*s", SB_WHY - 1, sb_message());
    if (sb_lock_is_held(store->lock)) return SB_STATE_RUNNING;
    if (cell->evidence == SB_EVIDENCE_ABSENT) {
        snprintf(look->why, SB_WHY, "%s", cell->why);
        return SB_STATE_HARDWARE_MISSING;
    }
    if (sb_file_exists(store->failed)) {
        read_reason(store->failed, look->why);
        return SB_STATE_FAILED;
    }
    if (run != SB_E_EMPTY) return SB_STATE_FAILED;
    if (sb_file_exists(store->run)) {
        snprintf(look->why, SB_WHY, "begun, to be continued");
        return SB_STATE_MISSING;
    }
    return sb_store_find_other(store, other) ? SB_STATE_STALE : SB_STATE_MISSING;
}

void sb_store_see(sb_store_look *look, const char *results, const sb_cell *cell, sb_trust trust)
{
    sb_store store;
    *look = (sb_store_look){.state = SB_STATE_MISSING};
    if (sb_store_locate(&store, results, cell) == SB_OK) look->state = state_of(&store, cell, trust, look);
}
