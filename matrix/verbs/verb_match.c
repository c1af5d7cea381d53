#include "matrix/verbs/verbs.h"

#include "matrix/collect/match.h"
#include "matrix/verbs/matrix_session.h"

#include "core/text/plural.h"

#include <stdio.h>

typedef struct match_options {
    sb_matrix_session_options work; /* first: sb_matrix_session_open reads it */
    const char *reference;
} match_options;

static const sb_option options[] = {
    SB_SESSION_FILE,
    SB_SESSION_FILTER,
    SB_SESSION_RESULTS,
    SB_SESSION_DATA,
    SB_OPTION_NEEDED(match_options, reference, "--reference", 0, "DIR",
                     "reference results, such as results/demo-reference"),
    SB_OPTION_END,
};

/* "24 of 24 cells have the reference's bits", and what stands behind the others. */
static sb_status conclude(const sb_matched *m)
{
    const size_t compared = m->n_same + m->n_different;
    if (compared == 0)
        return sb_fail(SB_E_EMPTY, "no cell to compare: %zu not run here, %zu not in the reference", m->n_not_run,
                       m->n_unknown);
    printf("%zu of %zu cell%s ha%s the reference's bits", m->n_same, compared, sb_plural(compared),
           m->n_same == 1 ? "s" : "ve");
    if (m->n_not_run) printf("; %zu not run here", m->n_not_run);
    if (m->n_unknown) printf("; %zu not in the reference", m->n_unknown);
    printf("\n");
    if (m->n_different)
        return sb_fail(SB_E_DIFFERS, "%zu cell%s of %zu ha%s other bits than the reference", m->n_different,
                       sb_plural(m->n_different), compared, m->n_different == 1 ? "s" : "ve");
    if (m->n_not_run) return sb_fail(SB_E_PARTIAL, "%zu cells could not be compared: not run here", m->n_not_run);
    return SB_OK;
}

static sb_status match(const sb_call *call)
{
    const match_options *o = call->values;
    sb_matrix_session w = {0};
    sb_matched matched;
    sb_status status = sb_matrix_session_open(&w, call);
    if (status == SB_OK)
        status = sb_match(&matched, &w.selection, w.options.results, o->reference, w.options.data, stdout);
    if (status == SB_OK) status = conclude(&matched);
    return sb_matrix_session_close(&w, status);
}

const sb_command sb_verb_match = {
    .program = "samebits-matrix",
    .verb = "match",
    .summary = "have the runs here the bits of reference results? Where not: the first operation that differs",
    .options = options,
    .values_bytes = sizeof(match_options),
    .epilogue =
        "FILTER: see 'samebits-matrix list --help'. Cells are matched by the hash of their factors. Exit code: 0 all "
        "the\nsame bits, 1 some differ, 3 some did not run here, 5 none in common.\n"
        "example: samebits-matrix match -f matrix/demo.yaml --reference results/demo-reference\n",
    .run = match,
};
