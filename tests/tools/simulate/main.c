/* How often intervals, tests and verdicts are right on simulated values:
 *
 *     simulate_rates TRIALS FOLDER
 *
 * prints the smallest and the largest rate of each over samples of 5 to 10 normal, skewed and heavy-tailed values, and
 * of verdicts over twelve shapes of 5 to 12 pairs. FOLDER/rates.csv has all rates (results/checks/statistics/README.md). */
#include "core/screen/progress.h"
#include "core/text/csv.h"
#include "paper/files/output.h"
#include "paper/statistics/stats.h"
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static sb_status simulate(long trials, const char *folder)
{
    sb_output output;
    SB_TRY(sb_output_begin(&output, folder, "rates.csv", &sb_csv));
    writing w = {.csv = output.out, .trials = trials, .progress = sb_progress_begin("simulate_rates", 0)};
    sb_write(w.csv, "kind,name,values,n,what,nominal,rate,trials,low,high\n");
    sb_status status = sb_simulate((size_t)trials, write_rate, &w);
    sb_progress_end(&w.progress);
    if (status == SB_OK) print_extremes(&w);
    return sb_output_end(&output, status);
}

int main(int argc, char **argv)
{
    const long trials = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
    if (trials < 1 || trials > 10000000) {
        fprintf(stderr, "simulate_rates: wants TRIALS in [1, 10000000] and a FOLDER for rates.csv\n");
        return 2;
    }
    if (simulate(trials, argv[2]) == SB_OK) return 0;
    fprintf(stderr, "%s\n", sb_message());
    return 1;
}
