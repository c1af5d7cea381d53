#include "inspect/export.h"
#include "core/file.h"
#include "verbs/verbs.h"

#include <stdio.h>

typedef struct export_options {
    const char *output, *table;
} export_options;

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(export_options, output, "--output", 'o', "FILE", NULL,
                          "csv file to write; default: standard output"),
    SB_OPTION_TEXT(export_options, table, "--table", "NAME", "train",
                   "table of the file: train, validation, input, evolution, ..."),
    SB_OPTION_END,
};

static sb_status export(const sb_call *call)
{
    const export_options *values = call->values;
    const char *path = call->arguments.item[0];
    SB_FREED char *text = NULL;
    size_t n_bytes;
    if (values->output) SB_TRY(sb_file_check_apart(values->output, path));
    SB_TRY(sb_export_table(path, values->table, &text, &n_bytes));
    if (values->output)
        SB_TRY(sb_file_write(values->output, text, n_bytes));
    else
        fwrite(text, 1, n_bytes, stdout);
    return SB_OK;
}

const sb_command sb_verb_export = {
    .program = "samebits",
    .verb = "export",
    .summary = "write the losses of one run as csv, a line for each update",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(export_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "RUN.h5 is a run, a checkpoint, a chain or a recording of another program.\n"
                "The first column is the update; the others are the table's columns by name.\n"
                "Reading a number gives the same bits. NaN is an empty field.\n"
                "examples:\n"
                "  samebits export run.h5 -o run.csv\n"
                "exit codes: 0 done, 2 usage, 5 no such table, 7 a damaged file\n",
    .run = export,
};
