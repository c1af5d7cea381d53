#include "matrix/data/data_source.h"

#include "io/h5/h5.h"
#include "io/h5/h5_attribute.h"
#include "matrix/process/process.h"
#include "matrix/schema/matrix_schema.h"

#include "core/hash.h"
#include "core/machine/interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

sb_status sb_data_source_path(char path[SB_PATH_MAX], const sb_data_source *source, const char *folder)
{
    char digest[SB_SHA256_TEXT];
    SB_FREED char *text = NULL;
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    sb_argv_add_split(&argv, source->make);
    SB_TRY(sb_argv_check(&argv));
    if (!(text = sb_argv_text(&argv))) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_sha256_bytes(text, strlen(text), digest);
    if (snprintf(path, SB_PATH_MAX, "%s/%s-%.8s.h5", folder, source->name, digest) > SB_PATH_MAX - 16)
        return sb_file_too_long(folder);
    return SB_OK;
}

/* The folder of the mirror in which the sources lie, if there is one. Where they lie is not part of the record. */
static bool is_in_mirror(const sb_data_source *source, const char *mirror, char folder[SB_PATH_MAX])
{
    if (!source->from || !mirror) return false;
    return snprintf(folder, SB_PATH_MAX, "%s/%s", mirror, source->from) < SB_PATH_MAX && sb_file_exists(folder);
}

/* Is something to be fetched? Not where the folder of the mirror is a copy of just that. */
static bool is_fetched(const sb_data_source *source, bool mirrored)
{
    return source->fetch && !(mirrored && strcmp(source->fetch, source->from) == 0);
}

/* The arguments of the command, which name the files that a person brings by their paths. One that is not there is taken
 * from the mirror, where that is a folder with a file of its name. */
static void add_command(sb_argv *make, const sb_data_source *source, const char *mirror)
{
    sb_argv plain = {0};
    sb_argv_add_split(&plain, source->make);
    for (int i = 0; i < plain.n; i++) {
        char copy[SB_PATH_MAX];
        const char *word = plain.item[i], *slash = strrchr(word, '/');
        const bool wanted = mirror && sb_make_argv_is_source(&plain, i) && !sb_file_exists(word);
        const int length = wanted ? snprintf(copy, sizeof copy, "%s%s", mirror, slash) : 0;
        sb_argv_add(make, wanted && length < SB_PATH_MAX && sb_file_exists(copy) ? copy : word);
    }
    make->lost = make->lost || plain.lost;
    sb_argv_free(&plain);
}

sb_status sb_data_source_argv(sb_argv *fetch, sb_argv *make, const sb_data_source *source, const char *path,
                              const char *mirror)
{
    char folder[SB_PATH_MAX];
    const bool mirrored = is_in_mirror(source, mirror, folder);
    if (is_fetched(source, mirrored)) {
        sb_process_add_program(fetch, "samebits-data");
        sb_argv_add(fetch, "fetch");
        sb_argv_add_split(fetch, source->fetch);
        if (mirror) sb_argv_add_pair(fetch, "--mirror", mirror);
    }
    sb_process_add_program(make, "samebits-data");
    add_command(make, source, mirror);
    if (mirrored) sb_argv_add_pair(make, "--from", folder);
    sb_argv_add_pair(make, "-o", path);
    SB_TRY(sb_argv_check(fetch));
    return sb_argv_check(make);
}

/* -- what there is -- */

#define BRING_SOURCE "put that there, or name the folder that has it: --mirror DIR (of make: MIRROR=DIR)"

/* Do the command's own words name a file that is not there? */
static bool lacks_file(const sb_argv *make, const char *output, const char **source)
{
    for (int i = 1; i < make->n; i++) {
        *source = make->item[i];
        const bool is_source = sb_make_argv_is_source(make, i) && strcmp(*source, output) != 0;
        if (is_source && !sb_file_exists(*source)) return true;
    }
    return false;
}

/* The folder that a person fills, in the cache: where samebits-data looks unless it is told otherwise. */
static bool has_files(const sb_data_source *source)
{
    char path[SB_PATH_MAX];
    const char *cache = getenv("SAMEBITS_CACHE");
    snprintf(path, sizeof path, "%s/%s", cache ? cache : "cache", source->from);
    return sb_file_exists(path);
}

static sb_data_source_state find_files(const sb_data_source *source, const sb_argv *make, const char *path,
                                       const char *mirror, char text[SB_PATH_MAX + 64])
{
    const char *lacking;
    char folder[SB_PATH_MAX];
    const bool mirrored = is_in_mirror(source, mirror, folder);
    if (is_fetched(source, mirrored)) {
        snprintf(text, SB_PATH_MAX, "not here; run fetches it from %s", mirror ? mirror : "its mirrors");
        return SB_DATA_SOURCE_FETCHABLE;
    }
    if (lacks_file(make, path, &lacking)) {
        snprintf(text, SB_PATH_MAX, "not here: it is made from %.200s; " BRING_SOURCE, lacking);
        return SB_DATA_SOURCE_WANTED;
    }
    if (source->from && !mirrored && !has_files(source)) {
        snprintf(text, SB_PATH_MAX, "not here: %s", source->hint ? source->hint : "its sources are missing");
        return SB_DATA_SOURCE_WANTED;
    }
    snprintf(text, SB_PATH_MAX, "not here; run makes it");
    return SB_DATA_SOURCE_MAKEABLE;
}

sb_data_source_state sb_data_source_find(const sb_data_source *source, const char *folder, const char *mirror,
                                         char text[SB_PATH_MAX + 64])
{
    char path[SB_PATH_MAX];
    SB_OWNED(sb_argv_free) sb_argv fetch = {0}, make = {0};
    sb_data_source_state state = SB_DATA_SOURCE_WANTED;
    sb_status status = sb_data_source_path(path, source, folder);
    if (status == SB_OK) status = sb_data_source_argv(&fetch, &make, source, path, mirror);
    if (status != SB_OK) {
        snprintf(text, SB_PATH_MAX, "%s", sb_message());
    } else if (sb_file_exists(path)) {
        state = SB_DATA_SOURCE_HERE;
        snprintf(text, SB_PATH_MAX, "%s", path);
    } else {
        state = find_files(source, &make, path, mirror, text);
    }
    return state;
}

/* -- what it was made of: a data set keeps the digest of each source; its file name has only the digest of the arguments
 * that made it, so another video with an old name would not be noticed -- */

enum { SOURCES_BYTES = 65536 }; /* an attribute holds no more */

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* Is that a file that was written, renamed or copied after the data set? */
static bool is_touched(const char *word, const struct stat *made)
{
    struct stat source;
    return stat(word, &source) == 0 && S_ISREG(source.st_mode) && is_later(source.st_ctim, made->st_mtim);
}

/* Does the list of sources, a line "HEX  NAME" each, hold another digest under this name? */
static bool is_another(const char *list, const char *source, const char *digest)
{
    const char *name = strrchr(source, '/') + 1;
    size_t length = strlen(name);
    for (const char *line = list; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strcspn(line, "\n") != SB_SHA256_TEXT - 1 + 2 + length) continue;
        if (strncmp(line + SB_SHA256_TEXT + 1, name, length) != 0) continue;
        return strncmp(line, digest, SB_SHA256_TEXT - 1) != 0;
    }
    return false;
}

static sb_status check_source(const char *source, const char *path)
{
    char digest[SB_SHA256_TEXT];
    SB_FREED char *list = malloc(SOURCES_BYTES);
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    if (!list) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_DATA));
    SB_TRY(sb_h5_get_text(file, "", "sha256", list, SOURCES_BYTES));
    SB_TRY(sb_sha256_file(source, digest));
    if (!is_another(list, source, digest)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY,
                   "%s: not the file that %s was made of; give it a name of its own, or remove the data set and the "
                   "runs that learned from it",
                   source, path);
}

/* The arguments of the command that makes the data set at path, which is there. Sources are those that are files; a source
 * that was not touched since the data set was made is not read. SB_E_INTEGRITY: one is another file now. */
static sb_status check_made_from(const sb_argv *make, const char *path)
{
    struct stat made;
    if (stat(path, &made) != 0) return SB_OK; /* the next one that needs it says so */
    for (int i = 1; i < make->n; i++)
        if (sb_make_argv_is_source(make, i) && strcmp(make->item[i], path) != 0 && is_touched(make->item[i], &made))
            SB_TRY(check_source(make->item[i], path));
    return SB_OK;
}

/* -- making it -- */

static sb_status fail_source(const sb_data_source *source, const char *path, const char *end)
{
    return sb_fail(
        SB_E_MISSING,
        "%s: the data set %s cannot be made (%s)%s%s; name a copy with --mirror DIR|URL, or try 'make demo', "
        "which needs no data",
        path, source->name, end, source->hint ? "; " : "", source->hint ? source->hint : "");
}

static sb_status run_argv(const sb_argv *argv, const sb_data_source *source, const char *path, FILE *talk)
{
    int end;
    char how[64];
    if (!argv->n) return SB_OK;
    const sb_status status = sb_process_run_shown(&end, argv, talk);
    if (status == SB_E_USAGE) return status;
    if (sb_interrupt_signal()) return sb_fail(SB_E_INTERRUPTED, "interrupted while %s was made", path);
    if (status != SB_OK) return fail_source(source, path, sb_message());
    if (end == 0) return SB_OK;
    sb_process_end_text(end, how, sizeof how);
    return fail_source(source, path, how);
}

static sb_status make(const sb_data_source *source, const char *path, const char *mirror, FILE *talk)
{
    SB_OWNED(sb_argv_free) sb_argv fetch = {0}, convert = {0};
    const char *lacking;
    SB_TRY(sb_data_source_argv(&fetch, &convert, source, path, mirror));
    if (lacks_file(&convert, path, &lacking))
        return sb_fail(SB_E_MISSING, "%.200s: not here, and the data set %s is made from it; " BRING_SOURCE, lacking,
                       source->name);
    SB_TRY(run_argv(&fetch, source, path, talk));
    SB_TRY(run_argv(&convert, source, path, talk));
    return sb_file_exists(path) ? SB_OK : fail_source(source, path, "it wrote no such file");
}

static sb_status check_files(const sb_data_source *source, const char *path, const char *mirror)
{
    SB_OWNED(sb_argv_free) sb_argv fetch = {0}, convert = {0};
    SB_TRY(sb_data_source_argv(&fetch, &convert, source, path, mirror));
    return check_made_from(&convert, path);
}

sb_status sb_data_source_ensure(const sb_data_source *source, const char *folder, const char *mirror, FILE *talk)
{
    char path[SB_PATH_MAX], lock[SB_PATH_MAX + 8];
    SB_TRY(sb_data_source_path(path, source, folder));
    if (sb_file_exists(path)) return check_files(source, path, mirror);
    SB_TRY(sb_folder_make(folder));
    snprintf(lock, sizeof lock, "%s.lock", path);
    int fd = -1;
    for (bool told = false; fd < 0; told = true) {
        SB_TRY(sb_lock_take(&fd, lock));
        if (fd >= 0) break;
        if (!told) fprintf(talk, "%s: another process makes it; waiting\n", path);
        if (sb_interrupt_signal()) return sb_fail(SB_E_INTERRUPTED, "interrupted while waiting for %s", path);
        sb_process_rest();
    }
    sb_status status = sb_file_exists(path) ? SB_OK : make(source, path, mirror, talk);
    sb_lock_release(fd, lock);
    return status;
}
