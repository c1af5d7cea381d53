#include "matrix/schema/matrix_schema.h"

#include "io/yaml/place.h"

#include <stdio.h>
#include <string.h>

bool sb_custom_names_share(unsigned id)
{
    return id == SB_SETTING_SEED || id == SB_SETTING_ULP || id == SB_SETTING_THREADS || id == SB_SETTING_HARDWARE ||
           id == SB_SETTING_DATA;
}

typedef struct reading {
    sb_custom_names *names;
    const char *path;
} reading;

static sb_status note_command(void *context, const char *place, const char *key)
{
    sb_custom_names *names = ((reading *)context)->names;
    (void)place;
    names->has_commands = names->has_commands || strcmp(key, "command") == 0;
    return SB_OK;
}

bool sb_custom_names_taken(const char *name)
{
    static const char *const taken[] = {"run",    "csv",     "jsonl",    "folder",  "name",  "hash",   "evidence",
                                        "output", "weights", "diverged", "updates", "image", "claims", "reason"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0) return true;
    return false;
}

bool sb_custom_names_plain(const char *name)
{
    return *name >= 'a' && *name <= 'z' && strlen(name) < SB_CUSTOM_NAME &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

static sb_status check_name(const reading *r, const char *place, const char *key)
{
    if (sb_setting_find(key) < SB_N_SETTINGS)
        return sb_place_fail(r->path, place,
                             "'%s' is a setting of samebits train, which a command does not have; choose another name, "
                             "such as 'my_%s'",
                             key, key);
    if (sb_custom_names_taken(key))
        return sb_place_fail(r->path, place,
                             "the name '%s' has a meaning of its own; choose another name, such as 'my_%s'", key, key);
    if (!sb_custom_names_plain(key))
        return sb_place_fail(r->path, place,
                             "a name wants small letters, digits and '_', a letter first, %d at most, not '%.40s'",
                             SB_CUSTOM_NAME - 1, key);
    return SB_OK;
}

static sb_status note_name(void *context, const char *place, const char *key)
{
    const reading *r = context;
    sb_custom_names *names = r->names;
    const sb_setting_id id = sb_setting_find(key);
    if (id < SB_N_SETTINGS && sb_custom_names_share(id)) return SB_OK;
    for (uint32_t i = 0; i < names->n; i++)
        if (strcmp(names->name[i], key) == 0) return SB_OK;
    SB_TRY(check_name(r, place, key));
    if (names->n == SB_CUSTOM_MAX)
        return sb_place_fail(r->path, place, "more than %d names in one file", SB_CUSTOM_MAX);
    snprintf(names->name[names->n++], SB_CUSTOM_NAME, "%s", key);
    return SB_OK;
}

sb_status sb_custom_names_read(sb_custom_names *names, const char *path)
{
    static const char *const where[] = {"defaults", "studies/*/options", "studies/*/axes", "studies/*/zip/*",
                                        "studies/*/include/*"};
    reading r = {names, path};
    *names = (sb_custom_names){0};
    SB_TRY(sb_place_keys(path, "studies/*", note_command, &r));
    for (size_t i = 0; names->has_commands && i < sizeof where / sizeof *where; i++)
        SB_TRY(sb_place_keys(path, where[i], note_name, &r));
    return SB_OK;
}
