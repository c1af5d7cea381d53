/* While a run trains: what its network makes of images that it does not learn from, a row for each time; whether it
 * learns the others by heart; and where it ends early, the best of its checkpoints as its result. */
#include "train/run/run_parts.h"

#include "core/file.h"
#include "io/h5/h5_attribute.h"
#include "train/overfit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const sb_run_list *validations(const sb_run *run)
{
    return &run->lists.of[SB_RUN_LIST_validation];
}

static bool stops_early(const sb_run *run)
{
    return sb_setting_says(run->setup->options->early_stop, "on");
}

static long validate_every(const sb_run *run)
{
    return run->setup->learner.net->classes.n ? run->setup->options->validate_every : 0;
}

/* Images that were held out, where there are some. */
static sb_part part_of(const sb_run *run)
{
    return sb_loader_part_samples(run->setup->loader, SB_PART_HOLD_OUT) ? SB_PART_HOLD_OUT : SB_PART_TEST;
}

sb_status sb_run_check_validation(const sb_run *run)
{
    const bool stops = stops_early(run);
    if (stops && !validate_every(run))
        return sb_fail(SB_E_USAGE, "--early-stop on wants --validate-every, the epochs from one look to the next");
    if (!validate_every(run)) return SB_OK;
    const bool is_text = sb_model_data_of(run->setup->options) == SB_LEARNS_FROM_TEXT;
    const char *data = run->setup->options->data;
    if (sb_loader_part_samples(run->setup->loader, part_of(run)) == 0)
        return sb_fail(SB_E_USAGE, "%s: has no %s", data,
                       is_text ? "held-out window for validation; convert the text with a larger --hold-out"
                               : "test images for validation; set images aside with --hold-out");
    if (stops && is_text)
        return sb_fail(SB_E_USAGE, "--early-stop on is for images: held-out tokens decide nothing about a training");
    if (stops && part_of(run) != SB_PART_HOLD_OUT)
        return sb_fail(SB_E_USAGE, "--early-stop on wants --hold-out: test images decide nothing about a training");
    return SB_OK;
}

bool sb_run_validation_is_due(const sb_run *run, long update)
{
    const long every = validate_every(run);
    return every && update % (every * run->setup->learner.epoch_updates) == 0;
}

bool sb_run_links_validation(const sb_run *run, long update)
{
    return stops_early(run) && sb_run_validation_is_due(run, update);
}

const sb_run_validation *sb_run_last_validation(const sb_run *run)
{
    const sb_run_validation *row = validations(run)->row;
    return validations(run)->n ? &row[validations(run)->n - 1] : NULL;
}

/* ---- is it learning by heart? ---- */

static sb_overfit find_overfit(const sb_run *run)
{
    const sb_settings *settings = run->setup->options;
    return sb_overfit_of((size_t)settings->patience, settings->min_delta, validations(run)->n, validations(run)->row);
}

void sb_run_epochs_of_overfit(const sb_run *run, int64_t *best, int64_t *at)
{
    const sb_run_validation *row = validations(run)->row;
    const sb_overfit found = find_overfit(run);
    *best = found.best ? row[found.best - 1].epoch : 0;
    *at = found.at ? row[found.at - 1].epoch : 0;
}

/* ---- the best one so far ---- */

static void path_of_best(const sb_run *run, char path[SB_PATH_MAX])
{
    snprintf(path, SB_PATH_MAX, "%s.best", run->options->output);
}

sb_status sb_run_check_best(const sb_run *run)
{
    char path[SB_PATH_MAX];
    if (!stops_early(run)) return SB_OK;
    path_of_best(run, path);
    if (!find_overfit(run).best || sb_file_exists(path)) return SB_OK;
    return sb_fail(SB_E_USAGE,
                   "%s: its best epoch is not kept any more, and it stops early: train anew, with another -o",
                   run->options->output);
}

void sb_run_forget_best(const sb_run *run)
{
    char path[SB_PATH_MAX];
    path_of_best(run, path);
    if (stops_early(run)) unlink(path);
}

/* The run becomes what it was then, but for its validations, which say why. */
static sb_status take_best(sb_run *run)
{
    char path[SB_PATH_MAX];
    sb_run_list *now = &run->lists.of[SB_RUN_LIST_validation], all = *now;
    bool finished;
    path_of_best(run, path);
    *now = (sb_run_list){0};
    sb_status status = sb_run_load(run, path, &finished);
    free(now->row);
    *now = all;
    return status;
}

typedef enum next_step { GO_ON, KEEP, STOP } next_step;

/* Rank 0 has all rows, and decides. */
static sb_status decide(sb_run *run, next_step *next)
{
    const sb_overfit found = find_overfit(run);
    *next = found.best == validations(run)->n ? KEEP : found.at ? STOP : GO_ON;
    return sb_ranks_share(run->setup->ranks, 0, next, sizeof *next);
}

static sb_status keep_or_stop(sb_run *run)
{
    char path[SB_PATH_MAX];
    next_step next;
    const long here = (long)run->n;
    path_of_best(run, path);
    SB_TRY(decide(run, &next));
    if (next == KEEP) return sb_run_save(run, path, false);
    if (next == GO_ON) return SB_OK;
    SB_TRY(sb_ranks_agree(run->setup->ranks, sb_run_leads(run) ? take_best(run) : SB_OK));
    SB_TRY(sb_run_share_start(run));
    run->stopped_at = here;
    sb_run_event(run, "stopped early after update %ld; the result has the weights of update %zu", here, run->n);
    if (!run->options->quiet && sb_run_leads(run))
        fprintf(stderr,
                "%s: stopped early after update %ld: no better validation for %ld epochs; the result has the "
                "weights of update %zu\n",
                run->options->output, here, run->setup->options->patience * validate_every(run), run->n);
    return SB_OK;
}

/* ---- one more row ---- */

static double mean_loss_since(const sb_run *run, long update)
{
    double sum = 0;
    for (size_t i = (size_t)update; i < run->n; i++) sum += run->row[i].loss_mean;
    return sum / (double)(run->n - (size_t)update);
}

static sb_status add_row(sb_run *run, const sb_classification *found)
{
    const sb_run_validation *before = sb_run_last_validation(run);
    const sb_run_validation row = {.epoch = (int64_t)run->n / run->setup->learner.epoch_updates,
                                   .update = (int64_t)run->n,
                                   .correct = (int64_t)found->correct,
                                   .correct_flipped = (int64_t)found->correct_flipped,
                                   .loss = found->loss,
                                   .cross_entropy = found->cross_entropy,
                                   .train_loss = mean_loss_since(run, before ? (long)before->update : 0),
                                   .seconds = run->seconds};
    run->n_validated = (int64_t)found->n;
    return sb_run_lists_add(&run->lists, SB_RUN_LIST_validation, &row);
}

sb_status sb_run_validate(sb_run *run)
{
    sb_classification found;
    const sb_part part = part_of(run);
    SB_TRY(sb_run_gather_states(run));
    sb_status status = sb_classify(run->setup, part, &found);
    if (status == SB_OK) status = add_row(run, &found);
    if (status == SB_OK && part == SB_PART_TEST && (long)run->n == run->target_updates) {
        run->classified = found; /* the same images as at the end */
        return SB_OK;
    }
    free(found.predicted);
    return status == SB_OK && stops_early(run) ? keep_or_stop(run) : status;
}

/* ---- to and from the file ---- */

sb_status sb_run_write_validations(sb_run *run, sb_h5 *file)
{
    int64_t best, at;
    if (validations(run)->n == 0) return SB_OK;
    sb_run_epochs_of_overfit(run, &best, &at);
    const bool is_text = sb_model_data_of(run->setup->options) == SB_LEARNS_FROM_TEXT;
    const char *part = part_of(run) == SB_PART_TEST && !is_text ? "test" : "held out";
    SB_TRY(sb_h5_set_text(file, "validation", "images", part));
    SB_TRY(sb_h5_set_int(file, "validation", "n", run->n_validated));
    SB_TRY(sb_h5_set_int(file, "validation", "best_epoch", best));
    SB_TRY(sb_h5_set_int(file, "validation", "overfit_epoch", at));
    return sb_h5_set_int(file, "validation", "stopped_at", run->stopped_at);
}

sb_status sb_run_read_validations(sb_run *run, sb_h5 *file)
{
    int64_t stopped_at = 0;
    if (validations(run)->n == 0) return SB_OK;
    SB_TRY(sb_h5_get_int(file, "validation", "n", &run->n_validated));
    SB_TRY(sb_h5_get_int(file, "validation", "stopped_at", &stopped_at));
    run->stopped_at = (long)stopped_at;
    return SB_OK;
}
