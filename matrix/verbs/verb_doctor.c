#include "matrix/verbs/verbs.h"

#include "matrix/verbs/matrix_session.h"

#include "core/text/json.h"

#include <stdio.h>

static const sb_json_key keys[] = {
    {"facts", SB_JSON_LIST, "what was looked for, section by section"},
    {"facts[].section", SB_JSON_TEXT, "tools, backends, engines, machine, environment, disk or data"},
    {"facts[].name", SB_JSON_TEXT, "what"},
    {"facts[].present", SB_JSON_FLAG, "whether it is here"},
    {"facts[].text", SB_JSON_TEXT, "its version, place or size, or why it is not here"},
    {"cells", SB_JSON_OBJECT, "selected cells by what this machine can do for them"},
    {"cells.measured", SB_JSON_INTEGER, "run on the hardware that they name"},
    {"cells.emulated", SB_JSON_INTEGER, "run with the kernel type and thread count of another CPU"},
    {"cells.imitated", SB_JSON_INTEGER, "run on a CPU with rules of a GPU"},
    {"cells.absent", SB_JSON_INTEGER, "cannot run here"},
    {"reasons", SB_JSON_LIST, "why cells cannot run here"},
    {"reasons[].why", SB_JSON_TEXT, "the reason"},
    {"reasons[].cells", SB_JSON_INTEGER, "cells of that reason"},
    SB_JSON_END,
};

static void write_facts(sb_json *json, const sb_doctor *doctor)
{
    sb_json_list(json, "facts");
    for (const sb_doctor_fact *fact = doctor->fact; fact < doctor->fact + doctor->n; fact++) {
        sb_json_object(json, NULL);
        sb_json_text(json, "section", fact->section);
        sb_json_text(json, "name", fact->name);
        sb_json_flag(json, "present", fact->present);
        sb_json_text(json, "text", fact->text);
        sb_json_end(json);
    }
    sb_json_end(json);
}

static sb_status write_doctor(const sb_call *call, const sb_doctor *doctor, sb_status status)
{
    sb_json json = sb_json_begin(call->command);
    write_facts(&json, doctor);
    sb_json_object(&json, "cells");
    for (sb_evidence e = 0; e < SB_N_EVIDENCES_OF_CELLS; e++)
        sb_json_integer(&json, sb_evidence_name[e], (int64_t)doctor->count[e]);
    sb_json_end(&json);
    sb_json_list(&json, "reasons");
    for (int i = 0; i < doctor->reasons.n; i++) {
        sb_json_object(&json, NULL);
        sb_json_text(&json, "why", doctor->reasons.text[i]);
        sb_json_integer(&json, "cells", (int64_t)doctor->reasons.count[i]);
        sb_json_end(&json);
    }
    sb_json_end(&json);
    return sb_json_print(&json, status);
}

static sb_status examine(const sb_call *call, const sb_matrix_session *w)
{
    SB_OWNED(sb_doctor_free) sb_doctor doctor = {0};
    SB_TRY(sb_doctor_examine(&doctor, w));
    if (!w->options.json) sb_doctor_print(&doctor, stdout);
    const sb_status status = sb_doctor_judge(&doctor, w->cells->path);
    if (w->options.json) return write_doctor(call, &doctor, status);
    if (status == SB_OK)
        printf("%zu of %zu cells of %s can run here\n", sb_doctor_runnable(&doctor), doctor.n_cells, w->cells->path);
    return status;
}

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(sb_matrix_session_options, file, "--file", 'f', "FILE", "matrix/demo.yaml", "matrix file"),
    SB_SESSION_FILTER,
    SB_SESSION_RESULTS,
    SB_SESSION_DATA,
    SB_SESSION_MIRROR,
    SB_SESSION_JSON,
    SB_OPTION_END,
};

static sb_status doctor(const sb_call *call)
{
    SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
    SB_TRY(sb_matrix_session_open(&w, call));
    return examine(call, &w);
}

const sb_command sb_verb_doctor = {
    .program = "samebits-matrix",
    .verb = "doctor",
    .summary = "show what this machine can run of a matrix, and what is missing",
    .options = options,
    .values_bytes = sizeof(sb_matrix_session_options),
    .epilogue = "FILTER: see 'samebits-matrix list --help'.\n"
                "exit codes: 0 some cells can run here, 2 usage, 4 none can\n",
    .json = keys,
    .run = doctor,
};
