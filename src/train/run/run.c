#include "train/run/run_parts.h"

#include "core/file.h"
#include "core/machine/clock.h"
#include "core/machine/interrupt.h"
#include "core/screen/progress.h"
#include "core/size.h"
#include "io/run/registration.h"
#include "net/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKPOINT_SECONDS = 60, SAMPLES_PER_LINK = 1000 };

static void journal_path(const sb_run *run, char path[SB_PATH_MAX])
{
    snprintf(path, SB_PATH_MAX, "%s.journal", run->options->output);
}

static sb_status add_row(sb_run *run, const sb_record *record)
{
    if (!sb_size_reserve(&run->row, &run->capacity, run->n + 1, sizeof *run->row))
        return sb_fail(SB_E_MEMORY, "not enough memory for %zu updates", run->n + 1);
    run->row[run->n++] = *record;
    return SB_OK;
}

/* ---- updates ---- */

static sb_status add_link(sb_run *run, const sb_batch *batch, sb_record *record)
{
    sb_link link = {0};
    SB_TRY(sb_batch_hash_among(batch, sb_run_sharers(run), &link.batch));
    if (sb_run_leads(run)) SB_TRY(sb_trainer_link(&run->trainer, link.batch, &link));
    record->has_link = 1;
    record->batch = link.batch, record->weights = link.weights;
    record->optimizer = link.optimizer, record->gradient = link.gradient;
    return SB_OK;
}

/* Frames, images or tokens that the update was made of. */
static int64_t terms_of(const sb_run *run, const sb_batch *batch)
{
    const sb_classes *classes = &run->setup->learner.net->classes;
    int64_t terms = 0;
    for (int s = 0; s < batch->n_shards; s++) {
        const sb_window *window = &batch->shard[s];
        const int of_one = window->n_lanes ? window->n_lanes : window->tokens ? classes->n_targets : 1;
        const int64_t n = (int64_t)window->n * of_one;
        terms += n * run->trainer.n_passes;
    }
    return terms;
}

/* The entry of the chain of an update where none was due: a run that diverges ends with one. Its gradient must be there,
 * which a pass over one sample does not keep. */
static sb_status add_last_link(sb_run *run, sb_batch *batch, sb_record *record)
{
    const bool has_gradient = !run->trainer.kind->by_gradients || batch->n_shards > 1 || batch->shard->n > 1;
    if (record->has_link || !has_gradient) return SB_OK;
    SB_TRY(sb_input_hold(run->input, batch));
    return add_link(run, batch, record);
}

/* One update: batch, step, row. */
static sb_status do_update(sb_run *run, sb_record *record, sb_batch *batch)
{
    double start = sb_clock_seconds(), cpu = sb_clock_cpu_seconds();
    long update = (long)run->n + 1;
    sb_step_result result;
    SB_TRY(sb_input_take(run->input, batch));
    bool link_is_due =
        update % run->chain_every == 0 || update == run->target_updates || sb_run_links_validation(run, update);
    if (link_is_due) SB_TRY(sb_input_hold(run->input, batch));
    const sb_gradient gradient = link_is_due ? SB_GRADIENT_KEPT : SB_GRADIENT_DROPPED;
    SB_TRY(sb_trainer_update(&run->trainer, batch, update, gradient, &result));
#define RECORD(ID, key, ...) .key = result.key,
    *record = (sb_record){SB_METRICS(RECORD, RECORD, RECORD).update = update};
    if (link_is_due) SB_TRY(add_link(run, batch, record));
    SB_TRY(sb_run_look_for_divergence(run, update, &result));
    if (run->diverged_at)
        SB_TRY(add_last_link(run, batch, record));
    else
        SB_TRY(sb_run_sketch(run, update));
    record->seconds = sb_clock_seconds() - start;
    run->seconds += record->seconds;
    run->cpu_seconds += sb_clock_cpu_seconds() - cpu;
    run->loss_terms += terms_of(run, batch);
    SB_TRY(add_row(run, record));
    if (!run->diverged_at) SB_TRY(sb_run_compare_weights(run));
    SB_TRY(sb_run_add_trust(run));
    SB_TRY(sb_run_count_exchanges(run));
    return sb_run_count_input(run);
}

/* The loss of an update that diverged may be NaN, which equals nothing. */
static bool is_same_loss(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* An update that an earlier session computed must repeat the numbers of the journal. */
static sb_status check_replay(const sb_run *run, const sb_record *now, const sb_record *before)
{
    bool same = is_same_loss(now->loss_last, before->loss_last) && is_same_loss(now->loss_mean, before->loss_mean) &&
                (!now->has_link || !before->has_link ||
                 (sb_hash_equal(now->weights, before->weights) && sb_hash_equal(now->batch, before->batch)));
    if (same) return SB_OK;
    return sb_fail(
        SB_E_INTEGRITY,
        "%s: update %lld differs from the update before the interruption (loss %.9g, was %.9g): this machine does not "
        "repeat its bits, or the program, the options or the data differ; remove %s.journal to continue",
        run->options->output, (long long)now->update, now->loss_last, before->loss_last, run->options->output);
}

/* Read the predictions of the last window (the last shard of the batch) and the true frames: n samples from `first` on;
 * with several lanes, of the last one. */
static sb_status read_predictions(sb_run *run, const sb_batch *batch, int first, int n, size_t size)
{
    const int shard = (int)run->setup->options->shards - 1;
    const sb_window *window = &batch->shard[batch->n_shards - 1];
    const bool video = sb_dataset_about(run->setup->dataset)->kind == SB_DATASET_VIDEO;
    const size_t lane = window->n_lanes ? (size_t)window->n_lanes - 1 : 0, n_bytes = (size_t)n * size;
    const size_t frame = lane * ((size_t)window->n + 1) + (size_t)first + (video ? 1 : 0);
    memcpy(run->truth, window->bytes + frame * size, n_bytes);
    for (int i = 0; i < n; i++)
        run->predicted_frame[i] = sb_loader_target(run->setup->loader, (long)run->n, shard, first + i);
    SB_FREED uint8_t *of_lanes = sb_size_allocate(lane + 1, n_bytes);
    if (!of_lanes) return sb_fail(SB_E_MEMORY, "not enough memory for the predictions");
    SB_TRY(run->setup->learner.net->outputs(run->setup->learner.net, first, n, of_lanes));
    memcpy(run->predicted, of_lanes + lane * n_bytes, n_bytes);
    return SB_OK;
}

/* The last rank has that shard. */
static sb_status keep_predictions(sb_run *run, const sb_batch *batch)
{
    if (!run->setup->learner.net->outputs) return SB_OK;
    const sb_window *window = &batch->shard[batch->n_shards - 1];
    const sb_dataset_facts *facts = sb_dataset_about(run->setup->dataset);
    sb_ranks *ranks = run->setup->ranks;
    const int last = sb_ranks_size(ranks) - 1;
    size_t size = facts->h * facts->w * facts->c;
    int n = window->n < SB_PREDICTIONS_MAX ? window->n : SB_PREDICTIONS_MAX, first = window->n - n;
    run->truth = sb_size_allocate((size_t)n, size);
    run->predicted = sb_size_allocate((size_t)n, size);
    if (!run->truth || !run->predicted) return sb_fail(SB_E_MEMORY, "not enough memory for the predictions");
    if (sb_ranks_rank(ranks) == last) SB_TRY(read_predictions(run, batch, first, n, size));
    SB_TRY(sb_ranks_share(ranks, last, run->truth, (size_t)n * size));
    SB_TRY(sb_ranks_share(ranks, last, run->predicted, (size_t)n * size));
    SB_TRY(sb_ranks_share(ranks, last, run->predicted_frame, sizeof run->predicted_frame));
    run->n_predictions = n;
    return SB_OK;
}

/* The loss of n test images from `first` on; the network's state is not touched, images have none. */
static sb_status test_portion(sb_run *run, size_t first, size_t n, uint8_t *bytes, double *sum)
{
    const sb_window window = {.bytes = bytes, .n = (int)n};
    double loss[SB_LOSS_MAX];
    SB_TRY(sb_dataset_read_test(run->setup->dataset, first, n, bytes));
    SB_TRY(sb_learner_infer(&run->setup->learner, &window));
    SB_TRY(sb_learner_losses(&run->setup->learner, loss));
    *sum = loss[0] * (double)n;
    return SB_OK;
}

/* In portions of a batch, each rank its slice of them; their sums are added in the order of the images. */
static sb_status test_portions(sb_run *run, size_t n_test, size_t batch, uint8_t *bytes, double *sum)
{
    sb_ranks *ranks = run->setup->ranks;
    const size_t n_portions = (n_test + batch - 1) / batch;
    const sb_slice own = sb_ranks_slice(ranks, n_portions, sb_ranks_rank(ranks));
    for (size_t p = own.first; p < own.first + own.n; p++) {
        const size_t first = p * batch, n = n_test - first < batch ? n_test - first : batch;
        SB_TRY(test_portion(run, first, n, bytes, &sum[p]));
    }
    SB_TRY(sb_ranks_gather(ranks, sum, n_portions, sizeof *sum));
    double total = 0;
    for (size_t p = 0; p < n_portions; p++) total += sum[p];
    run->test_loss = total / (double)n_test;
    return SB_OK;
}

/* Mean loss over the test images. */
static sb_status test_images(sb_run *run)
{
    const sb_dataset_facts *facts = sb_dataset_about(run->setup->dataset);
    run->test_loss = -1;
    if (run->classified.n) return SB_OK;
    if (run->setup->learner.net->classes.n) return sb_classify(run->setup, SB_PART_TEST, &run->classified);
    if (facts->kind != SB_DATASET_IMAGES || facts->n_test == 0) return SB_OK;
    size_t batch = (size_t)sb_settings_samples(run->setup->options), size = facts->h * facts->w * facts->c;
    SB_FREED uint8_t *bytes = sb_size_allocate(batch, size);
    SB_FREED double *sum = sb_size_allocate(facts->n_test / batch + 1, sizeof *sum);
    return bytes && sum ? test_portions(run, facts->n_test, batch, bytes, sum)
                        : sb_fail(SB_E_MEMORY, "not enough memory for a batch");
}

static sb_status stop_at_signal(sb_run *run)
{
    sb_run_event(run, "interrupted by signal %d after update %zu", sb_interrupt_signal(), run->n);
    SB_TRY(sb_run_save(run, run->options->output, false));
    return sb_fail(SB_E_INTERRUPTED, "%s: stopped after update %zu of %ld; the same command continues from there",
                   run->options->output, run->n, run->target_updates);
}

/* Between two updates: has someone asked to stop, is a checkpoint due? Of several ranks rank 0's clock counts. */
static sb_status stop_or_save(sb_run *run, double *last_save)
{
    const long every = run->options->checkpoint_every;
    const bool is_late = sb_run_leads(run) && sb_clock_seconds() - *last_save > CHECKPOINT_SECONDS;
    const bool due = every ? run->n % (size_t)every == 0 : is_late;
    sb_run_wishes wishes = {.signal = sb_interrupt_signal()};
    if (!wishes.signal) wishes.checkpoint = sb_interrupt_checkpoint() || due;
    SB_TRY(sb_run_join_wishes(run, &wishes));
    if (wishes.signal) return stop_at_signal(run);
    if (!wishes.checkpoint) return SB_OK;
    *last_save = sb_clock_seconds();
    return sb_run_save(run, run->options->output, false);
}

static const char *const samples_of[] = {
    [SB_LEARNS_FROM_VIDEO] = "frames", [SB_LEARNS_FROM_IMAGES] = "images", [SB_LEARNS_FROM_TEXT] = "tokens"};

static void show(sb_progress *progress, const sb_run *run, const sb_record *record)
{
    char validated[64] = "";
    const sb_run_validation *last = sb_run_last_validation(run);
    if (last)
        snprintf(validated, sizeof validated, "  epoch %lld: %.2f %% right", (long long)last->epoch,
                 100.0 * (double)last->correct / (double)run->n_validated);
    sb_progress_show(progress, (double)run->n, "loss %.6f  window %.6f  %.1f %s/s%s", record->loss_last,
                     record->loss_mean, (double)run->loss_terms / run->seconds,
                     samples_of[sb_model_data_of(run->setup->options)], validated);
}

/* Updates until the target; before [n_before] are the journal's records of an interrupted session. */
static sb_status update_loop(sb_run *run, sb_journal *journal, const sb_record *before, size_t n_before)
{
    sb_progress progress = sb_progress_begin(run->setup->learner.net->model, (double)run->target_updates);
    progress.quiet = run->options->quiet || !sb_run_leads(run);
    double last_save = sb_clock_seconds();
    sb_record record;
    sb_batch batch;
    sb_status status = SB_OK;
    size_t next = 0;
    while (status == SB_OK && (long)run->n < run->target_updates && !run->stopped_at && !run->diverged_at) {
        status = do_update(run, &record, &batch);
        if (status == SB_E_INTERRUPTED) status = stop_at_signal(run);
        while (next < n_before && before[next].update < record.update) next++;
        if (status == SB_OK && next < n_before && before[next].update == record.update)
            status = check_replay(run, &record, &before[next]);
        else if (status == SB_OK && journal)
            status = sb_journal_add(journal, &record);
        if (status == SB_OK && !run->diverged_at && sb_run_validation_is_due(run, (long)run->n))
            status = sb_run_validate(run);
        if (status != SB_OK) break;
        show(&progress, run, &record);
        if (run->stopped_at || run->diverged_at) continue;
        if ((long)run->n == run->target_updates)
            status = keep_predictions(run, &batch);
        else
            status = stop_or_save(run, &last_save);
    }
    sb_progress_end(&progress);
    return status;
}

/* What an interrupted session left in the journal, which rank 0 alone has. */
static sb_status read_journal(sb_run *run, sb_journal *journal, sb_record **before, size_t *n_before)
{
    sb_hash experiment;
    bool set_aside;
    *before = NULL, *n_before = 0;
    if (!journal) return SB_OK;
    SB_TRY(sb_run_experiment(run, &experiment));
    SB_TRY(sb_journal_read(journal, experiment, before, n_before, &set_aside));
    if (set_aside)
        fprintf(stderr, "%s: an interrupted run with other options or data is set aside, and training starts from the beginning\n",
                run->options->output);
    return SB_OK;
}

static sb_status train(sb_run *run, sb_journal *journal)
{
    sb_record *before;
    size_t n_before;
    SB_TRY(read_journal(run, journal, &before, &n_before));
    sb_run_begin_exchanges(run);
    sb_status status = sb_run_open_input(run);
    if (status == SB_OK) status = update_loop(run, journal, before, n_before);
    sb_input_close(run->input);
    free(before);
    if (status == SB_OK) status = sb_run_gather_states(run);
    if (status == SB_OK && !run->diverged_at) status = test_images(run);
    if (status != SB_OK) return status;
    sb_run_event(run, "finished after update %zu", run->n);
    SB_TRY(sb_run_save(run, run->options->output, true));
    if (sb_run_leads(run)) sb_run_forget_best(run);
    return SB_OK;
}

/* ---- beginning ---- */

/* A default that is a whole number. */
static long default_of(sb_setting_id id, const sb_settings *settings)
{
    const sb_setting_names names = sb_setting_names_of(settings);
    return strtol(sb_setting_default(id, &names), NULL, 10);
}

long sb_run_length(const sb_settings *settings, const sb_run_options *options, long epoch_updates)
{
    const long updates = default_of(SB_SETTING_UPDATES, settings);
    if (options->updates > 0) return options->updates;
    if (options->epochs > 0) return options->epochs * epoch_updates;
    return updates ? updates : default_of(SB_SETTING_EPOCHS, settings) * epoch_updates;
}

static void plan_run(sb_run *run)
{
    const sb_settings *setup = run->setup->options;
    const bool is_images = sb_model_data_of(setup) == SB_LEARNS_FROM_IMAGES;
    run->target_updates = sb_run_length(setup, run->options, sb_loader_epoch_updates(run->setup->loader));
    run->chain_every = run->options->chain_every;
    if (!run->chain_every && !sb_settings_use_gradients(setup)) run->chain_every = 1;
    if (!run->chain_every) run->chain_every = is_images ? (SAMPLES_PER_LINK + setup->batch - 1) / setup->batch : 1;
}

static sb_status fail_longer(const sb_run *run)
{
    const char *unit = sb_settings_use_gradients(run->setup->options) ? "updates" : "generations";
    return sb_fail(SB_E_USAGE,
                   "%s: this run has %zu %s, and %ld are asked for; train the shorter run into another file (-o), or ask "
                   "for %zu %s",
                   run->options->output, run->n, unit, run->target_updates, run->n, unit);
}

static sb_status start_or_resume(sb_run *run, sb_run_outcome *outcome)
{
    bool finished = false;
    SB_TRY(sb_file_check_output(run->options->output));
    if (!sb_file_exists(run->options->output)) {
        const char *claims = run->options->claims ? run->options->claims : "";
        if (strlen(claims) >= sizeof run->claims)
            return sb_fail(SB_E_USAGE, "--claims wants less than %zu bytes", sizeof run->claims);
        if (!sb_registration_holds(claims))
            return sb_fail(SB_E_USAGE, "--claims wants NAME=DIGEST, blanks between them, not '%.40s'", claims);
        strcpy(run->claims, claims);
        sb_run_event(run, "started");
        return SB_OK;
    }
    SB_TRY(sb_run_load(run, run->options->output, &finished));
    outcome->resumed_at = (long)run->n;
    if ((long)run->n > run->target_updates) return fail_longer(run);
    if (finished && ((long)run->n == run->target_updates || run->stopped_at || run->diverged_at)) {
        outcome->end = SB_RUN_ALREADY;
        return SB_OK;
    }
    SB_TRY(sb_run_check_best(run));
    sb_run_event(run, "resumed at update %zu", run->n);
    return SB_OK;
}

static sb_status describe(sb_run *run, sb_run_outcome *outcome)
{
    outcome->updates = (long)run->n;
    outcome->seconds = run->seconds;
    outcome->subnormal = sb_backend_subnormal(run->setup->ops);
    sb_run_tail(run, &outcome->loss_last, &outcome->loss_mean);
    outcome->tested = run->classified;
    outcome->tested.predicted = NULL; /* the run's */
    outcome->stopped_at = run->stopped_at;
    outcome->diverged_at = run->diverged_at;
    outcome->loss_there = run->row[run->n - 1].loss_mean;
    SB_TRY(sb_ranks_share(run->setup->ranks, 0, &outcome->diverged_at, sizeof outcome->diverged_at));
    SB_TRY(sb_ranks_share(run->setup->ranks, 0, &outcome->loss_there, sizeof outcome->loss_there));
    sb_run_epochs_of_overfit(run, &outcome->best_epoch, &outcome->overfit_epoch);
    return sb_learner_weights_hash(&run->setup->learner, &outcome->weights);
}

/* Where the run stands, as rank 0 finds it in the file; then all ranks stand there. */
static sb_status begin(sb_run *run, sb_run_outcome *outcome)
{
    sb_ranks *ranks = run->setup->ranks;
    sb_status status = sb_run_leads(run) ? start_or_resume(run, outcome) : SB_OK;
    SB_TRY(sb_ranks_agree(ranks, status));
    SB_TRY(sb_ranks_share(ranks, 0, outcome, sizeof *outcome));
    return sb_run_share_start(run);
}

static sb_status open_journal(sb_run *run, sb_journal **journal)
{
    char path[SB_PATH_MAX];
    *journal = NULL;
    journal_path(run, path);
    return sb_ranks_agree(run->setup->ranks, sb_run_leads(run) ? sb_journal_open(journal, path) : SB_OK);
}

static void free_run(sb_run *run)
{
    sb_trainer_end(&run->trainer);
    free(run->row);
    sb_run_lists_free(&run->lists);
    sb_run_sketches_free(&run->sketches);
    free(run->truth);
    free(run->predicted);
    free(run->classified.predicted);
}

sb_status sb_run_train(sb_setup *setup, const sb_run_options *options, sb_run_outcome *outcome)
{
    sb_run run = {.setup = setup, .options = options, .test_loss = -1};
    sb_journal *journal;
    *outcome = (sb_run_outcome){0};
    SB_TRY(sb_run_check_input(&run));
    SB_TRY(sb_run_check_validation(&run));
    plan_run(&run);
    sb_interrupt_catch();
    SB_TRY(sb_run_meet(&run));
    SB_TRY(open_journal(&run, &journal));
    sb_status status = sb_ranks_agree(setup->ranks, sb_trainer_begin(&run.trainer, setup, &run.lists));
    /* the initial weights for training by gradients, before a checkpoint replaces them */
    if (status == SB_OK && run.trainer.kind->by_gradients) status = sb_run_sketch(&run, 0);
    if (status == SB_OK) status = begin(&run, outcome);
    if (status == SB_OK && outcome->end != SB_RUN_ALREADY) status = train(&run, journal);
    if (status == SB_OK) status = describe(&run, outcome);
    sb_journal_close(journal, status == SB_OK);
    free_run(&run);
    return status;
}
