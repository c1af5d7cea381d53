/* How far final losses come apart by one source alone: a panel for each recipe in which three sources or more were
 * measured, and one with what others published of another network, in its own unit. */
#include "paper/figures.h"

#include <math.h>
#include <string.h>

static const char published_prefix[] = "spread.", published_suffix[] = ".cross-entropy-sd";

static const char *const source_label[SB_N_SOURCES] = {
    [SB_SOURCE_REPEAT] = "repetition",     [SB_SOURCE_ULP] = "one ulp of one weight",
    [SB_SOURCE_THREADS] = "threads",       [SB_SOURCE_KERNEL] = "kernel type",
    [SB_SOURCE_ARITHMETIC] = "arithmetic", [SB_SOURCE_LIBRARY] = "library",
    [SB_SOURCE_MACHINE] = "hardware",      [SB_SOURCE_TARGET] = "target",
    [SB_SOURCE_SEED] = "start weights",
};

static bool is_shown(const sb_spread *spread)
{
    int n = 0;
    for (int source = 0; source < SB_N_SOURCES; source++)
        n += source != SB_SOURCE_REPEAT && spread->row[source].n_pairs > 0;
    return n > 2;
}

/* Whether the record is one of those, and which source it names. */
static bool is_published(const sb_published_record *record, char source[64])
{
    size_t length = strlen(record->label), suffix = sizeof published_suffix - 1, prefix = sizeof published_prefix - 1;
    if (length <= prefix + suffix || isnan(record->value)) return false;
    if (strncmp(record->label, published_prefix, prefix) != 0) return false;
    if (strcmp(record->label + length - suffix, published_suffix) != 0) return false;
    snprintf(source, 64, "%.*s", (int)(length - prefix - suffix), record->label + prefix);
    for (char *c = source; *c; c++)
        if (*c == '-') *c = ' ';
    return true;
}

static size_t count_published(const sb_published *published)
{
    size_t n = 0;
    char source[64];
    for (size_t i = 0; i < published->n; i++) n += is_published(&published->record[i], source);
    return n;
}

static size_t count_shown(const sb_spreads *spreads)
{
    size_t n = 0;
    for (size_t i = 0; i < spreads->n; i++) n += is_shown(&spreads->spread[i]);
    return n;
}

bool sb_figure_spread_wanted(const sb_subject *s)
{
    return count_shown(s->spreads) > 0;
}

void sb_figure_spread_caption(sb_writer *out, const sb_subject *s)
{
    sb_write(
        out,
        "How far the final last-frame losses of two runs come apart when one thing alone differs: standard deviation "
        "of "
        "the log loss (0.1 is about 10 %%). Filled: measured, open: emulated. A source with the same bits has no "
        "spread "
        "and no place on a logarithmic axis; it is written as 0.");
    if (count_published(s->published))
        sb_write(out,
                 " Crosses, with an axis of their own: published for another network, ResNet-14 on CIFAR-10, standard "
                 "deviation of the cross-entropy over 100 models (re-run of Summers and Dinneen 2021).");
}

/* The names of n rows, from above. */
static void begin_rows(sb_writer *script)
{
    sb_write(script, "unset label\nset ytics (");
}

static void write_row(sb_writer *script, size_t row, const char *label)
{
    sb_write(script, row ? ", " : "");
    sb_style_text(script, label, false);
    sb_write(script, " %ld", -(long)row);
}

static void end_rows(sb_writer *script, size_t n)
{
    sb_write(script, ") scale 0\nset yrange [%.1f:0.5]\n", -(double)n + 0.5);
}

/* What stands in a row without a point. */
static void write_words(sb_writer *script, size_t row, const char *words)
{
    sb_style_absent(script, words, "graph 0.03, first %ld left", -(long)row);
}

static void widen(double value, double *low, double *high)
{
    if (!(value > 0)) return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static void write_ours(sb_writer *script, const sb_spread *spread)
{
    begin_rows(script);
    for (size_t source = 0; source < SB_N_SOURCES; source++) write_row(script, source, source_label[source]);
    end_rows(script, SB_N_SOURCES);
    int n_drawn = 0;
    for (size_t source = 0; source < SB_N_SOURCES; source++) {
        const sb_spread_row *row = &spread->row[source];
        if (row->n_pairs == 0) write_words(script, source, "not measured");
        if (row->n_pairs && row->sd[SB_METRIC_LAST] == 0) write_words(script, source, "0: same bits");
    }
    for (size_t source = 0; source < SB_N_SOURCES; source++) {
        const sb_spread_row *row = &spread->row[source];
        if (row->n_pairs == 0 || row->sd[SB_METRIC_LAST] == 0) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "'+' using (%.6g):(%ld) every ::0::0 with points linestyle %d", row->sd[SB_METRIC_LAST],
                 -(long)source, SB_STYLE_POINT + (int)row->evidence);
    }
    sb_write(script, n_drawn ? "\n" : "plot NaN\n");
}

static void write_published(sb_writer *script, const sb_published *published)
{
    char source[64];
    size_t n = 0;
    sb_write(script, "$published << END\n");
    for (size_t i = 0; i < published->n; i++) {
        if (!is_published(&published->record[i], source)) continue;
        if (published->record[i].value > 0) sb_write(script, "%.6g %ld\n", published->record[i].value, -(long)n);
        n++;
    }
    sb_write(script, "END\n");
    begin_rows(script);
    n = 0;
    for (size_t i = 0; i < published->n; i++)
        if (is_published(&published->record[i], source)) write_row(script, n++, source);
    end_rows(script, n);
    n = 0;
    for (size_t i = 0; i < published->n; i++)
        if (is_published(&published->record[i], source) && published->record[i].value == 0)
            write_words(script, n++, "0: same bits");
        else
            n += is_published(&published->record[i], source);
    sb_write(script, "plot $published using 1:2 with points linestyle %d\n", SB_STYLE_POINT + SB_EVIDENCE_PUBLISHED);
}

/* One range for all of ours, so that panels can be compared; the published one has as many decades around its own. */
static void write_range(sb_writer *script, const sb_subject *s, bool published)
{
    double low = HUGE_VAL, high = 0, own_low = HUGE_VAL, own_high = 0;
    char source[64];
    for (size_t i = 0; i < s->spreads->n; i++)
        for (int k = 0; k < SB_N_SOURCES && is_shown(&s->spreads->spread[i]); k++)
            if (s->spreads->spread[i].row[k].n_pairs)
                widen(s->spreads->spread[i].row[k].sd[SB_METRIC_LAST], &low, &high);
    if (high == 0) low = 1e-3, high = 1;
    if (high < 10 * low) high = 10 * low;
    for (size_t i = 0; published && i < s->published->n; i++)
        if (is_published(&s->published->record[i], source)) widen(s->published->record[i].value, &own_low, &own_high);
    if (published && own_high > 0) {
        double half = sqrt(high / low), middle = sqrt(own_low * own_high);
        low = middle / half;
        high = middle * half;
    }
    sb_style_log_axis(script, 'x', low, high, 0.08);
}

sb_status sb_figure_spread(const sb_subject *s, const char *folder, const char *name)
{
    const size_t n_ours = count_shown(s->spreads), n_published = count_published(s->published) > 0;
    const sb_layout layout = {
        .n_panels = n_ours + n_published,
        .columns = 2,
        .columns_narrow = 1,
        .title_lines = 2,
        .panel_height = 12 + 19 * SB_N_SOURCES,
        .left = 176,
        .below = 58,
        .between = 62,
    };
    char title[SB_FIGURE_TITLE];
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    sb_write(plot.script, "set grid xtics noytics\nset format x '%%g'\n");
    size_t k = 0;
    for (size_t i = 0; i < s->spreads->n; i++) {
        const sb_spread *spread = &s->spreads->spread[i];
        if (!is_shown(spread)) continue;
        sb_figure_recipe_title(spread->recipe, title);
        sb_style_panel(plot.script, &layout, k++, title);
        sb_write(plot.script, "set xlabel 'sd of log loss' offset 0,0.9\n");
        write_range(plot.script, s, false);
        write_ours(plot.script, spread);
    }
    if (n_published) {
        sb_style_panel(plot.script, &layout, k, "published:\nResNet-14 on CIFAR-10");
        sb_write(plot.script, "set xlabel 'sd of cross-entropy' offset 0,0.9\n");
        write_range(plot.script, s, true);
        write_published(plot.script, s->published);
    }
    return sb_plot_end(&plot, SB_OK);
}
