#include "verbs.h"

#include "doctor.h"
#include "work.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(sb_work_options, file, "--file", 'f', "FILE", "matrix/demo.yaml", "matrix file"),
    SB_WORK_FILTER,
    SB_WORK_RESULTS,
    SB_WORK_DATA,
    SB_WORK_MIRROR,
    SB_OPTION_END,
};

static sb_status doctor(const sb_call *call)
{
    sb_work w = {0};
    sb_status status = sb_work_open(&w, call);
    const sb_doctor_settings settings = {w.options.results, w.options.data, w.options.mirror};
    if (status == SB_OK) status = sb_doctor_examine(w.cells, &w.selection, &settings, stdout);
    return sb_work_close(&w, status);
}

const sb_command sb_verb_doctor = {
    .program = "samebits-matrix",
    .verb = "doctor",
    .summary = "what this machine can run of a matrix, and what is missing",
    .options = options,
    .values_bytes = sizeof(sb_work_options),
    .epilogue = "FILTER: see 'samebits-matrix list --help'.\n"
                "exit codes: 0 some cells can run here, 2 usage, 4 none can\n",
    .run = doctor,
};
