#include "train/run_parts.h"

#include "core/clock.h"
#include "core/facts.h"
#include "io/runfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sb_run_event(sb_run *run, const char *format, ...)
{
    if (run->n_events == SB_EVENTS_MAX) return;
    char *event = run->event[run->n_events++], date[32];
    sb_clock_date(date);
    int used = snprintf(event, sizeof run->event[0], "%s ", date);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(event + used, sizeof run->event[0] - (size_t)used, format, arguments);
    va_end(arguments);
}

void sb_run_tail(const sb_run *run, double *loss_last, double *loss_mean)
{
    size_t n = run->n / 5 ? run->n / 5 : 1;
    *loss_last = *loss_mean = 0;
    for (size_t i = run->n - n; i < run->n; i++) {
        *loss_last += run->row[i].loss_last / (double)n;
        *loss_mean += run->row[i].loss_mean / (double)n;
    }
}

/* ---- configuration ---- */

typedef struct setting {
    const char *name;
    char value[256];
    bool changes_results; /* with another value it is another experiment, also on the native backend */
} setting;

enum { SETTINGS = 17 };

/* The digest a converter wrote into the data set, or the one computed from its content. */
static sb_status data_digest(const sb_setup *setup, char *text)
{
    sb_hash digest;
    SB_TRY(sb_dataset_digest(setup->dataset, &digest));
    sb_hash_text(digest, text);
    return SB_OK;
}

static sb_status settings_of(const sb_run *run, setting list[SETTINGS])
{
    const sb_setup_options *o = run->setup->options;
    const sb_dataset_facts *facts = sb_dataset_about(run->setup->dataset);
    bool prednet = strcmp(o->model, "prednet") == 0, native = strcmp(o->backend, "native") == 0;
    int n = 0;
    char channels[128] = "";
    for (int i = 0; i < o->channels.n; i++)
        snprintf(channels + strlen(channels), sizeof channels - strlen(channels), "%s%d", i ? "," : "", o->channels.item[i]);
#define SETTING(name_, matters, ...)                                                                                   \
    do {                                                                                                               \
        list[n] = (setting){.name = name_, .changes_results = matters};                                                \
        snprintf(list[n++].value, sizeof list->value, __VA_ARGS__);                                                    \
    } while (0)
    SETTING("model", true, "%s", o->model);
    SETTING("precision", true, "%s", SB_REAL_NAME);
    SETTING("data_name", false, "%s", facts->name);
    SETTING("data_shape", true, "%zux%zux%zux%zu", facts->n, facts->h, facts->w, facts->c);
    list[n] = (setting){.name = "data_digest", .changes_results = true};
    SB_TRY(data_digest(run->setup, list[n++].value));
    SETTING("backend", true, "%s", o->backend);
    SETTING("arithmetic", true, "%s", native ? o->arithmetic : "blas");
    SETTING("kernel", !native, "%s", sb_backend_variant(run->setup->ops));
    SETTING("threads", !native, "%ld", o->threads);
    SETTING("target", true, "%s", o->target);
    SETTING("seed", true, "%ld", o->seed);
    SETTING("channels", true, "%s", prednet ? channels : "");
    SETTING("window", true, "%ld", prednet ? o->window : 0);
    SETTING("hidden", true, "%ld", prednet ? 0 : o->hidden);
    SETTING("batch", true, "%ld", prednet ? 1 : o->batch);
    SETTING("lr", true, "%.17g", o->alpha);
    SETTING("updates", false, "%ld", run->target_updates);
#undef SETTING
    return SB_OK;
}

static sb_status write_config(sb_run *run, sb_h5 *file)
{
    setting list[SETTINGS];
    SB_TRY(settings_of(run, list));
    for (int i = 0; i < SETTINGS; i++) SB_TRY(sb_h5_set_text(file, "config", list[i].name, list[i].value));
    return SB_OK;
}

static sb_status check_config(sb_run *run, sb_h5 *file)
{
    setting list[SETTINGS];
    SB_TRY(settings_of(run, list));
    for (int i = 0; i < SETTINGS; i++) {
        char recorded[256];
        SB_TRY(sb_h5_get_text(file, "config", list[i].name, recorded, sizeof recorded));
        if (!list[i].changes_results || strcmp(recorded, list[i].value) == 0) continue;
        return sb_fail(SB_E_USAGE, "%s: holds a run with %s '%s', not '%s'; choose another -o or remove it",
                       sb_h5_path(file), list[i].name, recorded, list[i].value);
    }
    return SB_OK;
}

static sb_status write_meta(sb_run *run, sb_h5 *file)
{
    char hash[SB_SHA256_TEXT], date[32];
    sb_clock_date(date);
    sb_sha256_bytes(run->options->record, strlen(run->options->record), hash);
    SB_TRY(sb_h5_set_int(file, "meta", "schema", SB_RUN_SCHEMA));
    SB_TRY(sb_h5_set_text(file, "meta", "program", "samebits"));
    SB_TRY(sb_h5_set_text(file, "meta", "cell", run->options->cell));
    SB_TRY(sb_h5_set_text(file, "meta", "record", run->options->record));
    SB_TRY(sb_h5_set_text(file, "meta", "hash", hash));
    return sb_h5_set_text(file, "meta", "written", date);
}

static sb_status write_environment(sb_run *run, sb_h5 *file)
{
    sb_facts *facts = calloc(1, sizeof *facts);
    if (!facts) return sb_fail(SB_E_MEMORY, "not enough memory");
    char version[32];
    sb_h5_library_version(version, sizeof version);
    sb_facts_machine(facts);
    sb_facts_build(facts);
    sb_facts_add(facts, "hdf5", "%s", version);
    sb_facts_add(facts, "kernels", "%s", sb_backend_variant(run->setup->ops));
    sb_backend_facts(facts);
    sb_status status = SB_OK;
    for (int i = 0; status == SB_OK && i < facts->n; i++)
        status = sb_h5_set_text(file, "env", facts->fact[i].name, facts->fact[i].value);
    free(facts);
    return status;
}

/* ---- rows ---- */

/* One column of the rows, gathered for writing. */
static sb_status write_column(sb_run *run, sb_h5 *file, const char *name, size_t offset, sb_type type)
{
    size_t n = run->n;
    int64_t *column = malloc((n ? n : 1) * sizeof *column);
    if (!column) return sb_fail(SB_E_MEMORY, "not enough memory");
    for (size_t i = 0; i < n; i++) memcpy(&column[i], (char *)&run->row[i] + offset, sizeof *column);
    sb_status status = sb_h5_write(file, name, type, 1, &n, column, SB_H5_PACKED);
    free(column);
    return status;
}

static sb_status write_chain(sb_run *run, sb_h5 *file, const char *name, size_t offset)
{
    uint8_t *column = malloc((run->n ? run->n : 1) * 16);
    int64_t *update = malloc((run->n ? run->n : 1) * sizeof *update);
    sb_status status = column && update ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
    size_t n = 0;
    for (size_t i = 0; status == SB_OK && i < run->n; i++) {
        if (!run->row[i].has_link) continue;
        memcpy(column + 16 * n, (char *)&run->row[i] + offset, 16);
        update[n++] = run->row[i].update;
    }
    if (status == SB_OK && !sb_h5_exists(file, "chain/update"))
        status = sb_h5_write(file, "chain/update", SB_I64, 1, &n, update, SB_H5_PACKED);
    if (status == SB_OK) status = sb_h5_write(file, name, SB_U8, 2, (size_t[]){n, 16}, column, SB_H5_PACKED);
    free(column);
    free(update);
    return status;
}

static sb_status write_rows(sb_run *run, sb_h5 *file)
{
    SB_TRY(write_column(run, file, "train/update", offsetof(sb_record, update), SB_I64));
    SB_TRY(write_column(run, file, "train/loss_last", offsetof(sb_record, loss_last), SB_F64));
    SB_TRY(write_column(run, file, "train/loss_mean", offsetof(sb_record, loss_mean), SB_F64));
    SB_TRY(write_column(run, file, "train/grad_norm", offsetof(sb_record, grad_norm), SB_F64));
    SB_TRY(write_column(run, file, "train/seconds", offsetof(sb_record, seconds), SB_F64));
    SB_TRY(write_chain(run, file, "chain/batch", offsetof(sb_record, batch)));
    SB_TRY(write_chain(run, file, "chain/weights", offsetof(sb_record, weights)));
    SB_TRY(write_chain(run, file, "chain/optimiser", offsetof(sb_record, optimiser)));
    SB_TRY(write_chain(run, file, "chain/gradient", offsetof(sb_record, gradient)));
    for (int i = 0; i < run->n_events; i++) {
        char name[16];
        snprintf(name, sizeof name, "%03d", i);
        SB_TRY(sb_h5_set_text(file, "events", name, run->event[i]));
    }
    SB_TRY(sb_h5_set_real(file, "train", "seconds_total", run->seconds));
    SB_TRY(sb_h5_set_real(file, "train", "cpu_seconds_total", run->cpu_seconds));
    return sb_h5_set_int(file, "train", "loss_terms", run->loss_terms);
}

static sb_status read_column(sb_run *run, sb_h5 *file, const char *name, size_t offset, sb_type type)
{
    int64_t *column = malloc((run->n ? run->n : 1) * sizeof *column);
    if (!column) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_status status = sb_h5_read(file, name, type, run->n, column);
    for (size_t i = 0; status == SB_OK && i < run->n; i++)
        memcpy((char *)&run->row[i] + offset, &column[i], sizeof *column);
    free(column);
    return status;
}

static sb_status read_chain(sb_run *run, sb_h5 *file, const char *name, size_t offset)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, "chain/update", &shape));
    size_t n = shape.n;
    uint8_t *column = malloc(n * 16 + 1);
    int64_t *update = malloc((n + 1) * sizeof *update);
    sb_status status = column && update ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
    if (status == SB_OK) status = sb_h5_read(file, "chain/update", SB_I64, n, update);
    if (status == SB_OK) status = sb_h5_read(file, name, SB_U8, n * 16, column);
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        if (update[i] < 1 || (size_t)update[i] > run->n) continue;
        sb_record *row = &run->row[update[i] - 1];
        row->has_link = 1;
        memcpy((char *)row + offset, column + 16 * i, 16);
    }
    free(column);
    free(update);
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

static sb_status read_rows(sb_run *run, sb_h5 *file)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, "train/update", &shape));
    run->n = shape.n;
    if (run->n > run->capacity) {
        sb_record *row = realloc(run->row, run->n * sizeof *row);
        if (!row) return sb_fail(SB_E_MEMORY, "not enough memory");
        memset(row, 0, run->n * sizeof *row);
        run->row = row, run->capacity = run->n;
    }
    SB_TRY(read_column(run, file, "train/update", offsetof(sb_record, update), SB_I64));
    SB_TRY(read_column(run, file, "train/loss_last", offsetof(sb_record, loss_last), SB_F64));
    SB_TRY(read_column(run, file, "train/loss_mean", offsetof(sb_record, loss_mean), SB_F64));
    SB_TRY(read_column(run, file, "train/grad_norm", offsetof(sb_record, grad_norm), SB_F64));
    SB_TRY(read_column(run, file, "train/seconds", offsetof(sb_record, seconds), SB_F64));
    SB_TRY(read_chain(run, file, "chain/batch", offsetof(sb_record, batch)));
    SB_TRY(read_chain(run, file, "chain/weights", offsetof(sb_record, weights)));
    SB_TRY(read_chain(run, file, "chain/optimiser", offsetof(sb_record, optimiser)));
    SB_TRY(read_chain(run, file, "chain/gradient", offsetof(sb_record, gradient)));
    SB_TRY(read_events(run, file));
    SB_TRY(sb_h5_get_real(file, "train", "seconds_total", &run->seconds));
    SB_TRY(sb_h5_get_real(file, "train", "cpu_seconds_total", &run->cpu_seconds));
    return sb_h5_get_int(file, "train", "loss_terms", &run->loss_terms);
}

/* ---- tensors ---- */

static sb_status write_blocks(sb_net *net, sb_h5 *file, const char *group, const sb_real *block)
{
    void *to_free;
    const sb_real *host = sb_step_host_block(net, block, &to_free);
    sb_status status = host ? SB_OK : SB_E_MEMORY;
    for (int i = 0; status == SB_OK && i < net->params.n; i++) {
        const sb_param *param = &net->params.list[i];
        char name[96];
        snprintf(name, sizeof name, "%s/%s", group, param->name);
        status = sb_h5_write(file, name, SB_H5_REAL, param->rank, param->dim, host + param->offset, SB_H5_PLAIN);
    }
    free(to_free);
    return status;
}

static sb_status read_blocks(sb_net *net, sb_h5 *file, const char *group, sb_real *block)
{
    size_t n_bytes = net->params.total * sizeof(sb_real);
    sb_real *host = malloc(n_bytes);
    sb_status status = host ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
    for (int i = 0; status == SB_OK && i < net->params.n; i++) {
        const sb_param *param = &net->params.list[i];
        char name[96];
        snprintf(name, sizeof name, "%s/%s", group, param->name);
        status = sb_h5_read(file, name, SB_H5_REAL, param->n, host + param->offset);
    }
    if (status == SB_OK) net->ops->to_device(net->ops, block, host, n_bytes);
    free(host);
    return status;
}

/* The carried state as planes [c][h][w], whatever the backend's layout. */
static sb_status move_states(sb_net *net, sb_h5 *file, bool write)
{
    sb_ops *ops = net->ops;
    sb_status status = SB_OK;
    for (int i = 0; status == SB_OK && i < net->n_states; i++) {
        sb_state *state = &net->state[i];
        size_t n = sb_map_size(&state->map), n_bytes = n * sizeof(sb_real);
        sb_real *host = malloc(n_bytes), *planes = ops->allocate(ops, n_bytes);
        char name[32];
        snprintf(name, sizeof name, "state/%s", state->name);
        if (!host || !planes)
            status = sb_fail(SB_E_MEMORY, "not enough memory");
        else if (write) {
            ops->map_store(ops, &state->map, planes);
            ops->to_host(ops, host, planes, n_bytes);
            size_t dim[3] = {(size_t)state->map.c, (size_t)state->map.h, (size_t)state->map.w};
            status = sb_h5_write(file, name, SB_H5_REAL, 3, dim, host, SB_H5_PLAIN);
        } else if ((status = sb_h5_read(file, name, SB_H5_REAL, n, host)) == SB_OK) {
            ops->to_device(ops, planes, host, n_bytes);
            ops->map_load(ops, planes, &state->map);
        }
        free(host);
        if (planes) ops->release(ops, planes);
    }
    return status;
}

static sb_status write_tensors(sb_net *net, sb_h5 *file)
{
    SB_TRY(write_blocks(net, file, "param", net->weight));
    SB_TRY(write_blocks(net, file, "adam/m", net->moment1));
    SB_TRY(write_blocks(net, file, "adam/v", net->moment2));
    return move_states(net, file, true);
}

static sb_status read_tensors(sb_net *net, sb_h5 *file)
{
    SB_TRY(read_blocks(net, file, "param", net->weight));
    SB_TRY(read_blocks(net, file, "adam/m", net->moment1));
    SB_TRY(read_blocks(net, file, "adam/v", net->moment2));
    return move_states(net, file, false);
}

/* ---- the end ---- */

static sb_status write_predictions(sb_run *run, sb_h5 *file)
{
    const sb_dataset_facts *facts = sb_dataset_about(run->setup->dataset);
    if (run->test_loss >= 0) {
        SB_TRY(sb_h5_set_real(file, "eval", "test_loss", run->test_loss));
        SB_TRY(sb_h5_set_int(file, "eval", "n", (int64_t)facts->n_test));
    }
    if (run->n_predictions == 0) return SB_OK;
    size_t n = (size_t)run->n_predictions, dim[4] = {n, facts->h, facts->w, facts->c};
    SB_TRY(sb_h5_write(file, "prediction/frame", SB_I64, 1, &n, run->predicted_frame, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "prediction/true", SB_U8, 4, dim, run->truth, SB_H5_PACKED));
    return sb_h5_write(file, "prediction/predicted", SB_U8, 4, dim, run->predicted, SB_H5_PACKED);
}

static sb_status write_final(sb_run *run, sb_h5 *file)
{
    double loss_last, loss_mean;
    char weights[SB_HASH_TEXT], digest_text[SB_HASH_TEXT];
    sb_hash hash, digest;
    sb_run_tail(run, &loss_last, &loss_mean);
    SB_TRY(sb_step_weights_hash(run->setup->net, &hash));
    sb_hash_text(hash, weights);
    SB_TRY(sb_h5_set_int(file, "final", "updates", (int64_t)run->n));
    SB_TRY(sb_h5_set_real(file, "final", "loss_last", loss_last));
    SB_TRY(sb_h5_set_real(file, "final", "loss_mean", loss_mean));
    SB_TRY(sb_h5_set_text(file, "final", "weights", weights));
    SB_TRY(sb_h5_set_real(file, "final", "seconds", run->seconds));
    SB_TRY(sb_h5_set_real(file, "final", "cpu_seconds", run->cpu_seconds));
    SB_TRY(sb_h5_set_real(file, "final", "frames_per_second", run->seconds > 0 ? (double)run->loss_terms / run->seconds : 0));
    SB_TRY(sb_h5_set_real(file, "final", "peak_memory_bytes", (double)sb_peak_memory_bytes()));
    SB_TRY(sb_runfile_digest(file, &digest));
    sb_hash_text(digest, digest_text);
    return sb_h5_set_text(file, "final", "digest", digest_text);
}

sb_status sb_run_save(sb_run *run, bool finished)
{
    sb_h5 *file;
    SB_TRY(sb_h5_create(&file, run->options->output));
    sb_status status = write_meta(run, file);
    if (status == SB_OK) status = write_config(run, file);
    if (status == SB_OK) status = write_environment(run, file);
    if (status == SB_OK) status = write_rows(run, file);
    if (status == SB_OK) status = write_tensors(run->setup->net, file);
    if (status == SB_OK && finished) status = write_predictions(run, file);
    if (status == SB_OK && finished) status = write_final(run, file);
    return sb_h5_finish(file, status);
}

sb_status sb_run_load(sb_run *run, bool *finished)
{
    sb_h5 *file;
    SB_TRY(sb_h5_open(&file, run->options->output));
    sb_status status = sb_runfile_check(file);
    *finished = status == SB_OK;
    if (status == SB_E_EMPTY) status = SB_OK;
    if (status == SB_OK) status = check_config(run, file);
    if (status == SB_OK) status = read_rows(run, file);
    if (status == SB_OK) status = read_tensors(run->setup->net, file);
    sb_h5_close(file);
    return status;
}
