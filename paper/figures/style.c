#include "paper/figures/style.h"

#include "paper/figures/chart.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define FONT "Helvetica,14"

enum { /* 0xRRGGBB */
       PAPER = 0xFFFFFF,
       BLACK = 0x000000,
       INK = 0x333333,   /* axes and text */
       GREY = 0x707070,  /* pairs, and what is absent */
       BAND = 0x888888,  /* a band in the key */
       LIGHT = 0xDDDDDD, /* grid */
       MARGIN = 0xE4E4E4,
       BLUE = 0x0072B2,
       VERMILLION = 0xD55E00,
};

/* In the dark the lighter ones of the same palette: sky blue and orange. */
const sb_colour sb_style_colours[] = {
    {PAPER, 0x16181A}, {BLACK, 0xF4F4F0},  {INK, 0xCFCFCB},  {GREY, 0xA6A6A2},       {BAND, 0x909090},
    {LIGHT, 0x3C3F42}, {MARGIN, 0x2C3034}, {BLUE, 0x56B4E9}, {VERMILLION, 0xE69F00},
};
const size_t sb_style_n_colours = sizeof sb_style_colours / sizeof *sb_style_colours;

static const struct {
    int number;
    unsigned colour;
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
    {SB_STYLE_SEED_CROSS + SB_TARGET_COPY, BLUE, {"1"}, 1.5, 1, 0.8},
    {SB_STYLE_SEED_CROSS + SB_TARGET_SHARED, VERMILLION, {"1"}, 1.5, 2, 0.8},
    {SB_STYLE_RATIO_CROSS, GREY, {"1"}, 1.5, 2, 0.9},
    {SB_STYLE_MEAN, BLACK, {"1"}, 1.6, 13, 0.9},
    {SB_STYLE_JOIN, GREY, {"1"}, 0.7, 0, 0},
    {SB_STYLE_RULE, INK, {"3"}, 1.2, 0, 0},
    {SB_STYLE_POINT + SB_EVIDENCE_MEASURED, BLACK, {"1"}, 1.5, 7, 0.8},
    {SB_STYLE_POINT + SB_EVIDENCE_EMULATED, BLACK, {"1"}, 1.5, 6, 0.9},
    {SB_STYLE_POINT + SB_EVIDENCE_IMITATED, BLACK, {"1"}, 1.5, 1, 0.9},
    {SB_STYLE_POINT + SB_EVIDENCE_PUBLISHED, BLACK, {"1"}, 1.8, 2, 0.9},
    {SB_STYLE_SOURCE, VERMILLION, {"(9,5)"}, 2, 0, 0},
    {SB_STYLE_SOURCE + 1, BLUE, {"1"}, 2, 0, 0},
    {SB_STYLE_SOURCE + 2, BLACK, {"(2,3)"}, 2, 0, 0},
    {SB_STYLE_ROW, LIGHT, {"1"}, 0.8, 0, 0},
    {SB_STYLE_EDGE, INK, {"1"}, 1.3, 0, 0},
    {SB_STYLE_EDGE_LATE, INK, {"(6,4)"}, 1.3, 0, 0},
    {SB_STYLE_BAND, BAND, {"1"}, 1, 0, 0},
    {SB_STYLE_MARGIN, MARGIN, {"1"}, 22, 0, 0},
    /* filled for what is known to be equal or not, open for what is not known */
    {SB_STYLE_VERDICT, BLACK, {"1"}, 1.6, 5, 0.9},
    {SB_STYLE_VERDICT + 1, BLACK, {"1"}, 1.6, 7, 0.9},
    {SB_STYLE_VERDICT + 2, BLACK, {"1"}, 1.6, 9, 0.9},
    {SB_STYLE_VERDICT + 3, BLACK, {"1"}, 1.6, 6, 0.9},
};

enum { KEY_LINE = 24, TITLE_LINE = 20, TITLE_GAP = 16, RIGHT = 14, WORD_LETTER = 8 }; /* pixels */

static void write_styles(sb_writer *script)
{
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        sb_write(script, "set style line %d linecolor rgb '#%06X' dashtype ", styles[i].number, styles[i].colour);
        sb_write_raw(script, styles[i].dash);
        sb_write(script, " linewidth %g pointtype %d pointsize %g\n", styles[i].width, styles[i].mark,
                 styles[i].mark_size);
    }
    sb_write(script,
             "set style fill transparent solid 0.18 noborder\n"
             "set border 3 linecolor rgb '#%06X' linewidth 1\n"
             "set tics nomirror out scale 0.6 textcolor rgb '#%06X'\n"
             "set grid ytics linecolor rgb '#%06X' linewidth 0.6 dashtype 1\n"
             "set key noautotitle samplen 1.8 width -3 textcolor rgb '#%06X'\n"
             "set xtics offset 0,0.35\n"
             "set bars 0.5\n",
             INK, INK, LIGHT, INK);
}

static int width_of(const sb_layout *layout)
{
    return layout->width ? layout->width : SB_STYLE_WIDTH;
}

static int right_of(const sb_layout *layout)
{
    return layout->right ? layout->right : RIGHT;
}

static int gap_of(const sb_layout *layout)
{
    return layout->gap ? layout->gap : layout->left + right_of(layout);
}

/* Pixels of a panel from left to right. */
static double panel_width(const sb_layout *layout, bool narrow)
{
    int columns = narrow ? layout->columns_narrow : layout->columns;
    int width = narrow ? SB_STYLE_WIDTH_NARROW : width_of(layout);
    return (double)(width - layout->left - right_of(layout) - (columns - 1) * gap_of(layout)) / columns;
}

static int lines_of(const sb_layout *layout, bool narrow)
{
    return narrow && layout->title_lines_narrow ? layout->title_lines_narrow : layout->title_lines;
}

void sb_style_begin(sb_writer *script, const char *name, const sb_layout *layout)
{
    sb_write(script,
             "# Drawn by samebits-report. Again: gnuplot %s.gp (and with -e narrow=1 for a narrow screen)\n"
             "if (!exists('narrow')) narrow = 0\n"
             "if (!exists('output')) output = narrow ? '%s-narrow.svg' : '%s.svg'\n"
             "set encoding utf8\n",
             name, name, name);
    const int title = lines_of(layout, false) * TITLE_LINE + TITLE_GAP;
    const int title_narrow = lines_of(layout, true) * TITLE_LINE + TITLE_GAP;
    sb_write(script,
             "n_panels = %zu\n"
             "n_columns = narrow ? %d : %d\n"
             "n_rows = (n_panels + n_columns - 1) / n_columns\n"
             "width = narrow ? %d. : %d.\n"
             "title = narrow ? %d : %d\n"
             "left = %d; right = %d; gap = %d; below = %d; between = %d + title\n"
             "above = (narrow ? %d : %d) * %d + title\n"
             "height = above + n_rows * %d. + (n_rows - 1) * between + below\n",
             layout->n_panels, layout->columns_narrow, layout->columns, SB_STYLE_WIDTH_NARROW, width_of(layout),
             title_narrow, title, layout->left, right_of(layout), gap_of(layout), layout->below, layout->between,
             layout->key_lines_narrow, layout->key_lines, KEY_LINE, layout->panel_height);
    sb_write(script,
             "set terminal svg size width,height dynamic font '" FONT "' background '#%06X' noenhanced linewidth 1\n"
             "set output output\n",
             PAPER);
    write_styles(script);
    sb_write(script, "set multiplot layout n_rows,n_columns margins screen left/width, 1 - right/width, below/height, "
                     "1 - above/height spacing screen gap/width, between/height\n");
}

/* A title with its blanks turned into line ends where a line would be wider than the panel and the gap next to it. */
enum { TITLE = 512 };
static int wrap_title(const sb_layout *layout, bool narrow, const char *title, char wrapped[TITLE])
{
    const size_t most = (size_t)((panel_width(layout, narrow) + 10) / SB_AXIS_LETTER);
    size_t in_line = 0;
    char *blank = NULL;
    int n_lines = 1;
    snprintf(wrapped, TITLE, "%s", title);
    for (char *c = wrapped; *c; c++) {
        in_line = *c == '\n' ? 0 : in_line + 1;
        if (*c == '\n') blank = NULL;
        if (*c == ' ') blank = c;
        if (in_line > most && blank) {
            *blank = '\n';
            in_line = (size_t)(c - blank);
            blank = NULL;
        }
    }
    for (const char *c = wrapped; *c; c++) n_lines += *c == '\n';
    return n_lines;
}

void sb_style_fit_title(sb_layout *layout, const char *title)
{
    char wrapped[TITLE];
    int wide = wrap_title(layout, false, title, wrapped), narrow = wrap_title(layout, true, title, wrapped);
    if (wide > layout->title_lines) layout->title_lines = wide;
    if (narrow > lines_of(layout, true)) layout->title_lines_narrow = narrow;
}

static void write_title(sb_writer *script, const sb_layout *layout, bool narrow, const char *title)
{
    char wrapped[TITLE];
    wrap_title(layout, narrow, title, wrapped);
    sb_style_text(script, wrapped);
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
    sb_write(script, "set title narrow ? ");
    write_title(script, layout, true, title);
    sb_write(script, " : ");
    write_title(script, layout, false, title);
    sb_write(script, " offset 0,-0.4\n");
}

void sb_style_axis_labels(sb_writer *script, const char *x, const char *y)
{
    /* The offsets bring the words nearer than gnuplot puts them, inside the room that a layout leaves. */
    sb_write(script, "set xlabel last_row ? '%s' : '' offset 0,0.9\nset ylabel first_column ? '%s' : '' offset 1.2,0\n",
             x ? x : "", y ? y : "");
}

/* Pixels of a panel along the axis, and beyond its ends those in which a label has to itself what it needs. */
static void measure_axis(sb_axis *axis, const sb_layout *layout, bool narrow)
{
    int columns = narrow ? layout->columns_narrow : layout->columns, gap = gap_of(layout);
    axis->length = axis->upright ? layout->panel_height : panel_width(layout, narrow);
    axis->before = axis->upright ? SB_AXIS_LINE : fmin(layout->left, columns > 1 ? gap / 2.0 : layout->left);
    axis->after = axis->upright ? SB_AXIS_LINE : fmin(right_of(layout), columns > 1 ? gap / 2.0 : right_of(layout));
}

static void write_tics(sb_writer *script, const sb_layout *layout, sb_axis axis)
{
    for (int narrow = 0; narrow < 2; narrow++) {
        double tic[SB_AXIS_TICS];
        measure_axis(&axis, layout, narrow);
        size_t n = sb_axis_tics(&axis, tic);
        sb_write(script, narrow ? "if (narrow) set %ctics (" : "set %ctics (", axis.upright ? 'y' : 'x');
        for (size_t i = 0; i < n; i++) sb_write(script, i ? ", %.6g" : "%.6g", tic[i]);
        sb_write(script, ")\n");
    }
}

void sb_style_log_axis(sb_writer *script, const sb_layout *layout, char name, double low, double high)
{
    const sb_axis axis = {low, high, .logarithmic = true, .upright = name == 'y'};
    sb_write(script, "set logscale %c\nset %crange [%.6g:%.6g]\n", name, name, axis.low, axis.high);
    write_tics(script, layout, axis);
}

void sb_style_count_axis(sb_writer *script, const sb_layout *layout, double high)
{
    sb_write(script, "set xrange [0:%g]\n", high);
    write_tics(script, layout, (sb_axis){0, high});
}

/* The words as an expression, cut to the width of the panel that n letters of a number leave. */
static void write_cut(sb_writer *script, const sb_layout *layout, bool narrow, const char *words, int n)
{
    int room = (int)(panel_width(layout, narrow) / WORD_LETTER) - n - 2;
    sb_write(script, (int)strlen(words) > room ? "'%.*s…'" : "'%.*s'", room, words);
}

void sb_style_words_above(sb_writer *script, const sb_layout *layout, double y, const char *left, const char *right)
{
    const char *interval = strstr(right, " [");
    int n = (int)(interval ? (size_t)(interval - right) : strlen(right));
    sb_write(script, "if (first_column) set label narrow ? ");
    write_cut(script, layout, true, left, n);
    sb_write(script, " : ");
    write_cut(script, layout, false, left, (int)strlen(right));
    sb_write(script, " at graph 0, first %.2f left textcolor rgb '#%06X'\n", y, BLACK);
    if (n)
        sb_write(script, "set label narrow ? '%.*s' : '%s' at graph 1, first %.2f right textcolor rgb '#%06X'\n", n,
                 right, right, y, BLACK);
}

/* -- colours -- */

void sb_style_dark(sb_writer *out, sb_raw scope)
{
    static const sb_raw open[] = {{"[fill=\""}, {"[stroke=\""}, {"[color=\""}},
                        close[] = {{"\"]{fill:"}, {"\"]{stroke:"}, {"\"]{color:"}};
    for (size_t i = 0; i < sb_style_n_colours; i++)
        for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
            sb_write_raw(out, scope);
            sb_write_raw(out, open[k]);
            sb_write(out, "#%06x", sb_style_colours[i].light);
            sb_write_raw(out, close[k]);
            sb_write(out, "#%06x}\n", sb_style_colours[i].dark);
        }
}

void sb_style_absent(sb_writer *script, const char *text, const char *place, ...)
{
    va_list arguments;
    va_start(arguments, place);
    sb_write(script, "set label ");
    sb_style_text(script, text);
    sb_write(script, " at ");
    sb_write_list(script, place, arguments);
    sb_write(script, " textcolor rgb '#%06X'\n", GREY);
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

void sb_style_text(sb_writer *script, const char *text)
{
    for (size_t n;; text += n + 1) {
        n = strcspn(text, "\n");
        sb_write(script, "'%.*s'", (int)n, text);
        if (!text[n]) return;
        sb_write(script, ".\"\\n\".");
    }
}

const char sb_style_signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;()=/%+-_";

void sb_style_words(sb_writer *script, const char *words)
{
    FILE *out = sb_writer_stream(script, &sb_gnuplot);
    if (!out) return;
    fputc('"', out);
    for (const char *c = words; *c; c++) fputc(strchr(sb_style_signs, *c) ? *c : '_', out);
    fputc('"', out);
}
