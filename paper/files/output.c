#include "paper/files/output.h"

#include "paper/files/path.h"

#include <stdlib.h>

sb_status sb_output_begin(sb_output *output, const char *folder, const char *name, const sb_language *language)
{
    SB_TRY(sb_folder_make(folder));
    SB_TRY(sb_path_join(output->path, folder, "%s", name));
    output->out = sb_writer_open(language);
    return SB_OK;
}

sb_status sb_output_end(sb_output *output, sb_status status)
{
    char *text;
    size_t n_bytes;
    if (status != SB_OK) {
        sb_writer_drop(output->out);
        return status;
    }
    SB_TRY(sb_writer_close(output->out, output->path, &text, &n_bytes));
    status = sb_file_write(output->path, text, n_bytes);
    free(text);
    return status;
}
