#include "paper/verbs/verbs.h"

#include "core/command/usage.h"
#include "core/text/csv.h"
#include "paper/compare/compare.h"
#include "paper/files/json_tree.h"
#include "paper/files/output.h"
#include "paper/verbs/report_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct compare_options {
    const char *output, *published, *format, *metric, *fail_on, *pairs;
    double margin;
    bool changed;
} compare_options;

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(compare_options, output, "--output", 'o', "DIR", NULL,
                          "folder for compare.{txt,csv,json,md,svg}; it is created"),
    SB_OPTION_CHOICE(compare_options, format, "--format", "text|csv|json|markdown", "text", "format of the output"),
    SB_OPTION_CHOICE(compare_options, metric, "--metric", "loss_last|loss_mean|error", "loss_last",
                     "final loss to compare; error: share of wrong test images"),
    SB_OPTION_CHOICE(compare_options, fail_on, "--fail-on", "nothing|different|undetermined", "nothing",
                     "exit with 1 if a condition differs; undetermined: also with 6 if one is undetermined"),
    SB_OPTION_REAL(compare_options, margin, "--margin", "RATIO", "0", 0, 100,
                   "ratios up to this are equivalent; 0: margin from the one-ulp ensemble"),
    SB_OPTION_CHOICE(compare_options, pairs, "--pairs", "all|common", "all",
                     "common: use only seeds that both sides have; all: if some have no partner, give the weaker "
                     "verdict"),
    SB_OPTION_TEXT(compare_options, published, "--published", "DIR", NULL,
                   "folder of published records; default: next to REFERENCE"),
    SB_OPTION_FLAG(compare_options, changed, "--changed", "accept tables that were changed after collection"),
    SB_OPTION_END,
};

static const struct form {
    const char *name, *file;
    const sb_language *language;
    void (*write)(sb_writer *out, const sb_compare *compare);
} forms[] = {
    {"text", "compare.txt", &sb_plain, sb_compare_text},
    {"csv", "compare.csv", &sb_csv, sb_compare_csv},
    {"markdown", "compare.md", &sb_markdown, sb_compare_markdown},
    {"json", "compare.json", &sb_json_tree, sb_compare_json},
};
enum { N_FORMS = sizeof forms / sizeof *forms };

static sb_status print_form(const struct form *form, const sb_compare *compare)
{
    char *text;
    sb_writer *out = sb_writer_open(form->language);
    form->write(out, compare);
    SB_TRY(sb_writer_close(out, form->file, &text, NULL));
    fputs(text, stdout);
    free(text);
    return SB_OK;
}

static sb_status write_all(const sb_compare *compare, const char *format, const char *folder)
{
    for (int i = 0; i < N_FORMS; i++)
        if (strcmp(forms[i].name, format) == 0) SB_TRY(print_form(&forms[i], compare));
    for (int i = 0; folder && i < N_FORMS; i++) {
        sb_output output;
        SB_TRY(sb_output_begin(&output, folder, forms[i].file, forms[i].language));
        forms[i].write(output.out, compare);
        SB_TRY(sb_output_end(&output, SB_OK));
    }
    return folder ? sb_compare_draw(compare, folder) : SB_OK;
}

static sb_status judge_exit(const sb_compare *compare, const char *fail_on)
{
    size_t different = compare->count[SB_VERDICT_DIFFERENT], unknown = compare->count[SB_VERDICT_UNDETERMINED];
    if (strcmp(fail_on, "nothing") != 0 && different)
        return sb_fail(SB_E_DIFFERS, "samebits-report compare: %zu of %zu comparisons are different", different,
                       compare->n);
    if (unknown == compare->n || (strcmp(fail_on, "undetermined") == 0 && unknown))
        return sb_fail(SB_E_UNDETERMINED, "samebits-report compare: %zu of %zu comparisons are undetermined", unknown,
                       compare->n);
    return SB_OK;
}

static sb_status compare_folders(const compare_options *o, const sb_report *mine, const sb_report *reference)
{
    SB_OWNED(sb_compare_free) sb_compare compare = {0};
    sb_margin margin = sb_ensemble_chosen(o->margin, "chosen with --margin");
    sb_metric metric = 0;
    while (strcmp(o->metric, sb_metric_column[metric]) != 0) metric++;
    SB_TRY(sb_compare_judge(&compare, (sb_compared){&mine->results, &mine->arms},
                            (sb_compared){&reference->results, &reference->arms}, &reference->published,
                            &(sb_compare_rule){metric, o->margin > 1 ? &margin : NULL,
                                               .common = strcmp(o->pairs, "common") == 0}));
    sb_report_tell("mine", &mine->condition.changed);
    sb_report_tell("mine", &mine->condition.incomplete);
    sb_report_tell("reference", &reference->condition.changed);
    sb_report_tell("reference", &reference->condition.incomplete);
    sb_report_tell("skipped", &compare.notes);
    SB_TRY(write_all(&compare, o->format, o->output));
    return judge_exit(&compare, o->fail_on);
}

static sb_status compare(const sb_call *call)
{
    const compare_options *o = call->values;
    char margin[32];
    snprintf(margin, sizeof margin, "%g", o->margin);
    if (o->margin != 0 && o->margin <= 1)
        return sb_usage_wanted(call->command, "--margin", "a ratio above 1, such as 1.05", margin);
    /* A machine seldom runs a whole matrix: what is there is compared, and what is not is said. */
    const sb_allowed allowed = {.changed = o->changed, .incomplete = true};
    const sb_report_sources my_sources = {.folder = call->arguments.item[0], .published = "", .allowed = allowed};
    const sb_report_sources their_sources = {
        .folder = call->arguments.item[1], .published = o->published, .allowed = allowed};
    SB_OWNED(sb_report_close) sb_report mine = {0}, reference = {0};
    SB_TRY(sb_report_open(&mine, &my_sources));
    SB_TRY(sb_report_open(&reference, &their_sources));
    return compare_folders(o, &mine, &reference);
}

const sb_command sb_verb_compare = {
    .program = "samebits-report",
    .verb = "compare",
    .summary = "compare your results with reference results and with published numbers",
    .arguments = "MINE REFERENCE",
    .options = options,
    .values_bytes = sizeof(compare_options),
    .min_arguments = 2,
    .max_arguments = 2,
    .epilogue =
        "MINE and REFERENCE are folders from 'samebits-matrix collect'. Each condition of MINE is compared with the "
        "most similar\n"
        "one of REFERENCE. The output has verdict, effect, interval and smallest detectable effect. For runs of this "
        "machine\n"
        "'samebits-matrix compare' compares the bits first.\n"
        "example: samebits-report compare results/mine results/natural --fail-on different\n"
        "exit codes: 0 holds, 1 different (--fail-on), 2 usage, 4 gnuplot missing, 5 nothing to compare,\n"
        "6 undetermined: all comparisons, or any with --fail-on undetermined, 7 invalid results\n",
    .run = compare,
    .once = true,
};
