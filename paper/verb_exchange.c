#include "paper/verbs.h"

#include "paper/exchange.h"
#include "paper/work.h"

#include <stdio.h>

static const sb_option export_options[] = {
    SB_WORK_INPUT,
    SB_WORK_INCOMPLETE,
    SB_OPTION_TEXT_LETTER(sb_work_options, output, "--output", 'o', "FILE", NULL, "the bundle: NAME.tar.gz"),
    SB_OPTION_END,
};

static const sb_command export_command = {
    "samebits-report",
    "export",
    "",
    "results as one file, to send to others",
    export_options,
    0,
    0,
    "In it are the tables, what the run files say about the machines, and the digest of each; no run files, no "
    "figures.\n"
    "Results that were changed by hand are not exported. Equal results are an equal file.\n"
    "example: samebits-report export -i results/demo --runs results -o demo.tar.gz\n"
    "exit codes: 0 done, 2 usage, 3 incomplete results, 5 no results, 7 results that were changed\n"};

sb_status sb_verb_export(int argc, char **argv)
{
    sb_work w = {0};
    sb_status status = sb_work_open(&w, &export_command, argc, argv);
    if (status == SB_OK && !w.help) {
        status = sb_run_facts(&w.report.facts, &w.report.results, w.report.folder, &w.report.notes);
        if (status == SB_OK) status = sb_exchange_pack(w.report.folder, &w.report.facts, w.options.output);
        if (status == SB_OK) printf("%s\n", w.options.output);
    }
    sb_notes_free(&w.report.notes); /* of arms and figures; there are none in a bundle */
    return sb_work_close(&w, status);
}

static const sb_option import_options[] = {
    SB_OPTION_TEXT_LETTER(sb_work_options, output, "--output", 'o', "DIR", NULL, "new folder for the tables, needed"),
    SB_OPTION_END,
};

static const sb_command import_command = {"samebits-report",
                                          "import",
                                          "FILE",
                                          "a bundle of results as a folder again; every digest is checked",
                                          import_options,
                                          1,
                                          1,
                                          "example: samebits-report import demo.tar.gz -o results/theirs\n"
                                          "exit codes: 0 done, 2 usage, 7 cut short or changed; then nothing is "
                                          "written\n"};

sb_status sb_verb_import(int argc, char **argv)
{
    sb_work_options values = {0};
    sb_arguments arguments;
    bool help;
    SB_TRY(sb_options_parse(&import_command, argc, argv, &values, &arguments, &help));
    if (help) return SB_OK;
    if (!values.output) return sb_fail(SB_E_USAGE, "samebits-report import: wants -o, a new folder for the tables");
    SB_TRY(sb_exchange_unpack(arguments.item[0], values.output));
    printf("%s\n", values.output);
    return SB_OK;
}
