#include "paper/results/condition.h"

#include "core/machine/guard.h"
#include "core/size.h"
#include "io/h5/h5_attribute.h"
#include "io/run/registration.h"
#include "io/run/runfile.h"
#include "paper/results/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As collect writes them, so that what is equal in the table is equal here. */
static bool same_number(double a, double b)
{
    char left[32], right[32];
    snprintf(left, sizeof left, "%.9g", a);
    snprintf(right, sizeof right, "%.9g", b);
    return strcmp(left, right) == 0;
}

static sb_status note_row(const sb_results *results, const sb_result *cell, const char *column, double here, double run,
                          sb_notes *notes)
{
    return sb_notes_add(notes, "%s:%zu: %s of %s is %.9g, but its run file says %.9g", results->cells.path, cell->line,
                        column, cell->name, here, run);
}

/* What collect takes from the run's configuration alone. */
static bool is_from_run(sb_setting_id id)
{
    const sb_setting_row *setting = &sb_settings_table[id];
    return setting->group == SB_GROUP_LEARN && (setting->role == SB_ROLE_RECIPE || setting->role == SB_ROLE_ARM);
}

/* A text of the row that collect took from the run's configuration; "" where it took none. */
static sb_status audit_text(const sb_results *results, sb_h5 *file, const sb_result *cell, const char *key,
                            const char *here, sb_notes *notes)
{
    char run[SB_SETTING_TEXT];
    if (!*here || !sb_h5_has(file, "config", key)) return SB_OK;
    SB_TRY(sb_h5_attribute_text(file, "config", key, run, sizeof run));
    for (char *c = run; (c = strpbrk(c, ",\"\n"));) *c = ' ';
    if (strcmp(run, here) == 0) return SB_OK;
    return sb_notes_add(notes, "%s:%zu: %s of %s is '%s', but its run file says '%s'", results->cells.path, cell->line,
                        key, cell->name, here, run);
}

/* What was trained, and on what. */
static sb_status audit_recipe(const sb_results *results, sb_h5 *file, const sb_result *cell, sb_notes *notes)
{
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++)
        if (is_from_run(id))
            SB_TRY(audit_text(results, file, cell, sb_settings_table[id].key, cell->setting[id], notes));
    return audit_text(results, file, cell, "data_digest", cell->data_digest, notes);
}

/* The claims that stood when it began. */
static sb_status audit_registration(const sb_results *results, sb_h5 *file, const sb_result *cell, sb_notes *notes)
{
    char claims[SB_RUN_CLAIMS] = "", id[SB_REGISTRATION_ID];
    if (sb_h5_has(file, "meta", "claims")) SB_TRY(sb_h5_attribute_text(file, "meta", "claims", claims, sizeof claims));
    sb_registration_id(claims, id);
    if (strcmp(id, cell->registration) == 0) return SB_OK;
    return sb_notes_add(notes, "%s:%zu: registration of %s is '%s', but its run file has '%s'", results->cells.path,
                        cell->line, cell->name, cell->registration, id);
}

#define OF_RUN(ID, key, ...) run->key,

/* What is found on test images or held-out tokens: of the run file NaN where that has none, as a chain. */
typedef struct tested {
    double accuracy, cross_entropy;
} tested;

static bool same_if_both(double a, double b)
{
    return isnan(a) || isnan(b) || same_number(a, b);
}

static sb_status audit_row(const sb_results *results, const sb_result *cell, const sb_run_summary *run,
                           const tested *test, sb_audit *audit)
{
    const double cross_entropy = cell->loss[SB_METRIC_TEST_CROSS_ENTROPY];
    sb_notes *notes = audit->changed;
    const double loss[SB_N_METRICS] = {SB_METRICS(OF_RUN, SB_METRIC_NONE, SB_METRIC_NONE)};
    if (cell->diverged && !run->diverged)
        return sb_notes_add(notes, "%s:%zu: %s has no loss, but its run file says that it did not diverge",
                            results->cells.path, cell->line, cell->name);
    if (cell->diverged != (run->diverged != 0) || (cell->diverged_at && cell->diverged_at != run->diverged))
        return note_row(results, cell, "diverged", (double)cell->diverged_at, (double)run->diverged, notes);
    for (int m = 0; !cell->diverged && m < SB_N_METRICS; m++)
        if (!same_number(cell->loss[m], loss[m]))
            return note_row(results, cell, sb_metric_column[m], cell->loss[m], loss[m], notes);
    if (!cell->diverged && cell->updates != run->updates)
        return note_row(results, cell, "updates", (double)cell->updates, (double)run->updates, notes);
    if (!same_if_both(cell->accuracy, test->accuracy))
        return note_row(results, cell, "accuracy", cell->accuracy, test->accuracy, notes);
    if (!same_if_both(cross_entropy, test->cross_entropy))
        return note_row(results, cell, "test_cross_entropy", cross_entropy, test->cross_entropy, notes);
    if (strcmp(cell->weights, run->weights) == 0) {
        if (!same_number(cell->seconds, run->seconds) && audit->n_retimed++ == 0) audit->retimed = cell;
        return SB_OK;
    }
    return sb_notes_add(notes, "%s:%zu: the hash of the weights of %s is not the one in its run file",
                        results->cells.path, cell->line, cell->name);
}

/* A point of a curve is the mean over the updates after the previous point's, up to its own. */
static sb_status audit_points(const sb_result *cell, size_t n, double *const loss[SB_N_METRICS], sb_notes *notes)
{
    size_t first = 0;
    for (size_t i = 0; i < cell->n_curve; i++) {
        double at = cell->update[i];
        size_t end = !(at > (double)first) ? first : at <= (double)n ? (size_t)at : n;
        for (int m = 0; m < SB_N_METRICS; m++) {
            double sum = 0;
            for (size_t k = first; k < end; k++) sum += loss[m][k];
            double mean = sum / (double)(end - first);
            if (end > first && same_number(cell->curve[m][i], mean)) continue;
            return sb_notes_add(notes, "curves.csv: %s of %s at update %.0f is %.9g, but its run file says %.9g",
                                sb_metric_column[m], cell->name, cell->update[i], cell->curve[m][i], mean);
        }
        first = end;
    }
    return SB_OK;
}

static sb_status audit_curve(sb_h5 *file, const sb_result *cell, sb_notes *notes)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, "train/loss_last", &shape));
    SB_FREED double *room = sb_size_allocate(shape.n, SB_N_METRICS * sizeof *room);
    if (!room) return sb_h5_fail_memory(file);
    double *loss[SB_N_METRICS];
    for (int m = 0; m < SB_N_METRICS; m++) {
        char name[64];
        snprintf(name, sizeof name, "train/%s", sb_metric_column[m]);
        loss[m] = room + (size_t)m * shape.n;
        SB_TRY(sb_h5_read(file, name, SB_F64, shape.n, loss[m]));
    }
    return audit_points(cell, shape.n, loss, notes);
}

typedef sb_status open_run(sb_h5 **file, const sb_results *results, const sb_result *cell);

static sb_status audit_cell(const sb_results *results, const sb_result *cell, open_run *open, sb_audit *audit)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    sb_run_summary summary;
    tested test;
    const sb_status status = open(&file, results, cell);
    if (status == SB_E_EMPTY) return SB_OK;
    SB_TRY(status);
    SB_TRY(sb_runfile_summary(file, &summary));
    SB_TRY(sb_runfile_accuracy(file, &test.accuracy));
    SB_TRY(sb_runfile_test_cross_entropy(file, &test.cross_entropy));
    SB_TRY(audit_row(results, cell, &summary, &test, audit));
    SB_TRY(audit_recipe(results, file, cell, audit->changed));
    SB_TRY(audit_registration(results, file, cell, audit->changed));
    return audit_curve(file, cell, audit->changed);
}

/* -- many cells -- */

/* Cells in a row, which one process reads: starting it costs more than a small file. */
enum { BATCH = 64, PROCESSES_MOST = 32 };

typedef struct found {
    size_t n_retimed, retimed; /* the latter: the first one's number in the batch */
} found;

typedef struct batch {
    const sb_results *results;
    const sb_result *cell; /* [n] */
    size_t n;
    bool is_started;
    sb_guard guard;
    found found;
} batch;

/* In the process of its own. Anything but SB_OK: look at each cell by itself, where a note can be kept. */
static sb_status audit_batch(void *context, void *result)
{
    const batch *b = context;
    sb_notes changed = {0};
    sb_audit audit = {.changed = &changed};
    for (size_t i = 0; i < b->n; i++) {
        SB_TRY(audit_cell(b->results, &b->cell[i], sb_run_open_guarded, &audit));
        if (changed.n) return SB_E_INTEGRITY;
    }
    *(found *)result = (found){audit.n_retimed, audit.n_retimed ? (size_t)(audit.retimed - b->cell) : 0};
    return SB_OK;
}

static void start_batch(batch *b, const sb_results *results, size_t first)
{
    const size_t left = results->n_cells - first;
    *b = (batch){.results = results, .cell = &results->cell[first], .n = left < BATCH ? left : BATCH};
    b->is_started = sb_guard_start(&b->guard, audit_batch, b, "run files", &b->found, sizeof b->found) == SB_OK;
}

static bool hear_batch(batch *b)
{
    const bool was_started = b->is_started;
    b->is_started = false;
    return was_started && sb_guard_end(&b->guard, "run files", &b->found, sizeof b->found) == SB_OK;
}

static sb_status end_batch(batch *b, sb_audit *audit)
{
    if (hear_batch(b)) {
        if (b->found.n_retimed && audit->n_retimed == 0) audit->retimed = &b->cell[b->found.retimed];
        audit->n_retimed += b->found.n_retimed;
        return SB_OK;
    }
    for (size_t i = 0; i < b->n; i++) SB_TRY(audit_cell(b->results, &b->cell[i], sb_run_open, audit));
    return SB_OK;
}

/* As many processes as there are processors, each with the next batch; ended in order. */
sb_status sb_audit_cells(const sb_results *results, sb_audit *audit)
{
    batch batches[PROCESSES_MOST];
    const long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t room = n_cpus < 1 ? 1 : n_cpus > PROCESSES_MOST ? PROCESSES_MOST : (size_t)n_cpus;
    const size_t n = (results->n_cells + BATCH - 1) / BATCH;
    sb_status status = SB_OK;
    size_t n_started = 0;
    for (size_t i = 0; i < n && status == SB_OK; i++) {
        for (; n_started < n && n_started < i + room; n_started++)
            start_batch(&batches[n_started % room], results, n_started * BATCH);
        status = end_batch(&batches[i % room], audit);
    }
    for (size_t i = 0; i < room && i < n_started; i++) (void)hear_batch(&batches[i]);
    return status;
}
