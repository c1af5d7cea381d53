#include "paper/report.h"

#include "paper/measures.h"
#include "paper/path.h"

#include <stdio.h>
#include <stdlib.h>

static sb_status read_published(sb_report *report, const char *folder, const char *published)
{
    char beside[SB_PATH_MAX];
    if (!published) {
        SB_TRY(sb_path_join(beside, folder, "../published"));
        if (!sb_file_exists(beside)) return SB_OK;
        published = beside;
    }
    SB_TRY(sb_published_read(&report->published, published));
    return sb_published_add(&report->numbers, &report->published);
}

sb_status sb_report_open(sb_report *report, const char *folder, const char *run_folder, const char *published)
{
    *report = (sb_report){0};
    snprintf(report->folder, sizeof report->folder, "%s", folder);
    sb_status status = sb_results_read(&report->results, folder, run_folder);
    if (status == SB_OK) status = sb_arms_group(&report->arms, &report->results, &report->notes);
    if (status == SB_OK) status = sb_measures_add(&report->numbers, &report->arms);
    if (status == SB_OK) status = sb_spreads_measure(&report->spreads, &report->results);
    if (status == SB_OK) status = sb_spreads_add(&report->numbers, &report->spreads);
    if (status == SB_OK) status = read_published(report, folder, published);
    if (status != SB_OK) sb_report_close(report);
    return status;
}

void sb_report_close(sb_report *report)
{
    for (size_t i = 0; report->grid && i < report->arms.n_groups; i++) sb_grid_free(&report->grid[i]);
    free(report->grid);
    sb_figures_free(&report->figures);
    sb_facts_free(&report->facts);
    sb_numbers_free(&report->numbers);
    sb_published_free(&report->published);
    sb_spreads_free(&report->spreads);
    sb_arms_free(&report->arms);
    sb_results_free(&report->results);
    sb_notes_free(&report->notes);
    *report = (sb_report){0};
}

void sb_report_grid_name(const sb_group *group, char *name, size_t size)
{
    snprintf(name, size, "grid-%s", group->slug);
}

sb_status sb_report_draw(sb_report *report, const char *folder)
{
    SB_TRY(sb_folder_make(folder));
    const sb_subject subject = {
        .arms = &report->arms, .spreads = &report->spreads, .published = &report->published, .folder = report->folder};
    SB_TRY(sb_figures_draw(&report->figures, &subject, folder));
    report->grid = calloc(report->arms.n_groups, sizeof *report->grid);
    if (!report->grid) return sb_fail(SB_E_MEMORY, "not enough memory for the grids of frames");
    for (size_t i = 0; i < report->arms.n_groups; i++) {
        const sb_group *group = &report->arms.group[i];
        char name[SB_FIGURE_NAME];
        sb_report_grid_name(group, name, sizeof name);
        SB_TRY(sb_grid_draw(&report->grid[i], group, &report->results, folder, name, &report->notes));
    }
    return SB_OK;
}
