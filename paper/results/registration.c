#include "paper/results/registration.h"

#include "paper/files/path.h"

#include <string.h>

sb_status sb_registrations_read(sb_registrations *registrations, const char *folder)
{
    char path[SB_PATH_MAX];
    *registrations = (sb_registrations){0};
    SB_TRY(sb_path_join(path, folder, "%s", sb_columns_registrations.file));
    if (!sb_file_exists(path)) return SB_OK;
    sb_status status = sb_table_read(&registrations->table, path, &sb_columns_registrations);
    if (status == SB_OK) status = sb_table_column(&registrations->table, "registration", &registrations->id);
    if (status == SB_OK) status = sb_table_column(&registrations->table, "digest", &registrations->digest);
    if (status != SB_OK) sb_registrations_free(registrations);
    return status;
}

void sb_registrations_free(sb_registrations *registrations)
{
    sb_table_free(&registrations->table);
    *registrations = (sb_registrations){0};
}

bool sb_registrations_hold(const sb_registrations *registrations, const char *id, const char *digest)
{
    const sb_table *table = &registrations->table;
    for (size_t row = 0; *id && row < table->n_rows; row++)
        if (strcmp(sb_table_text(table, row, registrations->id), id) == 0 &&
            strcmp(sb_table_text(table, row, registrations->digest), digest) == 0)
            return true;
    return false;
}
