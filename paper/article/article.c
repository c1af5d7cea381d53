#include "paper/article/article.h"

#include "paper/article/article_parts.h"
#include "paper/files/latex.h"
#include "paper/files/output.h"
#include "paper/files/path.h"

#include <stdlib.h>

/* \sb@figure@NAME holds the figure's caption. */
static void write_caption(sb_writer *tex, const sb_figure *figure)
{
    sb_write(tex, "\\@namedef{sb@figure@%s}{%s}\n", figure->name, figure->caption);
}

/* A grid of frames is a figure too. */
static void write_grid_caption(sb_writer *tex, const sb_group *group, const sb_frame_grid *grid)
{
    char name[SB_FIGURE_NAME];
    if (grid->n_rows == 0) return;
    sb_report_grid_name(group, name, sizeof name);
    sb_write(tex,
             "\\@namedef{sb@figure@%s}{Frames %lld to %lld of the data and what the networks gave for them, seed %ld. "
             "Rows from above: ",
             name, (long long)grid->frame[0], (long long)grid->frame[grid->n_columns - 1],
             grid->n_rows > 1 ? grid->seed[1] : 0);
    for (size_t row = 0; row < grid->n_rows; row++) sb_write(tex, row ? "; %s" : "%s", grid->label[row]);
    sb_write(tex, ".");
    sb_grid_write_differences(tex, grid);
    sb_write(tex, "}\n");
}

static void write_captions(sb_writer *tex, const sb_report *report)
{
    sb_write(
        tex,
        "%% The captions of the figures; written by samebits-report, see paper/article/article.h.\n\\makeatletter\n");
    for (size_t i = 0; i < report->figures.n; i++) write_caption(tex, &report->figures.figure[i]);
    for (size_t i = 0; i < report->arms.n_groups; i++)
        write_grid_caption(tex, &report->arms.group[i], &report->grid[i]);
    sb_write(tex, "\\makeatother\n");
}

static sb_status write_part(const sb_report *report, const char *folder, const char *name,
                            void (*write)(sb_writer *tex, const sb_report *report))
{
    sb_output output;
    SB_TRY(sb_output_begin(&output, folder, name, &sb_latex));
    write(output.out, report);
    return sb_output_end(&output, SB_OK);
}

static sb_status write_front(const sb_report *report, const char *folder)
{
    sb_output output;
    SB_TRY(sb_output_begin(&output, folder, "front.tex", &sb_latex));
    return sb_output_end(&output, sb_article_front(output.out, report));
}

static sb_status copy_text(const char *text, const char *folder)
{
    char path[SB_PATH_MAX], *content;
    size_t n_bytes;
    if (!sb_file_exists(text)) return sb_fail(SB_E_USAGE, "%s: no such file; --text names the paper's text", text);
    SB_TRY(sb_path_join(path, folder, "paper.tex"));
    SB_TRY(sb_file_read(text, &content, &n_bytes));
    sb_status status = sb_file_write(path, content, n_bytes);
    free(content);
    return status;
}

sb_status sb_article_write(sb_report *report, const char *text, const char *folder)
{
    char figures[SB_PATH_MAX];
    SB_TRY(sb_path_join(figures, folder, "figures"));
    SB_TRY(sb_folder_make(figures));
    SB_TRY(copy_text(text, folder));
    SB_TRY(sb_report_draw(report, figures));
    for (size_t i = 0; i < report->figures.n; i++) SB_TRY(sb_latex_picture(figures, report->figures.figure[i].name));
    SB_TRY(sb_numbers_write(&report->numbers, folder));
    SB_TRY(write_part(report, folder, "figures.tex", write_captions));
    SB_TRY(write_part(report, folder, "tables.tex", sb_article_tables));
    SB_TRY(sb_report_read_facts(report));
    SB_TRY(write_front(report, folder));
    SB_TRY(write_part(report, folder, "supplement.tex", sb_article_supplement));
    return sb_latex_build(folder, "paper");
}
