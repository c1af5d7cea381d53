/* Final losses with a panel for each target and a strip for each setting, on one axis.
 *
 *   devices          the two explanations side by side: if the gap follows the buffer, the panels differ; if it follows
 *                    the hardware, the strips do
 *   configurations   the published machines in the published order, of GPUs one strip with cuDNN off and one with it on;
 *                    machines without runs have no strip; the caption counts them */
#include "paper/figures/figures.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

#include <string.h>

static const sb_series series[SB_N_RUN_SERIES] = {
    SB_RUN_MARKS(SB_RUN_NO_KEY, 0.1),
    [SB_SERIES_RUN_MEAN] = {"mean", SB_MEANS, SB_STYLE_MEAN},
};

static const sb_chart_form form = {
    .rows = SB_ROWS_STRIPS,
    .x = {.label = "last-frame loss", .column = "loss", .room = 0.05},
    .series = series,
    .n_series = SB_N_RUN_SERIES,
};

static void add_panel(sb_chart *chart, int t)
{
    char title[64];
    snprintf(title, sizeof title, "target %s", sb_target_name[t]);
    sb_chart_panel(chart, title);
}

static void add_strip(sb_chart *chart, const sb_configuration *setting, int t, const char *words)
{
    sb_chart_row(chart, words, setting->arm[t].n ? "" : "not run");
    sb_figure_runs(chart, setting, t, SB_METRIC_LAST, 0.13, -0.13);
}

/* -- devices -- */

static bool has_device(const sb_group *group, bool gpu, int t)
{
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].arm[t].n && sb_recipe_on_gpu(group->setting[i].cell) == gpu) return true;
    return false;
}

/* A part of it would be empty where a device or a target did not run. */
static bool has_devices(const sb_group *group)
{
    for (int t = 0; t < SB_N_TARGETS; t++)
        if (!has_device(group, false, t) || !has_device(group, true, t)) return false;
    return true;
}

static void write_caption_devices(sb_writer *out, const sb_figure_subject *s)
{
    sb_write(out,
             "Does the difference follow the target buffer or the hardware? Final last-frame loss of every run. "
             "Circles: target copied, squares: shared; filled: measured, open: emulated%s. Diamonds: mean of the "
             "condition with its 95 %% interval. Dotted: mean of the first setting on the CPU with the copied target. "
             "Both panels have the same logarithmic axis.",
             sb_figure_crosses(s->group));
    sb_figure_baselines_caption(out, s);
}

/* What the others are compared with. */
static void add_rule(sb_chart *chart, const sb_group *group)
{
    for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
         setting = sb_figure_next(group, setting)) {
        const sb_arm *arm = &setting->arm[SB_TARGET_COPY];
        if (sb_recipe_on_gpu(setting->cell) || arm->n == 0) continue;
        sb_chart_rule(chart, arm->summary[SB_METRIC_LAST].mean);
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

static sb_status fill_devices(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_group *group = s->group;
    strcpy(chart->form.x.label, "last-frame loss; dotted: first CPU, copied");
    for (int t = 0; t < SB_N_TARGETS && has_devices(group); t++) {
        add_panel(chart, t);
        add_rule(chart, group);
        for (const sb_configuration *setting = sb_figure_next(group, NULL); setting;
             setting = sb_figure_next(group, setting)) {
            char words[SB_FIGURE_WORDS], device[SB_FIGURE_WORDS + 16];
            sb_figure_words(group, setting, words);
            snprintf(device, sizeof device, "%s: %s", device_of(group, setting), words);
            add_strip(chart, setting, t, device);
        }
    }
    return SB_OK;
}

/* -- configurations -- */

static const char prefix[] = "original.configuration.";

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

static bool has_published(const sb_figure_subject *s)
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

/* The settings of one published machine, with what its name gets for each; its CPU rows say "CPU only". */
static size_t find_machine(const sb_group *group, const sb_published_record *record, const sb_configuration *setting[2],
                           const char *how[2])
{
    const char *hardware = record->label + sizeof prefix - 1;
    const bool cpu = strncmp(record->what, "CPU only", 8) == 0;
    const char *const backend[] = {cpu ? "openblas" : "cublas", "cudnn"};
    const char *const words[] = {cpu ? "" : ", cuDNN off", ", cuDNN on"};
    size_t n = 0;
    for (int k = 0; k < (cpu ? 1 : 2); k++) {
        setting[n] = find_setting(group, hardware, backend[k]);
        how[n] = words[k];
        n += setting[n] != NULL;
    }
    return n;
}

static void write_caption_configurations(sb_writer *out, const sb_figure_subject *s)
{
    size_t n_absent = 0;
    const sb_configuration *setting[2];
    const char *how[2];
    sb_write(out,
             "The published configurations and the final last-frame loss of every run of them, one mark for each seed; "
             "circles: target copied, squares: shared; filled: measured, open: emulated%s. Diamonds: mean with its "
             "95 %% interval. Logarithmic axes.",
             sb_figure_crosses(s->group));
    for (const sb_published_record *r = s->published->record; r < s->published->record + s->published->n; r++)
        n_absent += is_configuration(r) && find_machine(s->group, r, setting, how) == 0;
    if (n_absent)
        sb_write(out, " %zu published machine%s without runs ha%s no row.", n_absent, sb_plural(n_absent),
                 n_absent == 1 ? "s" : "ve");
    sb_figure_baselines_caption(out, s);
}

static void add_machine(sb_chart *chart, const sb_figure_subject *s, const sb_published_record *record, int t)
{
    const sb_configuration *setting[2];
    const char *how[2];
    const size_t n = find_machine(s->group, record, setting, how);
    for (size_t k = 0; k < n; k++) {
        char words[272];
        snprintf(words, sizeof words, "%s%s", record->label + sizeof prefix - 1, how[k]);
        add_strip(chart, setting[k], t, words);
    }
}

/* Ours that the publication does not have first, then its own. */
static sb_status fill_configurations(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_group *group = s->group;
    for (int t = 0; t < SB_N_TARGETS && has_published(s); t++) {
        if (!sb_figure_has_target(group, t)) continue;
        add_panel(chart, t);
        for (size_t i = 0; i < group->n_settings; i++)
            if (!is_published(s, &group->setting[i])) add_strip(chart, &group->setting[i], t, group->setting[i].label);
        for (size_t i = 0; i < s->published->n; i++)
            if (is_configuration(&s->published->record[i])) add_machine(chart, s, &s->published->record[i], t);
    }
    return SB_OK;
}

const sb_figure_kind sb_figure_devices = {
    .name = "devices",
    .label = "Final loss by target and device",
    .section = SB_SECTION_STUDY,
    .of_group = true,
    .form = &form,
    .fill = fill_devices,
    .caption = write_caption_devices,
};

const sb_figure_kind sb_figure_configurations = {
    .name = "configurations",
    .label = "Final loss of the published configurations",
    .section = SB_SECTION_NONE,
    .of_group = true,
    .form = &form,
    .fill = fill_configurations,
    .caption = write_caption_configurations,
};
