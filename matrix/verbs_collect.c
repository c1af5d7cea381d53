#include "verbs.h"

#include "collect.h"
#include "work.h"

#include <stdio.h>

sb_status sb_verb_collect(int argc, char **argv)
{
    static const sb_option options[] = {
        SB_WORK_FILE,
        SB_WORK_FILTER,
        SB_WORK_RESULTS,
        SB_WORK_VERIFY,
        SB_OPTION_TEXT_LETTER(sb_work_options, output, "--output", 'o', "DIR", NULL, "folder of the tables, needed"),
        SB_OPTION_END,
    };
    static const sb_command command = {
        "samebits-matrix",
        "collect",
        "",
        "the complete cells as csv tables, what is missing, and the digests of the tables",
        options,
        0,
        0,
        "FILTER: see 'samebits-matrix list --help'. Columns: results/README.md.\n"};
    sb_work w = {0};
    sb_collected collected;
    sb_status status = sb_work_open(&w, &command, argc, argv);
    const sb_work_options *o = &w.options;
    if (status == SB_OK && !w.help && !o->output)
        status = sb_fail(SB_E_USAGE, "samebits-matrix collect: wants -o DIR, for example results/demo");
    if (status == SB_OK && !w.help) {
        status = sb_collect(&collected, w.cells, &w.selection, o->results, sb_work_trust(o), o->output);
        if (status == SB_OK)
            fprintf(stderr, "%s: %zu of %zu cells, %zu not finished, %zu damaged\n", o->output, collected.complete,
                    w.selection.n, collected.absent, collected.corrupt);
        if (status == SB_OK && collected.corrupt)
            status = sb_fail(SB_E_PARTIAL, "%zu damaged run files are not in the tables; run their cells again",
                             collected.corrupt);
    }
    return sb_work_close(&w, status);
}
