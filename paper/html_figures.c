#include "paper/figures.h"
#include "paper/html_parts.h"
#include "paper/path.h"

static void begin_caption(sb_writer *page, const sb_group *group, sb_html_count *count)
{
    sb_write(page, "</div>\n<figcaption><b>Figure %d.</b> ", ++count->figure);
    if (!group) return;
    sb_html_group(page, group);
    sb_write(page, ". ");
}

static sb_status write_figure(sb_writer *page, const sb_figure *figure, const char *folder, sb_html_count *count)
{
    char path[SB_PATH_MAX], prefix[SB_FIGURE_NAME + 8], label[256];
    snprintf(label, sizeof label, "%s", figure->label);
    if (figure->group)
        snprintf(label, sizeof label, "%s: %s on %s", figure->label, figure->group->study, figure->group->data);
    sb_write(page, "<figure id=\"%s\">\n<div class=\"card\">\n", figure->name);
    for (int narrow = 0; narrow < 2; narrow++) {
        SB_TRY(sb_path_join(path, folder, "%s%s.svg", figure->name, narrow ? "-narrow" : ""));
        snprintf(prefix, sizeof prefix, "%s-%c-", figure->name, narrow ? 'n' : 'w');
        SB_TRY(sb_html_svg(page, path, prefix, narrow ? "narrow" : "wide", label));
    }
    begin_caption(page, figure->group, count);
    sb_write(page, "%s</figcaption>\n</figure>\n", figure->caption);
    return SB_OK;
}

static void write_frame_labels(sb_writer *page, const sb_grid *grid)
{
    sb_write(page, "<ol class=\"numbers\" aria-hidden=\"true\">");
    for (size_t i = 0; i < grid->n_columns; i++) sb_write(page, "<li>%lld</li>", (long long)grid->frame[i]);
    sb_write(page, "</ol>\n<ol aria-hidden=\"true\">");
    for (size_t i = 0; i < grid->n_rows; i++) sb_write(page, "<li>%s</li>", grid->label[i]);
    sb_write(page, "</ol>\n");
}

static sb_status write_grid(sb_writer *page, const sb_group *group, const sb_grid *grid, const char *folder,
                            sb_html_count *count)
{
    char name[SB_FIGURE_NAME], path[SB_PATH_MAX];
    sb_report_grid_name(group, name, sizeof name);
    SB_TRY(sb_path_join(path, folder, "%s.png", name));
    sb_write(page, "<figure id=\"%s\">\n<div class=\"card\"><div class=\"frames\" style=\"--w:%zupx\">\n", name,
             grid->n_columns * (grid->frame_w * (size_t)grid->scale + SB_GRID_GAP) - SB_GRID_GAP);
    write_frame_labels(page, grid);
    sb_write(page, "<img alt=\"True pictures above, those of each arm below\" src=\"");
    SB_TRY(sb_html_data(page, path, "image/png"));
    sb_write(page, "\"/></div>");
    begin_caption(page, group, count);
    sb_write(
        page,
        "The last pictures of training (%zu x %zu pixels, magnified %d times without smoothing; numbers of the data "
        "set above), and what the network of each arm gave for them: PredNet predicts a frame from those before it, "
        "the autoencoder reproduces an image; seed %ld",
        grid->frame_w, grid->frame_h, grid->scale, grid->n_rows > 1 ? grid->seed[1] : 0);
    for (size_t i = 2; i < grid->n_rows; i++)
        if (grid->seed[i] != grid->seed[1]) sb_write(page, ", in row %zu seed %ld", i, grid->seed[i]);
    sb_write(page, ".</figcaption>\n</figure>\n");
    return SB_OK;
}

sb_status sb_html_figures(sb_writer *page, const sb_report *report, const sb_group *group, const char *folder,
                          sb_html_count *count)
{
    const sb_figures *figures = &report->figures;
    for (size_t i = 0; i < figures->n; i++)
        if (figures->figure[i].group == group) SB_TRY(write_figure(page, &figures->figure[i], folder, count));
    if (!group) return SB_OK;
    const sb_grid *grid = &report->grid[group - report->arms.group];
    return grid->n_rows ? write_grid(page, group, grid, folder, count) : SB_OK;
}
