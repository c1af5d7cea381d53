#include "paper/verbs/verbs.h"

#include "core/screen/progress.h"
#include "core/text/csv.h"
#include "paper/files/output.h"
#include "paper/statistics/simulate.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct simulate_options {
    long trials;
    const char *output;
} simulate_options;

static const sb_option options[] = {
    SB_OPTION_INT(simulate_options, trials, "--trials", "N", "20000", 1, 1e7, "trials for each rate"),
    SB_OPTION_TEXT_LETTER(simulate_options, output, "--output", 'o', "DIR", "rates",
                          "folder for rates.csv; it is created"),
    SB_OPTION_END,
};

/* The rates of one procedure or truth over all distributions and sizes. */
typedef struct extremes {
    sb_rate of; /* any of them */
    double least, most;
} extremes;

typedef struct writing {
    sb_writer *csv;
    long trials;
    extremes row;
    size_t n;
    sb_progress progress;
} writing;

static void print_extremes(const writing *w)
{
    const sb_rate *of = &w->row.of;
    if (!of->kind) return;
    printf("%-9s %-44s %-16s %6.2f to %6.2f %%", of->kind, of->name, of->what, 100 * w->row.least, 100 * w->row.most);
    printf(isnan(of->nominal) ? "\n" : "   nominal %.0f %%\n", 100 * of->nominal);
}

/* Intervals and tests promise what they are called by for the first three shapes; verdicts, not to be false, for all. */
static bool is_promised(const sb_rate *rate)
{
    if (strcmp(rate->kind, "false") == 0 || strcmp(rate->kind, "given") == 0) return true;
    for (sb_made made = SB_MADE_CLUSTERS; made < SB_N_MADE; made++)
        if (strcmp(rate->values, sb_made_shape[made].name) == 0) return false;
    return strcmp(rate->kind, "not promised") != 0;
}

static bool is_same(const sb_rate *a, const sb_rate *b)
{
    return a->name && strcmp(a->name, b->name) == 0 && strcmp(a->what, b->what) == 0;
}

static sb_status write_rate(void *context, const sb_rate *rate)
{
    double low, high;
    writing *w = context;
    sb_write(w->csv, "%s,%s,%s,%zu,%s", rate->kind, rate->name, rate->values, rate->n, rate->what);
    sb_csv_real(w->csv, rate->nominal, 3);
    sb_csv_real(w->csv, rate->rate, 6);
    sb_write(w->csv, ",%ld", w->trials);
    sb_stats_binomial((size_t)lround(rate->rate * (double)w->trials), (size_t)w->trials, &low, &high);
    sb_csv_real(w->csv, low, 4);
    sb_csv_real(w->csv, high, 4);
    sb_write(w->csv, "\n");
    sb_progress_show(&w->progress, (double)++w->n, "%s, %s", rate->name, rate->values);
    if (!is_promised(rate)) return SB_OK;
    if (!is_same(&w->row.of, rate)) {
        print_extremes(w);
        w->row = (extremes){*rate, rate->rate, rate->rate};
    }
    w->row.least = fmin(w->row.least, rate->rate);
    w->row.most = fmax(w->row.most, rate->rate);
    return SB_OK;
}

static sb_status simulate(const sb_call *call)
{
    const simulate_options *values = call->values;
    sb_output output;
    SB_TRY(sb_output_begin(&output, values->output, "rates.csv", &sb_csv));
    writing w = {.csv = output.out, .trials = values->trials, .progress = sb_progress_begin("simulate", 0)};
    sb_write(w.csv, "kind,name,values,n,what,nominal,rate,trials,low,high\n");
    sb_status status = sb_simulate((size_t)values->trials, write_rate, &w);
    sb_progress_end(&w.progress);
    if (status == SB_OK) print_extremes(&w);
    return sb_output_end(&output, status);
}

const sb_command sb_verb_simulate = {
    .program = "samebits-report",
    .verb = "simulate",
    .summary = "measure how often intervals, tests and verdicts are right on simulated values",
    .options = options,
    .values_bytes = sizeof(simulate_options),
    .epilogue =
        "Each line has the smallest and the largest rate over samples of 5 to 10 normal, skewed and heavy-tailed "
        "values. Lines of\n"
        "verdicts have the rates of false and of given verdicts over twelve shapes of 5 to 12 pairs.\n"
        "rates.csv has all rates (results/statistics/README.md).\n"
        "exit codes: 0 done, 2 usage\n",
    .run = simulate,
};
