#define _POSIX_C_SOURCE 200809L
#include "matrix/data/made_from.h"

#include "matrix/schema/make_argv.h"

#include "core/hash.h"
#include "io/h5/h5.h"
#include "io/h5/h5_attribute.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    char digest[SB_SHA256_TEXT], *list = malloc(SOURCES_BYTES);
    sb_h5 *file = NULL;
    sb_status status = list ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK) status = sb_h5_open(&file, path, SB_SEAL_DATA);
    if (status == SB_OK) status = sb_h5_get_text(file, "", "sha256", list, SOURCES_BYTES);
    if (status == SB_OK) status = sb_sha256_file(source, digest);
    if (status == SB_OK && is_another(list, source, digest))
        status = sb_fail(SB_E_INTEGRITY,
                         "%s: not the file that %s was made of; give it a name of its own, or remove the data set and "
                         "the runs that learned from it",
                         source, path);
    sb_h5_close(file);
    free(list);
    return status;
}

sb_status sb_made_from_check(const sb_argv *make, const char *path)
{
    struct stat made;
    if (stat(path, &made) != 0) return SB_OK; /* the next one that needs it says so */
    for (int i = 1; i < make->n; i++)
        if (sb_make_argv_is_source(make, i) && strcmp(make->item[i], path) != 0 && is_touched(make->item[i], &made))
            SB_TRY(check_source(make->item[i], path));
    return SB_OK;
}
