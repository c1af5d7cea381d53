/* The published configurations, in the published order, and what the cells of a group say of each: a row for each
 * machine, of GPUs one with cuDNN off and one with it on. What nobody ran has no row; the caption counts it. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "original.configuration.";

typedef struct row {
    char label[272];
    const sb_configuration *setting;
} row;

typedef struct rows {
    size_t n;
    row *row;
    size_t n_absent; /* published machines that nobody ran */
} rows;

static bool is_configuration(const sb_published_record *record)
{
    return strncmp(record->label, prefix, sizeof prefix - 1) == 0;
}

static bool is_published(const sb_figure_subject *s, const sb_configuration *setting)
{
    for (size_t i = 0; i < s->published->n; i++) {
        const sb_published_record *record = &s->published->record[i];
        if (is_configuration(record) && strcmp(record->label + sizeof prefix - 1, setting->cell->hardware) == 0)
            return true;
    }
    return false;
}

static bool is_wanted(const sb_figure_subject *s)
{
    for (size_t i = 0; i < s->group->n_settings; i++)
        if (is_published(s, &s->group->setting[i])) return true;
    return false;
}

static const sb_configuration *find_setting(const sb_group *group, const char *hardware, const char *backend)
{
    for (size_t i = 0; i < group->n_settings; i++) {
        const sb_result *cell = group->setting[i].cell;
        if (strcmp(cell->hardware, hardware) == 0 && strcmp(cell->backend, backend) == 0) return &group->setting[i];
    }
    return NULL;
}

static void add_row(rows *list, const sb_configuration *setting, const char *machine, const char *how)
{
    if (!setting) return;
    row *r = &list->row[list->n++];
    *r = (row){.setting = setting};
    snprintf(r->label, sizeof r->label, "%s%s", machine, how);
}

/* The rows of one published machine; its CPU rows say "CPU only". */
static void add_machine(rows *list, const sb_group *group, const sb_published_record *record)
{
    const char *hardware = record->label + sizeof prefix - 1;
    size_t n = list->n;
    if (strncmp(record->what, "CPU only", 8) == 0) {
        add_row(list, find_setting(group, hardware, "openblas"), hardware, "");
    } else {
        add_row(list, find_setting(group, hardware, "cublas"), hardware, ", cuDNN off");
        add_row(list, find_setting(group, hardware, "cudnn"), hardware, ", cuDNN on");
    }
    list->n_absent += list->n == n;
}

/* Ours that the publication does not have first, then its own. */
static sb_status list_rows(rows *list, const sb_figure_subject *s)
{
    const sb_group *group = s->group;
    *list = (rows){.row = calloc(group->n_settings + 2 * s->published->n, sizeof *list->row)};
    if (!list->row) return sb_fail(SB_E_MEMORY, "not enough memory for the configurations");
    for (size_t i = 0; i < group->n_settings; i++)
        if (!is_published(s, &group->setting[i])) add_row(list, &group->setting[i], group->setting[i].label, "");
    for (size_t i = 0; i < s->published->n; i++)
        if (is_configuration(&s->published->record[i])) add_machine(list, group, &s->published->record[i]);
    return SB_OK;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    rows list;
    sb_write(out,
             "The published configurations and the final last-frame loss of every run of them, one mark for each seed; "
             "circles: target copied, squares: shared; filled: measured, open: emulated%s. Diamonds: mean with its "
             "95 %% interval. Logarithmic axes.",
             sb_figure_crosses(s->group));
    if (list_rows(&list, s) == SB_OK && list.n_absent)
        sb_write(out, " %zu published machine%s without runs ha%s no row.", list.n_absent, sb_plural(list.n_absent),
                 list.n_absent == 1 ? "s" : "ve");
    free(list.row);
    sb_figure_baselines_caption(out, s);
}

static size_t count(const rows *list, int t, sb_evidence evidence)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->row[i].setting->cell->evidence == evidence) n += list->row[i].setting->arm[t].n;
    return n;
}

static void write_seeds(sb_writer *script, const rows *list, int t, sb_evidence evidence)
{
    if (count(list, t, evidence) == 0) return;
    sb_write(script, "# columns loss _place seed run\n");
    sb_write(script, "$%s_%s << END\n", sb_target_name[t], sb_evidence_name[evidence]);
    for (size_t i = 0; i < list->n; i++) {
        const sb_configuration *setting = list->row[i].setting;
        for (size_t k = 0; setting->cell->evidence == evidence && k < setting->arm[t].n; k++) {
            const sb_result *cell = setting->arm[t].cell[k];
            sb_write(script, "%.6g %.4f %ld \"seed %ld, target %s: %.4g; run %.8s\"\n", cell->loss[SB_METRIC_LAST],
                     -(double)i + 0.22 + 0.18 * sb_figure_jitter(cell->seed), cell->seed, cell->seed, sb_target_name[t],
                     cell->loss[SB_METRIC_LAST], cell->hash);
        }
    }
    sb_write(script, "END\n");
}

static void write_data(sb_writer *script, const rows *list, int t)
{
    for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++)
        write_seeds(script, list, t, evidence);
    sb_write(script, "# columns mean _place low high\n$%s_mean << END\n", sb_target_name[t]);
    for (size_t i = 0; i < list->n; i++) {
        const sb_arm *arm = &list->row[i].setting->arm[t];
        const sb_summary *mean = &arm->summary[SB_METRIC_LAST];
        if (arm->n)
            sb_write(script, "%.6g %.4f %.6g %.6g\n", mean->mean, -(double)i - 0.14, sb_figure_low(mean),
                     sb_figure_high(mean));
    }
    sb_write(script, "END\n");
}

static void write_rows(sb_writer *script, const rows *list, int t)
{
    sb_write(script, "unset label\nunset arrow\nset yrange [%.1f:0.5]\nset ytics (", -(double)list->n + 0.5);
    for (size_t i = 0; i < list->n; i++) {
        sb_write(script, i ? ", " : "");
        sb_style_text(script, list->row[i].label, false);
        sb_write(script, " %ld", -(long)i);
    }
    sb_write(script, ") scale 0\n");
    for (size_t i = 0; i < list->n; i++) {
        sb_write(script, "set arrow from graph 0, first %.1f to graph 1, first %.1f nohead back linestyle %d\n",
                 -(double)i - 0.5, -(double)i - 0.5, SB_STYLE_ROW);
        if (list->row[i].setting->arm[t].n == 0)
            sb_style_absent(script, "not run", "graph 0.5, first %ld center", -(long)i);
    }
}

static void write_panel(sb_writer *script, const rows *list, int t)
{
    int n_drawn = 0;
    for (sb_evidence evidence = 0; evidence < SB_N_EVIDENCES_OF_RUNS; evidence++) {
        if (count(list, t, evidence) == 0) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$%s_%s", sb_target_name[t], sb_evidence_name[evidence]);
        sb_write(script, " using 1:2:4 with labels hypertext point linestyle %d", sb_style_seed(evidence) + t);
    }
    sb_style_item(script, n_drawn);
    sb_write(script, "$%s_mean using 1:2:3:4 with xerrorbars linestyle %d\n", sb_target_name[t], SB_STYLE_MEAN);
}

static void write_range(sb_writer *script, const sb_layout *layout, const sb_group *group)
{
    double low, high;
    sb_figure_loss_range(group, SB_METRIC_LAST, &low, &high);
    sb_style_log_axis(script, layout, 'x', low, high, 0.06);
}

static sb_status draw(const rows *list, const sb_group *group, const char *folder, const char *name)
{
    size_t width = 1, n_panels = 0;
    int target[SB_N_TARGETS];
    for (size_t i = 0; i < list->n; i++) width = (size_t)fmax((double)width, (double)strlen(list->row[i].label));
    for (int t = 0; t < SB_N_TARGETS; t++)
        if (sb_figure_has_target(group, t)) target[n_panels++] = t;
    const sb_layout layout = {
        .n_panels = n_panels,
        .columns = (int)n_panels,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = 8 + 30 * (int)list->n,
        .left = 24 + 8 * (int)width,
        .gap = 26,
        .below = 58,
        .between = 40,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    for (size_t k = 0; k < n_panels; k++) write_data(plot.script, list, target[k]);
    sb_write(plot.script, "set grid xtics noytics\n");
    write_range(plot.script, &layout, group);
    for (size_t k = 0; k < n_panels; k++) {
        char title[64];
        snprintf(title, sizeof title, "target %s", sb_target_name[target[k]]);
        sb_style_panel(plot.script, &layout, k, title);
        sb_style_axis_labels(plot.script, "last-frame loss", NULL);
        write_rows(plot.script, list, target[k]);
        sb_write(plot.script, "set format y first_column ? '%%g' : ''\nif (!first_column) unset ytics\n");
        write_panel(plot.script, list, target[k]);
    }
    return sb_plot_end(&plot, SB_OK);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    rows list;
    sb_status status = list_rows(&list, s);
    if (status == SB_OK) status = draw(&list, s->group, folder, name);
    free(list.row);
    return status;
}

const sb_figure_kind sb_figure_configurations = {
    .name = "configurations",
    .label = "Final loss of the published configurations",
    .section = SB_SECTION_NONE,
    .of_group = true,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
