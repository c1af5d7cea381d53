/* samebits: train, and find out whether two trainings are the same to the bit. */
#include "core/command/program.h"
#include "rank/launch.h"
#include "verbs/verbs.h"

#define COMMAND(name) &sb_verb_##name,
static const sb_command *const commands[] = {SB_VERBS(COMMAND) NULL};

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
