/* The shapes of a file's data sets, compared with each other: one table a format, which is its specification, too.
 *
 *     static const sb_h5_row layout[] = {
 *         {"images", SB_H5_BYTES, "n h w"},
 *         {"labels", SB_H5_BYTES, "n", .may_lack = true},
 *         {"test_images", SB_H5_BYTES, "t h w", .may_lack = true},
 *     };
 *     sb_h5_dims dims;
 *     SB_TRY(sb_h5_check_layout(file, layout, 3, &dims));
 *     ... dims.of['h' - 'a'] ...
 *
 * A shape is a list of letters and numbers, outermost dimension first; "1" of rank 1 is one number in a list. A letter
 * stands for the same number wherever it is; the first data set that has it decides.
 */
#pragma once

#include "io/h5/h5.h"

/* The stored types that a data set may have, or-ed. */
enum {
    SB_H5_BYTES = 1 << SB_U8,
    SB_H5_COUNTS = 1 << SB_I64,
    SB_H5_DOUBLES = 1 << SB_F64,
    SB_H5_REALS = 1 << SB_F32 | 1 << SB_F64,
};

typedef struct sb_h5_row {
    const char *name;
    unsigned types;
    const char *shape;
    bool may_lack;
    const char *units, *long_name; /* what the writer says of it in attributes of these names; NULL: nothing */
    const char *scale;             /* the data sets along its dimensions, separated by blanks; NULL: none */
} sb_h5_row;

typedef struct sb_h5_dims {
    size_t of[26]; /* the number that a letter stands for; 0 where no data set has it */
} sb_h5_dims;

/* SB_E_INTEGRITY, with both shapes in the sentence, unless each data set that is there is as its row says, and those
 * that may not lack are there. */
sb_status sb_h5_check_layout(sb_h5 *file, const sb_h5_row *row, size_t n_rows, sb_h5_dims *dims);

/* Write what the rows say of those data sets that are there: units, long name and scales. A scale that is not there is
 * made: 0, 1, 2, ... Its own row is after the rows that it goes along. */
sb_status sb_h5_describe(sb_h5 *file, const sb_h5_row *row, size_t n_rows);
