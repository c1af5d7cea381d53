/* Who descends from whom among the parents of each generation of Deep GA: a panel for one run of each arm. */
#include "paper/figures/figures.h"

/* The k-th of those that are drawn, the first of each arm; NULL behind the last. */
static const sb_family *drawn(const sb_families *families, size_t k)
{
    for (size_t i = 0; i < families->n; i++)
        if (families->family[i].is_first && k-- == 0) return &families->family[i];
    return NULL;
}

static bool is_wanted(const sb_figure_subject *s)
{
    return drawn(s->families, 0);
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

/* A row for each that has a parent here: from the parent to it. */
static void write_lines(sb_writer *script, const sb_family *f, size_t i, bool of_champion)
{
    sb_write(script, "# columns generation rank to_generation to_rank\n$a%zu_%s << END\n", i + 1,
             of_champion ? "champion" : "others");
    for (size_t k = 0; k < f->n; k++) {
        const sb_kin *to = &f->kin[k];
        if (to->parent == SB_NO_KIN || to->is_of_champion != of_champion) continue;
        const sb_kin *from = &f->kin[to->parent];
        sb_write(script, "%ld %ld %ld %ld\n", from->generation, from->rank + 1, to->generation, to->rank + 1);
    }
    sb_write(script, "END\n");
}

static bool has_lines(const sb_family *f, bool of_champion)
{
    for (size_t k = 0; k < f->n; k++)
        if (f->kin[k].parent != SB_NO_KIN && f->kin[k].is_of_champion == of_champion) return true;
    return false;
}

static void write_panel(sb_writer *script, const sb_family *f, size_t i)
{
    int n_drawn = 0;
    for (int of_champion = 0; of_champion < 2; of_champion++) {
        if (!has_lines(f, of_champion)) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$a%zu_%s using 1:2:($3-$1):($4-$2) with vectors nohead linestyle %d", i + 1,
                 of_champion ? "champion" : "others", of_champion ? SB_STYLE_SOURCE + 1 : SB_STYLE_JOIN);
    }
    n_drawn = sb_style_key_item(script, n_drawn);
    sb_write(script, "keyentry with lines linestyle %d title 'to the best at the end'", SB_STYLE_SOURCE + 1);
    n_drawn = sb_style_key_item(script, n_drawn);
    sb_write(script, "keyentry with lines linestyle %d title 'others'\n", SB_STYLE_JOIN);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_families *families = s->families;
    const sb_family *f;
    char title[SB_FIGURE_TITLE];
    long first = -1, last = 0, n_ranks = 1;
    sb_layout layout = {
        .columns = 1,
        .columns_narrow = 1,
        .panel_height = 120,
        .left = 84,
        .below = 58,
        .between = 44,
        .key_lines = 1,
        .key_lines_narrow = 1,
    };
    for (size_t i = 0; (f = drawn(families, i)); i++) {
        layout.n_panels++;
        sb_figure_search_title(f->cell, title);
        sb_style_fit_title(&layout, title);
        if (first < 0 || f->kin[0].generation < first) first = f->kin[0].generation;
        if (f->kin[f->n - 1].generation > last) last = f->kin[f->n - 1].generation;
        if (f->n_ranks > n_ranks) n_ranks = f->n_ranks;
    }
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    for (size_t i = 0; (f = drawn(families, i)); i++)
        for (int of_champion = 0; of_champion < 2; of_champion++)
            if (has_lines(f, of_champion)) write_lines(plot.script, f, i, of_champion);
    sb_write(plot.script, "set xrange [%ld:%ld]\nset yrange [%ld.5:0.5]\nset ytics 1,%ld\n", first,
             last > first ? last : first + 1, n_ranks,
             n_ranks > 1 ? n_ranks - 1 : 1); /* the label stands between the two */
    for (size_t i = 0; (f = drawn(families, i)); i++) {
        sb_figure_search_title(f->cell, title);
        sb_style_panel(plot.script, &layout, i, title);
        sb_style_axis_labels(plot.script, "generation", "rank");
        sb_write(plot.script, "set format '%%g'\n");
        write_panel(plot.script, f, i);
    }
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_family = {
    .name = "family",
    .label = "Descent of the parents of each generation",
    .section = SB_SECTION_GENERATIONS,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
