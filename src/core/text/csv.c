#include "core/text/csv.h"

#include <math.h>
#include <string.h>

static void write_csv(FILE *out, const char *text, bool quoted)
{
    (void)quoted;
    bool marked = strpbrk(text, ",\"") != NULL;
    if (marked) fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"') fputc('"', out);
        fputc(*c, out);
    }
    if (marked) fputc('"', out);
}

const sb_language sb_csv = {.name = "csv", .text = write_csv};

void sb_csv_real(sb_writer *csv, double number, int digits)
{
    if (isnan(number))
        sb_write(csv, ",");
    else
        sb_write(csv, ",%.*g", digits, number);
}
