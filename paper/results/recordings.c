#define _POSIX_C_SOURCE 200809L
#include "paper/results/recordings.h"

#include "io/seal.h"
#include "paper/files/path.h"

#include <dirent.h>

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
