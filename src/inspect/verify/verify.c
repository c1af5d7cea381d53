#include "inspect/verify/verify_parts.h"

#include "core/machine/guard.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- one file ---- */

static sb_status describe(sb_subject *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    *s = (sb_subject){.path = path, .name = slash ? slash + 1 : path};
    if (strlen(path) + 256 > SB_PATH_MAX) return sb_fail(SB_E_USAGE, "%.80s...: path too long", path);
    if (slash)
        snprintf(s->folder, sizeof s->folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        strcpy(s->folder, ".");
    s->has_seal = sb_seal_peek(path, &s->seal);
    return SB_OK;
}

/* The sentence that says what is wrong, without the path that the line begins with. */
static void keep_sentence(sb_verified *v, const char *path)
{
    const char *sentence = sb_message();
    const size_t length = strlen(path);
    if (strncmp(sentence, path, length) == 0 && strncmp(sentence + length, ": ", 2) == 0) sentence += length + 2;
    snprintf(v->said, sizeof v->said, "%s", sentence);
}

typedef struct task {
    const sb_subject *subject;
    const sb_kind_of_file *kind;
} task;

static sb_status check(void *context, void *result)
{
    const task *t = context;
    sb_verified *v = result;
    return t->kind->check(t->subject, v->said, sizeof v->said);
}

static sb_status judge(const sb_subject *s, sb_verified *v)
{
    const sb_kind_of_file *kind = sb_verify_kind(s);
    task t = {s, kind};
    v->kind = kind->name;
    v->verdict = *kind->name ? SB_FILE_PLAIN : SB_FILE_FOREIGN;
    if (!kind->check) return SB_OK;
    sb_status status = sb_guard_call(check, &t, s->path, v, sizeof *v);
    v->verdict = status == SB_OK ? SB_FILE_HOLDS : SB_FILE_FAILS;
    if (status == SB_OK || status == SB_E_USAGE || status == SB_E_IO || status == SB_E_MEMORY) return status;
    keep_sentence(v, s->path);
    return SB_OK;
}

sb_status sb_verify_file(const char *path, sb_verified *verified)
{
    sb_subject s;
    struct stat about;
    *verified = (sb_verified){.kind = ""};
    if (stat(path, &about) != 0) return sb_fail(SB_E_USAGE, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode)) return sb_fail(SB_E_USAGE, "%s: not a regular file", path);
    SB_TRY(describe(&s, path));
    return judge(&s, verified);
}

/* ---- a folder ---- */

static int is_listed(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static sb_status walk(const char *path, sb_verify_visit *visit, void *context);

static sb_status walk_folder(const char *folder, sb_verify_visit *visit, void *context)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, is_listed, alphasort);
    if (n < 0) return sb_fail(SB_E_IO, "%s: %s", folder, strerror(errno));
    sb_status status = SB_OK;
    for (int i = 0; i < n; i++) {
        char path[SB_PATH_MAX];
        const bool slash = *folder && folder[strlen(folder) - 1] == '/';
        int length = snprintf(path, sizeof path, "%s%s%s", folder, slash ? "" : "/", entry[i]->d_name);
        if (status == SB_OK && length >= SB_PATH_MAX) status = sb_fail(SB_E_USAGE, "%.80s...: path too long", folder);
        if (status == SB_OK) status = walk(path, visit, context);
        free(entry[i]);
    }
    free(entry);
    return status;
}

/* A link counts as the file it leads to. One to a folder is not followed: it could lead back here. */
static bool is_file(const char *path, const struct stat *about)
{
    struct stat target;
    if (!S_ISLNK(about->st_mode)) return S_ISREG(about->st_mode);
    return stat(path, &target) == 0 && S_ISREG(target.st_mode);
}

/* What is neither a file nor a folder is no file of ours. */
static sb_status walk(const char *path, sb_verify_visit *visit, void *context)
{
    struct stat about;
    sb_verified verified = {.kind = "", .verdict = SB_FILE_FOREIGN};
    if (lstat(path, &about) != 0) return sb_fail(SB_E_IO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode)) return walk_folder(path, visit, context);
    sb_status status = is_file(path, &about) ? sb_verify_file(path, &verified) : SB_OK;
    visit(context, path, status, &verified);
    return SB_OK;
}

sb_status sb_verify_walk(const char *path, sb_verify_visit *visit, void *context)
{
    struct stat about;
    sb_verified verified;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return walk_folder(path, visit, context);
    sb_status status = sb_verify_file(path, &verified);
    visit(context, path, status, &verified);
    return SB_OK;
}
