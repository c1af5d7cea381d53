/* Texts of others in LaTeX, for the paper's fonts: Computer Modern in the old encoding of 128 characters. */
#include "paper/files/latex.h"

#include "core/text/text.h"

#include <string.h>

/* What is not written as itself. Signs that the text fonts lack come from mathematics, the dollar too: the text font
 * that has it is one of bitmaps, at which pdfTeX stops where a line is stretched. After the end of a table's line '['
 * and '*' would begin its options. */
/* clang-format off */
static const struct {
    uint32_t code;
    const char *tex;
} signs[] = {
    {'#', "\\#"},
    {'$', "$\\mathdollar$"},
    {'%', "\\%"},
    {'&', "\\&"},
    {'_', "\\_"},
    {'\\', "$\\backslash$"},
    {'{', "$\\{$"},
    {'}', "$\\}$"},
    {'~', "$\\sim$"},
    {'^', "\\^{}"},
    {'<', "$<$"},
    {'>', "$>$"},
    {'|', "$|$"},
    {'"', "''"},
    {'[', "{[}"},
    {']', "{]}"},
    {'*', "{*}"},
    {0xA0, "~"},            /* a blank that holds its neighbours together */
    {0xAD, "\\-"},          /* where a word may be broken */
    {0xB0, "$^\\circ$"},    /* degree */
    {0xB1, "$\\pm$"},       /* plus or minus */
    {0xB5, "$\\mu$"},       /* micro, and the Greek letter */
    {0x3BC, "$\\mu$"},
    {0xB7, "$\\cdot$"},     /* middle dot */
    {0xD7, "$\\times$"},    /* times */
    {0xDF, "\\ss{}"},       /* sharp s */
    {0xF7, "$\\div$"},      /* divided by */
    {0x2013, "--"},         /* dashes */
    {0x2014, "---"},
    {0x2018, "`{}"},        /* quotes */
    {0x2019, "'{}"},
    {0x201C, "``{}"},
    {0x201D, "''{}"},
    {0x2026, "\\dots{}"},   /* three dots */
    {0x2192, "$\\to$"},     /* arrow */
    {0x2212, "$-$"},        /* minus */
    {0x2248, "$\\approx$"}, /* about */
    {0x2264, "$\\le$"},     /* at most */
    {0x2265, "$\\ge$"},     /* at least */
};
/* clang-format on */

static const char *find_sign(uint32_t code)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].code == code) return signs[i].tex;
    return NULL;
}

/* Letters of Western Europe that LaTeX puts together from what the fonts have: all but eth and thorn. */
static bool is_letter(uint32_t code)
{
    return code >= 0xC0 && code <= 0xFF && !strchr("\xD0\xDE\xF0\xFE", (int)code);
}

/* Two of these side by side, such as "--" and "?`", the fonts join to another sign. */
static bool joins(char c)
{
    return c && strchr("-`'!?<>,", c);
}

static void write_latex(FILE *out, const char *text, bool quoted)
{
    (void)quoted;
    uint32_t code;
    for (size_t n; (n = sb_text_character(text, strlen(text), &code)) > 0; text += n) {
        const char *sign = find_sign(code);
        if (sign)
            fputs(sign, out);
        else if (code < 0x80 || is_letter(code))
            fwrite(text, 1, n, out);
        else
            fprintf(out, "[U+%04lX]", (unsigned long)code);
        if (n == 1 && joins(text[0]) && joins(text[1])) fputs("{}", out);
    }
}

const sb_language sb_latex = {.name = "LaTeX", .text = write_latex};
