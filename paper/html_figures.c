#include "paper/figures.h"
#include "paper/html_parts.h"
#include "paper/path.h"

#include <string.h>

/* What a reader must know to believe an interval or a p of few seeds. */
static void write_power(FILE *page, size_t n_pairs)
{
    if (n_pairs > SB_STATS_EXACT_PAIRS) return;
    fprintf(page, " The smallest p that %zu pair%s can give is %.3g.", n_pairs, n_pairs == 1 ? "" : "s",
            sb_stats_smallest_p(n_pairs));
}

static size_t most_pairs(const sb_group *group)
{
    size_t most = 0;
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].n_pairs > most) most = group->setting[i].n_pairs;
    return most;
}

static void caption_effect(FILE *page, const sb_group *group)
{
    fputs(
        "Loss with the shared target buffer over loss with the copied one, runs paired by their start weights; above 1 "
        "the shared buffer ends worse. Triangles: one pair of seeds each. Diamonds: geometric mean with its 95 % "
        "bootstrap interval. Logarithmic axis.",
        page);
    if (group->n_settings > SB_HTML_NAMED)
        for (int m = 0; m < SB_N_METRICS; m++) {
            fprintf(page, "%s %s ", m ? ";" : "", sb_metric_title[m]);
            sb_html_ratio_range(page, group, (sb_metric)m);
        }
    for (size_t i = 0; i < group->n_settings && group->n_settings <= SB_HTML_NAMED; i++) {
        const sb_setting *setting = &group->setting[i];
        if (setting->n_pairs == 0) continue;
        fputc(' ', page);
        sb_html_text(page, setting->label);
        for (int m = 0; m < SB_N_METRICS; m++) {
            fprintf(page, "%s%s ", m ? ", " : ": ", sb_metric_title[m]);
            sb_html_ratio(page, &setting->effect[m]);
            fprintf(page, " (p = %.3g)", setting->effect[m].p);
        }
        fprintf(page, ", %zu pair%s.", setting->n_pairs, setting->n_pairs == 1 ? "" : "s");
    }
    if (group->n_settings > SB_HTML_NAMED) fputs(". Every number stands in the table of pairs.", page);
    write_power(page, most_pairs(group));
}

static void caption_final(FILE *page, const sb_group *group)
{
    fputs("Final loss of every run (mean over the last fifth of its updates), one mark for each seed; circles: target "
          "copied, "
          "squares: target shared, filled: measured, open: emulated. Thin lines join runs of the same start weights. "
          "Diamonds: mean of the arm with its 95 % bootstrap interval. Logarithmic axis. ",
          page);
    if (group->n_settings > SB_HTML_NAMED) {
        fputs("Every number stands in the table of arms.", page);
        return;
    }
    fputs("Mean last-frame loss:", page);
    const char *separator = " ";
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &group->setting[i].arm[t];
            if (arm->n == 0) continue;
            fputs(separator, page);
            separator = "; ";
            sb_html_text(page, group->setting[i].label);
            fprintf(page, ", %s %.4g (n = %zu)", sb_target_name[t], arm->summary[SB_METRIC_LAST].mean, arm->n);
        }
    fputc('.', page);
}

static void caption_curves(FILE *page, const sb_group *group)
{
    size_t longest = 0, most = 0;
    double block = 1, last_update = 1;
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &group->setting[i].arm[t];
            if (arm->n > most) most = arm->n;
            if (arm->n == 0 || arm->cell[0]->n_curve <= longest) continue;
            longest = arm->cell[0]->n_curve;
            last_update = arm->cell[0]->update[longest - 1];
            /* collect joins the updates of long curves into blocks. */
            if (longest > 1) block = arm->cell[0]->update[1] - arm->cell[0]->update[0];
        }
    size_t stride = (longest + SB_FIGURE_CURVE_POINTS - 1) / SB_FIGURE_CURVE_POINTS;
    fprintf(page,
            "Loss over training, %.0f updates: median of the seeds (up to %zu in an arm) as a line, their range as a "
            "band; solid: target copied, dashed: target shared. ",
            last_update, most);
    if (block * (double)stride > 1) fprintf(page, "Each point is the mean over %.0f updates. ", block * (double)stride);
    fputs("Last-frame loss: of the last frame of each window, what the publication logged; window-mean loss: over all "
          "frames of it. Logarithmic axis, the same for all panels.",
          page);
}

static const struct {
    const char *label;
    void (*caption)(FILE *page, const sb_group *group);
} captions[SB_N_FIGURES] = {
    [SB_FIGURE_EFFECT] = {"Ratio of losses, shared over copied target, for each pair of seeds", caption_effect},
    [SB_FIGURE_FINAL] = {"Final loss of every run by setting and target", caption_final},
    [SB_FIGURE_CURVES] = {"Loss over updates by setting and target", caption_curves},
};

static void begin_caption(FILE *page, const sb_group *group, sb_html_count *count)
{
    fprintf(page, "</div>\n<figcaption><b>Figure %d.</b>", ++count->figure);
    sb_html_group(page, group);
    fputs(". ", page);
}

static sb_status write_figure(FILE *page, const sb_group *group, sb_figure_kind kind, const char *folder,
                              sb_html_count *count)
{
    char name[SB_FIGURE_NAME], path[SB_PATH_MAX], prefix[SB_FIGURE_NAME + 8], label[256];
    sb_figure_name(kind, group, name);
    snprintf(label, sizeof label, "%s: %s on %s", captions[kind].label, group->study, group->data);
    fprintf(page, "<figure id=\"%s\">\n<div class=\"card\">\n", name);
    for (int narrow = 0; narrow < 2; narrow++) {
        SB_TRY(sb_path_join(path, folder, "%s%s.svg", name, narrow ? "-narrow" : ""));
        snprintf(prefix, sizeof prefix, "%s-%c-", name, narrow ? 'n' : 'w');
        SB_TRY(sb_html_svg(page, path, prefix, narrow ? "narrow" : "wide", label));
    }
    begin_caption(page, group, count);
    captions[kind].caption(page, group);
    fputs("</figcaption>\n</figure>\n", page);
    return SB_OK;
}

static void write_frame_labels(FILE *page, const sb_grid *grid)
{
    fputs("<ol class=\"numbers\" aria-hidden=\"true\">", page);
    for (size_t i = 0; i < grid->n_columns; i++) fprintf(page, "<li>%lld</li>", (long long)grid->frame[i]);
    fputs("</ol>\n<ol aria-hidden=\"true\">", page);
    for (size_t i = 0; i < grid->n_rows; i++) {
        fputs("<li>", page);
        sb_html_text(page, grid->label[i]);
        fputs("</li>", page);
    }
    fputs("</ol>\n", page);
}

static sb_status write_grid(FILE *page, const sb_group *group, const sb_grid *grid, const char *folder,
                            sb_html_count *count)
{
    char name[SB_FIGURE_NAME], path[SB_PATH_MAX];
    sb_report_grid_name(group, name, sizeof name);
    SB_TRY(sb_path_join(path, folder, "%s.png", name));
    fprintf(page, "<figure id=\"%s\">\n<div class=\"card\"><div class=\"frames\" style=\"--w:%zupx\">\n", name,
            grid->n_columns * (grid->frame_w * (size_t)grid->scale + SB_GRID_GAP) - SB_GRID_GAP);
    write_frame_labels(page, grid);
    fputs("<img alt=\"True pictures above, those of each arm below\" src=\"", page);
    SB_TRY(sb_html_data(page, path, "image/png"));
    fputs("\"></div>", page);
    begin_caption(page, group, count);
    fprintf(
        page,
        "The last pictures of training (%zu x %zu pixels, magnified %d times without smoothing; numbers of the data "
        "set above), and what the network of each arm gave for them: PredNet predicts a frame from those before it, "
        "the autoencoder reproduces an image; seed %ld",
        grid->frame_w, grid->frame_h, grid->scale, grid->n_rows > 1 ? grid->seed[1] : 0);
    for (size_t i = 2; i < grid->n_rows; i++)
        if (grid->seed[i] != grid->seed[1]) {
            fprintf(page, ", in row %zu seed %ld", i, grid->seed[i]);
        }
    fputs(".</figcaption>\n</figure>\n", page);
    return SB_OK;
}

sb_status sb_html_figures(FILE *page, const sb_report *report, size_t i, const char *folder, sb_html_count *count)
{
    const sb_group *group = &report->arms.group[i];
    for (int kind = 0; kind < SB_N_FIGURES; kind++)
        if (sb_figure_wanted((sb_figure_kind)kind, group))
            SB_TRY(write_figure(page, group, (sb_figure_kind)kind, folder, count));
    return report->grid[i].n_rows ? write_grid(page, group, &report->grid[i], folder, count) : SB_OK;
}
