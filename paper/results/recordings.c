#define _POSIX_C_SOURCE 200809L
#include "paper/results/recordings.h"

#include "io/seal.h"
#include "core/file.h"
#include "io/table.h"
#include "paper/files/path.h"

#include <dirent.h>
#include <string.h>

bool sb_recordings_are_in(const char *folder)
{
    bool found = false;
    DIR *entries = opendir(folder);
    if (!entries) return false;
    for (const struct dirent *entry; !found && (entry = readdir(entries)) != NULL;) {
        char path[SB_PATH_MAX];
        sb_seal seal;
        found = sb_path_join(path, folder, "%s", entry->d_name) == SB_OK && sb_seal_peek(path, &seal) &&
                seal.kind == SB_SEAL_RECORDING;
    }
    closedir(entries);
    return found;
}

static bool has_column(const sb_table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->field[c], name) == 0) return true;
    return false;
}

bool sb_commands_are_in(const char *folder)
{
    char path[SB_PATH_MAX];
    sb_table table;
    if (sb_path_join(path, folder, "cells.csv") != SB_OK || !sb_file_exists(path)) return false;
    if (sb_table_read(&table, path, NULL) != SB_OK) return false;
    const bool found = has_column(&table, "output") && !has_column(&table, "loss_last");
    sb_table_free(&table);
    return found;
}
