#include "train/run/run_parts.h"

#include "core/size.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct column {
    const char *name;
    size_t offset; /* in sb_record */
    sb_type type;  /* of eight bytes; a hash has none */
    bool of_classes; /* only of networks that classify */
} column;

/* One row per update. */
static const column rows[] = {
    {"train/update", offsetof(sb_record, update), SB_I64},
#define METRIC(ID, key, ...) {"train/" #key, offsetof(sb_record, key), SB_F64},
#define CLASS(ID, key, ...)  {"train/" #key, offsetof(sb_record, key), SB_F64, true},
    SB_METRICS(METRIC, METRIC, CLASS){"train/seconds", offsetof(sb_record, seconds), SB_F64},
};

/* One row for each entry. */
static const column links[] = {
    {"chain/batch", offsetof(sb_record, batch)},
    {"chain/weights", offsetof(sb_record, weights)},
    {"chain/optimiser", offsetof(sb_record, optimizer)},
    {"chain/gradient", offsetof(sb_record, gradient)},
};

enum { N_ROWS = sizeof rows / sizeof *rows, N_LINKS = sizeof links / sizeof *links };

static bool has_column(const sb_run *run, const column *c)
{
    return !c->of_classes || run->setup->learner.net->classes.n;
}

/* One column of the rows, gathered for writing. */
static sb_status write_column(sb_run *run, sb_h5 *file, const column *c)
{
    if (!has_column(run, c)) return SB_OK;
    size_t n = run->n;
    SB_FREED int64_t *value = malloc((n ? n : 1) * sizeof *value);
    if (!value) return sb_fail(SB_E_MEMORY, "not enough memory");
    for (size_t i = 0; i < n; i++) memcpy(&value[i], (char *)&run->row[i] + c->offset, sizeof *value);
    return sb_h5_write(file, c->name, c->type, 1, &n, value, SB_H5_PACKED);
}

static sb_status write_chain(sb_run *run, sb_h5 *file, const column *c)
{
    SB_FREED uint8_t *hash = malloc((run->n ? run->n : 1) * 16);
    SB_FREED int64_t *update = malloc((run->n ? run->n : 1) * sizeof *update);
    if (!hash || !update) return sb_fail(SB_E_MEMORY, "not enough memory");
    size_t n = 0;
    for (size_t i = 0; i < run->n; i++) {
        if (!run->row[i].has_link) continue;
        memcpy(hash + 16 * n, (char *)&run->row[i] + c->offset, 16);
        update[n++] = run->row[i].update;
    }
    if (!sb_h5_exists(file, "chain/update"))
        SB_TRY(sb_h5_write(file, "chain/update", SB_I64, 1, &n, update, SB_H5_PACKED));
    return sb_h5_write(file, c->name, SB_U8, 2, (size_t[]){n, 16}, hash, SB_H5_PACKED);
}

sb_status sb_run_write_rows(sb_run *run, sb_h5 *file)
{
    for (int i = 0; i < N_ROWS; i++) SB_TRY(write_column(run, file, &rows[i]));
    for (int i = 0; i < N_LINKS; i++) SB_TRY(write_chain(run, file, &links[i]));
    for (int i = 0; i < run->n_events; i++) {
        char name[16];
        snprintf(name, sizeof name, "%03d", i);
        SB_TRY(sb_h5_set_text(file, "events", name, run->event[i]));
    }
    if (run->diverged_at) SB_TRY(sb_h5_set_int(file, "train", "diverged", run->diverged_at));
    SB_TRY(sb_h5_set_real(file, "train", "seconds_total", run->seconds));
    SB_TRY(sb_h5_set_real(file, "train", "cpu_seconds_total", run->cpu_seconds));
    return sb_h5_set_int(file, "train", "loss_terms", run->loss_terms);
}

static sb_status read_column(sb_run *run, sb_h5 *file, const column *c)
{
    if (!has_column(run, c)) return SB_OK;
    int64_t *value;
    SB_TRY(sb_h5_read_new(file, c->name, c->type, run->n, &value));
    for (size_t i = 0; i < run->n; i++) memcpy((char *)&run->row[i] + c->offset, &value[i], sizeof *value);
    free(value);
    return SB_OK;
}

static sb_status read_chain(sb_run *run, sb_h5 *file, const column *c)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, "chain/update", &shape));
    size_t n = shape.n;
    SB_FREED uint8_t(*hash)[16] = NULL;
    SB_FREED int64_t *update = NULL;
    sb_status status = sb_h5_read_new(file, "chain/update", SB_I64, n, &update);
    if (status == SB_OK) status = sb_h5_read_new(file, c->name, SB_U8, n * 16, &hash);
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        if (update[i] < 1 || (size_t)update[i] > run->n) continue;
        sb_record *row = &run->row[update[i] - 1];
        row->has_link = 1;
        memcpy((char *)row + c->offset, hash[i], sizeof *hash);
    }
    return status;
}

static sb_status read_events(sb_run *run, sb_h5 *file)
{
    for (; run->n_events < SB_EVENTS_MAX; run->n_events++) {
        char name[16];
        snprintf(name, sizeof name, "%03d", run->n_events);
        if (!sb_h5_has(file, "events", name)) return SB_OK;
        SB_TRY(sb_h5_get_text(file, "events", name, run->event[run->n_events], sizeof run->event[0]));
    }
    return SB_OK;
}

sb_status sb_run_read_rows(sb_run *run, sb_h5 *file)
{
    sb_h5_shape shape;
    int64_t diverged;
    SB_TRY(sb_h5_shape_of(file, "train/update", &shape));
    run->n = shape.n;
    if (run->n > run->capacity) {
        sb_record *row = sb_size_grow(run->row, run->n, sizeof *row);
        if (!row) return sb_fail(SB_E_MEMORY, "not enough memory");
        memset(row, 0, run->n * sizeof *row);
        run->row = row, run->capacity = run->n;
    }
    for (int i = 0; i < N_ROWS; i++) SB_TRY(read_column(run, file, &rows[i]));
    for (int i = 0; i < N_LINKS; i++) SB_TRY(read_chain(run, file, &links[i]));
    SB_TRY(read_events(run, file));
    SB_TRY(sb_runfile_diverged(file, &diverged));
    run->diverged_at = (long)diverged;
    SB_TRY(sb_h5_get_real(file, "train", "seconds_total", &run->seconds));
    SB_TRY(sb_h5_get_real(file, "train", "cpu_seconds_total", &run->cpu_seconds));
    return sb_h5_get_int(file, "train", "loss_terms", &run->loss_terms);
}
