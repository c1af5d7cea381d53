#include "train/evolve/evolve.h"
#include "net/models.h"
#include "train/run/run.h"
#include "verbs/among.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct evolve_options {
    sb_settings setup;
    sb_run_options run;
    long rank_timeout;
} evolve_options;

static const sb_option options[] = {
    SB_OPTIONS_DATA(evolve_options) SB_OPTIONS_EVOLVE(evolve_options) SB_OPTIONS_COMPUTE(evolve_options)
        SB_OPTION_INT(evolve_options, run.updates, "--generations", "N", "100", 1, 1 << 20,
                      "generations to do, the first one among them; --updates of 'samebits train'"),
    SB_OPTION_INT(evolve_options, run.checkpoint_every, "--checkpoint-every", "N", "0", 0, 1e9,
                  "generations between checkpoints; 0: about once a minute"),
    SB_OPTION_TEXT(evolve_options, run.cell, "--cell", "NAME", "", "name of the matrix cell, for the run file"),
    SB_OPTION_TEXT(evolve_options, run.record, "--record", "TEXT", "",
                   "canonical record of the cell, for the run file"),
    SB_OPTION_NEEDED(evolve_options, run.output, "--output", 'o', "FILE", "run file to write"),
    SB_OPTION_RANK_TIMEOUT(evolve_options),
    SB_OPTION_FLAG(evolve_options, run.quiet, "--quiet", "print no progress"),
    SB_OPTION_END,
};

static void print_outcome(const evolve_options *values, const sb_setup *setup, const sb_run_outcome *outcome)
{
    char weights[SB_HASH_TEXT];
    sb_hash_text(outcome->weights, weights);
    if (outcome->end == SB_RUN_ALREADY)
        fprintf(stderr, "%s: finished before, nothing to do\n", values->run.output);
    else if (outcome->resumed_at)
        fprintf(stderr, "%s: continued from generation %ld\n", values->run.output, outcome->resumed_at);
    if (outcome->diverged_at)
        printf("generations %ld of %ld  diverged\nweights %s\n", outcome->updates, setup->options->population, weights);
    else
        printf("generations %ld of %ld  loss %.6g  (mean over the last fifth)\nweights %s\n", outcome->updates,
               setup->options->population, outcome->loss_mean, weights);
    if (outcome->end == SB_RUN_TRAINED && outcome->seconds > 0)
        printf("evaluations a second %.1f\n",
               (double)outcome->updates * (double)setup->options->population / outcome->seconds);
    if (outcome->tested.n)
        printf("test images %zu  right %zu  cross-entropy %.6g\n", outcome->tested.n, outcome->tested.correct,
               outcome->tested.cross_entropy);
}

static sb_status evolve_setup(void *of, sb_setup *setup)
{
    const evolve_options *values = of;
    sb_run_outcome outcome;
    SB_TRY(sb_run_train(setup, &values->run, &outcome));
    if (sb_ranks_rank(setup->ranks) == 0) print_outcome(values, setup, &outcome);
    return sb_run_judge(&outcome, &values->setup, &values->run);
}

static sb_status evolve(const sb_call *call)
{
    evolve_options *values = call->values;
    sb_settings *settings = &values->setup;
    if (strcmp(settings->search, SB_OPTION_AUTO) == 0) settings->search = "deep-ga";
    if (!sb_evolution_is_wanted(settings))
        return sb_fail(SB_E_USAGE, "--search %s: that is 'samebits train'; evolve knows deep-ga and random-search",
                       settings->search);
    if (sb_model_learns_from_video(settings->model))
        return sb_fail(SB_E_USAGE,
                       "samebits evolve: wants --model, a network that classifies: mlp, lenet, layers or "
                       "resnet9, not %s",
                       settings->model);
    return sb_verb_among(call, settings, values->rank_timeout, evolve_setup);
}

const sb_command sb_verb_evolve = {
    .program = "samebits",
    .verb = "evolve",
    .summary = "train a network that classifies without gradients, with Deep GA or random search",
    .options = options,
    .values_bytes = sizeof(evolve_options),
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
