#include "paper/figures.h"

#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct kind {
    const char *name, *label;
    bool (*wanted)(const sb_subject *s); /* NULL: always */
    sb_status (*draw)(const sb_subject *s, const char *folder, const char *name);
    void (*caption)(sb_writer *out, const sb_subject *s);
};

static const struct kind of_all[] = {
    {"architecture-prednet", "The layers of PredNet", sb_figure_prednet_wanted, sb_figure_prednet,
     sb_figure_prednet_caption},
    {"architecture-autoencoder", "The layers of the autoencoder", sb_figure_autoencoder_wanted, sb_figure_autoencoder,
     sb_figure_autoencoder_caption},
    {"spread", "Spread of final losses by source", sb_figure_spread_wanted, sb_figure_spread, sb_figure_spread_caption},
    {"distance", "Distance of the weights of paired runs over updates", sb_figure_distance_wanted, sb_figure_distance,
     sb_figure_distance_caption},
};

static const struct kind of_group[] = {
    {"devices", "Final loss by target and device", sb_figure_devices_wanted, sb_figure_devices,
     sb_figure_devices_caption},
    {"configurations", "Final loss of the published configurations", sb_figure_configurations_wanted,
     sb_figure_configurations, sb_figure_configurations_caption},
    {"effect", "Ratio of losses, shared over copied target, for each pair of seeds", sb_figure_effect_wanted,
     sb_figure_effect, sb_figure_effect_caption},
    {"final", "Final loss of every run by setting and target", NULL, sb_figure_final, sb_figure_final_caption},
    {"curves", "Loss over updates by setting and target", NULL, sb_figure_curves, sb_figure_curves_caption},
};

static sb_status write_caption(char **text, const struct kind *kind, const sb_subject *s)
{
    sb_writer *out = sb_writer_open(&sb_plain);
    kind->caption(out, s);
    return sb_writer_close(out, kind->name, text, NULL);
}

static sb_status draw(sb_figures *figures, const struct kind *kind, const sb_subject *s, const char *folder)
{
    if (kind->wanted && !kind->wanted(s)) return SB_OK;
    if (figures->n == figures->room) {
        size_t room = figures->room ? 2 * figures->room : 16;
        sb_figure *grown = realloc(figures->figure, room * sizeof *grown);
        if (!grown) return sb_fail(SB_E_MEMORY, "not enough memory for %zu figures", room);
        figures->figure = grown;
        figures->room = room;
    }
    sb_figure *figure = &figures->figure[figures->n++];
    *figure = (sb_figure){.kind = kind->name, .group = s->group, .label = kind->label};
    snprintf(figure->name, sizeof figure->name, "%s%s%s", kind->name, s->group ? "-" : "",
             s->group ? s->group->slug : "");
    SB_TRY(write_caption(&figure->caption, kind, s));
    return kind->draw(s, folder, figure->name);
}

static sb_status draw_all(sb_figures *figures, const sb_subject *subject, const char *folder)
{
    sb_subject s = *subject;
    s.group = NULL;
    for (size_t k = 0; k < sizeof of_all / sizeof *of_all; k++) SB_TRY(draw(figures, &of_all[k], &s, folder));
    for (size_t i = 0; i < s.arms->n_groups; i++) {
        s.group = &s.arms->group[i];
        for (size_t k = 0; k < sizeof of_group / sizeof *of_group; k++) SB_TRY(draw(figures, &of_group[k], &s, folder));
    }
    return SB_OK;
}

sb_status sb_figures_draw(sb_figures *figures, const sb_subject *subject, const char *folder)
{
    *figures = (sb_figures){0};
    sb_status status = draw_all(figures, subject, folder);
    if (status != SB_OK) sb_figures_free(figures);
    return status;
}

void sb_figures_free(sb_figures *figures)
{
    for (size_t i = 0; i < figures->n; i++) free(figures->figure[i].caption);
    free(figures->figure);
    *figures = (sb_figures){0};
}

double sb_figure_jitter(long seed)
{
    return sb_random_uniform((uint64_t)seed, 0, 0) - 0.5;
}

void sb_figure_recipe_title(const char *recipe, char title[SB_FIGURE_TITLE])
{
    const char *comma = strstr(recipe, ", ");
    snprintf(title, SB_FIGURE_TITLE, "%.*s%s%s", comma ? (int)(comma - recipe) : 120, recipe, comma ? "\n" : "",
             comma ? comma + 2 : "");
}

void sb_figure_loss_range(const sb_group *group, sb_metric metric, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = 0;
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            const sb_arm *arm = &group->setting[i].arm[t];
            if (arm->n == 0) continue;
            *low = fmin(*low, arm->summary[metric].min);
            *high = fmax(*high, arm->summary[metric].max);
        }
}

size_t sb_figure_label_width(const sb_group *group)
{
    size_t width = 1;
    for (size_t i = 0; i < group->n_settings; i++) {
        size_t n = sb_style_label_width(group->setting[i].label);
        if (n > width) width = n;
    }
    return width;
}

int sb_figure_below(const sb_group *group, bool rotated)
{
    size_t width = 1, lines = 1;
    for (size_t i = 0; i < group->n_settings; i++) {
        const char *label = group->setting[i].label;
        size_t n_lines = 1, n_characters = strlen(label);
        for (const char *c = label; (c = strstr(c, ", ")); c += 2) n_lines++;
        if (n_characters > width) width = n_characters;
        if (n_lines > lines) lines = n_lines;
    }
    return 16 + (int)(rotated ? 15 * width / 2 : 18 * lines);
}

bool sb_figure_has_target(const sb_group *group, int target)
{
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].arm[target].n) return true;
    return false;
}

bool sb_figure_has(const sb_group *group, bool emulated)
{
    for (size_t i = 0; i < group->n_settings; i++)
        if (group->setting[i].cell->emulated == emulated) return true;
    return false;
}
