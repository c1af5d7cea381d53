/* By which ratios layer-wise optimisers multiplied the rate of each tensor: a panel for each arm, a row for each tensor
 * whose ratio was another one than 1 in any of them, the same rows in all. */
#include "paper/figures/figures.h"

#include "core/text/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- rows -- */

typedef struct row_list {
    size_t n;
    const char **name; /* [n] */
} row_list;

static bool has_row(const row_list *rows, const char *name)
{
    for (size_t i = 0; i < rows->n; i++)
        if (strcmp(rows->name[i], name) == 0) return true;
    return false;
}

static void add_arm(row_list *rows, const sb_trust_arm *arm)
{
    for (size_t i = 0; i < arm->n; i++) {
        const sb_trust_tensor *t = &arm->tensor[i];
        if (!sb_trust_is_fixed(t) && !has_row(rows, t->name)) rows->name[rows->n++] = t->name;
    }
}

/* The names are those of the ratios; the caller frees the list. */
static sb_status list_rows(row_list *rows, const sb_trust_ratios *ratios)
{
    size_t n = 0;
    for (size_t i = 0; i < ratios->n; i++) n += ratios->arm[i].n;
    rows->name = calloc(n + 1, sizeof *rows->name);
    if (!rows->name) return sb_fail(SB_E_MEMORY, "not enough memory for %zu tensors", n);
    for (size_t i = 0; i < ratios->n; i++) add_arm(rows, &ratios->arm[i]);
    return SB_OK;
}

/* -- words -- */

static bool is_wanted(const sb_figure_subject *s)
{
    return sb_trust_ratios_vary(s->trust);
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    size_t least = s->trust->arm[0].n_runs, most = least;
    for (size_t i = 0; i < s->trust->n; i++) {
        const size_t n = s->trust->arm[i].n_runs;
        if (n < least) least = n;
        if (n > most) most = n;
    }
    sb_write(out,
             "By what a layer-wise rule multiplied the learning rate of each tensor, at the ends of epochs. Point: at "
             "the end of training, the median over the seeds; line: all epochs and seeds; ");
    if (least == most)
        sb_write(out, "%zu seed%s in each condition.", most, sb_plural(most));
    else
        sb_write(out, "%zu to %zu seeds in a condition.", least, most);
    sb_write(out, " Tensors whose ratio is 1 in all conditions have no row. Logarithmic axis, the same for all "
                  "panels.");
}

static void title_of(const sb_trust_arm *arm, char title[SB_FIGURE_TITLE])
{
    snprintf(title, SB_FIGURE_TITLE, "%.48s: %.24s, batch %ld", arm->cell->study, arm->cell->optimizer,
             arm->cell->batch);
}

/* -- a panel -- */

static void write_data(sb_writer *script, const row_list *rows, const sb_trust_arm *arm, size_t panel)
{
    sb_write(script, "# columns last _place smallest largest first tensor words\n$a%zu << END\n", panel);
    for (size_t i = 0; i < rows->n; i++) {
        const sb_trust_tensor *t = sb_trust_find(arm, rows->name[i]);
        if (t)
            sb_write(script, "%.6g %ld %.6g %.6g %.6g %s \"%.3g, from %.3g to %.3g\"\n", t->last, -(long)i, t->low,
                     t->high, t->first, t->name, t->last, t->low, t->high);
    }
    sb_write(script, "END\n");
}

static void write_rows(sb_writer *script, const row_list *rows)
{
    sb_write(script, "unset arrow\nset ytics (");
    for (size_t i = 0; i < rows->n; i++) {
        sb_write(script, i ? ", " : "");
        sb_style_text(script, rows->name[i], false);
        sb_write(script, " %ld", -(long)i);
    }
    sb_write(script, ") scale 0\nset yrange [%.1f:0.5]\n", -(double)rows->n + 0.5);
    for (size_t i = 0; i < rows->n; i++)
        sb_write(script, "set arrow from graph 0, first %ld to graph 1, first %ld nohead back linestyle %d\n", -(long)i,
                 -(long)i, SB_STYLE_ROW);
    sb_write(script, "set arrow from 1, graph 0 to 1, graph 1 nohead back linestyle %d\n", SB_STYLE_RULE);
}

static void write_panel(sb_writer *script, const sb_layout *layout, const row_list *rows, const sb_trust_arm *arm,
                        size_t i)
{
    char title[SB_FIGURE_TITLE];
    title_of(arm, title);
    sb_style_panel(script, layout, i, title);
    sb_style_axis_labels(script, "ratio; dotted: 1", NULL);
    write_rows(script, rows);
    sb_write(script, "plot $a%zu using 1:2:3:4 with xerrorbars linestyle %d, ", i + 1, SB_STYLE_MEAN);
    sb_write(script, "$a%zu using 1:2:7 with labels hypertext point linestyle %d\n", i + 1,
             sb_style_ratio(arm->cell->evidence));
}

/* -- all of them -- */

static void write_axis(sb_writer *script, const sb_layout *layout, const sb_trust_ratios *ratios)
{
    double low = 1, high = 1;
    for (size_t i = 0; i < ratios->n; i++)
        for (size_t k = 0; k < ratios->arm[i].n; k++) {
            const sb_trust_tensor *t = &ratios->arm[i].tensor[k];
            if (t->low > 0) low = fmin(low, t->low);
            high = fmax(high, t->high);
        }
    sb_style_log_axis(script, layout, 'x', low, fmax(high, 1.01 * low), 0.04);
}

static sb_status draw(const row_list *rows, const sb_trust_ratios *ratios, const char *folder, const char *name)
{
    char title[SB_FIGURE_TITLE];
    sb_layout layout = {
        .n_panels = ratios->n,
        .columns = ratios->n > 1 ? 2 : 1,
        .columns_narrow = 1,
        .title_lines = 1,
        .panel_height = 12 + 21 * (int)rows->n,
        .left = 112,
        .below = 58,
        .between = 40,
    };
    for (size_t i = 0; i < ratios->n; i++) {
        title_of(&ratios->arm[i], title);
        sb_style_fit_title(&layout, title);
    }
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    sb_write(plot.script, "unset grid\n");
    for (size_t i = 0; i < ratios->n; i++) write_data(plot.script, rows, &ratios->arm[i], i + 1);
    write_axis(plot.script, &layout, ratios);
    for (size_t i = 0; i < ratios->n; i++) write_panel(plot.script, &layout, rows, &ratios->arm[i], i);
    return sb_plot_end(&plot, SB_OK);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    row_list rows = {0};
    sb_status status = list_rows(&rows, s->trust);
    if (status == SB_OK) status = draw(&rows, s->trust, folder, name);
    free(rows.name);
    return status;
}

const sb_figure_kind sb_figure_trust = {
    .name = "trust",
    .label = "Ratios by which layer-wise optimisers multiplied learning rates, by tensor",
    .section = SB_SECTION_LAYERS,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
