#define _POSIX_C_SOURCE 200809L
#include "paper/output.h"

#include "paper/path.h"

#include <stdbool.h>
#include <stdlib.h>

sb_status sb_output_begin(sb_output *output, const char *folder, const char *name)
{
    SB_TRY(sb_folder_make(folder));
    SB_TRY(sb_path_join(output->path, folder, "%s", name));
    output->text = NULL;
    output->out = open_memstream(&output->text, &output->n_bytes);
    if (!output->out) return sb_fail(SB_E_MEMORY, "%s: not enough memory", output->path);
    return SB_OK;
}

sb_status sb_output_end(sb_output *output, sb_status status)
{
    bool whole = !ferror(output->out);
    whole = fclose(output->out) == 0 && whole;
    if (status == SB_OK && !whole) status = sb_fail(SB_E_MEMORY, "%s: not enough memory", output->path);
    if (status == SB_OK) status = sb_file_write(output->path, output->text, output->n_bytes);
    free(output->text);
    return status;
}
