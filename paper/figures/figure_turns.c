/* Where an arithmetic first turned a comparison of two losses in a run of Deep GA: a strip for each arm. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"

static bool is_wanted(const sb_figure_subject *s)
{
    return s->turns->n > 0;
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    char title[SB_FIGURE_TITLE];
    sb_figure_search_setting(s->turns->arm[0].reference, title);
    sb_write(out,
             "The first generation in which the parents of a run, by rank, differ from the run with the same "
             "seed of %s: there the order of two losses differs. A point for each such run; filled measured, "
             "open emulated, crosses imitated.",
             title);
    for (size_t i = 0; i < s->turns->n; i++) {
        const sb_turn_arm *arm = &s->turns->arm[i];
        sb_figure_search_setting(arm->cell, title);
        sb_write(out, " %s: %zu of %zu run%s in %ld generation%s.", title, arm->n_turned, arm->n, sb_plural(arm->n),
                 arm->generations, sb_plural((size_t)arm->generations));
    }
}

static void write_points(sb_writer *script, const sb_turn_arm *arm, size_t i)
{
    if (arm->n_turned == 0) return; /* gnuplot complains about a list without a point */
    sb_write(script, "# columns generation _place seed runs\n$a%zu << END\n", i + 1);
    for (size_t k = 0; k < arm->n; k++) {
        const sb_turn *turn = &arm->turn[k];
        if (turn->generation < 0) continue;
        sb_write(script, "%ld %.4f %ld \"seed %ld: generation %ld; runs %.8s and %.8s\"\n", turn->generation,
                 sb_style_strip_middle(i) + 0.1 * sb_figure_jitter(turn->cell->seed), turn->cell->seed,
                 turn->cell->seed, turn->generation, turn->cell->hash, turn->reference->hash);
    }
    sb_write(script, "END\n");
}

static void write_panel(sb_writer *script, const sb_turns *turns)
{
    int n_drawn = 0;
    for (size_t i = 0; i < turns->n; i++) {
        if (turns->arm[i].n_turned == 0) continue;
        sb_style_item(script, n_drawn++);
        sb_write(script, "$a%zu using 1:2:4 with labels hypertext point linestyle %d", i + 1,
                 sb_style_ratio(turns->arm[i].cell->evidence));
    }
    sb_style_item(script, n_drawn);
    sb_write(script, "NaN with lines linestyle %d notitle\n", SB_STYLE_ROW);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    const sb_turns *turns = s->turns;
    long generations = 1;
    const sb_layout layout = {
        .n_panels = 1,
        .columns = 1,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = SB_STYLE_STRIP * (int)turns->n,
        .left = 16,
        .right = 16,
        .below = 58,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    for (size_t i = 0; i < turns->n; i++) {
        write_points(plot.script, &turns->arm[i], i);
        if (turns->arm[i].generations > generations) generations = turns->arm[i].generations;
    }
    sb_style_count_axis(plot.script, &layout, (double)generations);
    sb_style_panel(plot.script, &layout, 0, "first other order of parents");
    sb_style_axis_labels(plot.script, "generation", NULL);
    sb_style_strips(plot.script, turns->n);
    for (size_t i = 0; i < turns->n; i++) {
        char title[SB_FIGURE_TITLE], number[64];
        sb_figure_search_setting(turns->arm[i].cell, title);
        snprintf(number, sizeof number, "%zu of %zu runs", turns->arm[i].n_turned, turns->arm[i].n);
        sb_style_strip_words(plot.script, &layout, i, title, number);
    }
    write_panel(plot.script, turns);
    return sb_plot_end(&plot, SB_OK);
}

const sb_figure_kind sb_figure_turns = {
    .name = "turns",
    .label = "The first comparison that an arithmetic turned, by generation",
    .section = SB_SECTION_GENERATIONS,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
