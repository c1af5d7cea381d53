/* Blocks of numbers held against others. `where` says what was computed: operation, backend, shape, fill, seed. A
 * failure adds the index and both values in %a. */
#pragma once

#include "support.h"

#include "ops/real.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The same numbers; a zero's sign and a NaN's bits do not count. */
static inline void expect_equal(const char *where, size_t n, const sb_real *got, const sb_real *wanted)
{
    for (size_t i = 0; i < n; i++)
        if (!(got[i] == wanted[i] || (isnan(got[i]) && isnan(wanted[i]))))
            fail_msg("%s: element %zu is %a, wanted %a", where, i, (double)got[i], (double)wanted[i]);
}

/* The same bits; of a NaN only that it is one. */
static inline void expect_same_bits(const char *where, size_t n, const sb_real *got, const sb_real *wanted)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&got[i], &wanted[i], sizeof *got) != 0 && !(isnan(got[i]) && isnan(wanted[i])))
            fail_msg("%s: element %zu is %a, its twin's %a", where, i, (double)got[i], (double)wanted[i]);
}

/* Not further than bound[i] from wanted. */
static inline void expect_within(const char *where, size_t n, const sb_real *got, const sb_real *wanted,
                                 const double *bound)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - (double)wanted[i]) <= bound[i]))
            fail_msg("%s: element %zu is %a, wanted %a, %g apart where %g are allowed", where, i, (double)got[i],
                     (double)wanted[i], fabs((double)got[i] - (double)wanted[i]), bound[i]);
}
