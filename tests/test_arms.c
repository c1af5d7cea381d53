/* Cells into groups, settings, arms and pairs, whatever the order of their rows. */
#include "support.h"

#include "paper/effects/arms.h"
#include "paper/effects/measures.h"
#include "paper/results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sb_result make(const char *backend, const char *hardware, sb_target target, long seed, double loss)
{
    return (sb_result){.name = "cell",
                       .hash = "0",
                       .study = "prednet",
                       .data = "walk",
                       .backend = backend,
                       .arithmetic = "a",
                       .hardware = hardware,
                       .blas_kernel = "",
                       .weights = "",
                       .target = target,
                       .threads = 1,
                       .seed = seed,
                       .batch = 1,
                       .updates = 10,
                       .loss = {loss, 2 * loss}};
}

static void group_cells(sb_arms *arms, sb_result *cells, size_t n, sb_notes *notes)
{
    sb_results results = {.n_cells = n, .cell = cells};
    *notes = (sb_notes){0};
    assert_int_equal(sb_arms_group(arms, &results), SB_OK);
    assert_int_equal(sb_arms_note_gaps(arms, true, notes), SB_OK);
}

static void arms_are_paired_by_seed(void **state)
{
    (void)state;
    sb_result cells[] = {
        make("openblas", "i5", SB_TARGET_SHARED, 2, 6), make("native", "here", SB_TARGET_SHARED, 1, 3),
        make("native", "here", SB_TARGET_COPY, 3, 5),   make("native", "here", SB_TARGET_COPY, 1, 2),
        make("openblas", "i5", SB_TARGET_COPY, 2, 4),   make("native", "here", SB_TARGET_SHARED, 3, 7.5),
        make("native", "here", SB_TARGET_COPY, 2, 1),
    };
    sb_arms arms;
    sb_notes notes;
    group_cells(&arms, cells, 7, &notes);
    assert_int_equal(arms.n_groups, 1);
    const sb_group *group = arms.group;
    assert_int_equal(group->n_settings, 2);
    assert_int_equal(group->n_pairs, 3);
    assert_string_equal(group->slug, "prednet-walk");
    const sb_configuration *native = &group->setting[0];
    assert_string_equal(native->label, "native");
    assert_int_equal(native->arm[SB_TARGET_COPY].n, 3);
    assert_int_equal(native->arm[SB_TARGET_COPY].cell[2]->seed, 3);
    assert_true(native->arm[SB_TARGET_COPY].summary[SB_METRIC_MEAN].median == 4);
    assert_int_equal(native->n_pairs, 2);
    assert_int_equal(native->pair[1].cell[SB_TARGET_SHARED]->seed, 3);
    assert_true(fabs(native->effect[SB_METRIC_LAST].ratio - 1.5) < 1e-12);
    assert_string_equal(group->setting[1].label, "openblas");
    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.text[0], "prednet on walk, native: 1 of 3 cells with target copy have no partner of the "
                                       "same seed and are missing from the pairs");
    sb_notes_free(&notes);
    sb_arms_free(&arms);
}

/* The same start under other random orders: replicates of the run with the smallest draw. */
static void draws_are_replicates(void **state)
{
    (void)state;
    sb_result cells[] = {make("native", "any", SB_TARGET_COPY, 1, 1), make("native", "any", SB_TARGET_COPY, 1, 2),
                         make("native", "any", SB_TARGET_COPY, 1, 4)};
    for (int i = 0; i < 3; i++) cells[i].evidence = SB_EVIDENCE_IMITATED, cells[i].data_digest = "d";
    cells[0].draw_text = "1", cells[2].draw_text = "2"; /* of the second the table does not say: 0 */
    sb_results results = {.n_cells = 3, .cell = cells};
    sb_arms arms;
    sb_notes notes;
    assert_int_equal(sb_replicates_find(&results), SB_OK);
    group_cells(&arms, cells, 3, &notes);
    assert_int_equal(arms.group[0].n_settings, 1);
    assert_string_equal(arms.group[0].setting[0].label, "native");
    const sb_arm *arm = &arms.group[0].setting[0].arm[SB_TARGET_COPY];
    assert_true(arm->n == 1 && arm->cell[0] == &cells[1]);
    assert_int_equal(sb_result_runs(arm->cell[0]), 3);
    assert_float_equal(sb_result_value(arm->cell[0], SB_METRIC_LAST), log(2), 1e-12); /* of losses 1, 2 and 4 */
    free(results.replicates);
    sb_notes_free(&notes);
    sb_arms_free(&arms);
}

static void labels_say_what_differs_and_no_more(void **state)
{
    (void)state;
    sb_result cells[] = {
        make("openblas", "i7", SB_TARGET_COPY, 1, 1), make("openblas", "i5", SB_TARGET_COPY, 1, 1),
        make("openblas", "i5", SB_TARGET_COPY, 1, 1), make("native", "here", SB_TARGET_COPY, 1, 1),
        make("openblas", "i7", SB_TARGET_COPY, 1, 1),
    };
    cells[2].threads = 4;
    cells[4].evidence = SB_EVIDENCE_EMULATED; /* measured and emulated never share an arm */
    const char *labels[] = {"native", "openblas, i5, 1 thread", "openblas, i5, 4 threads", "openblas, i7, measured",
                            "openblas, i7, emulated"};
    sb_arms arms;
    sb_notes notes;
    group_cells(&arms, cells, 5, &notes);
    assert_int_equal(arms.group[0].n_settings, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(arms.group[0].setting[i].label, labels[i]);
    assert_int_equal(notes.n, 1); /* one sentence for the target that nobody ran, not five */
    assert_string_equal(notes.text[0], "prednet on walk has no run with target shared, so no pair to compare");
    assert_int_equal(sb_arms_note_gaps(&arms, false, &notes), SB_OK);
    assert_int_equal(notes.n, 1); /* no gap of a study that asks something else */
    sb_notes_free(&notes);
    sb_arms_free(&arms);
}

static void settings_of_the_same_runs_are_twins(void **state)
{
    (void)state;
    const char *const hardware[] = {"a", "b", "c", "d"};
    sb_result cells[8];
    for (int i = 0; i < 8; i++) {
        cells[i] = make("openblas", hardware[i / 2], SB_TARGET_COPY, 1 + i % 2, 1 + i % 2);
        cells[i].weights = i % 2 ? "w2" : "w1";
    }
    cells[5].weights = "other"; /* one seed of c */
    cells[6].loss[SB_METRIC_MEAN] += 1e-9;
    sb_arms arms;
    sb_notes notes;
    group_cells(&arms, cells, 8, &notes);
    const sb_configuration *setting = arms.group[0].setting;
    assert_true(!setting[0].twin && setting[1].twin == &setting[0] && !setting[2].twin && !setting[3].twin);
    sb_notes_free(&notes);
    sb_arms_free(&arms);
    for (int i = 0; i < 8; i++) cells[i].weights = ""; /* unknown weights are not the same ones */
    group_cells(&arms, cells, 8, &notes);
    assert_null(arms.group[0].setting[1].twin);
    sb_notes_free(&notes);
    sb_arms_free(&arms);
}

static void groups_have_names_of_their_own(void **state)
{
    (void)state;
    sb_result cells[3];
    for (int i = 0; i < 3; i++) cells[i] = make("native", "here", SB_TARGET_COPY, 1, 1);
    cells[0].study = "autoencoder";
    cells[1].data = "my/clip";
    cells[2].data = "my clip";
    sb_arms arms;
    sb_notes notes;
    group_cells(&arms, cells, 3, &notes);
    assert_int_equal(arms.n_groups, 3);
    assert_string_equal(arms.group[0].slug, "prednet-my-clip");
    assert_string_equal(arms.group[1].slug, "prednet-my-clip-2");
    assert_string_equal(arms.group[2].slug, "autoencoder-walk"); /* prednet first: it is what the study asks about */
    sb_notes_free(&notes);
    sb_arms_free(&arms);
}

/* Studies by name z to a, each of which has one thing more that puts it first; each has two pairs but one. */
static void the_study_most_like_the_published_one_is_first(void **state)
{
    (void)state;
    static const char *const study[] = {"z", "y", "x", "w", "v", "u", "t"};
    enum { STUDIES = 7 };
    sb_result cells[STUDIES * 4];
    size_t n = 0;
    for (int i = 0; i < STUDIES; i++)
        for (int run = 0; run < (i == 4 ? 2 : 4); run++) {
            sb_result *cell = &cells[n++];
            *cell = make("native", "here", run % 2 ? SB_TARGET_SHARED : SB_TARGET_COPY, run / 2 + 1, 1);
            cell->study = study[i];
            cell->model = "prednet";
            cell->hidden_text = "0";
            cell->channels = i == 0 ? "3 48 96 192" : i == 1 ? "3 16" : "3 8";
            cell->updates = i == 2 ? 500 : 250;
            cell->window_text = i == 5 ? "5" : "20"; /* v: fewer pairs; u: another window; t: imitated */
            cell->evidence = i == 6 ? SB_EVIDENCE_IMITATED : SB_EVIDENCE_MEASURED;
        }
    sb_arms arms;
    sb_notes notes;
    sb_ranking ranking;
    group_cells(&arms, cells, n, &notes);
    assert_int_equal(sb_ranking_of(&ranking, &arms), SB_OK);
    assert_int_equal(ranking.n, STUDIES);
    for (int i = 0; i < STUDIES; i++) assert_string_equal(ranking.group[i]->study, study[i]);
    sb_ranking_free(&ranking);
    sb_notes_free(&notes);
    sb_arms_free(&arms);
}

static void a_seed_stands_once_in_an_arm(void **state)
{
    (void)state;
    sb_result cells[] = {make("native", "here", SB_TARGET_COPY, 1, 1), make("native", "here", SB_TARGET_COPY, 1, 2)};
    sb_results results = {.n_cells = 2, .cell = cells};
    sb_arms arms;
    assert_int_equal(sb_arms_group(&arms, &results), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "have the same seed"));
    sb_arms_free(&arms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arms_are_paired_by_seed),
        cmocka_unit_test(draws_are_replicates),
        cmocka_unit_test(labels_say_what_differs_and_no_more),
        cmocka_unit_test(settings_of_the_same_runs_are_twins),
        cmocka_unit_test(groups_have_names_of_their_own),
        cmocka_unit_test(the_study_most_like_the_published_one_is_first),
        cmocka_unit_test(a_seed_stands_once_in_an_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
