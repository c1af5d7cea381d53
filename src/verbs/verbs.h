/* The verbs of samebits, one file each: parse, call, print. */
#ifndef SB_VERBS_VERBS_H
#define SB_VERBS_VERBS_H

#include "core/options.h"

/* argv: the whole command line; a verb parses what follows its name. */
typedef sb_status sb_verb(int argc, char **argv);

sb_verb sb_verb_bench, sb_verb_bisect, sb_verb_check, sb_verb_diff, sb_verb_eval, sb_verb_info, sb_verb_layers,
    sb_verb_predict, sb_verb_replay, sb_verb_step, sb_verb_trace, sb_verb_train;

/* Parse the options behind the verb; *done if help was printed. With a backend of openblas this may start the process
 * again with the environment OpenBLAS needs. */
#define SB_VERB_PARSE(command, argc, argv, values, arguments, done)                                                    \
    SB_TRY(sb_options_parse(command, (argc)-2, (argv) + 2, values, arguments, done))

#endif
