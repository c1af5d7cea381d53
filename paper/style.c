#include "paper/style.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define FONT       "Helvetica,14"
#define BLUE       "#0072B2"
#define VERMILLION "#D55E00"
#define BLACK      "#000000"
#define GREY       "#707070"
#define LIGHT      "#DDDDDD" /* grid */
#define INK        "#333333" /* axes and text */

static const struct {
    int number;
    const char *colour;
    sb_raw dash;
    double width;
    int mark;
    double mark_size;
} styles[] = {
    /* circles are copy, squares are shared, triangles are ratios, the diamond is the mean */
    {SB_STYLE_LINE + SB_TARGET_COPY, BLUE, {"1"}, 2, 7, 0.6},
    {SB_STYLE_LINE + SB_TARGET_SHARED, VERMILLION, {"(9,5)"}, 2, 5, 0.6},
    {SB_STYLE_SEED + SB_TARGET_COPY, BLUE, {"1"}, 1.5, 7, 0.65},
    {SB_STYLE_SEED + SB_TARGET_SHARED, VERMILLION, {"1"}, 1.5, 5, 0.6},
    {SB_STYLE_RATIO, GREY, {"1"}, 1.5, 9, 0.75},
    {SB_STYLE_SEED_OPEN + SB_TARGET_COPY, BLUE, {"1"}, 1.5, 6, 0.8},
    {SB_STYLE_SEED_OPEN + SB_TARGET_SHARED, VERMILLION, {"1"}, 1.5, 4, 0.75},
    {SB_STYLE_RATIO_OPEN, GREY, {"1"}, 1.5, 8, 0.9},
    {SB_STYLE_MEAN, BLACK, {"1"}, 1.6, 13, 0.9},
    {SB_STYLE_JOIN, GREY, {"1"}, 0.7, 0, 0},
    {SB_STYLE_RULE, INK, {"3"}, 1.2, 0, 0},
    {SB_STYLE_POINT + SB_EVIDENCE_MEASURED, BLACK, {"1"}, 1.5, 7, 0.8},
    {SB_STYLE_POINT + SB_EVIDENCE_EMULATED, BLACK, {"1"}, 1.5, 6, 0.9},
    {SB_STYLE_POINT + SB_EVIDENCE_PUBLISHED, BLACK, {"1"}, 1.8, 2, 0.9},
    {SB_STYLE_SOURCE, VERMILLION, {"(9,5)"}, 2, 0, 0},
    {SB_STYLE_SOURCE + 1, BLUE, {"1"}, 2, 0, 0},
    {SB_STYLE_SOURCE + 2, BLACK, {"(2,3)"}, 2, 0, 0},
    {SB_STYLE_ROW, LIGHT, {"1"}, 0.8, 0, 0},
    {SB_STYLE_EDGE, INK, {"1"}, 1.3, 0, 0},
    {SB_STYLE_EDGE_LATE, INK, {"(6,4)"}, 1.3, 0, 0},
    {SB_STYLE_BOX, INK, {"1"}, 1.3, 0, 0},
};

enum { KEY_LINE = 24, TITLE_LINE = 20, TITLE_GAP = 16, RIGHT = 14 }; /* pixels */

static void write_styles(sb_writer *script)
{
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        sb_write(script, "set style line %d linecolor rgb '%s' dashtype ", styles[i].number, styles[i].colour);
        sb_write_raw(script, styles[i].dash);
        sb_write(script, " linewidth %g pointtype %d pointsize %g\n", styles[i].width, styles[i].mark,
                 styles[i].mark_size);
    }
    sb_write(script, "set style fill transparent solid 0.18 noborder\n"
                     "set border 3 linecolor rgb '" INK "' linewidth 1\n"
                     "set tics nomirror out scale 0.6 textcolor rgb '" INK "'\n"
                     "set grid ytics linecolor rgb '" LIGHT "' linewidth 0.6 dashtype 1\n"
                     "set key noautotitle samplen 1.8 width -3 textcolor rgb '" INK "'\n"
                     "set xtics offset 0,0.35\n"
                     "set bars 0.5\n");
}

void sb_style_begin(sb_writer *script, const char *name, const sb_layout *layout)
{
    sb_write(script,
             "# Drawn by samebits-report. Again: gnuplot %s.gp (and with -e narrow=1 for a narrow screen)\n"
             "if (!exists('narrow')) narrow = 0\n"
             "if (!exists('output')) output = narrow ? '%s-narrow.svg' : '%s.svg'\n"
             "set encoding utf8\n",
             name, name, name);
    const int title = layout->title_lines * TITLE_LINE + TITLE_GAP;
    sb_write(script,
             "n_panels = %zu\n"
             "n_columns = narrow ? %d : %d\n"
             "n_rows = (n_panels + n_columns - 1) / n_columns\n"
             "width = narrow ? %d. : %d.\n"
             "left = %d; right = %d; gap = %d; below = %d; between = %d\n"
             "above = (narrow ? %d : %d) * %d + %d\n"
             "height = above + n_rows * %d. + (n_rows - 1) * between + below\n",
             layout->n_panels, layout->columns_narrow, layout->columns, SB_STYLE_WIDTH_NARROW, SB_STYLE_WIDTH,
             layout->left, RIGHT, layout->gap ? layout->gap : layout->left + RIGHT, layout->below,
             layout->between + title, layout->key_lines_narrow, layout->key_lines, KEY_LINE, title,
             layout->panel_height);
    sb_write(script,
             "set terminal svg size width,height dynamic font '" FONT "' background '#FFFFFF' noenhanced linewidth 1\n"
             "set output output\n");
    write_styles(script);
    sb_write(script, "set multiplot layout n_rows,n_columns margins screen left/width, 1 - right/width, below/height, "
                     "1 - above/height spacing screen gap/width, between/height\n");
}

void sb_style_panel(sb_writer *script, const sb_layout *layout, size_t k, const char *title)
{
    sb_write(script, "\nfirst_column = %zu %% n_columns == 0; last_row = %zu >= n_panels - n_columns\n", k, k);
    /* With maxrows a vertical key spreads over the whole figure; a horizontal one stays within its panel. */
    if (k == 0)
        sb_write(script,
                 "set key at screen 6/width, 1 - 4/height left top vertical maxrows (narrow ? %d : %d) Left reverse\n",
                 layout->key_lines_narrow, layout->key_lines);
    else
        sb_write(script, "unset key\n");
    sb_write(script, "set title ");
    sb_style_text(script, title, false);
    sb_write(script, " offset 0,-0.4\n");
}

void sb_style_axis_labels(sb_writer *script, const char *x, const char *y)
{
    /* The offsets bring the words nearer than gnuplot puts them, inside the room that a layout leaves. */
    sb_write(script, "set xlabel last_row ? '%s' : '' offset 0,0.9\nset ylabel first_column ? '%s' : '' offset 1.2,0\n",
             x ? x : "", y ? y : "");
}

/* Round mantissas in a range, every `stride`th power of ten, counted or (with a script) written as the list of an
 * axis's labels. */
static int list_tics(sb_writer *script, const double *mantissa, int stride, double low, double high)
{
    int n = 0, first = (int)floor(log10(low));
    while (first % stride != 0) first--;
    for (int exponent = first; pow(10, exponent) <= high; exponent += stride)
        for (const double *m = mantissa; *m; m++) {
            double tic = *m * pow(10, exponent);
            if (tic < low || tic > high) continue;
            if (script) sb_write(script, n ? ", %.4g" : "%.4g", tic);
            n++;
        }
    return n;
}

/* The smallest of 1, 2, 5, 10, ... that cuts a length into at most n steps. */
static double round_step(double length, int n)
{
    static const double round[] = {1, 2, 5, 10};
    double least = length / n, power = pow(10, floor(log10(least)));
    size_t i = 0;
    while (i + 1 < sizeof round / sizeof *round && round[i] * power < least) i++;
    return round[i] * power;
}

void sb_style_log_axis(sb_writer *script, char axis, double low, double high, double room)
{
    static const double lists[][8] = {{1}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 5, 7}};
    double factor = pow(high / low, room);
    if (factor < 1.01) factor = 1.01;
    low /= factor;
    high *= factor;
    sb_write(script, "set logscale %c\nset %crange [%.6g:%.6g]\nset %ctics (", axis, axis, low, high, axis);
    size_t i = 0, n_lists = sizeof lists / sizeof *lists;
    int stride = 1, most = axis == 'x' && low < 1e-3 ? 4 : 6; /* "0.0001" is long to stand beside another */
    while (list_tics(NULL, lists[0], stride, low, high) > most) stride++;
    while (i < n_lists && list_tics(NULL, lists[i], stride, low, high) < (stride > 1 ? 3 : 4)) i++;
    if (i < n_lists) {
        list_tics(script, lists[i], stride, low, high);
    } else { /* so narrow a range is nearly linear */
        double step = round_step(high - low, 6), first = ceil(low / step);
        for (double k = first; k * step <= high; k++) sb_write(script, k > first ? ", %.4g" : "%.4g", k * step);
    }
    sb_write(script, ")\n");
}

void sb_style_count_axis(sb_writer *script, char axis, double high, int n)
{
    double step = round_step(high, n);
    if (step < 1) step = 1;
    sb_write(script, "set %crange [0:%g]\nset %ctics %g\n", axis, high, axis, step);
}

void sb_style_absent(sb_writer *script, const char *text, const char *place, ...)
{
    va_list arguments;
    va_start(arguments, place);
    sb_write(script, "set label ");
    sb_style_text(script, text, false);
    sb_write(script, " at ");
    sb_write_list(script, place, arguments);
    sb_write(script, " textcolor rgb '" GREY "'\n");
    va_end(arguments);
}

/* Between single quotes nothing means anything to gnuplot but a quote, which is doubled, and the end of the line, which
 * no text of a writer holds. Elsewhere a text can be a name and nothing else. */
static void write_gnuplot(FILE *out, const char *text, bool quoted)
{
    for (const char *c = text; *c; c++) {
        bool word = isalnum((unsigned char)*c) || *c == '_' || *c == '-';
        if (quoted && *c == '\'') fputc('\'', out);
        fputc(quoted || word ? *c : '_', out);
    }
}

const sb_language sb_gnuplot = {.name = "gnuplot", .text = write_gnuplot};

/* The bytes up to the next end of line, or to the next ", " where lines are broken there. */
static size_t line_length(const char *text, bool break_lines)
{
    size_t n = strcspn(text, "\n");
    const char *comma = break_lines ? strstr(text, ", ") : NULL;
    return comma && comma < text + n ? (size_t)(comma - text) : n;
}

void sb_style_text(sb_writer *script, const char *text, bool break_lines)
{
    for (size_t n;; text += n + (text[n] == '\n' ? 1 : 2)) {
        n = line_length(text, break_lines);
        sb_write(script, "'%.*s'", (int)n, text);
        if (!text[n]) return;
        sb_write(script, ".\"\\n\".");
    }
}

void sb_style_item(sb_writer *script, int n)
{
    sb_write(script, n ? ", \\\n     " : "plot ");
}

size_t sb_style_label_width(const char *label)
{
    size_t widest = 0;
    for (const char *part = label; part;) {
        const char *end = strstr(part, ", ");
        size_t width = end ? (size_t)(end - part) : strlen(part);
        if (width > widest) widest = width;
        part = end ? end + 2 : NULL;
    }
    return widest;
}
