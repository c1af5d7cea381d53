#include "matrix/store/store.h"

#include "matrix/data/data_source.h"
#include "matrix/process/process.h"
#include "matrix/store/program.h"

#include "core/machine/guard.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sb_status locate(sb_store *store, const char *results, const sb_cell *cell, const char *attempt)
{
    const bool is_command = cell->study->command;
    const char *ending = sb_cell_program_of(cell)->ending;
    struct {
        char *path;
        const char *ending;
    } files[] = {
        {store->run, ending},
        {store->log, "log"},
        {store->failed, "failed"},
        {store->lock, "lock"},
        {store->ok, "ok"},
        {store->journal, "h5.journal"},
        {store->output, is_command ? sb_output_name(sb_command_output(cell->study)) : ending},
        {store->kept, "folder"},
    };
    char stem[SB_PATH_MAX];
    int length =
        snprintf(stem, sizeof stem, "%s/runs/%s/%.*s%s", results, cell->name, SB_CELL_HASH_SHOWN, cell->hash, attempt);
    if (length + strlen(".corrupt.result.part") >= SB_PATH_MAX) return sb_file_too_long(results);
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

/* Is there a stamp for this very file? */
static bool find_stamp(const sb_store *store, const sb_cell *cell, const sb_file_identity *file, sb_stamps *stamps,
                       sb_stamp *stamp)
{
    const sb_stamp *known = sb_stamps_find(stamps, cell->hash);
    if (known && sb_stamp_is_of(known, file)) return *stamp = *known, true;
    if (!sb_stamp_read(stamp, store->ok) || !sb_stamp_is_of(stamp, file) || strcmp(stamp->hash, cell->hash) != 0)
        return false;
    sb_stamps_keep(stamps, stamp);
    return true;
}

typedef struct subject {
    const sb_store *store;
    const sb_cell *cell;
} subject;

/* Read the whole file, and remember what it holds: of the file that was there before it was opened, so that the stamp of
 * one that was replaced meanwhile counts for neither. */
static sb_status check_whole(void *context, void *result)
{
    const subject *s = context;
    sb_stamp *stamp = result;
    SB_TRY(sb_cell_program_of(s->cell)->check(s->store, s->cell, stamp));
    snprintf(stamp->hash, sizeof stamp->hash, "%s", s->cell->hash);
    sb_stamp_write(stamp, s->store->ok);
    return SB_OK;
}

/* Is it a checkpoint, by its first bytes? The trainer that resumes from it checks all of it. */
static bool is_begun(const sb_store *store, sb_store_trust trust)
{
    sb_seal seal;
    return trust == SB_TRUST_STAMP && sb_seal_peek(store->run, &seal) && seal.kind == SB_SEAL_CHECKPOINT;
}

/* *was_stamped: it was read in full before, and not now. */
static sb_status check(const sb_store *store, const sb_cell *cell, sb_store_trust trust, sb_stamps *stamps,
                       sb_stamp *stamp, bool *was_stamped)
{
    sb_file_identity file;
    *stamp = (sb_stamp){0};
    *was_stamped = false;
    if (!sb_stamp_identify(&file, store->run)) return sb_fail(SB_E_EMPTY, "%s: not there", store->run);
    *was_stamped = trust != SB_TRUST_NONE && find_stamp(store, cell, &file, stamps, stamp);
    if (*was_stamped) return SB_OK;
    if (is_begun(store, trust)) return sb_fail(SB_E_EMPTY, "%s: not finished", store->run);
    subject s = {store, cell};
    *stamp = (sb_stamp){.file = file};
    SB_TRY(sb_guard_call(check_whole, &s, store->run, stamp, sizeof *stamp));
    sb_stamps_keep(stamps, stamp);
    return SB_OK;
}

sb_status sb_store_check(const sb_store *store, const sb_cell *cell, sb_store_trust trust, sb_stamps *stamps,
                         sb_stamp *stamp)
{
    bool was_stamped;
    return check(store, cell, trust, stamps, stamp, &was_stamped);
}

/* What is known of the file that is about to be opened: nothing, if it is not the one of the stamp any more. */
static unsigned known_of(const sb_store *store, sb_store_trust trust, const sb_stamp *stamp, bool was_stamped)
{
    sb_file_identity file;
    if (was_stamped) return trust == SB_TRUST_SEAL ? SB_SEAL_MET : SB_SEAL_CHECKED;
    return sb_stamp_identify(&file, store->run) && sb_stamp_is_of(stamp, &file) ? SB_SEAL_CHECKED : 0;
}

/* A stamp that speaks of other bytes goes. */
static void forget(const sb_store *store, const sb_cell *cell, sb_stamps *stamps)
{
    sb_stamps_drop(stamps, cell->hash);
    unlink(store->ok);
}

sb_status sb_store_open(const sb_store *store, const sb_cell *cell, sb_store_trust trust, sb_stamps *stamps,
                        sb_run_summary *summary, sb_h5 **file)
{
    sb_stamp stamp;
    bool was_stamped;
    SB_TRY(check(store, cell, trust, stamps, &stamp, &was_stamped));
    const unsigned known = known_of(store, trust, &stamp, was_stamped);
    sb_status status = sb_h5_open(file, store->run, SB_SEAL_RUN | SB_SEAL_OWN | SB_SEAL_AT_ONCE | known);
    if (status == SB_E_INTEGRITY) forget(store, cell, stamps);
    if (status != SB_OK) return status;
    status = sb_runfile_summary(*file, summary);
    if (status == SB_OK) return SB_OK;
    sb_h5_close(*file);
    *file = NULL;
    return status;
}

const char *sb_cell_state_word(sb_cell_state state)
{
    static const char *const argv[SB_STATE_N] = {"complete", "diverged", "running",      "failed",
                                                 "stale",    "missing",  "data missing", "hardware missing"};
    return argv[state];
}

sb_role sb_cell_state_role(sb_cell_state state)
{
    static const sb_role roles[SB_STATE_N] = {
        [SB_STATE_COMPLETE] = SB_ROLE_GOOD,      [SB_STATE_DIVERGED] = SB_ROLE_WARN,
        [SB_STATE_FAILED] = SB_ROLE_BAD,         [SB_STATE_STALE] = SB_ROLE_WARN,
        [SB_STATE_MISSING] = SB_ROLE_WARN,       [SB_STATE_HARDWARE_MISSING] = SB_ROLE_FAINT,
        [SB_STATE_DATA_MISSING] = SB_ROLE_FAINT,
    };
    return roles[state];
}

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* The run file of another record: its name is eight other digits. */
static bool is_other(const struct dirent *entry, const sb_store *store)
{
    const char *own = strrchr(store->run, '/') + 1;
    return strspn(entry->d_name, "0123456789abcdef") == SB_CELL_HASH_SHOWN &&
           strcmp(entry->d_name + SB_CELL_HASH_SHOWN, strrchr(own, '.')) == 0 && strcmp(entry->d_name, own) != 0;
}

bool sb_store_find_other(const sb_store *store, char path[SB_PATH_MAX])
{
    struct timespec newest = {0};
    DIR *folder = opendir(store->folder);
    *path = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat info;
        if (!is_other(entry, store)) continue;
        if (fstatat(dirfd(folder), entry->d_name, &info, 0) != 0) continue;
        if (*path && !is_later(info.st_mtim, newest)) continue;
        newest = info.st_mtim;
        snprintf(path, SB_PATH_MAX, "%.*s%s", (int)(strrchr(store->run, '/') + 1 - store->run), store->run,
                 entry->d_name);
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

/* What lies in a cell's folder: one listing instead of a question for each file, and for a cell that was never begun, an
 * answer that there is no folder. */
typedef struct listing {
    bool run, lock, failed, journal, other;
} listing;

static bool is_named(const struct dirent *entry, const char *path)
{
    return strcmp(entry->d_name, strrchr(path, '/') + 1) == 0;
}

static void list(listing *there, const sb_store *store)
{
    *there = (listing){0};
    DIR *folder = opendir(store->folder);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        there->run |= is_named(entry, store->run);
        there->lock |= is_named(entry, store->lock);
        there->failed |= is_named(entry, store->failed);
        there->journal |= is_named(entry, store->journal);
        there->other |= is_other(entry, store);
    }
    closedir(folder);
}

static sb_cell_state state_of(const sb_store *store, const sb_cell *cell, sb_store_trust trust, sb_stamps *stamps,
                              sb_store_look *look)
{
    listing there;
    sb_status run = sb_store_check(store, cell, trust, stamps, &look->stamp);
    if (run == SB_OK && look->stamp.diverged)
        snprintf(look->why, SB_WHY, "at update %lld", (long long)look->stamp.updates);
    if (run == SB_OK) return look->stamp.diverged ? SB_STATE_DIVERGED : SB_STATE_COMPLETE;
    look->is_damaged = run == SB_E_INTEGRITY;
    if (run != SB_E_EMPTY) snprintf(look->why, SB_WHY, "%.*s", SB_WHY - 1, sb_message());
    list(&there, store);
    look->has_journal = there.journal;
    if (there.lock && sb_lock_is_held(store->lock)) return SB_STATE_RUNNING;
    if (cell->evidence == SB_EVIDENCE_ABSENT) {
        snprintf(look->why, SB_WHY, "%s", cell->why);
        return SB_STATE_HARDWARE_MISSING;
    }
    if (there.failed) {
        read_reason(store->failed, look->why);
        return SB_STATE_FAILED;
    }
    if (run != SB_E_EMPTY) return SB_STATE_FAILED;
    if (there.run) {
        snprintf(look->why, SB_WHY, "begun, to be continued");
        return SB_STATE_MISSING;
    }
    return there.other ? SB_STATE_STALE : SB_STATE_MISSING;
}

/* Neighboring cells mostly have one data set, so that the last answer is kept. */
static bool lacks_data(sb_looker *looker, const sb_data_source *source)
{
    char text[SB_PATH_MAX + 64];
    if (looker->asked == source) return looker->lacks;
    looker->asked = source;
    looker->lacks = sb_data_source_find(source, looker->data, looker->mirror, text) == SB_DATA_SOURCE_WANTED;
    int used = snprintf(looker->why, SB_WHY, "the data set %.40s is ", source->name);
    snprintf(looker->why + used, (size_t)(SB_WHY - used), "%.*s", SB_WHY - used - 1, text);
    return looker->lacks;
}

void sb_look(sb_store_look *look, sb_looker *looker, const sb_cell *cell, sb_store_trust trust)
{
    sb_store store;
    *look = (sb_store_look){.state = SB_STATE_MISSING};
    if (sb_store_locate(&store, looker->results, cell) == SB_OK)
        look->state = state_of(&store, cell, trust, looker->stamps, look);
    if (look->state != SB_STATE_MISSING && look->state != SB_STATE_STALE) return;
    if (!cell->data || !lacks_data(looker, cell->data)) return;
    look->state = SB_STATE_DATA_MISSING;
    snprintf(look->why, sizeof look->why, "%s", looker->why);
}
