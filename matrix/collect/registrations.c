#include "matrix/collect/registrations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_registration_sheet_note(sb_registration_sheet *written, const char *id, bool *is_new)
{
    *is_new = false;
    for (size_t i = 0; i < written->n; i++)
        if (strcmp(written->id[i], id) == 0) return SB_OK;
    char(*more)[SB_REGISTRATION_ID] = realloc(written->id, (written->n + 1) * sizeof *more);
    if (!more) return sb_fail(SB_E_MEMORY, "not enough memory for registered claims");
    written->id = more;
    snprintf(written->id[written->n++], SB_REGISTRATION_ID, "%s", id);
    *is_new = true;
    return SB_OK;
}

sb_status sb_registration_sheet_add(sb_registration_sheet *written, sb_writer *csv, const char *path,
                                    const char *claims, char id[SB_REGISTRATION_ID])
{
    char name[SB_CLAIM_NAME], digest[SB_CLAIM_DIGEST];
    bool is_new;
    sb_registration_id(claims, id);
    if (!*id) return SB_OK;
    if (!sb_registration_holds(claims))
        return sb_fail(SB_E_INTEGRITY, "%s: what it says of registered claims is none: '%.40s'", path, claims);
    SB_TRY(sb_registration_sheet_note(written, id, &is_new));
    while (is_new && sb_registration_next(&claims, name, digest)) sb_write(csv, "%s,%s,%s\n", id, name, digest);
    return SB_OK;
}

void sb_registration_sheet_free(sb_registration_sheet *written)
{
    free(written->id);
    *written = (sb_registration_sheet){0};
}
