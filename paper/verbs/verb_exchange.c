#include "paper/verbs/verbs.h"

#include "paper/exchange/exchange.h"
#include "paper/verbs/report_session.h"

#include <stdio.h>

static const sb_option export_options[] = {
    SB_SESSION_INPUT,
    SB_SESSION_INCOMPLETE,
    SB_OPTION_TEXT(sb_report_session_options, author, "--author", "NAME", NULL,
                   "author of the results, for the crate and datacite.json"),
    SB_OPTION_NEEDED(sb_report_session_options, output, "--output", 'o', "FILE", "the bundle, such as demo.tar.gz"),
    SB_OPTION_END,
};

static sb_status export_report(const sb_call *call, sb_report_session *w)
{
    (void)call;
    SB_TRY(sb_report_read_facts(&w->report));
    SB_TRY(sb_exchange_pack(&(sb_exchanged){.folder = w->report.folder,
                                            .author = w->options.author,
                                            .table = &w->report.results,
                                            .condition = &w->report.condition,
                                            .facts = &w->report.facts},
                            w->options.output));
    sb_notes_free(&w->report.notes); /* of arms and figures; there are none in a bundle */
    printf("%s\n", w->options.output);
    return SB_OK;
}

static sb_status export_results(const sb_call *call)
{
    return sb_report_session_do(call, export_report, NULL);
}

const sb_command sb_verb_export = {
    .program = "samebits-report",
    .verb = "export",
    .summary = "pack results into one file",
    .options = export_options,
    .values_bytes = sizeof(sb_report_session_options),
    .epilogue =
        "The file has the tables, the facts of the machines from the run files, and a digest of each. It has no run "
        "files and no\n"
        "figures. It is an RO-Crate (profile Process Run Crate), with the metadata of a DOI in datacite.json "
        "(docs/archive.md).\n"
        "Results that were changed by hand are refused. Equal results give an equal file.\n"
        "example: samebits-report export -i results/demo --runs results -o demo.tar.gz\n"
        "exit codes: 0 done, 2 usage, 3 incomplete results, 5 no results, 7 changed results\n",
    .run = export_results,
    .once = true,
};

static const sb_option import_options[] = {
    SB_OPTION_NEEDED(sb_report_session_options, output, "--output", 'o', "DIR", "new folder for the tables"),
    SB_OPTION_END,
};

static sb_status import_results(const sb_call *call)
{
    const char *folder = ((const sb_report_session_options *)call->values)->output;
    SB_TRY(sb_exchange_unpack(call->arguments.item[0], folder));
    printf("%s\n", folder);
    return SB_OK;
}

const sb_command sb_verb_import = {
    .program = "samebits-report",
    .verb = "import",
    .summary = "unpack such a file into a folder and check each digest",
    .arguments = "FILE",
    .options = import_options,
    .values_bytes = sizeof(sb_report_session_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "example: samebits-report import demo.tar.gz -o results/theirs\n"
                "exit codes: 0 done, 2 usage, 7 cut short or changed; then nothing is written\n",
    .run = import_results,
    .once = true,
};
