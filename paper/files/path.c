#include "paper/files/path.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sb_status sb_path_join(char path[SB_PATH_MAX], const char *folder, const char *name, ...)
{
    const size_t size = SB_PATH_MAX - sizeof ".part";
    size_t used = strlen(folder);
    if (used + 1 >= size) return sb_file_too_long(folder);
    memcpy(path, folder, used);
    path[used++] = '/';
    va_list arguments;
    va_start(arguments, name);
    int length = vsnprintf(path + used, size - used, name, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= size - used) return sb_file_too_long(folder);
    return SB_OK;
}
