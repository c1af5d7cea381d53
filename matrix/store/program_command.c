#include "matrix/store/program.h"

#include "core/machine/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* env -C FOLDER NAME=VALUE...: the program runs next to the matrix file, and sees the study's environment. */
static sb_status add_start(sb_argv *argv, const sb_cell *cell, const char *matrix, const sb_command_paths *paths)
{
    char folder[SB_PATH_MAX];
    SB_TRY(sb_command_folder(folder, matrix));
    sb_argv_add_split(argv, "env -C");
    sb_argv_add(argv, folder);
    sb_command_environment(argv, cell, paths);
    return sb_argv_check(argv);
}

static sb_status conclude(const sb_store *store, const sb_cell *cell, double seconds)
{
    sb_measured measured;
    SB_TRY(sb_measured_read(&measured, cell->study, store->output));
    sb_cell_result result = {.updates = measured.n, .seconds = seconds};
    result.diverged = sb_measured_diverged(&measured, cell->study);
    snprintf(result.output, sizeof result.output, "%s", measured.sha256);
    snprintf(result.claims, sizeof result.claims, "%s", cell->claims);
    snprintf(result.weights, sizeof result.weights, "%s", measured.weights);
    SB_FREED sb_facts *facts = calloc(1, sizeof *facts);
    if (!facts) return sb_fail(SB_E_MEMORY, "%s: not enough memory", store->run);
    sb_facts_machine(facts);
    const char *cpu = sb_facts_find(facts, "cpu");
    snprintf(result.cpu, sizeof result.cpu, "%s", cpu ? cpu : "");
    return sb_cell_result_write(&result, cell->record, store->run);
}

static sb_status check(const sb_store *store, const sb_cell *cell, sb_stamp *stamp)
{
    char text[SB_RECORD_BYTES], sha256[SB_SHA256_TEXT];
    sb_cell_result result;
    SB_TRY(sb_cell_result_read(&result, text, store->run));
    if (strcmp(text, cell->record) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: holds the run of another cell; move it away and run this one again",
                       store->run);
    if (sb_sha256_file(store->output, sha256) != SB_OK) return sb_fail(SB_E_INTEGRITY, "%s", sb_message());
    if (strcmp(sha256, result.output) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: changed since its program ended; move it away and run the cell again",
                       store->output);
    stamp->updates = result.updates;
    stamp->seconds = result.seconds;
    stamp->diverged = result.diverged;
    snprintf(stamp->cpu, sizeof stamp->cpu, "%s", result.cpu);
    return SB_OK;
}

static sb_status record(const char *path, char text[SB_RECORD_BYTES])
{
    sb_cell_result result;
    return sb_cell_result_read(&result, text, path);
}

/* Recordings name the first update that differs; of other files the bytes are compared. */
static void add_comparison(sb_argv *argv, const sb_cell *cell, const char *first, const char *second)
{
    if (sb_command_output(cell->study) == SB_OUTPUT_RUN)
        sb_program_trainer.add_comparison(argv, cell, first, second);
    else {
        sb_argv_add(argv, "cmp");
        sb_argv_add_pair(argv, first, second);
    }
}

const sb_cell_program sb_program_command = {.ending = "result",
                                            .add_start = add_start,
                                            .add_argv = sb_command_argv,
                                            .conclude = conclude,
                                            .check = check,
                                            .record = record,
                                            .add_comparison = add_comparison};
