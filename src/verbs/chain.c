#include "inspect/chain_file.h"
#include "verbs/verbs.h"

typedef struct chain_options {
    const char *output;
    long every;
} chain_options;

static const sb_option options[] = {
    SB_OPTION_NEEDED(chain_options, output, "--output", 'o', "FILE", "output file"),
    SB_OPTION_INT(chain_options, every, "--every", "N", "1", 1, 1e9,
                  "keep the entries of each Nth update, and the last"),
    SB_OPTION_END,
};

static sb_status chain(const sb_call *call)
{
    const chain_options *values = call->values;
    return sb_chain_file_write(call->arguments.item[0], values->output, values->every);
}

const sb_command sb_verb_chain = {
    .program = "samebits",
    .verb = "chain",
    .summary = "write a finished run without its weights, for publishing, replay and diff",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(chain_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "With the data set, 'samebits replay CHAIN.h5 --data FILE' trains the run again.\n",
    .run = chain,
};
