/* samebits: train, and find out whether two trainings are the same to the bit. */
#include "core/command/program.h"
#include "rank/launch.h"
#include "verbs/verbs.h"

static const sb_command *const commands[] = {
    &sb_verb_train,  &sb_verb_evolve,    &sb_verb_step,    &sb_verb_eval,  &sb_verb_predict, &sb_verb_layers,
    &sb_verb_info,   &sb_verb_check,     &sb_verb_bench,   &sb_verb_trace, &sb_verb_replay,  &sb_verb_diff,
    &sb_verb_bisect, &sb_verb_found,     &sb_verb_gradients, &sb_verb_hessian, &sb_verb_chain, &sb_verb_export,
    &sb_verb_verify, NULL,
};

static const sb_program program = {
    .name = "samebits",
    .summary = "train, and find out whether two trainings have the same bits",
    .commands = commands,
    .speaks = sb_launch_speaks,
};

int main(int argc, char **argv)
{
    return sb_program_main(&program, argc, argv);
}
