#include "core/file.h"
#include "inspect/trace/trace_file.h"
#include "train/run/run.h"
#include "train/trainer.h"
#include "verbs/verbs.h"

#include <stdio.h>

typedef struct trace_options {
    sb_settings setup;
    long update, keep;
    const char *start, *output;
} trace_options;

static const sb_option options[] = {
    SB_OPTIONS_DATA(trace_options) SB_OPTIONS_LEARN(trace_options) SB_OPTIONS_COMPUTE(trace_options)
        SB_OPTION_INT(trace_options, update, "--update", "N", "1", 1, 1e9, "update to trace"),
    SB_OPTION_TEXT(trace_options, start, "--start", "RUN.h5", NULL,
                   "start from the weights and state of this run of N-1 updates"),
    SB_OPTION_INT(trace_options, keep, "--keep", "ROW", "-1", -1, 1e9,
                  "keep all numbers of this operation, counted from 0"),
    SB_OPTION_NEEDED(trace_options, output, "--output", 'o', "FILE", "trace file to write"),
    SB_OPTION_END,
};

static sb_status one_update(sb_trainer *trainer, long update, sb_batch *batch)
{
    sb_step_result result;
    SB_TRY(sb_loader_batch(trainer->setup->loader, update, 0, 1, batch));
    return sb_trainer_update(trainer, batch, update, SB_GRADIENT_KEPT, &result);
}

static sb_status go_to_start(sb_trainer *trainer, const trace_options *values)
{
    if (values->start) return sb_run_start_from(&trainer->setup->learner, values->start, values->update - 1);
    for (long update = 1; update < values->update; update++) {
        sb_batch batch;
        SB_TRY(one_update(trainer, update, &batch));
    }
    return SB_OK;
}

static sb_status write_trace(sb_setup *setup, const trace_options *values, const sb_trace *trace, const sb_batch *batch)
{
    sb_link link;
    sb_traced traced = {.update = values->update};
    SB_TRY(sb_learner_link(&setup->learner, sb_batch_hash(batch), &link));
    traced.gradient = link.gradient, traced.weights = link.weights;
    snprintf(traced.backend, sizeof traced.backend, "%s", values->setup.backend);
    snprintf(traced.kernel, sizeof traced.kernel, "%s", sb_backend_variant(setup->ops));
    traced.row = (sb_trace_row *)sb_trace_rows(trace, &traced.n);
    return sb_trace_write(&traced, values->output);
}

static sb_status trace_update(sb_setup *setup, const trace_options *values)
{
    sb_trace *trace;
    sb_trainer trainer;
    sb_run_lists lists = {0}; /* stays empty: training by gradients adds no rows */
    sb_batch batch;
    if (!sb_settings_use_gradients(setup->options))
        return sb_fail(SB_E_USAGE, "--search %s finds weights without gradients: its operations are not traced",
                       setup->options->search);
    SB_TRY(sb_trainer_begin(&trainer, setup, &lists));
    SB_TRY(go_to_start(&trainer, values));
    SB_TRY(sb_trace_open(&trace, &setup->learner, values->keep));
    sb_status status = one_update(&trainer, values->update, &batch);
    if (status == SB_OK) status = sb_trace_stop(trace);
    if (status == SB_OK) status = write_trace(setup, values, trace, &batch);
    sb_trace_close(trace);
    return status;
}

static sb_status trace(const sb_call *call)
{
    const trace_options *values = call->values;
    SB_TRY(sb_file_check_output(values->output));
    SB_TRY(sb_file_check_apart(values->output, values->setup.data));
    if (values->start) SB_TRY(sb_file_check_apart(values->output, values->start));
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    SB_OWNED(sb_setup_close) sb_setup setup = {0};
    sb_settings settings = values->setup;
    settings.is_traced = true;
    SB_TRY(sb_setup_open(&setup, &settings));
    return trace_update(&setup, values);
}

const sb_command sb_verb_trace = {
    .program = "samebits",
    .verb = "trace",
    .summary = "write hashes of what each operation of one update reads and writes, for 'samebits bisect'",
    .options = options,
    .values_bytes = sizeof(trace_options),
    .epilogue =
        "Trace the same update on two machines with the same options; 'samebits bisect' compares the two files.\n",
    .run = trace,
};
