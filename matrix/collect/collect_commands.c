#include "matrix/collect/collect.h"

#include "io/columns.h"
#include "matrix/cells/cells.h"
#include "matrix/cells/command.h"
#include "matrix/collect/sheets.h"
#include "matrix/store/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum table_name { CELLS, TIMING, COVERAGE, N_TABLES, CLAIMS = N_TABLES } table_name;

typedef struct range { /* of a metric */
    double first; /* its first value */
    size_t n;     /* cells that have it */
    bool varies;
} range;

typedef struct sheet {
    sb_sheets sheets;
    const sb_cells *cells;
    sb_command_columns columns;
    range range[SB_MEASURES_MAX]; /* of columns.metric */
    bool has_weights, has_image;
    size_t n_other_claims; /* runs that ended when the file of claims was another one */
    sb_selection complete;
} sheet;

/* -- columns -- */

static sb_status find_columns(sheet *s)
{
    for (uint32_t i = 0; i < s->cells->matrix->n_studies; i++) {
        const sb_study *study = &s->cells->matrix->studies[i];
        s->has_weights = s->has_weights || sb_command_output(study) == SB_OUTPUT_RUN;
        s->has_image = s->has_image || study->image;
    }
    return sb_command_columns_find(&s->columns, s->cells);
}

static void write_head(const sheet *s)
{
    sb_writer *csv = s->sheets.item[CELLS].csv;
    sb_write(csv, "name,hash");
    for (unsigned id = 0; id < SB_N_SETTINGS + s->cells->matrix->n_custom; id++)
        if (s->columns.has_value[id]) sb_write(csv, ",%s", sb_schema_key(s->cells->matrix, id));
    for (size_t i = 0; i < s->columns.n_metrics; i++) sb_write(csv, ",%s", s->columns.metric[i]->name);
    sb_write(csv, ",updates,diverged");
    if (s->has_weights) sb_write(csv, ",weights");
    sb_write(csv, ",output");
    if (s->has_image) sb_write(csv, ",image");
    if (s->cells->matrix->claims) sb_write(csv, ",claims");
    sb_write(csv, ",evidence\n");
    sb_write(s->sheets.item[TIMING].csv, "hash,seconds\n");
}

/* -- rows -- */

/* The shortest text that is this number again. */
static void write_number(sb_writer *csv, double value)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    sb_write(csv, ",%s", isnan(value) ? "nan" : text);
}

static void write_metric(sheet *s, size_t index, const sb_cell *cell, const sb_measured *measured)
{
    range *r = &s->range[index];
    sb_writer *csv = s->sheets.item[CELLS].csv;
    for (uint32_t i = 0; i < cell->study->n_metrics; i++) {
        if (strcmp(cell->study->metrics[i].name, s->columns.metric[index]->name) != 0) continue;
        const double value = measured->value[i];
        write_number(csv, value);
        if (r->n++ == 0) r->first = value;
        r->varies = r->varies || value != r->first;
        return;
    }
    sb_write(csv, ",");
}

static void write_row(sheet *s, const sb_cell *cell, const sb_cell_result *result, const sb_measured *measured)
{
    sb_writer *csv = s->sheets.item[CELLS].csv;
    sb_write(csv, "%s,%.*s", cell->name, SB_CELL_HASH_SHOWN, cell->hash);
    for (unsigned id = 0; id < SB_N_SETTINGS + s->cells->matrix->n_custom; id++)
        if (s->columns.has_value[id])
            sb_write(csv, ",%s", cell->value[id] ? cell->value[id] : id == SB_SETTING_ULP ? "0" : "");
    for (size_t i = 0; i < s->columns.n_metrics; i++) write_metric(s, i, cell, measured);
    sb_write(csv, ",%lld,%s", (long long)result->updates, result->diverged ? "yes" : "");
    if (s->has_weights) sb_write(csv, ",%s", measured->weights);
    sb_write(csv, ",%s", measured->sha256);
    if (s->has_image) sb_write(csv, ",%s", cell->study->image ? cell->study->image : "");
    if (s->cells->matrix->claims) sb_write(csv, ",%s", result->claims);
    sb_write(csv, ",%s\n", sb_evidence_name[SB_EVIDENCE_MEASURED]);
    sb_write(s->sheets.item[TIMING].csv, "%.*s,%.9g\n", SB_CELL_HASH_SHOWN, cell->hash, result->seconds);
}

static sb_status add_cell(sheet *s, sb_collected *collected, const sb_cell *cell, const sb_looker *looker)
{
    char record[SB_RECORD_BYTES];
    sb_store store;
    sb_stamp stamp;
    sb_measured measured;
    sb_cell_result result;
    SB_TRY(sb_store_locate(&store, looker->results, cell));
    sb_status status = sb_store_check(&store, cell, SB_TRUST_NONE, looker->stamps, &stamp);
    if (status == SB_OK) status = sb_measured_read(&measured, cell->study, store.output);
    if (status == SB_OK) status = sb_cell_result_read(&result, record, store.run);
    collected->absent += status == SB_E_EMPTY;
    collected->corrupt += status == SB_E_INTEGRITY;
    if (status == SB_E_INTEGRITY) fprintf(stderr, "%s\n", sb_message());
    if (status != SB_OK) return status == SB_E_MEMORY ? status : SB_OK;
    write_row(s, cell, &result, &measured);
    s->n_other_claims += strcmp(result.claims, cell->claims) != 0;
    s->complete.item[s->complete.n++] = cell;
    collected->complete++;
    collected->diverged += stamp.diverged;
    return sb_sheets_check(&s->sheets);
}

/* Mostly a command that does not use its seed, or a column of another thing. */
static void say_constant(const sheet *s)
{
    for (size_t i = 0; i < s->columns.n_metrics; i++)
        if (s->range[i].n > 1 && !s->range[i].varies)
            fprintf(stderr,
                    "%s: the metric '%s' is %.9g in all %zu cells; does the program use its seed and its axes?\n",
                    s->cells->path, s->columns.metric[i]->name, s->range[i].first, s->range[i].n);
}

static void say_claims(const sheet *s)
{
    if (s->n_other_claims)
        fprintf(stderr, "%s: %zu of %zu runs ended before %s was as it is now\n", s->cells->path, s->n_other_claims,
                s->complete.n, s->cells->matrix->claims);
}

static sb_status copy_claims(sheet *s)
{
    char path[SB_PATH_MAX];
    sb_cells_beside(s->cells, s->cells->matrix->claims, path);
    return sb_sheets_copy(&s->sheets, CLAIMS, path);
}

static void write_better(sb_writer *csv, const sb_measure *metric)
{
    sb_write(csv, "metric,%s,%s\n", metric->name, metric->better ? metric->better : "lower");
}

static sb_status write_tables(sheet *s, sb_collected *collected, const sb_selection *selection, sb_looker *looker)
{
    write_head(s);
    for (size_t i = 0; i < selection->n; i++) SB_TRY(add_cell(s, collected, selection->item[i], looker));
    const sb_coverage coverage = {s->cells, selection, &s->complete, collected->diverged};
    SB_TRY(sb_coverage_write(s->sheets.item[COVERAGE].csv, &coverage, looker));
    for (size_t i = 0; i < s->columns.n_metrics; i++)
        write_better(s->sheets.item[COVERAGE].csv, s->columns.metric[i]);
    if (sb_cells_has_judged_claims(s->cells)) SB_TRY(copy_claims(s));
    SB_TRY(sb_sheets_check(&s->sheets));
    if (collected->complete) return SB_OK;
    return sb_fail(SB_E_EMPTY, "%s: no complete cell of the %zu selected (%zu damaged); run them first",
                   looker->results, selection->n, collected->corrupt);
}

sb_status sb_collect_commands(sb_collected *collected, const sb_cells *cells, const sb_selection *selection,
                              sb_looker *looker, const char *output)
{
    static const char *const files[] = {"cells.csv", "timing.csv", "coverage.csv", SB_COLLECTED_CLAIMS};
    *collected = (sb_collected){0};
    SB_TRY(sb_same_study_check(cells, output));
    SB_FREED sheet *s = calloc(1, sizeof *s);
    if (!s) return sb_fail(SB_E_MEMORY, "not enough memory to collect");
    s->cells = cells;
    s->complete.item = calloc(selection->n + 1, sizeof *s->complete.item);
    sb_status status = s->complete.item ? find_columns(s) : sb_fail(SB_E_MEMORY, "not enough memory to collect");
    if (status == SB_OK) {
        status = sb_sheets_open(&s->sheets, output, files, N_TABLES + sb_cells_has_judged_claims(cells));
        if (status == SB_OK) status = write_tables(s, collected, selection, looker);
        status = sb_sheets_close(&s->sheets, status);
        if (status == SB_OK && !sb_cells_has_judged_claims(cells)) status = sb_sheets_drop(output, SB_COLLECTED_CLAIMS);
    }
    if (status == SB_OK) say_constant(s);
    if (status == SB_OK) say_claims(s);
    sb_selection_free(&s->complete);
    return status;
}
