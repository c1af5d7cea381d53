#include "matrix/collect/registrations.h"

#include <stdlib.h>
#include <string.h>

static sb_status check(const char *path, const char *claims)
{
    char name[SB_CLAIM_NAME], digest[SB_CLAIM_DIGEST];
    while (sb_registration_next(&claims, name, digest)) continue;
    if (!*claims) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: what it says of registered claims is none: '%.40s'", path, claims);
}

sb_status sb_registrations_add(sb_registrations *written, sb_writer *csv, const char *path, const char *claims,
                               char id[SB_REGISTRATION_ID])
{
    char name[SB_CLAIM_NAME], digest[SB_CLAIM_DIGEST];
    sb_registration_id(claims, id);
    if (!*id) return SB_OK;
    for (size_t i = 0; i < written->n; i++)
        if (strcmp(written->id[i], id) == 0) return SB_OK;
    SB_TRY(check(path, claims));
    char(*more)[SB_REGISTRATION_ID] = realloc(written->id, (written->n + 1) * sizeof *more);
    if (!more) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    written->id = more;
    memcpy(written->id[written->n++], id, SB_REGISTRATION_ID);
    while (sb_registration_next(&claims, name, digest)) sb_write(csv, "%s,%s,%s\n", id, name, digest);
    return SB_OK;
}

void sb_registrations_free(sb_registrations *written)
{
    free(written->id);
    *written = (sb_registrations){0};
}
