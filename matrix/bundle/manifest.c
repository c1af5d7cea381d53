#include "matrix/bundle/bundle.h"

#include "core/file.h"
#include "core/hash.h"
#include "core/size.h"
#include "core/text/writer.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* nftw hands its visitor no context. */
static struct {
    char **path; /* below the folder */
    size_t n, capacity;
    size_t skip;     /* length of the folder's own name and a slash */
    char stray[512]; /* something that is neither a file nor a folder */
    bool lost;
} found;

static int visit(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)where;
    if (kind == FTW_D) return 0;
    const char *below = path + found.skip;
    if (kind != FTW_F || !S_ISREG(about->st_mode)) snprintf(found.stray, sizeof found.stray, "%s", below);
    if (strcmp(below, SB_MANIFEST_FILE) == 0) return 0;
    const bool has_room = sb_size_reserve(&found.path, &found.capacity, found.n + 1, sizeof *found.path);
    if (!has_room || !(found.path[found.n] = strdup(below))) return found.lost = true;
    found.n++;
    return 0;
}

static void forget(void)
{
    for (size_t i = 0; i < found.n; i++) free(found.path[i]);
    free(found.path);
    memset(&found, 0, sizeof found);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static sb_status list(const char *folder, int flags)
{
    found.skip = strlen(folder) + 1;
    int failed = nftw(folder, visit, 16, flags);
    if (found.lost) return sb_fail(SB_E_MEMORY, "%s: not enough memory", folder);
    if (failed) return sb_fail(SB_E_IO, "%s: cannot be read", folder);
    if (found.n) qsort(found.path, found.n, sizeof *found.path, by_name);
    return SB_OK;
}

/* The manifest as it must be for the files that were found, from malloc. */
static sb_status text_of(char **text, const char *folder)
{
    sb_writer *out = sb_writer_open(&sb_lines);
    sb_status status = SB_OK;
    *text = NULL;
    for (size_t i = 0; status == SB_OK && i < found.n; i++) {
        char path[2 * SB_PATH_MAX], digest[SB_SHA256_TEXT];
        snprintf(path, sizeof path, "%s/%s", folder, found.path[i]);
        status = sb_sha256_file(path, digest);
        if (status == SB_OK) sb_write(out, "%s  %s\n", digest, found.path[i]);
    }
    if (status == SB_OK) return sb_writer_close(out, folder, text, NULL);
    sb_writer_drop(out);
    return status;
}

static sb_status write_found(const char *folder)
{
    char path[SB_PATH_MAX];
    SB_FREED char *text = NULL;
    snprintf(path, sizeof path, "%.*s/" SB_MANIFEST_FILE, SB_PATH_MAX - 16, folder);
    SB_TRY(text_of(&text, folder));
    return sb_file_write(path, text, strlen(text));
}

sb_status sb_manifest_write(const char *folder)
{
    sb_status status = list(folder, 0);
    if (status == SB_OK) status = write_found(folder);
    forget();
    return status;
}

/* The first line in which the two texts part, for a sentence. */
static sb_status fail_first_difference(const char *wanted, const char *here)
{
    while (*wanted && *here) {
        size_t a = strcspn(wanted, "\n"), b = strcspn(here, "\n");
        if (a != b || memcmp(wanted, here, a) != 0) break;
        wanted += a + (wanted[a] != 0);
        here += b + (here[b] != 0);
    }
    const char *line = *wanted ? wanted : here;
    int length = (int)strcspn(line, "\n"), skip = length > 66 ? 66 : 0; /* the digest and two blanks */
    return sb_fail(SB_E_INTEGRITY, "the manifest does not hold, first at '%.*s'", length - skip, line + skip);
}

static sb_status check_found(const char *folder)
{
    char path[SB_PATH_MAX];
    SB_FREED char *wanted = NULL, *here = NULL;
    if (*found.stray) return sb_fail(SB_E_INTEGRITY, "'%s' is no regular file", found.stray);
    snprintf(path, sizeof path, "%.*s/" SB_MANIFEST_FILE, SB_PATH_MAX - 16, folder);
    if (!sb_file_exists(path)) return sb_fail(SB_E_INTEGRITY, "there is no manifest in it");
    SB_TRY(sb_file_read(path, &wanted, NULL));
    SB_TRY(text_of(&here, folder));
    return strcmp(wanted, here) == 0 ? SB_OK : fail_first_difference(wanted, here);
}

sb_status sb_manifest_check(const char *folder)
{
    sb_status status = list(folder, FTW_PHYS);
    if (status == SB_OK) status = check_found(folder);
    forget();
    return status;
}
