#include "matrix/forecast/estimates.h"

#include "matrix/process/process.h"

#include "io/sums.h"
#include "io/table.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct study { /* one that was collected */
    sb_cells *cells;
    struct study *next;
} study;

struct sb_estimates {
    char results[SB_PATH_MAX];
    sb_host host;
    sb_timings *timings;
    study *studies; /* the cells that the timings refer to */
    size_t n_timings;
    bool measured;
    double scale;
};

/* -- timings -- */

/* The cell whose hash begins so. Tables have their rows in the order of the cells: the search begins at *from. */
static const sb_cell *find_cell(const sb_cells *cells, const char *hash, size_t *from)
{
    for (size_t i = 0; i < cells->n; i++) {
        const size_t at = (*from + i) % cells->n;
        if (strncmp(cells->item[at].hash, hash, SB_CELL_HASH_SHOWN) != 0) continue;
        *from = at;
        return &cells->item[at];
    }
    return NULL;
}

/* A training that diverged ended early, and says nothing of how long a whole one takes. Both tables have their rows in one
 * order. */
static bool diverged(const sb_table *rows, size_t i, const char *hash)
{
    return i < rows->n_rows && strcmp(sb_table_text_or_none(rows, i, "hash"), hash) == 0 &&
           *sb_table_text_or_none(rows, i, "diverged");
}

static sb_status add_rows(sb_estimates *estimates, const sb_table *timing, const sb_table *rows, const sb_cells *cells)
{
    size_t hash, seconds;
    SB_TRY(sb_table_column(timing, "hash", &hash));
    SB_TRY(sb_table_column(timing, "seconds", &seconds));
    size_t next = 0;
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < timing->n_rows; i++) {
        const sb_cell *cell = find_cell(cells, sb_table_text(timing, i, hash), &next);
        sb_stamp stamp = {.file.n_bytes = -1};
        status = sb_table_real(timing, i, seconds, &stamp.seconds);
        if (status != SB_OK || !cell || !(stamp.seconds > 0)) continue;
        if (diverged(rows, i, sb_table_text(timing, i, hash))) continue;
        if (cell->value[SB_SETTING_UPDATES]) stamp.updates = strtol(cell->value[SB_SETTING_UPDATES], NULL, 10);
        status = sb_timings_add(estimates->timings, cell, &stamp);
        estimates->n_timings += status == SB_OK;
    }
    return status;
}

/* The matrix file that a study was collected from. */
static sb_status read_matrix_path(const char *folder, char path[SB_PATH_MAX])
{
    sb_table coverage;
    size_t what, value;
    char file[SB_PATH_MAX];
    snprintf(file, sizeof file, "%.4000s/coverage.csv", folder);
    SB_TRY(sb_table_read(&coverage, file, &sb_columns_coverage));
    sb_status status = sb_table_column(&coverage, "what", &what);
    if (status == SB_OK) status = sb_table_column(&coverage, "value", &value);
    *path = 0;
    for (size_t i = 0; status == SB_OK && i < coverage.n_rows; i++)
        if (strcmp(sb_table_text(&coverage, i, what), "matrix") == 0)
            snprintf(path, SB_PATH_MAX, "%s", sb_table_text(&coverage, i, value));
    sb_table_free(&coverage);
    return status == SB_OK && !*path ? sb_fail(SB_E_INTEGRITY, "%s: names no matrix file", file) : status;
}

/* As they were collected, or not at all. */
static sb_status check_tables(const char *folder)
{
    char path[SB_PATH_MAX];
    sb_sums sums;
    snprintf(path, sizeof path, "%.4000s/%s", folder, SB_SUMS_FILE);
    SB_TRY(sb_sums_read(&sums, path));
    sb_status status = sb_sums_check(&sums, folder, "timing.csv");
    if (status == SB_OK) status = sb_sums_check(&sums, folder, "coverage.csv");
    if (status == SB_OK) status = sb_sums_check(&sums, folder, "cells.csv");
    sb_sums_free(&sums);
    return status;
}

static sb_status add_timings(sb_estimates *estimates, const char *folder, const sb_cells *cells)
{
    char path[SB_PATH_MAX];
    sb_table timing, rows;
    snprintf(path, sizeof path, "%.4000s/timing.csv", folder);
    SB_TRY(sb_table_read(&timing, path, &sb_columns_timing));
    snprintf(path, sizeof path, "%.4000s/cells.csv", folder);
    sb_status status = sb_table_read(&rows, path, &sb_columns_cells);
    if (status == SB_OK) {
        status = add_rows(estimates, &timing, &rows, cells);
        sb_table_free(&rows);
    }
    sb_table_free(&timing);
    return status;
}

static sb_status add_study(sb_estimates *estimates, const char *folder)
{
    char path[SB_PATH_MAX];
    sb_cells *cells;
    SB_TRY(check_tables(folder));
    SB_TRY(read_matrix_path(folder, path));
    SB_TRY(sb_cells_load(&cells, path, &estimates->host));
    study *added = calloc(1, sizeof *added);
    if (!added) {
        sb_cells_free(cells);
        return sb_fail(SB_E_MEMORY, "not enough memory to plan");
    }
    *added = (study){cells, estimates->studies};
    estimates->studies = added;
    return add_timings(estimates, folder, cells);
}

/* Runs are no studies, and tables that were collected on this machine are no timings of another one. */
static bool is_of_another_machine(const char *name)
{
    return *name != '.' && strcmp(name, "runs") != 0 && strcmp(name, "mine") != 0;
}

/* Those in this folder and in its subfolders, to this depth. */
static void add_studies(sb_estimates *estimates, const char *folder, int depth)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;
        char below[SB_PATH_MAX];
        snprintf(below, sizeof below, "%.3800s/%.250s", folder, name);
        if (is_of_another_machine(name)) {
            (void)add_study(estimates, below);
            if (depth > 1) add_studies(estimates, below, depth - 1);
        }
        free(entry[i]);
    }
    if (n >= 0) free(entry);
}

sb_status sb_estimates_open(sb_estimates **estimates, const char *results, const sb_host *host)
{
    *estimates = calloc(1, sizeof **estimates);
    if (!*estimates) return sb_fail(SB_E_MEMORY, "not enough memory to plan");
    snprintf((*estimates)->results, SB_PATH_MAX, "%s", results);
    (*estimates)->host = *host;
    sb_status status = sb_timings_open_any_data(&(*estimates)->timings);
    if (status == SB_OK) add_studies(*estimates, results, 2); /* results/largebatch/sgd */
    if (status == SB_OK) return SB_OK;
    sb_estimates_close(*estimates);
    *estimates = NULL;
    return status;
}

void sb_estimates_close(sb_estimates *estimates)
{
    if (!estimates) return;
    sb_timings_close(estimates->timings);
    for (study *s = estimates->studies, *next; s; s = next) {
        next = s->next;
        sb_cells_free(s->cells);
        free(s);
    }
    free(estimates);
}

/* -- this machine's speed -- */

enum { BENCH_FIELDS = 15 };

/* A line of the published PredNet on one thread, native and Winograd? */
static bool is_published(const char *const field[BENCH_FIELDS])
{
    static const struct {
        int column;
        const char *value;
    } wanted[] = {{0, "prednet"}, {1, "native"}, {2, "winograd"}, {4, "1"}, {5, "160"}, {6, "120"}, {7, "3 48 96 192"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (strcmp(field[wanted[i].column], wanted[i].value) != 0) return false;
    return true;
}

/* Seconds a frame of it, had it the CPU to itself; 0: the file does not say, or is of another CPU (NULL: any). */
static double frame_seconds(const char *path, const char *cpu)
{
    char *text, wanted[160];
    double seconds = 0, share = 1;
    if (sb_file_read(path, &text, NULL) != SB_OK) return 0;
    snprintf(wanted, sizeof wanted, "# cpu: %s\n", cpu ? cpu : "");
    bool is_of_cpu = !cpu || strstr(text, wanted);
    for (char *rest = text, *line; is_of_cpu && (line = strtok_r(rest, "\n", &rest));) {
        const char *field[BENCH_FIELDS] = {line};
        int n = 1;
        for (char *c = line; n < BENCH_FIELDS && (c = strchr(c, ',')); *c++ = 0, field[n++] = c) {
        }
        double frames = n == BENCH_FIELDS && is_published(field) ? strtod(field[8], NULL) : 0;
        if (frames > 0 && strcmp(field[11], "time") == 0) seconds = strtod(field[14], NULL) / frames;
        if (frames > 0 && strcmp(field[11], "cpu_share") == 0) share = strtod(field[14], NULL);
    }
    free(text);
    return seconds * share;
}

static sb_status measure(const char *path)
{
    char *said;
    sb_argv argv = {0};
    sb_process_add_program(&argv, "samebits");
    sb_argv_add_split(&argv, "bench --quick --only prednet --backend native/winograd --threads 1 -o");
    sb_argv_add(&argv, path);
    fprintf(stderr, "how fast is this machine? one small window, about ten seconds\n");
    sb_status status = sb_process_ask(&said, &argv);
    free(said);
    return status;
}

/* How many times as long this machine takes as the one of the timings; 0: not known. */
static double measure_scale(const sb_estimates *estimates)
{
    char there[SB_PATH_MAX], here[SB_PATH_MAX];
    const char *cache = getenv("SAMEBITS_CACHE");
    if (!cache) cache = "cache";
    snprintf(there, sizeof there, "%.4000s/bench/bench.csv", estimates->results);
    snprintf(here, sizeof here, "%.4000s/speed.csv", cache);
    double known = frame_seconds(there, NULL), own = known > 0 ? frame_seconds(here, estimates->host.cpu) : 0;
    if (known > 0 && own <= 0 && sb_folder_make(cache) == SB_OK && measure(here) == SB_OK)
        own = frame_seconds(here, NULL);
    return own > 0 ? own / known : 0;
}

sb_prediction sb_estimates_predict(sb_estimates *estimates, const sb_cell *cell, double *scale)
{
    sb_prediction p = {.basis = SB_BASIS_NONE, .seconds = -1, .n_bytes = -1};
    *scale = 0;
    if (!estimates->n_timings || cell->evidence == SB_EVIDENCE_ABSENT) return p;
    sb_prediction there = sb_timings_predict(estimates->timings, cell);
    if (there.basis == SB_BASIS_NONE) return p;
    if (!estimates->measured) estimates->scale = measure_scale(estimates);
    estimates->measured = true;
    *scale = estimates->scale;
    there.basis = SB_BASIS_SHIPPED;
    there.n_bytes = -1;
    if (estimates->scale > 0) there.seconds *= estimates->scale;
    return there;
}
