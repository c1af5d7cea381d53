/* The two explanations side by side: a column for each target, copied and shared, a strip for each setting on a
 * CPU or a GPU, on one axis. If the gap follows the buffer, the columns differ; if it follows the hardware, the strips
 * do. */
#include "paper/figures/figures.h"
#include "paper/results/recipe.h"

#include <math.h>

static const double SEEDS_AT = 0.13, MEAN_AT = -0.13; /* beside the middle of a strip */

static bool has_device(const sb_group *group, bool gpu, int t)
{
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].arm[t].n && sb_recipe_on_gpu(group->setting[i].cell) == gpu) return true;
    return false;
}

/* A part of it would be empty where a device or a target did not run. */
static bool is_wanted(const sb_figure_subject *s)
{
    for (int t = 0; t < SB_N_TARGETS; t++)
        if (!has_device(s->group, false, t) || !has_device(s->group, true, t)) return false;
    return true;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    sb_write(out,
             "Does the difference follow the target buffer or the hardware? Final last-frame loss of every run. "
             "Circles: target copied, squares: shared; filled: measured, open: emulated%s. Diamonds: mean of the "
             "condition with its 95 %% interval. Dotted: mean of the first setting on the CPU with the copied target. "
             "Both panels have the same logarithmic axis.",
             sb_figure_crosses(s->group));
    sb_figure_baselines_caption(out, s);
}

/* Gnuplot complains about a list without a point. */
static size_t count_seeds(const sb_group *group, int t, sb_evidence evidence)
{
    size_t n = 0;
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting))
        if (setting->cell->evidence == evidence) n += setting->arm[t].n;
    return n;
}

static void write_list(sb_writer *script, int t, sb_evidence evidence)
{
    sb_write(script, "$%s_%s", sb_target_name[t], sb_evidence_name[evidence]);
}

static void write_seeds(sb_writer *script, const sb_group *group, int t, sb_evidence evidence)
{
    size_t row = 0;
    if (count_seeds(group, t, evidence) == 0) return;
    sb_write(script, "# columns loss _place seed run\n");
    write_list(script, t, evidence);
    sb_write(script, " << END\n");
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting), row++)
        for (size_t k = 0; setting->cell->evidence == evidence && k < setting->arm[t].n; k++) {
            const sb_result *cell = setting->arm[t].cell[k];
            sb_write(script, "%.6g %.4f %ld \"seed %ld, target %s: %.4g; run %.8s\"\n", cell->loss[SB_METRIC_LAST],
                     sb_style_strip_middle(row) + SEEDS_AT + 0.1 * sb_figure_jitter(cell->seed), cell->seed, cell->seed,
                     sb_target_name[t], cell->loss[SB_METRIC_LAST], cell->hash);
        }
    sb_write(script, "END\n");
}

static void write_means(sb_writer *script, const sb_group *group, int t)
{
    size_t row = 0;
    sb_write(script, "# columns mean _place low high\n$%s_mean << END\n", sb_target_name[t]);
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting), row++) {
        const sb_summary *mean = &setting->arm[t].summary[SB_METRIC_LAST];
        if (setting->arm[t].n)
            sb_write(script, "%.6g %.4f %.6g %.6g\n", mean->mean, sb_style_strip_middle(row) + MEAN_AT,
                     sb_figure_low(mean), sb_figure_high(mean));
    }
    sb_write(script, "END\n");
}

/* What the others are looked at against. */
static void write_rule(sb_writer *script, const sb_group *group, size_t n_rows)
{
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting)) {
        const sb_arm *arm = &setting->arm[SB_TARGET_COPY];
        if (sb_recipe_on_gpu(setting->cell) || arm->n == 0) continue;
        sb_style_strip_rule(script, n_rows, arm->summary[SB_METRIC_LAST].mean);
        return;
    }
}

/* What computed a row: its setting, and those whose runs have its bits. */
static const char *device_of(const sb_group *group, const sb_configuration *setting)
{
    bool on_cpu = false, on_gpu = false;
    for (size_t i = 0; i < group->n_settings; i++) {
        const sb_configuration *other = &group->setting[i];
        if (other != setting && other->twin != setting) continue;
        if (sb_recipe_on_gpu(other->cell))
            on_gpu = true;
        else
            on_cpu = true;
    }
    return on_cpu && on_gpu ? "CPU and GPU" : on_gpu ? "GPU" : "CPU";
}

static void write_words(sb_writer *script, const sb_layout *layout, const sb_group *group)
{
    size_t row = 0;
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting), row++) {
        char words[SB_FIGURE_WORDS], device[SB_FIGURE_WORDS + 16];
        sb_figure_words(group, setting, words);
        snprintf(device, sizeof device, "%s: %s", device_of(group, setting), words);
        sb_style_strip_words(script, layout, row, device, "");
    }
}

static void write_panel(sb_writer *script, const sb_group *group, int t)
{
    int n_drawn = 0;
    for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++) {
        if (count_seeds(group, t, evidence) == 0) continue;
        sb_style_item(script, n_drawn++);
        write_list(script, t, evidence);
        sb_write(script, " using 1:2:4 with labels hypertext point linestyle %d", sb_style_seed(evidence) + t);
    }
    sb_style_item(script, n_drawn);
    sb_write(script, "$%s_mean using 1:2:3:4 with xerrorbars linestyle %d\n", sb_target_name[t], SB_STYLE_MEAN);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_group *group = s->group;
    const size_t n_rows = sb_figure_count(group);
    const sb_layout layout = {
        .n_panels = SB_N_TARGETS,
        .columns = SB_N_TARGETS,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = SB_STYLE_STRIP * (int)n_rows,
        .left = 16,
        .right = 16,
        .below = 58,
        .between = 40,
    };
    double low, high;
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    for (int t = 0; t < SB_N_TARGETS; t++) {
        for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++)
            write_seeds(plot.script, group, t, evidence);
        write_means(plot.script, group, t);
    }
    sb_figure_loss_range(group, SB_METRIC_LAST, &low, &high);
    sb_style_log_axis(plot.script, &layout, 'x', low, high, 0.05);
    for (int t = 0; t < SB_N_TARGETS; t++) {
        char title[64];
        snprintf(title, sizeof title, "target %s", sb_target_name[t]);
        sb_style_panel(plot.script, &layout, (size_t)t, title);
        sb_style_axis_labels(plot.script, "last-frame loss; dotted: first CPU, copied", NULL);
        sb_style_strips(plot.script, n_rows);
        write_rule(plot.script, group, n_rows);
        write_words(plot.script, &layout, group);
        write_panel(plot.script, group, t);
    }
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_devices = {
    .name = "devices",
    .label = "Final loss by target and device",
    .section = SB_SECTION_STUDY,
    .of_group = true,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
