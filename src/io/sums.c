#include "io/sums.h"

#include "core/file.h"
#include "io/columns.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = SB_SHA256_TEXT - 1 };

void sb_sums_line(sb_writer *list, const char *name, const char *digest)
{
    sb_write(list, "%s  %s\n", digest, name);
}

void sb_sums_write(sb_writer *list, const char *name, const void *content, size_t n_bytes)
{
    char digest[SB_SHA256_TEXT];
    sb_sha256_bytes(content, n_bytes, digest);
    sb_sums_line(list, name, digest);
}

/* No other form of the line passes, nor a name twice: the list itself has no digest. */
static int cut_line(const char *line, size_t length, sb_sum *sum)
{
    if (length < DIGITS + 3 || length - DIGITS - 2 >= sizeof sum->name) return 0;
    if (strspn(line, "0123456789abcdef") != DIGITS || line[DIGITS] != ' ') return 0;
    if (line[DIGITS + 1] != ' ') return 0;
    snprintf(sum->digest, sizeof sum->digest, "%.*s", DIGITS, line);
    snprintf(sum->name, sizeof sum->name, "%.*s", (int)(length - DIGITS - 2), line + DIGITS + 2);
    return 1;
}

sb_status sb_sums_parse(sb_sums *sums, const char *text, size_t n_bytes, const char *path)
{
    *sums = (sb_sums){0};
    if (strlen(text) != n_bytes)
        return sb_fail(SB_E_INTEGRITY, "%s: holds a zero byte, so it is no list that sha256sum wrote", path);
    size_t n_lines = 0;
    for (const char *c = text; *c; c++) n_lines += *c == '\n';
    sums->item = calloc(n_lines + 1, sizeof *sums->item);
    if (!sums->item) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (!text[length] || !cut_line(text, length, &sums->item[sums->n]) ||
            sb_sums_find(sums, sums->item[sums->n].name)) {
            size_t line = sums->n + 1;
            sb_sums_free(sums);
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: not 'DIGEST  NAME', as sha256sum writes it, or a name twice", path,
                           line);
        }
        sums->n++;
        text += length + 1;
    }
    return SB_OK;
}

sb_status sb_sums_read(sb_sums *sums, const char *path)
{
    SB_FREED char *text = NULL;
    *sums = (sb_sums){0};
    size_t n_bytes;
    SB_TRY(sb_file_read(path, &text, &n_bytes));
    return sb_sums_parse(sums, text, n_bytes, path);
}

void sb_sums_free(sb_sums *sums)
{
    free(sums->item);
    *sums = (sb_sums){0};
}

const char *sb_sums_find(const sb_sums *sums, const char *name)
{
    for (size_t i = 0; i < sums->n; i++)
        if (strcmp(sums->item[i].name, name) == 0) return sums->item[i].digest;
    return NULL;
}

sb_status sb_sums_check(const sb_sums *sums, const char *folder, const char *name)
{
    char path[SB_PATH_MAX], digest[SB_SHA256_TEXT];
    const char *wanted = sb_sums_find(sums, name);
    if (!wanted) return sb_fail(SB_E_INTEGRITY, "%s/%s: not named in %s", folder, name, SB_SUMS_FILE);
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= SB_PATH_MAX) return sb_file_too_long(folder);
    if (!sb_file_exists(path)) return sb_fail(SB_E_INTEGRITY, "%s: absent, but %s names it", path, SB_SUMS_FILE);
    SB_TRY(sb_sha256_file(path, digest));
    if (strcmp(digest, wanted) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: changed since it was collected; its SHA-256 is not the one in %s", path,
                   SB_SUMS_FILE);
}

static sb_status check_whether_named(const sb_sums *sums, const char *folder, const char *file, sb_sums_visit *visit,
                                     void *context)
{
    char path[SB_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= SB_PATH_MAX)
        return sb_fail(SB_E_USAGE, "%.80s...: this path is too long", folder);
    if (sb_sums_find(sums, file) || !sb_file_exists(path)) return SB_OK;
    return visit(context, file, sb_sums_check(sums, folder, file));
}

/* Those tables and claims that lie in the folder without being named: a line is gone. */
static sb_status check_unnamed(const sb_sums *sums, const char *folder, sb_sums_visit *visit, void *context)
{
    for (const sb_columns *const *table = sb_columns_all; *table; table++)
        if ((*table)->need != SB_TABLE_APART) SB_TRY(check_whether_named(sums, folder, (*table)->file, visit, context));
    return check_whether_named(sums, folder, SB_COLLECTED_CLAIMS, visit, context);
}

sb_status sb_sums_each(const char *folder, sb_sums_visit *visit, void *context)
{
    char path[SB_PATH_MAX];
    SB_OWNED(sb_sums_free) sb_sums sums = {0};
    if (snprintf(path, sizeof path, "%s/" SB_SUMS_FILE, folder) >= SB_PATH_MAX)
        return sb_fail(SB_E_USAGE, "%.80s...: this path is too long", folder);
    SB_TRY(sb_sums_read(&sums, path));
    for (size_t i = 0; i < sums.n; i++)
        SB_TRY(visit(context, sums.item[i].name, sb_sums_check(&sums, folder, sums.item[i].name)));
    return check_unnamed(&sums, folder, visit, context);
}
