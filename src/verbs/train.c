#include "backend/backend.h"
#include "rank/launch.h"
#include "train/run/run.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct train_options {
    sb_settings setup;
    sb_run_options run;
    long rank_timeout;
    bool is_dry;
} train_options;

enum { GENERATIONS = 100 }; /* that 'evolve' does, if nothing says how many */

static const sb_option options[] = {
    SB_OPTIONS_DATA(train_options) SB_OPTIONS_LEARN(train_options) SB_OPTIONS_COMPUTE(train_options)
        SB_OPTIONS_RUN(train_options)
            SB_OPTION_INT(train_options, run.updates, "--generations", "N", "auto", 1, 1 << 20,
                          "deep-ga, random-search: generations to do; the same as --updates"),
    SB_OPTION_INT(train_options, run.chain_every, "--chain-every", "N", "0", 0, 1e9,
                          "updates between links of the hash chain; 0: each, or every 1000 images"),
    SB_OPTIONS_INPUT(train_options),
    SB_OPTION_TEXT(train_options, run.cell, "--cell", "NAME", "", "name of the matrix cell, for the run file"),
    SB_OPTION_TEXT(train_options, run.record, "--record", "TEXT", "", "canonical record of the cell, for the run file"),
    SB_OPTION_TEXT(train_options, run.claims, "--claims", "TEXT", "",
                   "claims registered before the run, NAME=DIGEST, for the run file"),
    SB_OPTION_NEEDED(train_options, run.output, "--output", 'o', "FILE", "run file to write"),
    SB_OPTION_INT(train_options, rank_timeout, "--rank-timeout", "SECONDS", "300", 1, 1e6,
                  "ranks: time to wait for a rank before all end; longer than one update"),
    SB_OPTION_FLAG(train_options, run.quiet, "--quiet", "print no progress"),
    SB_OPTION_FLAG(train_options, is_dry, "--dry-run", "print the settings and train nothing"),
    SB_OPTION_END,
};

/* Updates, or generations, and their losses. */
static void print_length(const sb_settings *settings, const sb_run_outcome *outcome)
{
    if (sb_settings_use_gradients(settings))
        printf("updates %ld", outcome->updates);
    else
        printf("generations %ld of %ld", outcome->updates, settings->population);
    if (outcome->diverged_at)
        printf("  diverged\n");
    else if (sb_settings_use_gradients(settings))
        printf("  loss %.6g  window %.6g  (means over the last fifth)\n", outcome->loss_last, outcome->loss_mean);
    else
        printf("  loss %.6g  (mean over the last fifth)\n", outcome->loss_mean);
}

/* Fewer than one operation in a hundred costs no time that matters. */
static bool has_many(sb_backend_met subnormal)
{
    return subnormal.met && subnormal.met >= subnormal.operations / 100;
}

static void print_outcome(const train_options *values, const sb_settings *settings, const sb_run_outcome *outcome)
{
    char weights[SB_HASH_TEXT];
    const sb_classification *tested = &outcome->tested;
    const bool evolves = !sb_settings_use_gradients(settings);
    sb_hash_text(outcome->weights, weights);
    if (outcome->end == SB_RUN_ALREADY)
        fprintf(stderr, "%s: finished before, nothing to do\n", values->run.output);
    else if (outcome->resumed_at)
        fprintf(stderr, "%s: continued from %s %ld\n", values->run.output, evolves ? "generation" : "update",
                outcome->resumed_at);
    print_length(settings, outcome);
    printf("weights %s\n", weights);
    if (evolves && outcome->end == SB_RUN_TRAINED && outcome->seconds > 0)
        printf("evaluations a second %.1f\n",
               (double)outcome->updates * (double)settings->population / outcome->seconds);
    if (tested->n) {
        const bool is_text = sb_model_data_of(settings) == SB_LEARNS_FROM_TEXT;
        printf("%s %zu  right %zu", is_text ? "held-out tokens" : "test images", tested->n, tested->correct);
        if (tested->flips) printf("  with mirror images %zu", tested->correct_flipped);
        printf("  cross-entropy %.6g\n", tested->cross_entropy);
    }
    if (has_many(outcome->subnormal))
        printf("subnormal numbers in %ld of %ld operations: slow on some CPUs\n", outcome->subnormal.met,
               outcome->subnormal.operations);
    if (outcome->best_epoch) printf("best validation after epoch %lld\n", (long long)outcome->best_epoch);
    if (outcome->overfit_epoch)
        printf("overfitting from epoch %lld on: no better validation, while the loss of training falls\n",
               (long long)outcome->overfit_epoch);
    if (outcome->stopped_at) printf("stopped early after update %ld\n", outcome->stopped_at);
}

/* Every setting that the run has, the defaults of its network, rung, optimizer and schedule among them. */
static sb_status print_plan(const sb_setup *setup, const sb_run_options *run)
{
    const sb_setting_names names = sb_setting_names_of(setup->options);
    char text[SB_SETTING_TEXT];
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        const sb_setting_group group = sb_settings_table[id].group;
        if ((group != SB_GROUP_LEARN && group != SB_GROUP_COMPUTE) || !sb_setting_applies(id, &names)) continue;
        sb_setting_text(setup->options, id, text);
        if (*text) printf("%-16s %s\n", sb_settings_table[id].key, text);
    }
    const long epoch = setup->learner.epoch_updates;
    printf("%-16s %ld\n%-16s %ld\n%-16s %zu\n", "updates", sb_run_length(setup->options, run, epoch),
           "updates_of_epoch", epoch, "parameters", setup->learner.net->params.total);
    return SB_OK;
}

static sb_status train_setup(const train_options *values, sb_setup *setup)
{
    sb_run_outcome outcome;
    const bool speaks = sb_ranks_rank(setup->ranks) == 0;
    if (values->is_dry) return speaks ? print_plan(setup, &values->run) : SB_OK;
    SB_TRY(sb_run_train(setup, &values->run, &outcome));
    if (speaks) print_outcome(values, setup->options, &outcome);
    return sb_run_judge(&outcome, &values->setup, &values->run);
}

/* In one process, or in one of several, which are as many as were started if nothing says how many. What the training
 * returns all ranks agree on. */
static sb_status train_among(train_options *values, sb_ranks *ranks)
{
    sb_setup setup;
    if (values->setup.ranks == 1) values->setup.ranks = sb_ranks_size(ranks);
    const sb_status own = sb_setup_open_among(&setup, &values->setup, ranks);
    sb_status status = sb_ranks_agree(ranks, own);
    if (status == SB_OK) status = train_setup(values, &setup);
    if (own == SB_OK) sb_setup_close(&setup);
    return status;
}

/* One of several processes hands over to the program with MPI. */
static sb_status train(const sb_call *call)
{
    train_options *values = call->values;
    const sb_settings *settings = &values->setup;
    sb_launch launch;
    sb_ranks *ranks;
    if (values->run.epochs > 0) values->setup.of_epochs = values->run.epochs;
    SB_TRY(sb_launch_read(&launch));
    if (launch.size > 1 && !sb_ranks_can_open()) return sb_launch_hand_over(&launch, call->argv);
    SB_TRY(sb_backend_prepare(settings->backend, settings->blas_kernel, settings->threads, call->argv));
    SB_TRY(sb_ranks_open(&ranks, (double)values->rank_timeout));
    const sb_status status = sb_ranks_fail(ranks, train_among(values, ranks));
    sb_ranks_close(ranks);
    return status;
}

static sb_status evolve(const sb_call *call)
{
    train_options *values = call->values;
    if (strcmp(values->setup.search, SB_OPTION_AUTO) == 0) values->setup.search = "deep-ga";
    if (values->run.updates <= 0 && values->run.epochs <= 0) values->run.updates = GENERATIONS;
    return train(call);
}

const sb_command sb_verb_train = {
    .program = "samebits",
    .verb = "train",
    .summary = "train a network and write a run file; the same command continues an interrupted run",
    .options = options,
    .values_bytes = sizeof(train_options),
    .epilogue =
        "examples:\n"
        "  samebits train --data clip.h5 --threads 2 --target copy --seed 1 --updates 250 -o run.h5\n"
        "  samebits train --model autoencoder --data mnist.h5 --batch 100 --epochs 1 -o run.h5\n"
        "  samebits train --model resnet9 --rung 9 --data cifar10.h5 --threads 2 -o run.h5\n"
        "auto: the default depends on the network, its rung, the optimizer and the schedule; --dry-run prints it.\n"
        "lenet, mlp and resnet9 have the settings of a published recipe by default.\n"
        "If a training is interrupted, the same command continues from the last checkpoint, with the same bits.\n"
        "If the loss or a weight becomes NaN or infinite, training ends: the run file is complete and names the "
        "update.\n"
        "The exit code is 1 then.\n",
    .run = train,
};

const sb_command sb_verb_evolve = {
    .program = "samebits",
    .verb = "evolve",
    .summary = "'samebits train --search deep-ga' by another name: 100 generations by default",
    .options = options,
    .values_bytes = sizeof(train_options),
    .epilogue =
        "examples:\n"
        "  samebits evolve --model mlp --data mnist.h5 --batch 1000 --sigma 0.005 --threads 2 --generations 200 -o "
        "ga.h5\n"
        "  samebits evolve --search random-search --model mlp --data mnist.h5 --threads 2 -o random.h5\n"
        "  samebits evolve --model mlp --data mnist.h5 --hold-out 5000 --elite fresh --fitness-batch fresh -o "
        "fresh.h5\n"
        "  mpiexec.hydra -n 4 samebits evolve --model mlp --data mnist.h5 -o shared.h5\n"
        "Hardware can change an evolution only by the result of comparing two losses.\n"
        "'samebits diff' prints the generation in which two runs chose different parents.\n"
        "If an evolution is interrupted, the same command continues from the last checkpoint, with the same bits.\n",
    .run = evolve,
};
