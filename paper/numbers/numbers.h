/* The register of every number that is shown: what it is, how it came about, and its cells. The code that computes a
 * number adds it here; tables, claims, figures and the paper read it by its label. So no number is typed by hand, and
 * every number can be traced back to runs.
 *
 *     sb_number number = sb_number_from(cells, 10, 5, "ratio", "geometric mean of ...");
 *     number.value = ratio.ratio, number.low = ratio.low, number.high = ratio.high, number.p = ratio.p;
 *     SB_TRY(sb_numbers_put(&numbers, &number, "%s.%s.shared-over-copy.loss-last", group, setting));
 *
 * A label is made of parts from the general to the particular, joined by dots, of the characters a-z 0-9 - . and /:
 *     full.native.shared-over-copy.loss-last     STUDY.SETTING.WHAT.METRIC
 *
 * numbers.csv holds all of them, sorted by label. numbers.tex is for a LaTeX document:
 *     \sbnum{LABEL}         the text as printed: "1.68 [1.45, 2.00]"
 *     \sbnum[PART]{LABEL}   one part alone: value, low, high, p or n
 *     \sbstamp              what is wrong with the results of the numbers, for every page; empty: nothing
 *     \sbhas{LABEL}{YES}{NO}  one text or the other: whether the number is there
 * A label or part that is not there is an error of the document, not a blank. Both files repeat to the byte.
 */
#pragma once

#include "core/status.h"
#include "paper/results/results.h"

#include <stddef.h>

enum { SB_NUMBER_LABEL = 160, SB_NUMBER_TEXT = 96 };

typedef struct sb_number {
    char label[SB_NUMBER_LABEL];
    char text[SB_NUMBER_TEXT]; /* as printed; "": sb_numbers_add writes it from the values */
    double value;
    double low, high;    /* its 95 % interval unless the formula says otherwise; NAN: none */
    double p;            /* NAN: no test belongs to it */
    size_t n;            /* what was averaged or compared: runs or pairs, as the formula says; 0: does not apply */
    const char *unit;    /* "1", "s", "ratio"; a constant */
    const char *formula; /* one sentence, in words */
    const char *source;  /* of a published number; NULL for one of ours */
    sb_evidence evidence;
    size_t n_cells;
    const sb_result *const *cell; /* what it was computed from, in the order of the formula */
} sb_number;

typedef struct sb_numbers { /* {0} is an empty register */
    size_t n, room;
    sb_number **number; /* sorted by label; each stays where it is */
    char stamp[160];    /* what is wrong with the results that they come from (condition.h); "": nothing */
} sb_numbers;

/* Write a label: capitals become small, whatever a label may not hold becomes a dash, several dashes in a row become
 * one. */
void sb_number_label(sb_number *number, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a part of one, that is without dots and slashes: "openblas, i5-4590" -> "openblas-i5-4590". */
void sb_number_part(char *part, size_t size, const char *text);

/* A number for people: three significant digits, and no exponent for one of a thousand or more: "0.00178", "1.83",
 * "60000", "1.2e-05". */
enum { SB_NUMBER_DIGITS = 24 };
void sb_number_digits(double value, char text[SB_NUMBER_DIGITS]);

/* A p value as it is in every sentence and table, so that the same p looks the same everywhere: "0.0312"; "none"
 * if no test gave one (NaN). Use it at once: sb_write(out, "p = %s", sb_number_p(p).text). */
typedef struct sb_digits {
    char text[SB_NUMBER_DIGITS];
} sb_digits;
sb_digits sb_number_p(double p);

/* Any other number of a sentence, caption or table, in the same way. */
sb_digits sb_number_short(double value);

/* One of the values of this number: a number of others stays as its source gives it, up to four digits. */
sb_digits sb_number_of(const sb_number *number, double value);

/* The weakest of the cells: one emulated cell makes a number emulated. */
sb_evidence sb_evidence_of(const sb_result *const *cell, size_t n);

/* Add a copy with formula, source and list of cells; the cells themselves must outlive the register. A label that
 * stands already is SB_E_INTEGRITY: one number has one formula. */
sb_status sb_numbers_add(sb_numbers *numbers, const sb_number *number);

/* A number of these cells without value, interval, p and label; n: runs or pairs. */
sb_number sb_number_from(const sb_result *const *cell, size_t n_cells, size_t n, const char *unit, const char *formula);

/* Give it that label, and add it. */
sb_status sb_numbers_put(sb_numbers *numbers, sb_number *number, const char *label, ...)
    __attribute__((format(printf, 3, 4)));

/* NULL: no number of that label. */
const sb_number *sb_numbers_find(const sb_numbers *numbers, const char *label);

/* numbers.csv and numbers.tex into a folder, which is made. */
sb_status sb_numbers_write(const sb_numbers *numbers, const char *folder);

void sb_numbers_free(sb_numbers *numbers);
