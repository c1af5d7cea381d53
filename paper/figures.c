#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "paper/figures.h"

#include "core/random.h"

#include <stdlib.h>

static const struct kind {
    const char *name, *label;
    bool (*wanted)(const sb_subject *s); /* NULL: always */
    sb_status (*draw)(const sb_subject *s, const char *folder, const char *name);
    void (*caption)(FILE *out, const sb_subject *s);
} of_group[] = {
    {"effect", "Ratio of losses, shared over copied target, for each pair of seeds", sb_figure_effect_wanted,
     sb_figure_effect, sb_figure_effect_caption},
    {"final", "Final loss of every run by setting and target", NULL, sb_figure_final, sb_figure_final_caption},
    {"curves", "Loss over updates by setting and target", NULL, sb_figure_curves, sb_figure_curves_caption},
};

static sb_status write_caption(char **text, const struct kind *kind, const sb_subject *s)
{
    size_t n_bytes;
    FILE *out = open_memstream(text, &n_bytes);
    if (!out) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the caption", kind->name);
    kind->caption(out, s);
    bool whole = !ferror(out);
    if (fclose(out) == 0 && whole) return SB_OK;
    return sb_fail(SB_E_MEMORY, "%s: not enough memory for the caption", kind->name);
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
