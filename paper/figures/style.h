/* How figures look: the one place that decides fonts, sizes, colours, line types and marks. A figure says what it draws
 * and takes the rest from here, by the numbers of gnuplot line styles.
 *
 * Colours are of Okabe and Ito's palette (jfly.uni-koeln.de/color, 2008), which color-blind readers can distinguish;
 * line type and mark differ too, so that a grey print says the same. Filled marks are measured, open ones emulated,
 * crosses imitated.
 *
 * Every script draws two pictures: the wide one for screens and print, and with narrow=1 one for telephones, whose
 * panels are below each other, with text of a readable size.
 */
#pragma once

#include "core/rows/evidence.h"
#include "core/text/writer.h"
#include "paper/numbers/numbers.h"

#include <stddef.h>

/* Line styles (`linestyle N` in a script). */
enum {
    SB_STYLE_LINE = 1,       /* + target: a curve */
    SB_STYLE_SEED = 3,       /* + target: one seed, measured */
    SB_STYLE_RATIO = 5,      /* one pair of seeds, measured */
    SB_STYLE_SEED_OPEN = 13, /* + target: one seed, emulated */
    SB_STYLE_RATIO_OPEN = 15,
    SB_STYLE_SEED_CROSS = 16, /* + target: one seed, imitated */
    SB_STYLE_RATIO_CROSS = 18,
    SB_STYLE_MEAN = 20,      /* mean and interval */
    SB_STYLE_JOIN = 21,      /* the thin line between the two cells of a pair */
    SB_STYLE_RULE = 22,      /* a value of reference: the ratio 1 */
    SB_STYLE_POINT = 23,     /* + evidence: one number, by what it rests on */
    SB_STYLE_SOURCE = 30,    /* + 0, 1, 2: a curve of one source of difference */
    SB_STYLE_ROW = 33,       /* between rows */
    SB_STYLE_EDGE = 40,      /* from layer to layer */
    SB_STYLE_EDGE_LATE = 41, /* the same, of the step before */
    SB_STYLE_BAND = 43,      /* a range of seeds, in the key */
    SB_STYLE_MARGIN = 44,    /* what counts as equal, in the background of a row */
    SB_STYLE_VERDICT = 50,   /* + verdict: a mean and its interval */
};

enum { SB_STYLE_WIDTH = 920, SB_STYLE_WIDTH_NARROW = 400 }; /* of a figure, in pixels at its natural size */

typedef struct sb_layout {
    size_t n_panels;
    int width; /* pixels of the wide picture; 0: SB_STYLE_WIDTH */
    int columns, columns_narrow;
    int title_lines, title_lines_narrow; /* above each panel; narrow 0: as many */
    int panel_height;                    /* pixels */
    int left;                            /* pixels for the labels of the vertical axis, of each column */
    int right;   /* pixels next to the last column; 0: as many as the last label of an axis needs */
    int gap;     /* pixels between columns that share the labels of the first; 0: each column has its own */
    int below;   /* pixels for the labels of the horizontal axis, of the last row */
    int between; /* the same, of the other rows */
    int key_lines, key_lines_narrow;
} sb_layout;

/* The head of a script: output, terminal, styles, and the multiplot with its panels. */
void sb_style_begin(sb_writer *script, const char *name, const sb_layout *layout);

/* Room for a title in either picture, where the layout has less; it is broken at blanks to the width of a panel. */
void sb_style_fit_title(sb_layout *layout, const char *title);

/* Go to the next panel, number k from 0. The script's variables first_column and last_row say where it is. */
void sb_style_panel(sb_writer *script, const sb_layout *layout, size_t k, const char *title);

/* What the axes show, with the unit: x below the last row, y next to the first column; NULL for none. */
void sb_style_axis_labels(sb_writer *script, const char *x, const char *y);

/* A logarithmic axis ('x' or 'y') from low to high, 0 < low < high, labelled at as many round values as have room in
 * either picture. */
void sb_style_log_axis(sb_writer *script, const sb_layout *layout, char axis, double low, double high);

/* An axis of updates ('x') from 0. */
void sb_style_count_axis(sb_writer *script, const sb_layout *layout, double high);

/* Words in the first column at the left of a panel, and a number at its right; of that the narrow picture has what is
 * before " [". Words that would touch the number are cut, with an ellipsis. */
void sb_style_words_above(sb_writer *script, const sb_layout *layout, double y, const char *left, const char *right);

/* -- colours -- */

/* Every colour that a picture may have, and what it is on a dark screen. */
typedef struct sb_colour {
    unsigned light, dark; /* 0xRRGGBB */
} sb_colour;
extern const sb_colour sb_style_colours[];
extern const size_t sb_style_n_colours;

/* The rules of CSS that turn a picture's colors to the dark ones, each selector with `scope` in front: "" in a
 * picture of its own, ".card " on a page of many. Of a language that leaves them as they are. */
void sb_style_dark(sb_writer *out, sb_raw scope);

/* What an empty panel or row says, at a place as gnuplot writes it: "graph 0.5, first %d center". */
void sb_style_absent(sb_writer *script, const char *text, const char *place, ...) __attribute__((format(printf, 3, 4)));

/* Scripts are written by a writer of this language: between single quotes a %s is any text, elsewhere a name: letters,
 * digits, '_' and '-', to which whatever it holds is turned. */
extern const sb_language sb_gnuplot;

/* Words of a point as a value of a list, between double quotes; a sign that is none of these becomes '_'. */
void sb_style_words(sb_writer *script, const char *words);
extern const char sb_style_signs[];

/* A text as an expression of gnuplot that keeps its lines. */
void sb_style_text(sb_writer *script, const char *text);
