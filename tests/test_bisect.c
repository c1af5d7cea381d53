/* What bisect says of the trials of single settings, for every way in which they can come out. */
#include "support.h"

#include "inspect/bisect/bisect_parts.h"

#include <stdlib.h>
#include <string.h>

#define A SB_BITS_OF_A
#define B SB_BITS_OF_B
#define N SB_BITS_OF_NEITHER

static const struct {
    int n;
    sb_bisect_trial trial[3]; /* setting, A with B's, B with A's */
    const char *said;
} cases[] = {
    {2, {{"backend", B, A}, {"seed", A, B}}, "backend alone makes the difference in this update\n"},
    {2,
     {{"backend", N, A}, {"threads", A, N}}, /* native against openblas, whose bits depend on its threads */
     "backend alone makes the difference in this update: B with A's backend has the bits of A\n"
     "the other way, A with B's backend has the bits of neither; other settings that change bits: threads\n"},
    {2,
     {{"threads", N, B}, {"backend", B, N}},
     "backend alone makes the difference in this update: A with B's backend has the bits of B\n"
     "the other way, B with A's backend has the bits of neither; other settings that change bits: threads\n"},
    {2,
     {{"lr", A, B}, {"target", B, B}},
     "target alone makes the difference in this update: A with B's target has the bits of B\n"
     "the other way, B with A's target keeps its bits\n"},
    {3,
     {{"backend", N, N}, {"target", N, N}, {"ulp", A, B}},
     "no setting makes the difference alone; those that change bits: backend, target\n"},
    {2, {{"seed", A, N}, {"lr", A, B}}, "no setting makes the difference alone; those that change bits: seed\n"},
    {2, {{"seed", A, B}, {"lr", A, B}}, "no setting changes a bit alone: they make the difference together\n"},
};

static void every_outcome_has_its_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        size_t n_bytes;
        FILE *out = open_memstream(&text, &n_bytes);
        assert_non_null(out);
        sb_bisect_conclude(cases[i].trial, cases[i].n, out);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(text, cases[i].said);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_outcome_has_its_sentence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
