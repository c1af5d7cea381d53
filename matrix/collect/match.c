#define _POSIX_C_SOURCE 200809L
#include "matrix/collect/match.h"

#include "matrix/data/supply.h"
#include "matrix/run/process.h"
#include "matrix/store/store.h"

#include "io/sums.h"
#include "io/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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
static bool is_length(sb_setting_id factor)
{
    return sb_settings_table[factor].group == SB_GROUP_RUN;
}

/* `samebits trace` with the factors of the cell. */
static sb_status make_trace(const sb_cell *cell, const char *data_folder, const char *path)
{
    char program[SB_PATH_MAX], data[SB_PATH_MAX];
    sb_words words = {0};
    int end = -1;
    sb_process_program("samebits", program);
    sb_words_add(&words, program);
    sb_words_add(&words, "trace");
    sb_status status = sb_supply_path(data, cell->data, data_folder);
    sb_words_add_pair(&words, "--data", data);
    for (sb_setting_id factor = 0; factor < SB_N_SETTINGS; factor++) {
        const char *option = sb_settings_table[factor].option;
        if (option && cell->value[factor] && !is_length(factor)) sb_words_add_pair(&words, option, cell->value[factor]);
    }
    sb_words_add_pair(&words, "-o", path);
    if (status == SB_OK) status = sb_words_check(&words);
    if (status == SB_OK) status = sb_process_run(&end, &words);
    sb_words_free(&words);
    if (status != SB_OK || end == 0) return status;
    return sb_fail(SB_E_DIFFERS, "%s: its first update could not be traced here; see above", cell->name);
}

static bool same_setting(const sb_cell *a, const sb_cell *b)
{
    for (sb_setting_id factor = 0; factor < SB_N_SETTINGS; factor++) {
        const char *x = a->value[factor], *y = b->value[factor];
        if (factor != SB_SETTING_SEED && (x && y ? strcmp(x, y) != 0 : x != y)) return false;
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
    sb_sums sums;
    if (snprintf(path, sizeof path, "%s/" SB_SUMS_FILE, reference) >= SB_PATH_MAX) return sb_file_too_long(reference);
    SB_TRY(sb_sums_read(&sums, path));
    sb_status status = sb_sums_check(&sums, reference, "cells.csv");
    sb_sums_free(&sums);
    if (status != SB_OK) return status;
    snprintf(path, sizeof path, "%.*s/cells.csv", SB_PATH_MAX - 16, reference);
    SB_TRY(sb_table_read(&r->table, path, &sb_columns_cells));
    status = sb_table_column(&r->table, "hash", &r->hash);
    if (status == SB_OK) status = sb_table_column(&r->table, "weights", &r->weights);
    if (status != SB_OK) sb_table_free(&r->table);
    return status;
}

/* The weights that the reference has for the cell; NULL: it does not have the cell. */
static const char *find_weights(const rows *r, const sb_cell *cell)
{
    for (size_t i = 0; i < r->table.n_rows; i++)
        if (strncmp(sb_table_text(&r->table, i, r->hash), cell->hash, SB_CELL_HASH_SHOWN) == 0)
            return sb_table_text(&r->table, i, r->weights);
    return NULL;
}

/* -- one cell -- */

/* The lines of a file, set in; not those about files of ours that are gone when somebody reads them. */
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
    char program[SB_PATH_MAX];
    sb_words words = {0};
    pid_t pid;
    int end;
    sb_process_program("samebits", program);
    sb_words_add(&words, program);
    sb_words_add(&words, "bisect");
    sb_words_add(&words, here);
    sb_words_add(&words, there);
    sb_status status = sb_words_check(&words);
    if (status == SB_OK) status = sb_process_start(&pid, &words, log, -1);
    if (status == SB_OK) sb_process_wait(pid, &end);
    sb_words_free(&words);
    return status;
}

/* Where do its bits part from the reference's? A = here, B = the reference. */
static sb_status print_parting(const sb_cell *cell, const char *reference, const char *data, FILE *out)
{
    char there[SB_PATH_MAX], folder[] = "/tmp/samebits-match.XXXXXX", trace[64], log[64];
    SB_TRY(trace_path(there, reference, cell));
    if (!sb_file_exists(there)) return SB_OK;
    if (!mkdtemp(folder)) return sb_fail(SB_E_IO, "%s: %s", folder, strerror(errno));
    snprintf(trace, sizeof trace, "%s/update1.h5", folder);
    snprintf(log, sizeof log, "%s/said", folder);
    fprintf(out, "  its first update, A here, B in the reference:\n");
    sb_status status = make_trace(cell, data, trace);
    if (status == SB_OK) status = bisect(trace, there, log);
    if (status == SB_OK) status = print_lines(log, folder, out);
    unlink(log);
    unlink(trace);
    rmdir(folder);
    return status;
}

static sb_status match_cell(sb_matched *matched, const rows *r, const sb_cell *cell, const char *results,
                            const char *reference, const char *data, FILE *out)
{
    sb_store store;
    sb_run_summary summary;
    sb_h5 *file;
    SB_TRY(sb_store_locate(&store, results, cell));
    sb_status status = sb_store_open(&store, cell, SB_TRUST_NONE, NULL, &summary, &file);
    if (status == SB_E_INTEGRITY) fprintf(stderr, "%s\n", sb_message());
    if (status == SB_E_INTEGRITY || status == SB_E_EMPTY) {
        matched->n_not_run++;
        return SB_OK;
    }
    if (status != SB_OK) return status;
    sb_h5_close(file);
    const char *weights = find_weights(r, cell);
    if (!weights) {
        matched->n_unknown++;
        return SB_OK;
    }
    if (strcmp(weights, summary.weights) == 0) {
        matched->n_same++;
        return SB_OK;
    }
    matched->n_different++;
    fprintf(out, "other bits than the reference's: %s (weights %s, there %s)\n", cell->name, summary.weights, weights);
    return print_parting(cell, reference, data, out);
}

sb_status sb_match(sb_matched *matched, const sb_selection *selection, const char *results, const char *reference,
                   const char *data, FILE *out)
{
    rows r;
    *matched = (sb_matched){0};
    SB_TRY(read_rows(&r, reference));
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < selection->n; i++)
        status = match_cell(matched, &r, selection->item[i], results, reference, data, out);
    sb_table_free(&r.table);
    return status;
}
