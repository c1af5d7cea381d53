#include "paper/figures/figures.h"
#include "paper/files/output.h"
#include "paper/page/page.h"

#include <stdio.h>

/* The files of a figure next to the page: its data, its script, the picture. */
static sb_status write_files(sb_writer *page, const char *name, const char *folder, const char *const ending[],
                             const char *const words[])
{
    int n = 0;
    for (int i = 0; ending[i]; i++) {
        char path[SB_PATH_MAX];
        SB_TRY(sb_path_join(path, folder, "%s.%s", name, ending[i]));
        if (!sb_file_exists(path)) continue;
        sb_write(page, n++ ? ", " : " <span class=\"files\">Next to this page: ");
        sb_write(page, "<a href=\"figures/%s.%s\">%s</a>", name, ending[i], words[i]);
    }
    sb_write(page, n ? "</span>" : "");
    return SB_OK;
}

static void begin_caption(sb_writer *page, const sb_group *group, sb_page_count *count)
{
    sb_write(page, "</div>\n<figcaption><b>Figure %s%d.</b> ", count->study, ++count->figure);
    if (!group) return;
    sb_page_group(page, group);
    sb_write(page, ". ");
}

static sb_status write_figure(sb_writer *page, const sb_figure *figure, const char *folder, sb_page_count *count)
{
    static const char *const ending[] = {"csv", "gp", "svg", "pdf", NULL};
    static const char *const words[] = {"data (csv)", "gnuplot script", "SVG", "PDF", NULL};
    char path[SB_PATH_MAX], prefix[SB_FIGURE_NAME + 8], label[256];
    snprintf(label, sizeof label, "%s", figure->kind->label);
    if (figure->group)
        snprintf(label, sizeof label, "%s: %s on %s", figure->kind->label, figure->group->study, figure->group->data);
    sb_write(page, "<figure id=\"%s\">\n<div class=\"card\">\n", figure->name);
    for (int narrow = 0; narrow < 2; narrow++) {
        SB_TRY(sb_path_join(path, folder, "%s%s.svg", figure->name, narrow ? "-narrow" : ""));
        snprintf(prefix, sizeof prefix, "%s-%c-", figure->name, narrow ? 'n' : 'w');
        SB_TRY(sb_page_svg(page, path, prefix, narrow ? "narrow" : "wide", label));
    }
    begin_caption(page, figure->group, count);
    sb_write(page, "%s", figure->caption);
    SB_TRY(write_files(page, figure->name, folder, ending, words));
    sb_write(page, "</figcaption>\n</figure>\n");
    return SB_OK;
}

sb_status sb_page_figures(sb_writer *page, const sb_report *report, sb_figure_section section, const sb_group *group,
                          const char *folder, sb_page_count *count)
{
    for (const sb_figure *figure = report->figures.figure; figure < report->figures.figure + report->figures.n;
         figure++)
        if (figure->group == group && figure->kind->section == section)
            SB_TRY(write_figure(page, figure, folder, count));
    return SB_OK;
}

/* -- frames -- */

static void write_frame_labels(sb_writer *page, const sb_frame_grid *grid)
{
    sb_write(page, "<ol class=\"numbers\" aria-hidden=\"true\">");
    for (size_t i = 0; i < grid->n_columns; i++) sb_write(page, "<li>%lld</li>", (long long)grid->frame[i]);
    sb_write(page, "</ol>\n<ol aria-hidden=\"true\">");
    for (size_t i = 0; i < grid->n_rows; i++) sb_write(page, "<li>%s</li>", grid->label[i]);
    sb_write(page, "</ol>\n");
}

static void write_frames_caption(sb_writer *page, const sb_frame_grid *grid)
{
    sb_write(page,
             "The last pictures of training (%zu x %zu pixels, magnified %d times without smoothing; numbers of the "
             "data set above), and the output of the network of each condition: PredNet predicts a frame from the "
             "frames before it, the autoencoder reproduces an image; seed %ld",
             grid->frame_w, grid->frame_h, grid->scale, grid->n_rows > 1 ? grid->seed[1] : 0);
    for (size_t i = 2; i < grid->n_rows; i++)
        if (grid->seed[i] != grid->seed[1]) sb_write(page, ", in row %zu seed %ld", i, grid->seed[i]);
    sb_write(page, ".");
    sb_grid_write_differences(page, grid);
}

sb_status sb_page_frames(sb_writer *page, const sb_report *report, const sb_group *group, const char *folder,
                         sb_page_count *count)
{
    static const char *const ending[] = {"png", NULL}, *const words[] = {"PNG", NULL};
    const sb_frame_grid *grid = &report->grid[group - report->arms.group];
    char name[SB_FIGURE_NAME], path[SB_PATH_MAX];
    if (grid->n_rows == 0) return SB_OK;
    sb_report_grid_name(group, name, sizeof name);
    SB_TRY(sb_path_join(path, folder, "%s.png", name));
    sb_write(page,
             "<figure id=\"%s\">\n<div class=\"card\" tabindex=\"0\" role=\"region\" aria-label=\"Predicted "
             "frames\"><div class=\"frames\" style=\"--w:%zupx\">\n",
             name, grid->n_columns * (grid->frame_w * (size_t)grid->scale + SB_GRID_GAP) - SB_GRID_GAP);
    write_frame_labels(page, grid);
    sb_write(page, "<img alt=\"True pictures above, pictures of each condition below\" src=\"");
    SB_TRY(sb_page_data(page, path, "image/png"));
    sb_write(page, "\"/></div>");
    begin_caption(page, group, count);
    write_frames_caption(page, grid);
    SB_TRY(write_files(page, name, folder, ending, words));
    sb_write(page, "</figcaption>\n</figure>\n");
    return SB_OK;
}
