#include "verbs/verbs.h"

#include "backend/backend.h"
#include "core/machine/interrupt.h"
#include "core/screen/progress.h"
#include "inspect/links.h"
#include "io/dataset.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_walk.h"
#include "io/run/runfile.h"
#include "train/readback.h"
#include "train/run/run.h"
#include "train/trainer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replays a run: does this machine, with this program, repeat its bits? */
typedef struct replay_options {
    const char *data;          /* the data set the run learned from */
    const char *backend, *isa; /* replace the run's; NULL: the recorded backend, and the best instruction set */
    long threads;              /* 0: as recorded */
    long updates;              /* at most this number; 0: all updates of the run */
    bool quiet;
} replay_options;

/* Of a run whose backend the user did not replace: where no GPU is, the CPU can train it. */
static sb_status check_backend(const char *path, const char *name)
{
    char why[256];
    const sb_backend *backend = sb_backend_find(name);
    if (!backend || !backend->is_on_gpu || backend->available(why, sizeof why)) return SB_OK;
    return sb_fail(SB_E_MISSING,
                   "%s: recorded with %s, which cannot run here: %s; '--backend native' trains it on the CPU, %s", path,
                   name, why, backend->in_written_order ? "with the same bits" : "in another order of sums");
}

/* The options of the run at `path` with the changes of `options`. They point into *readback, which must outlive
 * them. */
static sb_status make_settings(sb_readback *readback, const char *path, const replay_options *options,
                               sb_settings *setup)
{
    SB_OWNED(sb_h5_leave) sb_h5 *run = NULL;
    SB_TRY(sb_h5_open(&run, path, SB_SEAL_LINKS));
    const sb_status status = sb_runfile_check(run);
    if (status != SB_E_EMPTY) SB_TRY(status); /* a checkpoint has its entries, too */
    SB_TRY(sb_readback_read(readback, run));
    SB_TRY(sb_readback_options(readback, options->data, setup));
    if (options->backend)
        setup->backend = options->backend;
    else
        SB_TRY(check_backend(path, setup->backend));
    if (options->isa) setup->isa = options->isa, setup->typed[SB_SETTING_ISA] = true;
    if (options->threads) setup->threads = options->threads;
    return SB_OK;
}

/* ---- the environment of then and of now ---- */

typedef struct comparison {
    sb_h5 *run;
    const sb_facts *here;
    FILE *out;
    int found;
} comparison;

/* Engines of cuDNN are chosen while it runs: there are none yet. */
static const char engines[] = "cudnn_engines";

static sb_status compare_fact(void *context, const char *name)
{
    comparison *c = context;
    char then[1024];
    if (strncmp(name, engines, sizeof engines - 1) == 0) return SB_OK;
    SB_TRY(sb_h5_attribute_text(c->run, "env", name, then, sizeof then));
    const char *now = sb_facts_find(c->here, name);
    if (now && strcmp(now, then) == 0) return SB_OK;
    if (c->found++ == 0) fprintf(c->out, "what differs in env, then and here:\n");
    fprintf(c->out, "  %-16s %s | %s\n", name, then, now ? now : "(absent)");
    return SB_OK;
}

static sb_status compare_environment(sb_h5 *run, const sb_setup *setup, FILE *out)
{
    SB_FREED sb_facts *facts = calloc(1, sizeof *facts);
    if (!facts) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_run_facts(facts, setup->ops);
    comparison c = {run, facts, out, 0};
    SB_TRY(sb_h5_each_attribute(run, "env", compare_fact, &c));
    if (!c.found) fprintf(out, "nothing differs in env\n");
    return SB_OK;
}

/* ---- entry by entry ---- */

typedef struct replay {
    const char *path;
    sb_h5 *run;
    sb_links recorded;
    sb_losses losses;    /* recorded, too */
    int64_t loss_update; /* the first that has other losses here; 0: none */
    sb_setup setup;
    sb_trainer trainer;
    sb_run_lists lists; /* of the trainer */
    size_t next;        /* link */
} replay;

static void close_replay(replay *r)
{
    sb_trainer_end(&r->trainer);
    sb_run_lists_free(&r->lists);
    sb_setup_close(&r->setup);
    sb_losses_free(&r->losses);
    sb_links_free(&r->recorded);
    sb_h5_close(r->run);
}

/* The first part of entry r->next that differs from the recorded one; SB_LINK_PARTS: none. */
static sb_status compare_link(replay *r, const sb_batch *batch, sb_link_part *part)
{
    sb_link link;
    SB_TRY(sb_trainer_link(&r->trainer, sb_batch_hash(batch), &link));
    const sb_hash now[SB_LINK_PARTS] = {link.batch, link.gradient, link.weights, link.optimizer};
    for (*part = 0; *part < SB_LINK_PARTS; ++*part)
        if (!sb_hash_equal(now[*part], r->recorded.hash[*part][r->next])) break;
    return SB_OK;
}

static sb_status do_update(replay *r, long update, bool link, sb_batch *batch)
{
    sb_step_result result;
    const sb_gradient gradient = link ? SB_GRADIENT_KEPT : SB_GRADIENT_DROPPED;
    SB_TRY(sb_loader_batch(r->setup.loader, sb_trainer_batch(&r->trainer, update), 0, 1, batch));
    SB_TRY(sb_trainer_update(&r->trainer, batch, update, gradient, &result));
    if (!r->loss_update && (size_t)update <= r->losses.n &&
        !sb_losses_hold(&r->losses, update, result.loss_last, result.loss_mean))
        r->loss_update = update;
    return SB_OK;
}

/* Update by update, until all n entries are compared or one differs. */
static sb_status repeat(replay *r, size_t n, bool quiet, sb_link_part *part)
{
    SB_OWNED(sb_progress_end) sb_progress progress = sb_progress_begin("replay", (double)r->recorded.update[n - 1]);
    progress.quiet = quiet;
    *part = SB_LINK_PARTS;
    for (long update = 1; r->next < n && *part == SB_LINK_PARTS; update++) {
        sb_batch batch;
        bool link = r->recorded.update[r->next] == update;
        SB_TRY(do_update(r, update, link, &batch));
        if (link) SB_TRY(compare_link(r, &batch, part));
        if (link && *part == SB_LINK_PARTS) r->next++;
        if (sb_interrupt_signal())
            return sb_fail(SB_E_INTERRUPTED, "%s: interrupted at update %ld, the same bits so far", r->path, update);
        sb_progress_show(&progress, (double)update, "%zu entr%s the same", r->next, r->next == 1 ? "y" : "ies");
    }
    return SB_OK;
}

/* part: SB_LINK_PARTS where no entry differs, but a loss does. */
static sb_status tell_difference(replay *r, sb_link_part part, FILE *out)
{
    char text[SB_LOSSES_TEXT];
    if (part == SB_LINK_PARTS) {
        fprintf(out, "%zu entries of the chain the same; losses differ from update %lld\n", r->next,
                (long long)r->loss_update);
        SB_TRY(compare_environment(r->run, &r->setup, out));
        return sb_fail(SB_E_DIFFERS, "%s: other losses here, from update %lld on", r->path, (long long)r->loss_update);
    }
    const sb_parting parting = {.update = r->recorded.update[r->next],
                                .same = r->next ? r->recorded.update[r->next - 1] : 0,
                                .name = sb_links_part_name(&r->recorded, part)};
    sb_losses_parting_text(&parting, r->loss_update, text);
    fprintf(out, "%s\n", text);
    SB_TRY(compare_environment(r->run, &r->setup, out));
    if (sb_parting_is_exact(&parting))
        return sb_fail(SB_E_DIFFERS, "%s: other bits here, from update %lld on (%s)", r->path,
                       (long long)parting.update, parting.name);
    return sb_fail(SB_E_DIFFERS, "%s: other bits here, by update %lld (%s)", r->path, (long long)parting.update,
                   parting.name);
}

static sb_status replay_links(replay *r, const replay_options *options, FILE *out)
{
    sb_link_part part;
    size_t n = 0;
    while (n < r->recorded.n && (!options->updates || r->recorded.update[n] <= options->updates)) n++;
    if (n == 0)
        return sb_fail(SB_E_EMPTY, "%s: has no entry of the hash chain%s", r->path,
                       options->updates ? " among so few updates" : "");
    sb_interrupt_catch();
    SB_TRY(repeat(r, n, options->quiet, &part));
    if (part == SB_LINK_PARTS && !r->loss_update) {
        fprintf(out, "the same bits here over %zu entr%s, up to update %lld\n", n, n == 1 ? "y" : "ies",
                (long long)r->recorded.update[n - 1]);
        return SB_OK;
    }
    return tell_difference(r, part, out);
}

/* Train again and compare each entry of the hash chain with the recorded one. SB_OK: all entries are equal; out says
 * how many. SB_E_DIFFERS at the first that differs; out has the differences of the two environments. SB_E_USAGE: not
 * the run's data set. */
static sb_status run_replay(const char *path, const replay_options *options, const sb_settings *setup, FILE *out)
{
    SB_OWNED(close_replay) replay r = {.path = path};
    char digest[SB_HASH_TEXT];
    SB_TRY(sb_dataset_digest_file(options->data, digest));
    SB_TRY(sb_h5_open(&r.run, path, SB_SEAL_LINKS));
    SB_TRY(sb_readback_check_data(r.run, options->data, digest));
    SB_TRY(sb_links_read(&r.recorded, r.run));
    SB_TRY(sb_losses_read(&r.losses, r.run));
    SB_TRY(sb_setup_open(&r.setup, setup));
    SB_TRY(sb_trainer_begin(&r.trainer, &r.setup, &r.lists));
    return replay_links(&r, options, out);
}

static const sb_option options[] = {
    SB_OPTION_TEXT(replay_options, data, "--data", "FILE", SB_MADE_TEXT, "data set of the run; " SB_DATA_DEFAULT),
    SB_OPTION_TEXT(replay_options, backend, "--backend", "NAME", NULL, "use another backend than the run"),
    SB_OPTION_TEXT(replay_options, isa, "--isa", "NAME", NULL, "instruction set of native [the best here]"),
    SB_OPTION_INT(replay_options, threads, "--threads", "N", "0", 0, 256, "number of threads; 0: as the run"),
    SB_OPTION_INT(replay_options, updates, "--updates", "N", "0", 0, 1e9, "updates to repeat at most; 0: all"),
    SB_OPTION_FLAG(replay_options, quiet, "--quiet", "print no progress"),
    SB_OPTION_END,
};

static sb_status replay_again(const sb_call *call)
{
    const replay_options *values = call->values;
    sb_settings setup;
    sb_readback readback;
    SB_TRY(make_settings(&readback, call->arguments.item[0], values, &setup));
    SB_TRY(sb_backend_prepare(setup.backend, setup.blas_kernel, setup.threads, call->argv));
    return run_replay(call->arguments.item[0], values, &setup, stdout);
}

const sb_command sb_verb_replay = {
    .program = "samebits",
    .verb = "replay",
    .summary = "train a run again and compare its bits, entry by entry of the hash chain",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(replay_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "exit codes: 0 the same bits, 1 other bits; the output names what differs\n",
    .run = replay_again,
};
