/* Files of claims written by a test, and made runs of known truth that they are judged on. Tests run side by side, each
 * with a file of its own:
 *
 *     #define CLAIM_FILE "claims_test.yaml"
 *     #include "claim_trial.h"
 */
#pragma once

#include "support.h"

#include "made_cells.h"
#include "paper/claims/claims.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX = 64 }; /* cells of a test */
static const char path[] = CLAIM_FILE;

/* n seeds of both targets; shared lies `shift` higher, with noise between the two. */
static inline size_t make_study(sb_result *cell, const char *study, const char *backend, int n, double shift,
                                double noise)
{
    for (int i = 0; i < 2 * n; i++) {
        uint32_t stream = 1 + (uint32_t)(i % 2);
        cell[i] = made_cell(i / 2 + 1, made_log_loss(3, stream, i / 2 + 1, noise) + (i % 2 ? shift : 0));
        cell[i].study = study;
        cell[i].backend = backend;
        made_target(&cell[i], i % 2 ? SB_TARGET_SHARED : SB_TARGET_COPY);
        cell[i].weights = i % 2 && (noise > 0 || shift != 0) ? "v" : "w";
    }
    return 2 * (size_t)n;
}

/* Judge one claim of shared over copy within the settings of study `a`, or what `lines` says. The claims are the caller's to free. */
static inline sb_claim_result judge_claim(const char *by, const char *metric, sb_result *cell, size_t n,
                                          const char *relation, const char *lines, sb_claims *claims)
{
    char text[1024];
    sb_results results = {.n_cells = n, .cell = cell};
    sb_arms arms;
    snprintf(text, sizeof text, "claims:\n  - name: x\n    by: %s\n    text: t\n    metric: %s\n    relation: %s\n%s",
             by, metric, relation,
             lines ? lines
                   : "    of: {study: a, target: shared}\n    over: {study: a, target: copy}\n    each: setting\n");
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    assert_int_equal(sb_arms_group(&arms, &results), SB_OK);
    sb_status status = sb_claims_judge(claims, path, &results, &arms, NULL);
    if (status != SB_OK) fail_msg("%s", sb_message());
    sb_claim_result result = claims->result[0];
    sb_arms_free(&arms);
    return result;
}

/* The file of that text is refused with that sentence. */
static inline void expect_refused(const char *text, const char *sentence)
{
    sb_claims claims;
    sb_result cell[MAX];
    sb_results results = {.n_cells = make_study(cell, "a", "native", 2, 0, 0), .cell = cell};
    sb_arms arms;
    assert_int_equal(sb_arms_group(&arms, &results), SB_OK);
    assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
    assert_int_equal(sb_claims_judge(&claims, path, &results, &arms, NULL), SB_E_USAGE);
    if (strcmp(sb_message(), sentence) != 0) fail_msg("got '%s', wanted '%s'", sb_message(), sentence);
    sb_arms_free(&arms);
}

/* The last test leaves the file. */
static inline int remove_file(void **state)
{
    (void)state;
    return unlink(path) == 0 ? 0 : -1;
}
