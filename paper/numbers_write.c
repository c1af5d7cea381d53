#include "paper/numbers.h"

#include "paper/latex.h"
#include "paper/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- numbers.csv -- */

static void write_csv_row(FILE *out, const sb_number *number)
{
    sb_table_write_text(out, number->label);
    fputc(',', out);
    sb_table_write_text(out, number->text);
    const double values[] = {number->value, number->low, number->high, number->p};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) sb_table_write_real(out, values[i]);
    fprintf(out, ",%zu,%s,%s,", number->n, number->unit, sb_evidence_name[number->evidence]);
    sb_table_write_text(out, number->formula);
    fputc(',', out);
    sb_table_write_text(out, number->source ? number->source : "");
    fputc(',', out);
    for (size_t i = 0; i < number->n_cells; i++)
        fprintf(out, "%s%s/%s", i ? " " : "", number->cell[i]->name, number->cell[i]->hash);
    fputc('\n', out);
}

static void write_csv(FILE *out, const sb_numbers *numbers)
{
    fputs("label,text,value,low,high,p,n,unit,evidence,formula,source,cells\n", out);
    for (size_t i = 0; i < numbers->n; i++) write_csv_row(out, numbers->number[i]);
}

/* -- numbers.tex -- */

static const char tex_head[] = "% Every number of the paper; written by samebits-report, see paper/numbers.h.\n"
                               "\\makeatletter\n"
                               "\\newcommand\\sbhas[3]{\\@ifundefined{sb@#1@}{#3}{#2}}\n"
                               "\\newcommand*\\sbnum[2][]{\\@ifundefined{sb@#2@#1}%\n"
                               "  {\\PackageError{samebits}{no number '#2' [#1]}{samebits-report trace lists them.}}%\n"
                               "  {\\csname sb@#2@#1\\endcsname}}\n";

static void write_tex_part(FILE *out, const sb_number *number, const char *part, double value)
{
    if (!isnan(value)) fprintf(out, "\\@namedef{sb@%s@%s}{%.3g}\n", number->label, part, value);
}

static void write_tex(FILE *out, const sb_numbers *numbers)
{
    fputs(tex_head, out);
    fputs("\\newcommand*\\sbstamp{", out);
    sb_latex_text(out, numbers->stamp);
    fputs("}\n", out);
    for (size_t i = 0; i < numbers->n; i++) {
        const sb_number *number = numbers->number[i];
        fprintf(out, "\\@namedef{sb@%s@}{", number->label);
        sb_latex_text(out, number->text);
        fputs("}\n", out);
        write_tex_part(out, number, "value", number->value);
        write_tex_part(out, number, "low", number->low);
        write_tex_part(out, number, "high", number->high);
        write_tex_part(out, number, "p", number->p);
        if (number->n) fprintf(out, "\\@namedef{sb@%s@n}{%zu}\n", number->label, number->n);
    }
    fputs("\\makeatother\n", out);
}

static sb_status write_file(const sb_numbers *numbers, const char *folder, const char *name,
                            void (*write)(FILE *out, const sb_numbers *numbers))
{
    sb_output output;
    SB_TRY(sb_output_begin(&output, folder, name));
    write(output.out, numbers);
    return sb_output_end(&output, SB_OK);
}

sb_status sb_numbers_write(const sb_numbers *numbers, const char *folder)
{
    SB_TRY(write_file(numbers, folder, "numbers.csv", write_csv));
    return write_file(numbers, folder, "numbers.tex", write_tex);
}
