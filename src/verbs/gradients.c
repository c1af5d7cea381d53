#include "inspect/gradients.h"
#include "core/file.h"
#include "core/screen/progress.h"
#include "core/text/csv.h"
#include "verbs/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct gradients_options {
    sb_settings setup;
    long updates, every, hold_out;
    const char *hold_out_data, *output;
    bool quiet;
} gradients_options;

static const sb_option options[] = {
    SB_OPTIONS_DATA(gradients_options) SB_OPTIONS_LEARN(gradients_options) SB_OPTIONS_COMPUTE(gradients_options)
        SB_OPTION_INT(gradients_options, updates, "--updates", "N", "250", 1, 1e9, "updates to train"),
    SB_OPTION_INT(gradients_options, every, "--every", "K", "10", 1, 1e9,
                  "updates between comparisons; the first is before update 1"),
    SB_OPTION_INT(gradients_options, hold_out, "--hold-out-windows", "N", "10", 0, 1e6,
                  "windows at the end of the data to evaluate as well"),
    SB_OPTION_TEXT(gradients_options, hold_out_data, "--hold-out-data", "FILE", NULL,
                   "data set of these windows; it is not used for training"),
    SB_OPTION_NEEDED(gradients_options, output, "--output", 'o', "FILE.csv", "csv file of the comparisons"),
    SB_OPTION_FLAG(gradients_options, quiet, "--quiet", "print no progress"),
    SB_OPTION_END,
};

/* What the last lines of the output are made from: the cosines of whole networks. */
typedef struct summary {
    long n;
    double sum, min, max;
} summary;

static void add_cosine(summary *s, double cosine)
{
    if (!isfinite(cosine)) return;
    s->min = s->n == 0 || cosine < s->min ? cosine : s->min;
    s->max = s->n == 0 || cosine > s->max ? cosine : s->max;
    s->sum += cosine, s->n++;
}

/* ---- the file ---- */

static void write_header(sb_writer *csv)
{
    sb_write_raw(csv,
                 SB_RAW("target,seed,update,tensor,elements,cosine,ratio,norm_copy,norm_shared,loss,loss_after_copy,"
                        "loss_after_shared,hold_out,hold_out_after_copy,hold_out_after_shared,hold_out_learned\n"));
}

static void write_pair(sb_writer *csv, const gradients_options *values, long update, const char *tensor, size_t n,
                       const sb_gradient_pair *pair)
{
    sb_write(csv, "%s,%ld,%ld,%s,%zu", values->setup.target, values->setup.seed, update, tensor, n);
    sb_csv_real(csv, sb_gradients_cosine(pair), 9);
    sb_csv_real(csv, sb_gradients_ratio(pair), 9);
    sb_csv_real(csv, pair->norm[SB_TARGET_COPY], 9);
    sb_csv_real(csv, pair->norm[SB_TARGET_SHARED], 9);
}

/* A row for the network, which has the losses, then one for each tensor. */
static void write_point(sb_writer *csv, const gradients_options *values, const sb_params *params, long update,
                        const sb_gradient_point *point)
{
    write_pair(csv, values, update, "all", params->total, point->all);
    sb_csv_real(csv, point->loss, 9);
    for (sb_target target = 0; target < SB_N_TARGETS; target++) sb_csv_real(csv, point->loss_after[target], 9);
    sb_csv_real(csv, point->hold_out, 9);
    for (sb_target target = 0; target < SB_N_TARGETS; target++) sb_csv_real(csv, point->hold_out_after[target], 9);
    sb_write(csv, ",%ld\n", point->hold_out_learned);
    for (int k = 0; k < params->n; k++) {
        write_pair(csv, values, update, params->list[k].name, params->list[k].n, &point->tensor[k]);
        sb_write_raw(csv, SB_RAW(",,,,,,,\n"));
    }
}

/* ---- training ---- */

static sb_status train(sb_setup *setup, const gradients_options *values, sb_gradients *gradients, sb_writer *csv,
                       summary *cosines)
{
    SB_OWNED(sb_progress_end) sb_progress progress = sb_progress_begin("gradients", (double)values->updates);
    progress.quiet = values->quiet;
    for (long update = 1; update <= values->updates; update++) {
        sb_batch batch;
        sb_step_result result = {0};
        sb_gradient_point point;
        SB_TRY(sb_loader_batch(setup->loader, update, 0, 1, &batch));
        if (update == 1 || update % values->every == 0) {
            SB_TRY(sb_gradients_compare(gradients, batch.shard, update, &point));
            write_point(csv, values, &setup->learner.net->params, update, &point);
            add_cosine(cosines, sb_gradients_cosine(point.all));
        }
        SB_TRY(sb_learner_update(&setup->learner, batch.shard, update, SB_GRADIENT_DROPPED, &result));
        if (!isfinite(result.loss_mean))
            return sb_fail(SB_E_DIFFERS, "the loss of update %ld is %g: training diverged; try a smaller --lr", update,
                           result.loss_mean);
        sb_progress_show(&progress, (double)update, "window %.6f", result.loss_mean);
    }
    return SB_OK;
}

static sb_status print_outcome(const sb_setup *setup, const gradients_options *values, const summary *s)
{
    sb_hash hash;
    char weights[SB_HASH_TEXT];
    SB_TRY(sb_learner_weights_hash(&setup->learner, &hash));
    sb_hash_text(hash, weights);
    printf("compared %ld  cosine mean %.4f  smallest %.4f  largest %.4f\nupdates %ld  weights %s\n", s->n,
           s->n ? s->sum / (double)s->n : NAN, s->min, s->max, values->updates, weights);
    return SB_OK;
}

static sb_status train_and_write(sb_setup *setup, const gradients_options *values)
{
    sb_gradients *gradients;
    summary cosines = {0};
    char *text;
    size_t n_text;
    SB_TRY(sb_gradients_open(&gradients, setup, values->hold_out_data, values->hold_out));
    sb_writer *csv = sb_writer_open(&sb_csv);
    write_header(csv);
    sb_status status = train(setup, values, gradients, csv, &cosines);
    const sb_status closed = sb_writer_close(csv, values->output, &text, &n_text);
    if (status == SB_OK) status = closed;
    if (status == SB_OK) status = sb_file_write(values->output, text, n_text);
    if (status == SB_OK) status = print_outcome(setup, values, &cosines);
    free(text);
    sb_gradients_close(gradients);
    return status;
}

static sb_status compare_gradients(const sb_call *call)
{
    const gradients_options *values = call->values;
    SB_TRY(sb_file_check_output(values->output));
    SB_TRY(sb_file_check_apart(values->output, values->setup.data));
    if (values->hold_out_data) SB_TRY(sb_file_check_apart(values->output, values->hold_out_data));
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    SB_OWNED(sb_setup_close) sb_setup setup = {0};
    SB_TRY(sb_setup_open(&setup, &values->setup));
    return train_and_write(&setup, values);
}

const sb_command sb_verb_gradients = {
    .program = "samebits",
    .verb = "gradients",
    .summary = "train, and compare the gradients of both targets at the same weights and windows",
    .options = options,
    .values_bytes = sizeof(gradients_options),
    .epilogue =
        "It trains as 'samebits train' does with the same options; the last line has the hash of the weights.\n"
        "Each row of the file is one tensor before one update, or 'all' for the network. Columns: cosine of the two "
        "gradients,\n"
        "ratio of their norms (shared over copied), and for 'all' losses before and after one update with either "
        "gradient.\n"
        "docs/mechanism.md explains all columns.\n",
    .run = compare_gradients,
};
