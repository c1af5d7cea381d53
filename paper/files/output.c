#include "paper/files/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A file in a folder. */

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

sb_status sb_output_begin(sb_output *output, const char *folder, const char *name, const sb_language *language)
{
    SB_TRY(sb_folder_make(folder));
    SB_TRY(sb_path_join(output->path, folder, "%s", name));
    output->out = sb_writer_open(language);
    return SB_OK;
}

sb_status sb_output_end(sb_output *output, sb_status status)
{
    SB_FREED char *text = NULL;
    size_t n_bytes;
    if (status != SB_OK) {
        sb_writer_drop(output->out);
        return status;
    }
    SB_TRY(sb_writer_close(output->out, output->path, &text, &n_bytes));
    return sb_file_write(output->path, text, n_bytes);
}
