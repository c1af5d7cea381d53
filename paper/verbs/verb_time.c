#include "core/size.h"
#include "core/status.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"
#include "paper/judge/judge.h"
#include "paper/statistics/stats.h"
#include "paper/verbs/verbs.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sb_time_epoch {
    double seconds; /* of training so far */
    double percent; /* right: with the mirror images where the run's settings say so */
} sb_time_epoch;

typedef struct sb_time_run {
    const char *path; /* the caller's */
    char images[32];
    int64_t n_images;
    size_t n, at; /* epochs; at: the first one that is right often enough, from 1; 0: none */
    sb_time_epoch *epoch;
} sb_time_run;

/* Of k of n runs the share, and its 95 % interval by Wilson's score (JASA 22 (1927) 209-212). */
typedef struct sb_share {
    double share, low, high;
} sb_share;
sb_share sb_share_of(size_t k, size_t n);

/* ---- a run ---- */

static sb_status read_epochs(sb_time_run *run, sb_h5 *file, bool flips)
{
    const size_t n = run->n;
    const char *name = flips ? "validation/correct_flipped" : "validation/correct";
    SB_FREED int64_t *epoch = NULL, *correct = NULL;
    SB_FREED double *seconds = NULL;
    run->epoch = sb_size_allocate(n, sizeof *run->epoch);
    if (!run->epoch) return sb_fail(SB_E_MEMORY, "%s: not enough memory", run->path);
    SB_TRY(sb_h5_read_new(file, "validation/epoch", SB_I64, n, &epoch));
    SB_TRY(sb_h5_read_new(file, name, SB_I64, n, &correct));
    SB_TRY(sb_h5_read_new(file, "validation/seconds", SB_F64, n, &seconds));
    for (size_t i = 0; i < n; i++) {
        run->epoch[i] = (sb_time_epoch){seconds[i], 100.0 * (double)correct[i] / (double)run->n_images};
        if (epoch[i] != (int64_t)i + 1)
            return sb_fail(SB_E_USAGE, "%s: was not validated after each epoch; train with --validate-every 1",
                           run->path);
    }
    return SB_OK;
}

static sb_status read_run(sb_time_run *run, sb_h5 *file, double threshold)
{
    char flip[16];
    sb_h5_shape shape;
    SB_TRY(sb_runfile_check(file));
    if (!sb_h5_exists(file, "validation/epoch"))
        return sb_fail(SB_E_USAGE, "%s: was not validated while it trained; train with --validate-every 1", run->path);
    SB_TRY(sb_h5_shape_of(file, "validation/epoch", &shape));
    run->n = shape.n;
    SB_TRY(sb_h5_attribute_text(file, "validation", "images", run->images, sizeof run->images));
    SB_TRY(sb_h5_get_int(file, "validation", "n", &run->n_images));
    SB_TRY(sb_h5_attribute_text(file, "config", "test_flip", flip, sizeof flip));
    if (run->n_images < 1) return sb_fail(SB_E_INTEGRITY, "%s: was validated with no images", run->path);
    SB_TRY(read_epochs(run, file, strcmp(flip, "on") == 0));
    for (size_t i = 0; !run->at && i < run->n; i++)
        if (run->epoch[i].percent >= threshold) run->at = i + 1;
    return SB_OK;
}

static void time_free(sb_time_run *run)
{
    free(run->epoch);
    *run = (sb_time_run){0};
}

/* A finished run that was validated after each epoch; SB_E_USAGE if it was not. threshold: percent. The caller frees the
 * run, also after a failure. */
static sb_status time_read(sb_time_run *run, const char *path, double threshold)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    *run = (sb_time_run){.path = path};
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    const sb_status status = read_run(run, file, threshold);
    return status == SB_E_EMPTY ? sb_fail(SB_E_USAGE, "%s: is not finished", path) : status;
}

sb_share sb_share_of(size_t k, size_t n)
{
    const double z = 1.959963984540054, share = (double)k / (double)n, zz = z * z / (double)n;
    const double middle = (share + zz / 2) / (1 + zz);
    const double half = z * sqrt(share * (1 - share) / (double)n + zz / (4 * (double)n)) / (1 + zz);
    return (sb_share){share, k ? middle - half : 0, k < n ? middle + half : 1};
}

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
    SB_OWNED(time_free) sb_time_run run = {0};
    SB_TRY(time_read(&run, path, o->accuracy));
    print_run(&run, o->accuracy);
    t->last[t->n++] = run.epoch[run.n - 1].percent;
    t->ended += run.epoch[run.n - 1].percent >= o->accuracy, t->ever += run.at > 0;
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
    .epilogue = "The runs must have evaluations after each epoch (samebits train --validate-every 1). The time is of "
                "training alone.\n"
                "example: samebits-report time --accuracy 94 results/runs/ladder/*/*.h5\n"
                "exit codes: 0 done, 2 usage, 7 a damaged run file\n",
    .run = time_to_accuracy,
    .once = true,
};
