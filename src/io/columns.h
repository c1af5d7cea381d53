/* The tables that collected results consist of, column by column, and what each column may hold: the one list of them.
 * Who writes a table takes its header from here; who reads one holds every field against it before anything else looks
 * at the field, so that a name from an untrusted table is a name and nothing more.
 *
 *     sb_status status = sb_table_read(&table, path, &sb_columns_cells);       io/table.h
 *     if (!sb_column_holds(SB_COLUMN_NAME, study)) ...
 */
#pragma once

#include "core/text/writer.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_column_kind {
    SB_COLUMN_NAME,    /* sb_text_is_name */
    SB_COLUMN_CELL,    /* names joined by '/': "prednet/walk/native/any/copy/s001" */
    SB_COLUMN_HASH,    /* 8 to 64 digits, hexadecimal and small */
    SB_COLUMN_WORDS,   /* small letters, digits, '_' and blanks: "hardware missing" */
    SB_COLUMN_CHOICE,  /* one of the column's words */
    SB_COLUMN_INT,     /* a whole number */
    SB_COLUMN_REAL,    /* a number; nan and inf are for the reader to judge */
    SB_COLUMN_NUMBERS, /* whole numbers from 0 with blanks: "3 48 96 192" */
    SB_COLUMN_REALS,   /* numbers from 0 with blanks: "0 3.6 18" */
    SB_COLUMN_LAYERS,  /* a network in one line (core/rows/layer_text.h) */
    SB_COLUMN_PATH,    /* below the folder of results, so neither absolute nor with "..": "runs/p/1a2b3c4d.h5" */
    SB_COLUMN_TEXT,    /* one line of plain text (core/text/text.h) */
    SB_N_COLUMN_KINDS,
} sb_column_kind;

typedef struct sb_column {
    const char *name;
    sb_column_kind kind;
    bool may_be_empty;
    const char *words; /* of a choice, separated by '|' */
} sb_column;

/* Whether a folder of collected results has a table. */
typedef enum sb_table_need {
    SB_TABLE_NEEDED,
    SB_TABLE_OPTIONAL, /* older programs, or runs that have nothing for it, left it out */
    SB_TABLE_APART,    /* it is written elsewhere */
} sb_table_need;

typedef struct sb_columns {
    const char *file; /* "cells.csv" */
    sb_table_need need;
    size_t n;
    const sb_column *column;
} sb_columns;

extern const sb_columns sb_columns_cells, sb_columns_curves, sb_columns_timing, sb_columns_distances,
    sb_columns_baselines, sb_columns_coverage, sb_columns_environment, sb_columns_generations, sb_columns_layers,
    sb_columns_parents, sb_columns_registrations, sb_columns_trust;
extern const sb_columns *const sb_columns_all[]; /* NULL after the last */

/* Next to the tables lies the file of claims (io/yaml/claim_file.h) that the matrix file names, byte for byte; results
 * of a matrix file that names none, and of older programs, have none. */
#define SB_COLLECTED_CLAIMS "claims.yaml"

/* Is it the name of a table that collected results have or may have, or of their claims? */
bool sb_columns_are_collected(const char *file);

/* Does a text say such a value? words: of a choice, else NULL. */
bool sb_column_holds(sb_column_kind kind, const char *words, const char *text);

/* The same for a field, which may be empty where its column says so. */
bool sb_column_accepts(const sb_column *column, const char *text);

/* "letters, digits, '.', '_' and '-'": what the kind wants, for a sentence. */
const char *sb_column_wanted(sb_column_kind kind);

/* The column of that name, n bytes long; NULL if there is none. */
const sb_column *sb_columns_find(const sb_columns *columns, const char *name);

/* The line of headings. */
void sb_columns_write(sb_writer *csv, const sb_columns *columns);
