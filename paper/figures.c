#include "paper/figures.h"

#include "core/random.h"

#include <stdio.h>

static const struct {
    const char *prefix;
    sb_status (*draw)(const sb_group *group, const char *folder, const char *name);
} figures[SB_N_FIGURES] = {
    [SB_FIGURE_EFFECT] = {"effect", sb_figure_effect},
    [SB_FIGURE_FINAL] = {"final", sb_figure_final},
    [SB_FIGURE_CURVES] = {"curves", sb_figure_curves},
};

void sb_figure_name(sb_figure_kind kind, const sb_group *group, char name[SB_FIGURE_NAME])
{
    snprintf(name, SB_FIGURE_NAME, "%s-%s", figures[kind].prefix, group->slug);
}

bool sb_figure_wanted(sb_figure_kind kind, const sb_group *group)
{
    return kind != SB_FIGURE_EFFECT || group->n_pairs > 0;
}

sb_status sb_figures_draw(const sb_arms *arms, const char *folder)
{
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++)
        for (int kind = 0; kind < SB_N_FIGURES; kind++) {
            char name[SB_FIGURE_NAME];
            sb_figure_name((sb_figure_kind)kind, group, name);
            if (sb_figure_wanted((sb_figure_kind)kind, group)) SB_TRY(figures[kind].draw(group, folder, name));
        }
    return SB_OK;
}

double sb_figure_jitter(long seed)
{
    return sb_random_uniform((uint64_t)seed, 0, 0) - 0.5;
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
