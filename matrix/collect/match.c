#include "matrix/collect/match.h"

#include "matrix/data/data_source.h"
#include "matrix/process/process.h"
#include "matrix/store/store.h"

#include "core/rows/backends.h"
#include "io/sums.h"
#include "io/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRACES "traces"

/* -- traces of the first update -- */

static sb_status trace_path(char path[SB_PATH_MAX], const char *folder, const sb_cell *cell)
{
    if (snprintf(path, SB_PATH_MAX, "%s/" TRACES "/%.*s.h5", folder, SB_CELL_HASH_SHOWN, cell->hash) < SB_PATH_MAX)
        return SB_OK;
    return sb_file_too_long(folder);
}

/* How long a cell trains does not change its first update. */
static bool is_length(sb_setting_id setting)
{
    return sb_settings_table[setting].group == SB_GROUP_RUN;
}

/* `samebits trace` with the settings of the cell. */
static sb_status make_trace(const sb_cell *cell, const char *data_folder, const char *path)
{
    char data[SB_PATH_MAX];
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    int end = -1;
    sb_process_add_program(&argv, "samebits");
    sb_argv_add(&argv, "trace");
    SB_TRY(sb_data_source_path(data, cell->data, data_folder));
    sb_argv_add_pair(&argv, "--data", data);
    for (sb_setting_id setting = 0; setting < SB_N_SETTINGS; setting++) {
        const char *option = sb_settings_table[setting].option;
        if (option && cell->value[setting] && !is_length(setting))
            sb_argv_add_pair(&argv, option, cell->value[setting]);
    }
    sb_argv_add_pair(&argv, "-o", path);
    SB_TRY(sb_argv_check(&argv));
    SB_TRY(sb_process_run(&end, &argv, STDERR_FILENO));
    if (end == 0) return SB_OK;
    return sb_fail(SB_E_DIFFERS, "%s: its first update could not be traced here; see above", cell->name);
}

static bool same_setting(const sb_cell *a, const sb_cell *b)
{
    for (sb_setting_id setting = 0; setting < SB_N_SETTINGS; setting++) {
        const char *x = a->value[setting], *y = b->value[setting];
        if (setting != SB_SETTING_SEED && (x && y ? strcmp(x, y) != 0 : x != y)) return false;
    }
    return true;
}

static bool is_complete(const sb_cell *cell, const char *results)
{
    sb_store store;
    sb_stamp stamp;
    return sb_store_locate(&store, results, cell) == SB_OK &&
           sb_store_check(&store, cell, SB_TRUST_STAMP, NULL, &stamp) == SB_OK;
}

sb_status sb_match_write_traces(const sb_selection *selection, const char *results, const char *data,
                                const char *output)
{
    char path[SB_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/" TRACES, output) >= SB_PATH_MAX) return sb_file_too_long(output);
    SB_TRY(sb_folder_make(path));
    for (size_t i = 0; i < selection->n; i++) {
        const sb_cell *cell = selection->item[i];
        bool first = is_complete(cell, results);
        for (size_t k = 0; first && k < i; k++) first = !same_setting(selection->item[k], cell);
        if (!first) continue;
        SB_TRY(trace_path(path, output, cell));
        SB_TRY(make_trace(cell, data, path));
    }
    return SB_OK;
}

/* -- the reference's rows -- */

typedef struct rows {
    sb_table table;
    size_t hash, weights; /* columns */
} rows;

static sb_status read_rows(rows *r, const char *reference)
{
    char path[SB_PATH_MAX];
    SB_OWNED(sb_sums_free) sb_sums sums = {0};
    if (snprintf(path, sizeof path, "%s/" SB_SUMS_FILE, reference) >= SB_PATH_MAX) return sb_file_too_long(reference);
    SB_TRY(sb_sums_read(&sums, path));
    SB_TRY(sb_sums_check(&sums, reference, "cells.csv"));
    snprintf(path, sizeof path, "%.*s/cells.csv", SB_PATH_MAX - 16, reference);
    SB_TRY(sb_table_read(&r->table, path, &sb_columns_cells));
    sb_status status = sb_table_column(&r->table, "hash", &r->hash);
    if (status == SB_OK) status = sb_table_column(&r->table, "weights", &r->weights);
    if (status != SB_OK) sb_table_free(&r->table);
    return status;
}

/* The row of the cell; n_rows: the reference does not have it. */
static size_t find_row(const rows *r, const sb_cell *cell)
{
    size_t row = 0;
    while (row < r->table.n_rows &&
           strncmp(sb_table_text(&r->table, row, r->hash), cell->hash, SB_CELL_HASH_SHOWN) != 0)
        row++;
    return row;
}

/* -- one cell -- */

/* Print the lines of a file, indented, without the lines about our temporary files. */
static sb_status print_lines(const char *path, const char *ours, FILE *out)
{
    char *text;
    SB_TRY(sb_file_read(path, &text, NULL));
    for (const char *line = text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0))
        if (strncmp(line, ours, strlen(ours)) != 0) fprintf(out, "  %.*s\n", (int)strcspn(line, "\n"), line);
    free(text);
    return SB_OK;
}

/* What `samebits bisect` says of two traces; log: a file for its words. Its exit code says no more than they do. */
static sb_status bisect(const char *here, const char *there, const char *log)
{
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    pid_t pid;
    int end;
    sb_process_add_program(&argv, "samebits");
    sb_argv_add(&argv, "bisect");
    sb_argv_add(&argv, here);
    sb_argv_add(&argv, there);
    SB_TRY(sb_argv_check(&argv));
    SB_TRY(sb_process_start(&pid, &argv, log, -1));
    sb_process_wait(pid, &end);
    return SB_OK;
}

/* Where do its bits part from the reference's? A = here, B = the reference. */
static sb_status print_parting(const sb_cell *cell, const char *reference, const char *data, FILE *out)
{
    char there[SB_PATH_MAX], folder[SB_PATH_MAX - 64], trace[SB_PATH_MAX], log[SB_PATH_MAX];
    SB_TRY(trace_path(there, reference, cell));
    if (!sb_file_exists(there)) return SB_OK;
    SB_TRY(sb_folder_temporary(folder, sizeof folder));
    snprintf(trace, sizeof trace, "%s/update1.h5", folder);
    snprintf(log, sizeof log, "%s/said", folder);
    fprintf(out, "  its first update, A here, B in the reference:\n");
    sb_status status = make_trace(cell, data, trace);
    if (status == SB_OK) status = bisect(trace, there, log);
    if (status == SB_OK) status = print_lines(log, folder, out);
    sb_folder_remove(folder);
    return status;
}

/* What the reference's row says of the library; where it says nothing, what its chains and traces do. */
static void read_library(const rows *r, size_t row, const sb_cell *cell, const char *reference, char *text)
{
    char trace[SB_PATH_MAX];
    snprintf(text, SB_LIBRARY_TEXT, "%s", sb_table_text_or_none(&r->table, row, "library"));
    if (*text || strcmp(cell->value[SB_SETTING_BACKEND], "openblas") != 0) return;
    if (trace_path(trace, reference, cell) == SB_OK) sb_library_of_reference(reference, trace, text);
}

static bool is_same(const rows *r, size_t row, const sb_run_summary *here)
{
    char diverged[32];
    if (strcmp(sb_table_text(&r->table, row, r->weights), here->weights) == 0) return true;
    snprintf(diverged, sizeof diverged, "%lld", (long long)here->diverged);
    return here->diverged && strcmp(sb_table_text_or_none(&r->table, row, "diverged"), diverged) == 0;
}

/* The run here: SB_E_EMPTY, where there is none that is whole. */
static sb_status read_run(sb_matched_cell *m, const char *results, sb_run_summary *summary)
{
    sb_store store;
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    SB_TRY(sb_store_locate(&store, results, m->cell));
    sb_status status = sb_store_open(&store, m->cell, SB_TRUST_NONE, NULL, summary, &file);
    if (status == SB_E_INTEGRITY) fprintf(stderr, "%s\n", sb_message());
    if (status == SB_E_INTEGRITY) return SB_E_EMPTY;
    if (status != SB_OK) return status;
    sb_library_of_run(file, m->library[0]);
    snprintf(m->here, sizeof m->here, "%s", summary->weights);
    return SB_OK;
}

static sb_status match_cell(sb_matched_cell *m, const rows *r, const char *results, const char *reference)
{
    sb_run_summary summary;
    const sb_status status = read_run(m, results, &summary);
    m->state = SB_MATCH_NOT_RUN;
    if (status == SB_E_EMPTY) return SB_OK;
    SB_TRY(status);
    const size_t row = find_row(r, m->cell);
    m->state = SB_MATCH_UNKNOWN;
    if (row == r->table.n_rows) return SB_OK;
    snprintf(m->there, sizeof m->there, "%s", sb_table_text(&r->table, row, r->weights));
    read_library(r, row, m->cell, reference, m->library[1]);
    m->state = is_same(r, row, &summary) ? SB_MATCH_SAME : SB_MATCH_DIFFERENT;
    return SB_OK;
}

/* -- all of them -- */

const char *const sb_match_word[] = {"same", "different", "not run", "not in the reference"};

static sb_matched_group *group_of(sb_matched *matched, const sb_cell *cell)
{
    const char *backend = cell->value[SB_SETTING_BACKEND];
    size_t i = 0;
    while (i < matched->n_groups && strcmp(matched->group[i].backend, backend) != 0) i++;
    assert(i < SB_MATCH_GROUPS && "as many as there are backends");
    if (i == matched->n_groups) {
        const bool is_promised = sb_backend_is_written(backend);
        matched->group[matched->n_groups++] = (sb_matched_group){.backend = backend, .is_promised = is_promised};
    }
    return &matched->group[i];
}

/* Are its different bits an alarm? Not if a library has another version. */
static bool count_cell(sb_matched *matched, const sb_matched_cell *m)
{
    char reason[SB_LIBRARY_TEXT] = "";
    matched->n_not_run += m->state == SB_MATCH_NOT_RUN;
    matched->n_unknown += m->state == SB_MATCH_UNKNOWN;
    if (m->state > SB_MATCH_DIFFERENT) return false;
    sb_matched_group *group = group_of(matched, m->cell);
    group->n_compared++;
    group->n_same += m->state == SB_MATCH_SAME;
    if (m->state == SB_MATCH_SAME) return false;
    if (!group->is_promised) sb_library_reason(m->library[0], m->library[1], reason);
    group->n_alarming += !*reason;
    if (!*group->reason) snprintf(group->reason, sizeof group->reason, "%s", reason);
    return !*reason;
}

static sb_status match_all(sb_matched *matched, const rows *r, const char *results, const char *reference,
                           const char *data, FILE *out)
{
    for (size_t i = 0; i < matched->n; i++) {
        sb_matched_cell *m = &matched->cell[i];
        SB_TRY(match_cell(m, r, results, reference));
        const bool is_alarming = count_cell(matched, m);
        if (m->state != SB_MATCH_DIFFERENT || !out) continue;
        fprintf(out, "other bits than the reference's%s: %s (weights %s, there %s)\n",
                is_alarming ? "" : ", not promised", m->cell->name, m->here, m->there);
        SB_TRY(print_parting(m->cell, reference, data, out));
    }
    return SB_OK;
}

sb_status sb_match(sb_matched *matched, const sb_selection *selection, const char *results, const char *reference,
                   const char *data, FILE *out)
{
    rows r;
    *matched = (sb_matched){.cell = calloc(selection->n + 1, sizeof *matched->cell), .n = selection->n};
    if (!matched->cell) return sb_fail(SB_E_MEMORY, "not enough memory to match");
    for (size_t i = 0; i < selection->n; i++) matched->cell[i].cell = selection->item[i];
    SB_TRY(read_rows(&r, reference));
    const sb_status status = match_all(matched, &r, results, reference, data, out);
    sb_table_free(&r.table);
    return status;
}

void sb_matched_free(sb_matched *matched)
{
    free(matched->cell);
    *matched = (sb_matched){0};
}
