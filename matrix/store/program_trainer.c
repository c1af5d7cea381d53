#include "matrix/store/program.h"

#include "matrix/process/process.h"

#include "core/rows/typed.h"
#include "io/h5/h5_attribute.h"

#include <string.h>

const sb_cell_program *sb_cell_program_of(const sb_cell *cell)
{
    return cell->study->command ? &sb_program_command : &sb_program_trainer;
}

static sb_status add_start(sb_argv *argv, const sb_cell *cell, const char *matrix, const sb_command_paths *paths)
{
    (void)matrix, (void)paths;
    sb_launcher_add(argv, cell->value);
    sb_process_add_program(argv, cell->emulator ? cell->emulator : "samebits");
    return sb_argv_check(argv);
}

/* The arguments after the program's name. Of `defaults` the trainer gets those that the cell has. */
static void add_argv(sb_argv *argv, const sb_cell *cell, const sb_command_paths *paths)
{
    char why[SB_TYPED_WHY];
    sb_argv_add(argv, "train");
    sb_argv_add_pair(argv, "--data", paths->data);
    for (sb_setting_id factor = 0; factor < SB_N_SETTINGS; factor++) {
        const char *option = sb_settings_table[factor].option;
        if (option && cell->value[factor] && sb_typed_holds(factor, cell->value, why))
            sb_argv_add_pair(argv, option, cell->value[factor]);
    }
    sb_argv_add_pair(argv, "--cell", cell->name);
    sb_argv_add_pair(argv, "--record", cell->record);
    if (*cell->claims) sb_argv_add_pair(argv, "--claims", cell->claims);
    sb_argv_add_pair(argv, "-o", paths->output);
}

/* The trainer writes the run file itself. */
static sb_status conclude(const sb_store *store, const sb_cell *cell, double seconds)
{
    (void)store, (void)cell, (void)seconds;
    return SB_OK;
}

static sb_status check_record(sb_h5 *file, const sb_cell *cell)
{
    char record[SB_RECORD_BYTES];
    SB_TRY(sb_h5_get_text(file, "meta", "record", record, sizeof record));
    if (strcmp(record, cell->record) != 0)
        return sb_fail(SB_E_INTEGRITY, "%s: holds the run of another cell; move it away and run this one again",
                       sb_h5_path(file));
    return SB_OK;
}

static sb_status check_open(const sb_cell *cell, sb_h5 *file, sb_stamp *stamp)
{
    SB_TRY(sb_runfile_check(file));
    SB_TRY(check_record(file, cell));
    SB_TRY(sb_h5_get_int(file, "final", "updates", &stamp->updates));
    SB_TRY(sb_h5_get_real(file, "final", "seconds", &stamp->seconds));
    stamp->diverged = sb_h5_has(file, "final", "diverged");
    if (sb_h5_has(file, "env", "cpu")) SB_TRY(sb_h5_get_text(file, "env", "cpu", stamp->cpu, sizeof stamp->cpu));
    return SB_OK;
}

static sb_status check(const sb_store *store, const sb_cell *cell, sb_stamp *stamp)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    SB_TRY(sb_h5_open(&file, store->run, SB_SEAL_RUNS | SB_SEAL_OWN | SB_SEAL_AT_ONCE));
    SB_OWNED(sb_run_sketches_free) sb_run_sketches sketches = {0};
    SB_TRY(check_open(cell, file, stamp));
    return sb_runfile_sketches(file, &sketches); /* collect reads them, too */
}

static sb_status record(const char *path, char text[SB_RECORD_BYTES])
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    return sb_h5_get_text(file, "meta", "record", text, SB_RECORD_BYTES);
}

static void add_comparison(sb_argv *argv, const sb_cell *cell, const char *first, const char *second)
{
    (void)cell;
    sb_process_add_program(argv, "samebits");
    sb_argv_add(argv, "diff");
    sb_argv_add(argv, first);
    sb_argv_add(argv, second);
}

const sb_cell_program sb_program_trainer = {.ending = "h5",
                                            .add_start = add_start,
                                            .add_argv = add_argv,
                                            .conclude = conclude,
                                            .check = check,
                                            .record = record,
                                            .add_comparison = add_comparison};
