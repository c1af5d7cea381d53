#include "matrix/store/store.h"

#include "core/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

double sb_disk_free(const char *path)
{
    char folder[SB_PATH_MAX];
    struct statvfs disk;
    snprintf(folder, sizeof folder, "%s", path);
    while (statvfs(folder, &disk) != 0) {
        char *slash = strrchr(folder, '/');
        if (strcmp(folder, ".") == 0 || strcmp(folder, "/") == 0) return -1;
        if (!slash)
            snprintf(folder, sizeof folder, ".");
        else
            slash[slash == folder] = 0;
    }
    return (double)disk.f_bavail * (double)disk.f_frsize;
}

void sb_disk_text(double n_bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; n_bytes >= 1024 && unit < 4; unit++) n_bytes /= 1024;
    snprintf(text, 32, unit && n_bytes < 100 ? "%.1f %s" : "%.0f %s", n_bytes, units[unit]);
}
