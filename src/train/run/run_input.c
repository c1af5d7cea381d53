/* The input of a run: batches in the order of its updates, and what they cost, a row for each epoch. */
#include "train/run/run_parts.h"

sb_status sb_run_open_input(sb_run *run)
{
    const sb_run_options *options = run->options;
    const bool has_one_batch = run->trainer.has_one_batch;
    /* fake is the first batch again and again */
    const sb_input_plan plan = {.mode = has_one_batch ? SB_INPUT_FAKE : sb_run_input_mode(run),
                                .workers = (int)options->input_workers,
                                .depth = (int)options->queue_depth,
                                .rank = sb_ranks_rank(sb_run_sharers(run)),
                                .ranks = sb_ranks_size(sb_run_sharers(run)),
                                .ops = run->trainer.kind->by_gradients ? run->setup->ops : NULL};
    run->copy_seconds = sb_backend_copy_seconds(run->setup->ops);
    return sb_input_open(&run->input, run->setup->loader, &plan, has_one_batch ? 1 : (long)run->n + 1,
                         run->target_updates);
}

sb_input_mode sb_run_input_mode(const sb_run *run)
{
    const bool is_video = sb_dataset_about(run->setup->dataset)->kind == SB_DATASET_VIDEO;
    return sb_input_mode_of(run->options->input ? run->options->input : "auto", is_video);
}

sb_status sb_run_check_input(const sb_run *run)
{
    const sb_run_options *options = run->options;
    if (sb_run_input_mode(run) != SB_INPUT_FAKE || !options->record || !*options->record) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: --input fake learns from one batch alone, and is no cell of a matrix",
                   options->output);
}

sb_status sb_run_count_input(sb_run *run)
{
    if (!sb_run_ends_epoch(run)) return SB_OK;
    const sb_input_times times = sb_input_take_times(run->input);
    const double copied = sb_backend_copy_seconds(run->setup->ops);
    const sb_run_input row = {.epoch = sb_run_epoch(run),
                              .updates = times.n_batches,
                              .bytes = (int64_t)times.n_bytes,
                              .queue_least = times.queue_min,
                              .queue_mean = times.queue_mean,
                              .queue_later = times.queue_later,
                              .wait = times.wait_s,
                              .wait_workers = times.wait_workers_s,
                              .copy = copied - run->copy_seconds};
    run->copy_seconds = copied;
    return sb_run_lists_add(&run->lists, SB_RUN_LIST_input, &row);
}
