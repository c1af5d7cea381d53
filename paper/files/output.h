/* A text file of the report, written in memory and put in place whole or not at all.
 *
 *     sb_output output;
 *     SB_TRY(sb_output_begin(&output, folder, "arms.csv", &sb_csv));
 *     sb_write(output.out, ...);
 *     return sb_output_end(&output, SB_OK);
 */
#pragma once

#include "core/file.h"
#include "core/status.h"
#include "core/text/writer.h"

typedef struct sb_output {
    char path[SB_PATH_MAX];
    sb_writer *out;
} sb_output;

/* FOLDER is made. A failed call leaves nothing to end. */
sb_status sb_output_begin(sb_output *output, const char *folder, const char *name, const sb_language *language);

/* Write the file if status is SB_OK, else forget it; returns status, or what went wrong here. */
sb_status sb_output_end(sb_output *output, sb_status status);

/* FOLDER/NAME, the name formatted. SB_E_USAGE if that is too long for a path with ".part" after it. */
sb_status sb_path_join(char path[SB_PATH_MAX], const char *folder, const char *name, ...)
    __attribute__((format(printf, 3, 4)));
