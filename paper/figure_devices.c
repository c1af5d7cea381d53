/* Two by two: the target above, copied and shared; the device beside, CPU and GPU; a place for each setting. If the gap
 * follows the buffer, the rows differ; if it follows the hardware, the columns do. A quarter that nobody ran is drawn
 * too: without it nobody could say. */
#include "paper/figures.h"
#include "paper/recipe.h"

#include <math.h>
#include <string.h>

enum { CPU, GPU, N_DEVICES };

static const char *const device_name[N_DEVICES] = {"CPU", "GPU"};

static bool is_on(const sb_setting *setting, int device)
{
    return sb_recipe_on_gpu(setting->cell) == (device == GPU);
}

static size_t count(const sb_group *group, int device, int t)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n_settings; i++)
        if (is_on(&group->setting[i], device)) n += group->setting[i].arm[t].n;
    return n;
}

bool sb_figure_devices_wanted(const sb_subject *s)
{
    return s->group->n_pairs > 0;
}

void sb_figure_devices_caption(sb_writer *out, const sb_subject *s)
{
    sb_write(
        out,
        "Does the gap follow the target buffer or the hardware? Final last-frame loss of every run; circles: target "
        "copied, squares: shared; filled: measured, open: emulated. Diamonds: mean of the arm with its 95 %% bootstrap "
        "interval. The dotted line in all panels is the mean of the first setting on the CPU, target copied. Same "
        "logarithmic axis in all panels.");
    for (int device = 0; device < N_DEVICES; device++)
        if (count(s->group, device, SB_TARGET_COPY) + count(s->group, device, SB_TARGET_SHARED) == 0)
            sb_write(out, " No %s has run.", device_name[device]);
}

/* The seeds of one panel, then the means. */
static void write_panel_data(sb_writer *script, const sb_group *group, int t, int device)
{
    for (int emulated = 0; emulated < 2; emulated++) {
        sb_write(script, "$%s_%s_%s << END\n", sb_target_name[t], device_name[device],
                 emulated ? "emulated" : "measured");
        size_t place = 0;
        for (size_t i = 0; i < group->n_settings; i++) {
            const sb_setting *setting = &group->setting[i];
            if (!is_on(setting, device)) continue;
            place++;
            for (size_t k = 0; k < setting->arm[t].n && setting->cell->emulated == emulated; k++) {
                const sb_cell *cell = setting->arm[t].cell[k];
                sb_write(script, "%.4f %.6g\n", (double)place - 0.1 + 0.2 * sb_figure_jitter(cell->seed),
                         cell->loss[SB_METRIC_LAST]);
            }
        }
        sb_write(script, "END\n");
    }
    sb_write(script, "$%s_%s_mean << END\n", sb_target_name[t], device_name[device]);
    size_t place = 0;
    for (size_t i = 0; i < group->n_settings; i++) {
        const sb_arm *arm = &group->setting[i].arm[t];
        if (!is_on(&group->setting[i], device)) continue;
        place++;
        if (arm->n == 0) continue;
        const sb_summary *mean = &arm->summary[SB_METRIC_LAST];
        bool alone = isnan(mean->low);
        sb_write(script, "%.4f %.6g %.6g %.6g\n", (double)place + 0.24, mean->mean, alone ? mean->mean : mean->low,
                 alone ? mean->mean : mean->high);
    }
    sb_write(script, "END\n");
}

/* Rule at the mean of the first copied arm on a CPU: what the others are looked at against. */
static void write_rule(sb_writer *script, const sb_group *group)
{
    for (size_t i = 0; i < group->n_settings; i++) {
        const sb_arm *arm = &group->setting[i].arm[SB_TARGET_COPY];
        if (!is_on(&group->setting[i], CPU) || arm->n == 0) continue;
        double mean = arm->summary[SB_METRIC_LAST].mean;
        sb_write(script, "set arrow 1 from graph 0, first %.6g to graph 1, first %.6g nohead back linestyle %d\n", mean,
                 mean, SB_STYLE_RULE);
        return;
    }
}

static void write_axes(sb_writer *script, const sb_group *group)
{
    double low, high;
    sb_figure_loss_range(group, SB_METRIC_LAST, &low, &high);
    sb_style_log_axis(script, 'y', low, high, 0.06);
}

/* A tic for each setting of a device; the names stand below the last row alone. */
static void write_places(sb_writer *script, const sb_group *group, int device, bool named, bool rotated)
{
    size_t place = 0, n = 0;
    for (size_t i = 0; i < group->n_settings; i++) n += is_on(&group->setting[i], device);
    if (n == 0) {
        sb_write(script, "unset xtics\nset xrange [0:1]\n");
        return;
    }
    sb_write(script, "set xtics nomirror (");
    for (size_t i = 0; i < group->n_settings; i++) {
        if (!is_on(&group->setting[i], device)) continue;
        sb_write(script, place++ ? ", " : "");
        sb_style_text(script, named ? group->setting[i].label : "", !rotated);
        sb_write(script, " %zu", place);
    }
    sb_write(script, rotated ? ") rotate by -90\nset xrange [0.4:%zu.6]\n" : ")\nset xrange [0.4:%zu.6]\n",
             place ? place : 1);
}

static void write_panel(sb_writer *script, const sb_group *group, int t, int device)
{
    const char *target = sb_target_name[t], *name = device_name[device];
    sb_write(script, "unset label\n");
    if (count(group, device, t) == 0) {
        sb_style_absent(script, device == GPU ? "not run:\nhardware missing" : "not run",
                        "graph 0.5, graph 0.85 center");
        sb_write(script, "plot NaN\n");
        return;
    }
    sb_write(script, "plot ");
    for (int emulated = 0; emulated < 2; emulated++) {
        size_t n = 0;
        for (size_t i = 0; i < group->n_settings; i++)
            if (is_on(&group->setting[i], device) && group->setting[i].cell->emulated == emulated)
                n += group->setting[i].arm[t].n;
        if (n)
            sb_write(script, "$%s_%s_%s using 1:2 with points linestyle %d, \\\n     ", target, name,
                     emulated ? "emulated" : "measured", (emulated ? SB_STYLE_SEED_OPEN : SB_STYLE_SEED) + t);
    }
    sb_write(script, "$%s_%s_mean using 1:2:3:4 with yerrorbars linestyle %d\n", target, name, SB_STYLE_MEAN);
}

sb_status sb_figure_devices(const sb_subject *s, const char *folder, const char *name)
{
    const sb_group *group = s->group;
    const bool rotated = group->n_settings > 2 || sb_figure_label_width(group) > 12;
    const sb_layout layout = {
        .n_panels = SB_N_TARGETS * N_DEVICES,
        .columns = N_DEVICES,
        .columns_narrow = N_DEVICES,
        .title_lines = 1,
        .panel_height = 150,
        .left = 92,
        .gap = 26,
        .below = sb_figure_below(group, rotated),
        .between = 14,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    for (int t = 0; t < SB_N_TARGETS; t++)
        for (int device = 0; device < N_DEVICES; device++) write_panel_data(plot.script, group, t, device);
    write_axes(plot.script, group);
    write_rule(plot.script, group);
    for (size_t k = 0; k < layout.n_panels; k++) {
        int t = (int)k / N_DEVICES, device = (int)k % N_DEVICES;
        char title[64];
        snprintf(title, sizeof title, "%s, target %s", device_name[device], sb_target_name[t]);
        sb_style_panel(plot.script, &layout, k, title);
        sb_style_axis_labels(plot.script, NULL, "last-frame loss");
        write_places(plot.script, group, device, t + 1 == SB_N_TARGETS, rotated);
        sb_write(plot.script, "set format y first_column ? '%%g' : ''\n");
        write_panel(plot.script, group, t, device);
    }
    return sb_plot_end(&plot, SB_OK);
}
