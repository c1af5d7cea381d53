#include "train/run/run_parts.h"

#include "core/machine/build_id.h"
#include "core/machine/clock.h"
#include "core/machine/environment.h"
#include "core/machine/version.h"
#include "io/h5/h5_attribute.h"

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
    *loss_last = sb_runfile_tail(&run->row->loss_last, sizeof *run->row, run->n);
    *loss_mean = sb_runfile_tail(&run->row->loss_mean, sizeof *run->row, run->n);
}

/* Attributes for users who open the file with another program. */
static sb_status write_root(sb_run *run, sb_h5 *file)
{
    const char *model = run->setup->options->model, *cell = run->options->cell;
    const sb_dataset_facts *data = sb_dataset_about(run->setup->dataset);
    char title[SB_SETTING_TEXT + 256], source[128], conventions[64];
    snprintf(title, sizeof title, "Training of %s on %s%s%.200s", model, data->name, *cell ? ": " : "", cell);
    snprintf(source, sizeof source, "samebits %s, revision %s", sb_version(), sb_revision());
    snprintf(conventions, sizeof conventions, "samebits run file, schema %d", SB_RUN_SCHEMA);
    SB_TRY(sb_h5_set_text(file, "", "title", title));
    SB_TRY(sb_h5_set_text(file, "", "source", source));
    SB_TRY(sb_h5_set_text(file, "", "references",
                          "docs/run-file.md in the sources of samebits; https://arxiv.org/abs/2109.01451"));
    SB_TRY(sb_h5_set_text(file, "", "Conventions", conventions));
    if (data->characters.n) SB_TRY(sb_characters_write(&data->characters, file));
    return *data->licence ? sb_h5_set_text(file, "", "licence", data->licence) : SB_OK;
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
    if (*run->claims) SB_TRY(sb_h5_set_text(file, "meta", "claims", run->claims));
    return sb_h5_set_text(file, "meta", "written", date);
}

void sb_run_facts(sb_facts *facts, const sb_ops *ops)
{
    char version[32];
    sb_h5_library_version(version, sizeof version);
    sb_facts_machine(facts);
    sb_environment_facts(facts);
    sb_facts_build(facts);
    sb_facts_add(facts, "hdf5", "%s", version);
    sb_facts_add(facts, "kernels", "%s", sb_backend_variant(ops));
    sb_backend_choices(ops, facts);
    sb_backend_facts(facts);
    sb_build_id_facts(facts);
}

static sb_status write_environment(sb_run *run, sb_h5 *file)
{
    SB_FREED sb_facts *facts = calloc(1, sizeof *facts);
    if (!facts) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_run_facts(facts, run->setup->ops);
    if (run->setup->ranks) sb_facts_add(facts, "mpi", "%s", sb_ranks_engine(run->setup->ranks));
    const char *nccl = sb_exchange_nccl(run->setup->learner.exchange);
    if (*nccl) sb_facts_add(facts, "nccl", "%s", nccl);
    for (int i = 0; i < facts->n; i++) SB_TRY(sb_h5_set_text(file, "env", facts->fact[i].name, facts->fact[i].value));
    return SB_OK;
}

static sb_status write_classes(const sb_classification *c, int n_classes, bool flips, sb_h5 *file)
{
    const size_t n = (size_t)n_classes;
    int64_t images[SB_CLASSES_MAX + 1], correct[SB_CLASSES_MAX + 1];
    for (size_t k = 0; k < n; k++) images[k] = (int64_t)c->of_class[k], correct[k] = (int64_t)c->right_of_class[k];
    SB_TRY(sb_h5_set_int(file, "eval", "n", (int64_t)c->n));
    SB_TRY(sb_h5_set_real(file, "eval", "loss", c->loss));
    SB_TRY(sb_h5_set_real(file, "eval", "cross_entropy", c->cross_entropy));
    SB_TRY(sb_h5_set_int(file, "eval", "correct", (int64_t)c->correct));
    if (flips) SB_TRY(sb_h5_set_int(file, "eval", "correct_flipped", (int64_t)c->correct_flipped));
    SB_TRY(sb_h5_write(file, "eval/predicted", SB_U8, 1, &c->n, c->predicted, SB_H5_PACKED));
    SB_TRY(sb_h5_write(file, "eval/class_images", SB_I64, 1, &n, images, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "eval/class_cross_entropy", SB_F64, 1, &n, c->entropy_of_class, SB_H5_PLAIN));
    return sb_h5_write(file, "eval/class_correct", SB_I64, 1, &n, correct, SB_H5_PLAIN);
}

static sb_status write_predictions(sb_run *run, sb_h5 *file)
{
    const sb_dataset_facts *facts = sb_dataset_about(run->setup->dataset);
    if (run->test_loss >= 0) {
        SB_TRY(sb_h5_set_real(file, "eval", "test_loss", run->test_loss));
        SB_TRY(sb_h5_set_int(file, "eval", "n", (int64_t)facts->n_test));
    }
    if (run->classified.n)
        SB_TRY(write_classes(&run->classified, run->setup->learner.net->classes.n, run->classified.flips, file));
    if (run->n_predictions == 0) return SB_OK;
    size_t n = (size_t)run->n_predictions, dim[4] = {n, facts->h, facts->w, facts->c};
    SB_TRY(sb_h5_write(file, "prediction/frame", SB_I64, 1, &n, run->predicted_frame, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "prediction/true", SB_U8, 4, dim, run->truth, SB_H5_PACKED));
    return sb_h5_write(file, "prediction/predicted", SB_U8, 4, dim, run->predicted, SB_H5_PACKED);
}

/* What the rest of the file is compared with when it is read. */
static sb_status write_ends(sb_run *run, sb_h5 *file, bool finished)
{
    sb_run_head head;
    SB_TRY(sb_run_head_of(&run->setup->learner, run->n, &head));
    SB_TRY(sb_runfile_write_head(file, &head));
    return finished ? sb_runfile_write_final(file, (double)sb_peak_memory_bytes()) : SB_OK;
}

static sb_status write_all(sb_run *run, sb_h5 *file, bool finished)
{
    SB_TRY(write_root(run, file));
    SB_TRY(write_meta(run, file));
    SB_TRY(sb_run_write_config(run, file));
    SB_TRY(write_environment(run, file));
    SB_TRY(sb_run_write_rows(run, file));
    SB_TRY(sb_run_lists_write(&run->lists, file));
    SB_TRY(sb_run_write_validations(run, file));
    SB_TRY(sb_run_write_sketches(run, file));
    SB_TRY(sb_trainer_state(&run->trainer, &(sb_trainer_state_use){.write = file}));
    SB_TRY(sb_run_write_tensors(&run->setup->learner, file));
    if (finished) SB_TRY(write_predictions(run, file));
    SB_TRY(sb_runfile_describe(file));
    return write_ends(run, file, finished);
}

sb_status sb_run_save(sb_run *run, const char *path, bool finished)
{
    sb_h5 *file;
    SB_TRY(sb_run_gather_states(run));
    if (!sb_run_leads(run)) return SB_OK;
    SB_TRY(sb_h5_create(&file, path, finished ? SB_SEAL_RUN : SB_SEAL_CHECKPOINT));
    return sb_h5_finish(file, write_all(run, file, finished));
}

/* What was registered when the run began stays, whatever stands now. */
static sb_status read_claims(sb_run *run, sb_h5 *file)
{
    *run->claims = 0;
    if (!sb_h5_has(file, "meta", "claims")) return SB_OK;
    return sb_h5_attribute_text(file, "meta", "claims", run->claims, sizeof run->claims);
}

/* Tensors from the file to the device, which then holds what the file says it does. */
static sb_status load_tensors(sb_learner *learner, size_t n_updates, sb_h5 *file)
{
    sb_run_head head;
    SB_TRY(sb_run_read_tensors(learner, file));
    SB_TRY(sb_run_head_of(learner, n_updates, &head));
    return sb_runfile_check_tensors(file, &head);
}

sb_status sb_run_load(sb_run *run, const char *path, bool *finished)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    const sb_status status = sb_runfile_check(file);
    *finished = status == SB_OK;
    if (status != SB_E_EMPTY) SB_TRY(status);
    SB_TRY(sb_run_check_config(run, file));
    SB_TRY(read_claims(run, file));
    SB_TRY(sb_run_read_rows(run, file));
    SB_TRY(sb_run_lists_read(&run->lists, file));
    SB_TRY(sb_run_read_validations(run, file));
    SB_TRY(sb_run_read_sketches(run, file));
    SB_TRY(load_tensors(&run->setup->learner, run->n, file));
    return sb_trainer_state(&run->trainer, &(sb_trainer_state_use){.read = file});
}

sb_status sb_run_start_from(sb_learner *learner, const char *path, long updates)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    sb_h5_shape rows;
    sb_optimizer_id id;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    const sb_status status = sb_runfile_check(file);
    if (status != SB_E_EMPTY) SB_TRY(status); /* a checkpoint will do */
    SB_TRY(sb_h5_shape_of(file, "train/update", &rows));
    if (rows.n != (size_t)updates)
        return sb_fail(SB_E_USAGE, "%s: has %zu updates, and %ld are wanted", path, rows.n, updates);
    SB_TRY(sb_runfile_optimizer(file, &id));
    if (id != learner->optimizer.id)
        return sb_fail(SB_E_USAGE, "%s: a run with the optimizer %s, and %s is wanted", path, sb_optimizers[id].name,
                       learner->optimizer.row->name);
    return load_tensors(learner, (size_t)updates, file);
}
