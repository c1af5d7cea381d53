#include "paper/numbers/numbers.h"

#include "core/text/csv.h"
#include "paper/files/latex.h"
#include "paper/files/output.h"

#include <math.h>
#include <stdlib.h>

/* -- numbers.csv -- */

/* "NAME/HASH NAME/HASH ...", the cells after a number, from malloc. */
static sb_status list_cells(const sb_number *number, char **text)
{
    sb_writer *list = sb_writer_open(&sb_plain);
    for (size_t i = 0; i < number->n_cells; i++)
        sb_write(list, i ? " %s/%s" : "%s/%s", number->cell[i]->name, number->cell[i]->hash);
    return sb_writer_close(list, number->label, text, NULL);
}

static sb_status write_csv_row(sb_writer *csv, const sb_number *number)
{
    char *cells;
    SB_TRY(list_cells(number, &cells));
    const double values[] = {number->value, number->low, number->high, number->p};
    sb_write(csv, "%s,%s", number->label, number->text);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) sb_csv_real(csv, values[i], 6);
    sb_write(csv, ",%zu,%s,%s,%s,%s,%s\n", number->n, number->unit, sb_evidence_name[number->evidence], number->formula,
             number->source ? number->source : "", cells);
    free(cells);
    return SB_OK;
}

static sb_status write_csv(sb_writer *csv, const sb_numbers *numbers)
{
    sb_write(csv, "label,text,value,low,high,p,n,unit,evidence,formula,source,cells\n");
    for (size_t i = 0; i < numbers->n; i++) SB_TRY(write_csv_row(csv, numbers->number[i]));
    return SB_OK;
}

/* -- numbers.tex -- */

static const sb_raw tex_head = {
    "% Every number of the paper; written by samebits-report, see paper/numbers/numbers.h.\n"
    "\\makeatletter\n"
    "\\newcommand\\sbhas[3]{\\@ifundefined{sb@#1@}{#3}{#2}}\n"
    "\\newcommand*\\sbnum[2][]{\\@ifundefined{sb@#2@#1}%\n"
    "  {\\PackageError{samebits}{no number '#2' [#1]}{samebits-report trace lists them.}}%\n"
    "  {\\csname sb@#2@#1\\endcsname}}\n"};

static void write_tex_part(sb_writer *tex, const sb_number *number, const char *part, double value)
{
    char digits[SB_NUMBER_DIGITS];
    sb_number_digits(value, digits);
    if (!isnan(value)) sb_write(tex, "\\@namedef{sb@%s@%s}{%s}\n", number->label, part, digits);
}

static sb_status write_tex(sb_writer *tex, const sb_numbers *numbers)
{
    sb_write_raw(tex, tex_head);
    sb_write(tex, "\\newcommand*\\sbstamp{%s}\n", numbers->stamp);
    for (size_t i = 0; i < numbers->n; i++) {
        const sb_number *number = numbers->number[i];
        sb_write(tex, "\\@namedef{sb@%s@}{%s}\n", number->label, number->text);
        write_tex_part(tex, number, "value", number->value);
        write_tex_part(tex, number, "low", number->low);
        write_tex_part(tex, number, "high", number->high);
        write_tex_part(tex, number, "p", number->p);
        if (number->n) sb_write(tex, "\\@namedef{sb@%s@n}{%zu}\n", number->label, number->n);
    }
    sb_write(tex, "\\makeatother\n");
    return SB_OK;
}

static sb_status write_file(const sb_numbers *numbers, const char *folder, const char *name,
                            const sb_language *language, sb_status (*write)(sb_writer *out, const sb_numbers *numbers))
{
    sb_output output;
    SB_TRY(sb_output_begin(&output, folder, name, language));
    return sb_output_end(&output, write(output.out, numbers));
}

sb_status sb_numbers_write(const sb_numbers *numbers, const char *folder)
{
    SB_TRY(write_file(numbers, folder, "numbers.csv", &sb_csv, write_csv));
    return write_file(numbers, folder, "numbers.tex", &sb_latex, write_tex);
}
