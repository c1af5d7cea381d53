#include "verbs.h"

#include "doctor.h"
#include "work.h"

#include <stdio.h>

sb_status sb_verb_doctor(int argc, char **argv)
{
    static const sb_option options[] = {
        SB_OPTION_TEXT_LETTER(sb_work_options, file, "--file", 'f', "FILE", "matrix/demo.yaml", "matrix file"),
        SB_WORK_FILTER,
        SB_WORK_RESULTS,
        SB_WORK_DATA,
        SB_WORK_MIRROR,
        SB_OPTION_END,
    };
    static const sb_command command = {"samebits-matrix",
                                       "doctor",
                                       "",
                                       "what this machine can run of a matrix, and what is missing",
                                       options,
                                       0,
                                       0,
                                       "FILTER: see 'samebits-matrix list --help'.\n"
                                       "exit codes: 0 some cells can run here, 2 usage, 4 none can\n"};
    sb_work w = {0};
    sb_status status = sb_work_open(&w, &command, argc, argv);
    const sb_doctor_settings settings = {w.options.results, w.options.data, w.options.mirror};
    if (status == SB_OK && !w.help) status = sb_doctor_examine(w.cells, &w.selection, &settings, stdout);
    return sb_work_close(&w, status);
}
