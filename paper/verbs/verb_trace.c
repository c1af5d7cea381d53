#include "core/command/nearest.h"
#include "core/status.h"
#include "core/text/plural.h"
#include "core/text/shell.h"
#include "paper/report/report.h"
#include "paper/results/runs.h"
#include "paper/verbs/report_session.h"
#include "paper/verbs/verbs.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- one number -- */

static void print_values(FILE *out, const sb_number *number)
{
    fprintf(out, "%s\n  printed   %s\n", number->label, number->text);
    if (!isnan(number->value)) fprintf(out, "  value     %.9g %s\n", number->value, number->unit);
    if (!isnan(number->low)) fprintf(out, "  interval  %.9g to %.9g\n", number->low, number->high);
    if (!isnan(number->p)) fprintf(out, "  p         %s\n", sb_number_p(number->p).text);
    if (number->n) fprintf(out, "  n         %zu\n", number->n);
    fprintf(out, "  formula   %s\n  evidence  %s\n", number->formula, sb_evidence_name[number->evidence]);
    if (number->source) fprintf(out, "  source    %s\n", number->source);
}

static sb_status print_cell(FILE *out, const sb_report *report, const sb_result *cell)
{
    char path[SB_PATH_MAX];
    bool there;
    SB_TRY(sb_run_find(&report->results, cell, path, &there));
    fprintf(out, "  %s/%.8s\n    row %-5zu loss_last %.9g  loss_mean %.9g  seconds %.9g  %s\n    run %s%s\n",
            cell->name, cell->hash, cell->line, cell->loss[SB_METRIC_LAST], cell->loss[SB_METRIC_MEAN], cell->seconds,
            sb_evidence_name[cell->evidence], path, there ? "" : "  (not here)");
    return SB_OK;
}

/* A line to copy into a shell; the name of the matrix is untrusted input. */
static sb_status print_again(FILE *out, const char *matrix, const sb_result *cell)
{
    char *line;
    sb_writer *shell = sb_writer_open(&sb_shell);
    if (matrix)
        sb_write(shell, "make cell MATRIX=%s CELL=/%.8s", matrix, cell->hash);
    else
        sb_write(shell, "make cell CELL=/%.8s", cell->hash);
    SB_TRY(sb_writer_close(shell, "make cell", &line, NULL));
    fprintf(out, "\nto train one of them again, and see whether its bits repeat:\n  %s\n", line);
    free(line);
    return SB_OK;
}

/* One number: value, interval, p, n, unit, formula, evidence, source, then a line for each cell of it with both losses
 * and seconds, whether its run file is there, and how to get it again. */
static sb_status print_number(FILE *out, const sb_report *report, const sb_number *number)
{
    print_values(out, number);
    if (number->n_cells == 0) return SB_OK;
    fprintf(out,
            "\n"
            "from %zu run%s, rows of %s:\n"
            "\n",
            number->n_cells, sb_plural(number->n_cells), report->results.cells.path);
    for (size_t i = 0; i < number->n_cells; i++) SB_TRY(print_cell(out, report, number->cell[i]));
    return print_again(out, report->condition.matrix, number->cell[0]);
}

/* -- many -- */

/* Print label and text of every number whose label holds `part` ("": all of them), and return how many. */
static size_t print_list(FILE *out, const sb_numbers *numbers, const char *part)
{
    size_t n = 0;
    for (size_t i = 0; i < numbers->n; i++) {
        const sb_number *number = numbers->number[i];
        if (!strstr(number->label, part)) continue;
        fprintf(out, "%s  %s\n", number->label, number->text);
        n++;
    }
    return n;
}

/* Up to three labels that the part may have been meant for. */
static sb_status fail_unknown(const sb_numbers *numbers, const char *part)
{
    enum { N_NEAREST = 3 };
    const size_t allowed = sb_nearest_allowed(strlen(part));
    const char *nearest[N_NEAREST] = {"", "", ""};
    size_t edits[N_NEAREST] = {allowed + 1, allowed + 1, allowed + 1};
    for (size_t i = 0; i < numbers->n; i++) {
        size_t found = sb_edit_distance_within(part, numbers->number[i]->label);
        int place = N_NEAREST;
        while (place > 0 && found < edits[place - 1]) place--;
        for (int k = N_NEAREST - 1; k > place; k--) edits[k] = edits[k - 1], nearest[k] = nearest[k - 1];
        if (place < N_NEAREST) edits[place] = found, nearest[place] = numbers->number[i]->label;
    }
    if (!*nearest[0])
        return sb_fail(SB_E_EMPTY, "no number has '%.128s' in its label; without a label all are listed", part);
    return sb_fail(SB_E_EMPTY, "no number has '%.128s' in its label, did you mean\n  %s%s%s%s%s", part, nearest[0],
                   *nearest[1] ? "\n  " : "", nearest[1], *nearest[2] ? "\n  " : "", nearest[2]);
}

static bool ends_with(const char *label, const char *part)
{
    const size_t length = strlen(label), of_part = strlen(part);
    return length >= of_part && strcmp(label + length - of_part, part) == 0;
}

/* The only number whose label contains the part, or the only one whose label ends with it (longer labels are details of
 * it). *n: the number of labels that contain it; 1 if a number is found. */
static const sb_number *find_only(const sb_numbers *numbers, const char *part, size_t *n)
{
    const sb_number *only = NULL, *last = NULL;
    size_t n_ends = 0;
    *n = 0;
    for (size_t i = 0; i < numbers->n; i++) {
        const sb_number *number = numbers->number[i];
        if (!strstr(number->label, part)) continue;
        only = number;
        ++*n;
        if (!ends_with(number->label, part)) continue;
        last = number;
        n_ends++;
    }
    if (n_ends != 1) return only;
    *n = 1;
    return last;
}

/* What a reader asked for: the number of that label, or the only one whose label holds it; else the list of those that
 * do. SB_E_EMPTY: none does; the sentence names the nearest labels. */
static sb_status trace_label(FILE *out, const sb_report *report, const char *label)
{
    size_t n = 1;
    const sb_number *number = sb_numbers_find(&report->numbers, label);
    if (!number) number = find_only(&report->numbers, label, &n);
    if (n == 0) return fail_unknown(&report->numbers, label);
    if (n == 1) return print_number(out, report, number);
    print_list(out, &report->numbers, label);
    return SB_OK;
}

static const sb_option options[] = {SB_SESSION_READ, SB_SESSION_CLAIMS, SB_OPTION_END};

static sb_status trace_report(const sb_call *call, sb_report_session *w)
{
    sb_notes_free(&w->report.notes); /* what other numbers lack is no matter here */
    if (call->arguments.n) return trace_label(stdout, &w->report, call->arguments.item[0]);
    print_list(stdout, &w->report.numbers, "");
    return SB_OK;
}

static sb_status trace(const sb_call *call)
{
    return sb_report_session_do(call, trace_report, NULL);
}

const sb_command sb_verb_trace = {
    .program = "samebits-report",
    .verb = "trace",
    .summary = "show the runs and the formula of a number",
    .arguments = "[LABEL]",
    .options = options,
    .values_bytes = sizeof(sb_report_session_options),
    .min_arguments = 0,
    .max_arguments = 1,
    .epilogue =
        "LABEL is a label of the page, of numbers.csv or of the paper, or its end if no other label has that end.\n"
        "A part of a label lists all numbers that have it; no label lists all numbers.\n"
        "example: samebits-report trace full.native.shared-over-copy.loss-last -i results/natural\n"
        "exit codes: 0 done, 2 usage, 3 incomplete results, 5 no such number, 7 changed results\n",
    .run = trace,
    .once = true,
};
