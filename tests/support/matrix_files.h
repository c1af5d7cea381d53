/* Matrix files written by a test into a folder of its own. */
#pragma once

#include "matrix/cells/cells.h"

#include "core/file.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char matrix_folder[64];

/* Group fixture: work in an empty folder, remove it afterwards. */
static inline int enter_folder(void **state)
{
    (void)state;
    snprintf(matrix_folder, sizeof matrix_folder, "/tmp/samebits-test.XXXXXX");
    return mkdtemp(matrix_folder) && chdir(matrix_folder) == 0 ? 0 : -1;
}

static inline int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

static inline int leave_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && nftw(matrix_folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 ? 0 : -1;
}

static const char matrix_head[] = "hardware: matrix_test_hw.yaml\n"
                                  "data:\n"
                                  "  - {name: walk, make: synth walk --seed 1}\n"
                                  "  - {name: clip, make: convert video clip.mp4}\n";
static const char matrix_hardware[] = "hardware:\n"
                                      "  - {name: any}\n"
                                      "  - {name: i5-4590, cpu: 'i5-4590( |$)'}\n"
                                      "  - {name: here, cpu: 'Test CPU'}\n"
                                      "  - {name: gtx-1080, gpu: 'GTX 1080$', sm: 61}\n";

/* Load head (matrix_head where NULL) and text as one matrix file on a host with the CPU "Test CPU 3000". */
static inline sb_status load_matrix(sb_cells **cells, const char *head, const char *text)
{
    char content[1 << 14];
    sb_host host = {.cpu = "Test CPU 3000", .flags = " avx avx2 fma "};
    snprintf(content, sizeof content, "%s%s", head ? head : matrix_head, text);
    *cells = NULL;
    SB_TRY(sb_file_write("matrix_test_hw.yaml", matrix_hardware, strlen(matrix_hardware)));
    SB_TRY(sb_file_write("matrix_test.yaml", content, strlen(content)));
    return sb_cells_load(cells, "matrix_test.yaml", &host);
}
