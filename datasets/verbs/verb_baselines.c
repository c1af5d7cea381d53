#include "core/command/options.h"
#include "core/text/csv.h"
#include "datasets/verbs/verbs.h"
#include "io/baselines.h"
#include "io/columns.h"

#include <stdio.h>

typedef struct values {
    long window, updates;
} values;

static const sb_option options[] = {
    SB_OPTION_INT(values, window, "--window", "N", "20", 1, 250, "frames of a window"),
    SB_OPTION_INT(values, updates, "--updates", "N", "250", 1, 1e9,
                  "updates of the run to compare with; the last fifth counts"),
    SB_OPTION_END,
};

static sb_status print(sb_dataset *dataset, const values *v)
{
    sb_hash digest;
    char hex[SB_HASH_TEXT];
    sb_baselines *baselines;
    SB_TRY(sb_dataset_digest(dataset, &digest));
    sb_hash_text(digest, hex);
    SB_TRY(sb_baselines_open(&baselines, dataset));
    sb_writer *csv = sb_writer_on(stdout, &sb_csv);
    sb_columns_write(csv, &sb_columns_baselines);
    sb_status status =
        sb_baselines_write(baselines, csv, sb_dataset_about(dataset)->name, hex, (int)v->window, v->updates);
    sb_status written = sb_writer_end(csv, "stdout");
    sb_baselines_close(baselines);
    return status == SB_OK ? written : status;
}

static sb_status baselines(const sb_call *call)
{
    SB_OWNED(sb_dataset_leave) sb_dataset *dataset = NULL;
    SB_TRY(sb_dataset_open(&dataset, call->arguments.item[0]));
    return print(dataset, call->values);
}

const sb_command sb_verb_baselines = {
    .program = "samebits-data",
    .verb = "baselines",
    .summary = "print losses of predictions without learning: last frame, mean frame, linear",
    .arguments = "FILE.h5",
    .options = options,
    .values_bytes = sizeof(values),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue =
        "Prints the rows that 'samebits-matrix collect' writes into baselines.csv (columns: results/README.md).\n"
        "Compare these losses with the losses of 'samebits train' over the same windows.\n",
    .run = baselines,
};
