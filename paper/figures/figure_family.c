/* Who descends from whom among the parents of each generation of Deep GA: a panel for one run of each arm. */
#include "paper/figures/figures.h"

/* The k-th family that is drawn, the first of each condition; NULL: after the last. */
static const sb_family *drawn(const sb_families *families, size_t k)
{
    for (size_t i = 0; i < families->n; i++)
        if (families->family[i].is_first && k-- == 0) return &families->family[i];
    return NULL;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    sb_write(out, "The parents of each generation, by rank, each joined with its own parent. The thick line "
                  "leads to the best individual of the last generation. The first run of each condition is "
                  "drawn. ");
    const sb_family *f;
    for (size_t i = 0; (f = drawn(s->families, i)); i++) {
        char title[SB_FIGURE_TITLE];
        const long last = f->kin[f->n - 1].generation;
        sb_figure_search_title(f->cell, title);
        if (f->ancestor < 0)
            sb_write(out, "%s: the parents of generation %ld have no ancestor in common here. ", title, last);
        else if (f->ancestor < last)
            sb_write(out, "%s: the parents of generation %ld have one ancestor in generation %ld. ", title, last,
                     f->ancestor);
    }
}

enum { OTHERS, CHAMPION };

static const sb_series series[] = {
    [OTHERS] = {"others", SB_ARROWS, SB_STYLE_JOIN, "others"},
    [CHAMPION] = {"champion", SB_ARROWS, SB_STYLE_SOURCE + 1, "to the best at the end"},
};

static const sb_chart_form form = {
    .layout = {.columns = 1, .panel_height = 120},
    .x = {.label = "generation", .column = "generation", .kind = SB_SCALE_COUNT},
    .y = {.label = "rank", .column = "rank", .kind = SB_SCALE_RANKS},
    .series = series,
    .n_series = 2,
    .ends = {"to_generation", "to_rank"},
};

/* From each parent to each of its children. */
static void add_family(sb_chart *chart, const sb_family *f)
{
    for (const sb_kin *to = f->kin; to < f->kin + f->n; to++) {
        if (to->parent == SB_NO_KIN) continue;
        const sb_kin *from = &f->kin[to->parent];
        sb_chart_point(chart, (sb_point){to->is_of_champion ? CHAMPION : OTHERS, (double)from->generation,
                                         (double)from->rank + 1, (double)to->generation, (double)to->rank + 1, NULL});
    }
}

static sb_status fill(sb_chart *chart, const sb_figure_subject *s)
{
    const sb_family *f;
    for (size_t i = 0; (f = drawn(s->families, i)); i++) {
        char title[SB_FIGURE_TITLE];
        sb_figure_search_title(f->cell, title);
        sb_chart_panel(chart, title);
        add_family(chart, f);
    }
    return SB_OK;
}

const sb_figure_kind sb_figure_family = {
    .name = "family",
    .label = "Descent of the parents of each generation",
    .section = SB_SECTION_GENERATIONS,
    .form = &form,
    .fill = fill,
    .caption = write_caption,
};
