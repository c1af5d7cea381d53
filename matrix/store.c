#define _POSIX_C_SOURCE 200809L
#include "store.h"

#include "lock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_store_locate(sb_store *store, const char *results, const sb_cell *cell)
{
    const int shown = SB_CELL_HASH_SHOWN;
    size_t length = strlen(results) + strlen("/runs/") + strlen(cell->name) + 1 + (size_t)shown;
    if (length + strlen(".corrupt.h5.part") >= SB_PATH_MAX)
        return sb_fail(SB_E_USAGE, "%.80s...: too long a path for results", results);
    snprintf(store->folder, sizeof store->folder, "%s/runs/%s", results, cell->name);
    snprintf(store->run, sizeof store->run, "%s/runs/%s/%.*s.h5", results, cell->name, shown, cell->hash);
    snprintf(store->log, sizeof store->log, "%s/runs/%s/%.*s.log", results, cell->name, shown, cell->hash);
    snprintf(store->failed, sizeof store->failed, "%s/runs/%s/%.*s.failed", results, cell->name, shown, cell->hash);
    snprintf(store->lock, sizeof store->lock, "%s/runs/%s/%.*s.lock", results, cell->name, shown, cell->hash);
    store->relative = strlen(results) + 1;
    return SB_OK;
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

static sb_status open_run(const sb_store *store, sb_h5 **file)
{
    if (!sb_file_exists(store->run)) return sb_fail(SB_E_EMPTY, "%s: not there", store->run);
    return sb_h5_open(file, store->run);
}

sb_status sb_store_check(const sb_store *store, const sb_cell *cell)
{
    sb_h5 *file;
    SB_TRY(open_run(store, &file));
    sb_status status = sb_runfile_check(file);
    if (status == SB_OK) status = check_record(file, cell);
    sb_h5_close(file);
    return status;
}

sb_status sb_store_open(const sb_store *store, const sb_cell *cell, sb_run_summary *summary, sb_h5 **file)
{
    SB_TRY(open_run(store, file));
    sb_status status = sb_runfile_summary(*file, summary);
    if (status == SB_OK) status = check_record(*file, cell);
    if (status == SB_OK) return SB_OK;
    sb_h5_close(*file);
    *file = NULL;
    return status;
}

const char *sb_state_word(sb_state state)
{
    static const char *const words[SB_STATE_N] = {"complete", "running", "failed",
                                                  "stale",    "missing", "hardware missing"};
    return words[state];
}

/* Is a run file of another record in the cell's folder? Its name is then eight other digits. */
static bool has_other_run(const sb_store *store)
{
    const char *own = strrchr(store->run, '/') + 1;
    DIR *folder = opendir(store->folder);
    bool found = false;
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));)
        found = strlen(entry->d_name) == SB_CELL_HASH_SHOWN + strlen(".h5") &&
                strcmp(entry->d_name + SB_CELL_HASH_SHOWN, ".h5") == 0 && strcmp(entry->d_name, own) != 0;
    if (folder) closedir(folder);
    return found;
}

static void read_reason(const char *path, char why[SB_WHY])
{
    char *text;
    if (sb_file_read(path, &text, NULL) != SB_OK) return;
    snprintf(why, SB_WHY, "%.*s", (int)strcspn(text, "\n"), text);
    free(text);
}

sb_state sb_store_state(const char *results, const sb_cell *cell, char why[SB_WHY])
{
    sb_store store;
    *why = 0;
    if (sb_store_locate(&store, results, cell) != SB_OK) return SB_STATE_MISSING;
    sb_status run = sb_store_check(&store, cell);
    if (run == SB_OK) return SB_STATE_COMPLETE;
    if (run != SB_E_EMPTY) snprintf(why, SB_WHY, "%.*s", SB_WHY - 1, sb_message());
    if (sb_lock_is_held(store.lock)) return SB_STATE_RUNNING;
    if (cell->evidence == SB_ABSENT) {
        snprintf(why, SB_WHY, "%s", cell->why);
        return SB_STATE_HARDWARE_MISSING;
    }
    if (sb_file_exists(store.failed)) {
        read_reason(store.failed, why);
        return SB_STATE_FAILED;
    }
    if (run != SB_E_EMPTY) return SB_STATE_FAILED;
    if (sb_file_exists(store.run)) {
        snprintf(why, SB_WHY, "begun, to be continued");
        return SB_STATE_MISSING;
    }
    return has_other_run(&store) ? SB_STATE_STALE : SB_STATE_MISSING;
}
