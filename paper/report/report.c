#include "paper/report/report.h"

#include "io/columns.h"
#include "paper/claims/question.h"
#include "paper/files/output.h"
#include "paper/results/recipe.h"

#include <stdio.h>
#include <stdlib.h>

static sb_status read_published(sb_report *report, const sb_report_sources *sources)
{
    char beside[SB_PATH_MAX];
    const char *folder = sources->published;
    if (!folder) {
        SB_TRY(sb_path_join(beside, sources->folder, "../published"));
        if (!sb_file_exists(beside)) return SB_OK;
        folder = beside;
    }
    if (!*folder) return SB_OK;
    SB_TRY(sb_published_read(&report->published, folder));
    return sb_published_add(&report->numbers, &report->published);
}

static sb_status judge_file(sb_report *report, const char *path)
{
    SB_TRY(sb_claims_judge(&report->claims, path, &report->results, &report->arms, &report->condition));
    return sb_claims_add(&report->numbers, &report->claims);
}

/* Those that the results carry were well formed when they were collected: if they are not, it is the results that make
 * no sense. */
static sb_status judge_claims(sb_report *report, const sb_report_sources *sources)
{
    char own[SB_PATH_MAX];
    if (sources->claims) return judge_file(report, sources->claims);
    SB_TRY(sb_path_join(own, report->folder, "%s", SB_COLLECTED_CLAIMS));
    if (!sb_file_exists(own)) return sources->usual ? judge_file(report, sources->usual) : SB_OK;
    const sb_status status = judge_file(report, own);
    return status == SB_E_USAGE ? sb_fail(SB_E_INTEGRITY, "%s", sb_message()) : status;
}

static sb_status read_condition(sb_report *report, const sb_report_sources *sources)
{
    sb_condition *condition = &report->condition;
    SB_TRY(sb_condition_read(condition, report->folder, report->results.n_cells, &report->results));
    SB_TRY(sb_condition_accept(condition, report->folder, sources->allowed));
    snprintf(report->numbers.stamp, sizeof report->numbers.stamp, "%s", condition->stamp);
    if (condition->n_retimed)
        SB_TRY(sb_notes_add(&report->notes,
                            "%zu cell%s trained again since this was collected, with the same bits, the first of them "
                            "%s: timing.csv has the times of before",
                            condition->n_retimed, condition->n_retimed == 1 ? " was" : "s were",
                            condition->retimed->name));
    if (condition->n_selected < condition->n_cells)
        SB_TRY(sb_notes_add(&report->notes, "%ld of %ld cells of %s were not asked for",
                            condition->n_cells - condition->n_selected, condition->n_cells,
                            condition->matrix ? condition->matrix : "the matrix"));
    if (condition->n_hardware == 0) return SB_OK;
    return sb_notes_add(&report->notes, "%zu of %ld cells lacked their hardware where this was collected",
                        condition->n_hardware, condition->n_selected);
}

static sb_status ask_hardware(sb_report *report)
{
    SB_TRY(sb_ranking_of(&report->ranking, &report->arms));
    SB_TRY(sb_claims_ask_hardware(&report->hardware, &report->results, &report->arms));
    return sb_claims_add_hardware(&report->numbers, &report->hardware);
}

sb_status sb_report_open(sb_report *report, const sb_report_sources *sources)
{
    *report = (sb_report){0};
    SB_TRY(sb_exchange_open(&report->exchange, sources->folder));
    snprintf(report->folder, sizeof report->folder, "%s", report->exchange.folder);
    SB_TRY(sb_results_read(&report->results, report->folder, sources->runs));
    SB_TRY(read_condition(report, sources));
    SB_TRY(sb_curves_of_distances(&report->distances, report->folder, &report->results));
    SB_TRY(sb_curves_of_generations(&report->generations, report->folder, &report->results));
    SB_TRY(sb_families_read(&report->families, report->folder, &report->results));
    SB_TRY(sb_trust_ratios_read(&report->trust, report->folder, &report->results));
    SB_TRY(sb_turns_find(&report->turns, &report->families));
    SB_TRY(sb_arms_group(&report->arms, &report->results));
    SB_TRY(sb_measures_add(&report->numbers, &report->arms));
    SB_TRY(sb_against_baselines_add(&report->numbers, &report->arms, &report->results.baselines));
    SB_TRY(sb_batches_measure(&report->batches, &report->arms));
    SB_TRY(sb_batches_add(&report->numbers, &report->batches));
    SB_TRY(sb_spreads_measure(&report->spreads, &report->results));
    SB_TRY(sb_spreads_add(&report->numbers, &report->spreads));
    SB_TRY(read_published(report, sources));
    SB_TRY(ask_hardware(report));
    SB_TRY(judge_claims(report, sources));
    const sb_question question = sb_question_of(&report->claims, &report->hardware, &report->arms);
    SB_TRY(sb_arms_note_divergence(&report->arms, &report->notes));
    return sb_arms_note_gaps(&report->arms, question.kind != SB_QUESTION_CLAIMS, &report->notes);
}

void sb_report_close(sb_report *report)
{
    for (size_t i = 0; report->grid && i < report->arms.n_groups; i++) sb_grid_free(&report->grid[i]);
    free(report->grid);
    sb_figures_free(&report->figures);
    sb_machine_facts_free(&report->facts);
    sb_numbers_free(&report->numbers);
    sb_claims_free(&report->claims);
    sb_claims_free(&report->hardware);
    sb_ranking_free(&report->ranking);
    sb_published_free(&report->published);
    sb_curves_free(&report->generations);
    sb_turns_free(&report->turns);
    sb_trust_ratios_free(&report->trust);
    sb_batches_free(&report->batches);
    sb_families_free(&report->families);
    sb_curves_free(&report->distances);
    sb_spreads_free(&report->spreads);
    sb_arms_free(&report->arms);
    sb_condition_free(&report->condition);
    sb_results_free(&report->results);
    sb_notes_free(&report->notes);
    sb_exchange_close(&report->exchange);
    *report = (sb_report){0};
}

sb_status sb_report_read_facts(sb_report *report)
{
    if (report->has_facts) return SB_OK;
    report->has_facts = true;
    return sb_run_facts(&report->facts, &report->results, report->folder, &report->notes);
}

void sb_report_grid_name(const sb_group *group, char *name, size_t size)
{
    snprintf(name, size, "grid-%s", group->slug);
}

/* Is any run file next to the results? */
static sb_status has_runs(const sb_report *report, bool *there)
{
    *there = false;
    for (size_t i = 0; i < report->results.n_cells && !*there; i++) {
        char path[SB_PATH_MAX];
        SB_TRY(sb_run_find(&report->results, &report->results.cell[i], path, there));
    }
    return SB_OK;
}

static sb_status draw_grids(sb_report *report, const char *folder)
{
    bool there;
    report->grid = calloc(report->arms.n_groups, sizeof *report->grid);
    if (!report->grid) return sb_fail(SB_E_MEMORY, "not enough memory for the grids of frames");
    SB_TRY(has_runs(report, &there));
    if (!there)
        return sb_notes_add(&report->notes,
                            "no pictures of predicted frames: they need the run files, and %zu of %zu are not here",
                            report->results.n_cells, report->results.n_cells);
    for (size_t i = 0; i < report->arms.n_groups; i++) {
        const sb_group *group = &report->arms.group[i];
        char name[SB_FIGURE_NAME];
        if (sb_recipe_classifies(group->setting[0].cell)) continue; /* its outputs are no pictures */
        sb_report_grid_name(group, name, sizeof name);
        SB_TRY(sb_grid_draw(&report->grid[i], group, &report->results, folder, name, &report->notes));
    }
    return SB_OK;
}

sb_status sb_report_draw(sb_report *report, const char *folder)
{
    if (report->figures.n) return SB_OK; /* the page's, of which the paper has the same */
    SB_TRY(sb_folder_make(folder));
    const sb_question hardware = sb_question_of_hardware(&report->claims, &report->hardware);
    const sb_question question = sb_question_of(&report->claims, &report->hardware, &report->arms);
    const sb_figure_subject subject = {.hardware = &hardware,
                                       .question = &question,
                                       .arms = &report->arms,
                                       .spreads = &report->spreads,
                                       .published = &report->published,
                                       .distances = &report->distances,
                                       .generations = &report->generations,
                                       .families = &report->families,
                                       .turns = &report->turns,
                                       .trust = &report->trust,
                                       .batches = &report->batches,
                                       .baselines = &report->results.baselines,
                                       .folder = report->folder};
    SB_TRY(sb_figures_draw(&report->figures, &subject, folder));
    return draw_grids(report, folder);
}
