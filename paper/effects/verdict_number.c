#include "paper/effects/verdict_number.h"

#include "paper/statistics/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_verdict_number_add(sb_numbers *numbers, const char label[SB_NUMBER_LABEL], const sb_verdict *verdict,
                                sb_sample of, sb_sample over, sb_metric metric, const char *what)
{
    char formula[400];
    const sb_verdict *v = verdict;
    const size_t n_cells = of.n + over.n;
    const sb_result **cell = malloc(n_cells * sizeof *cell);
    if (!cell) return sb_fail(SB_E_MEMORY, "not enough memory for the number %s", label);
    memcpy(cell, of.cell, of.n * sizeof *cell);
    memcpy(cell + of.n, over.cell, over.n * sizeof *cell);
    snprintf(formula, sizeof formula,
             "%s of %s%s; 95 %% interval of its logarithm: " SB_STATS_INTERVAL_WORDS "; p of %s, two-sided",
             v->paired ? "geometric mean over seeds of the ratio" : "ratio of the geometric means",
             sb_metric_column[metric], what, v->test);
    sb_number number = {.value = v->ratio,
                        .low = v->low,
                        .high = v->high,
                        .p = v->p,
                        .n = v->n,
                        .unit = "ratio",
                        .formula = formula,
                        .evidence = sb_evidence_of(cell, n_cells),
                        .n_cells = n_cells,
                        .cell = cell};
    sb_verdict_ratio_text(v, number.text);
    memcpy(number.label, label, sizeof number.label);
    sb_status status = sb_numbers_add(numbers, &number);
    free(cell);
    return status;
}
