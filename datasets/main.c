/* samebits-data: from the net, a folder or arithmetic to the data set files that training reads. */
#include "core/command/program.h"
#include "core/machine/interrupt.h"
#include "datasets/verbs/verbs.h"

static const sb_command *const commands[] = {
    &sb_verb_list,
    &sb_verb_fetch,
    &sb_verb_convert_mnist,
    &sb_verb_convert_cifar10,
    &sb_verb_convert_video,
    &sb_verb_convert_public,
    &sb_verb_convert_fpsi,
    &sb_verb_convert_text,
    &sb_verb_verify,
    &sb_verb_synth_walk,
    &sb_verb_synth_motion,
    &sb_verb_synth_digits,
    &sb_verb_synth_shapes,
    &sb_verb_synth_text,
    &sb_verb_baselines,
    NULL,
};

static const sb_program program = {
    .name = "samebits-data",
    .summary = "data sets for samebits: fetch, convert, check, make",
    .commands = commands,
};

int main(int argc, char **argv)
{
    sb_interrupt_catch();
    return sb_program_main(&program, argc, argv);
}
