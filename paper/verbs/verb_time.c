#include "paper/verbs/verbs.h"

#include "core/size.h"
#include "paper/judge/distinct.h"
#include "paper/judge/time_to_accuracy.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct time_options {
    double accuracy;
} time_options;

static const sb_option options[] = {
    SB_OPTION_REAL(time_options, accuracy, "--accuracy", "PERCENT", "94", 0, 100, "accuracy to reach, in percent"),
    SB_OPTION_END,
};

/* What all runs have in common. */
typedef struct tally {
    size_t n, ended, ever; /* runs; right often enough in the end, and ever */
    double *last;          /* percent in the end, of each */
} tally;

static void print_run(const sb_time_run *run, double accuracy)
{
    const sb_time_epoch *last = &run->epoch[run->n - 1];
    printf("%s  %s images %lld  epochs %zu  %.2f %% after %.1f s", run->path, run->images, (long long)run->n_images,
           run->n, last->percent, last->seconds);
    if (run->at)
        printf("  %g %% after %.1f s, epoch %zu\n", accuracy, run->epoch[run->at - 1].seconds, run->at);
    else
        printf("  %g %% never\n", accuracy);
}

static void print_share(const char *what, size_t k, size_t n)
{
    const sb_share share = sb_share_of(k, n);
    printf("%s %zu of %zu runs, %.1f %% (%.1f to %.1f)\n", what, k, n, 100 * share.share, 100 * share.low,
           100 * share.high);
}

static sb_status print_tally(const tally *t, double accuracy)
{
    sb_summary summary;
    char what[64];
    if (t->n < 2) return SB_OK;
    SB_TRY(sb_stats_summary(t->last, t->n, &summary));
    printf("final accuracy %.3f %%, standard deviation %.3f", summary.mean, summary.sd);
    if (isfinite(summary.low)) printf(", 95 %% interval %.3f to %.3f", summary.low, summary.high);
    snprintf(what, sizeof what, "\nend at %g %% or more:", accuracy);
    print_share(what, t->ended, t->n);
    print_share("ever there:", t->ever, t->n);
    return SB_OK;
}

static sb_status take_run(const time_options *o, const char *path, tally *t)
{
    sb_time_run run;
    SB_TRY(sb_time_read(&run, path, o->accuracy));
    print_run(&run, o->accuracy);
    t->last[t->n++] = run.epoch[run.n - 1].percent;
    t->ended += run.epoch[run.n - 1].percent >= o->accuracy, t->ever += run.at > 0;
    sb_time_free(&run);
    return SB_OK;
}

static sb_status time_to_accuracy(const sb_call *call)
{
    const time_options *o = call->values;
    double last[sizeof call->arguments.item / sizeof *call->arguments.item];
    tally t = {.last = last};
    SB_TRY(sb_distinct_check(call->arguments.item, (size_t)call->arguments.n));
    for (int i = 0; i < call->arguments.n; i++) SB_TRY(take_run(o, call->arguments.item[i], &t));
    return print_tally(&t, o->accuracy);
}

const sb_command sb_verb_time = {
    .program = "samebits-report",
    .verb = "time",
    .summary = "print how long training took to reach an accuracy, and how many runs reached it",
    .arguments = "RUN.h5...",
    .options = options,
    .values_bytes = sizeof(time_options),
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "The runs must have evaluations after each epoch (samebits train --validate-every 1). The time is of "
        "training alone.\n"
        "example: samebits-report time --accuracy 94 results/runs/ladder/*/*.h5\n"
        "exit codes: 0 done, 2 usage, 7 a damaged run file\n",
    .run = time_to_accuracy,
};
