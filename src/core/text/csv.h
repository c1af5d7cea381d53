/* The language of csv tables for sb_writer (core/text/writer.h): a %s is one whole field, quoted where it holds a comma
 * or a quote; no field spans lines.
 *
 *     sb_write(csv, "%s,%s,%ld", cell->name, cell->study, cell->seed);
 *     sb_csv_real(csv, loss, 9);
 *     sb_write(csv, "\n");
 */
#pragma once

#include "core/text/writer.h"

extern const sb_language sb_csv;

/* A comma and a number with this many digits; the comma alone for a NaN. */
void sb_csv_real(sb_writer *csv, double number, int digits);
