/* A network as boxes and arrows, from the list of layers that the trainer wrote into the folder of the results. Columns
 * are what a module does, rows its level; an arrow says who reads whom. */
#include "paper/figures/figures.h"
#include "paper/figures/network_modules.h"
#include "paper/files/output.h"

#include <string.h>

#define BOX_X 0.41 /* half the width of a box; the distance of columns and of rows is 1 */
#define BOX_Y 0.33

enum { BOTTOM_UP, ERROR, STATE, PREDICTION, N_COLUMNS };

static const char *const column_title[N_COLUMNS] = {"seen", "error", "state", "predicted"};

/* The differences between the figures of this file. */
typedef struct network {
    const char *model, *caption;
} network;

static const network
    prednet =
        {"prednet",
         "PredNet at the published size, drawn from the trainer's own list of layers: channels x height x width of "
         "what a module passes on, and its parameters. Errors of both signs go up, states come down, doubled in size; "
         "dashed: what is compared is the prediction made one step earlier. Each ConvLSTM also reads its own state of "
         "the step before."},
    autoencoder = {"autoencoder",
                   "The autoencoder, drawn from the trainer's own list of layers: units and parameters of each."};

static sb_status layers_path(char path[SB_PATH_MAX], const sb_figure_subject *s)
{
    return sb_path_join(path, s->folder, "layers-%s.csv", ((const network *)s->kind->of)->model);
}

static bool has_errors(const sb_network_modules *layers)
{
    for (size_t i = 0; i < layers->n_modules; i++)
        if (strcmp(layers->module[i].kind, "error") == 0) return true;
    return false;
}

/* The column of a module: in a network that predicts by its function, else by its number. */
static int column_of(const sb_network_modules *layers, size_t i)
{
    const char *kind = layers->module[i].kind;
    if (!has_errors(layers)) return (int)i;
    if (strcmp(kind, "error") == 0) return ERROR;
    if (strncmp(kind, "convlstm", 8) == 0) return STATE;
    for (size_t k = 0; k < layers->n_links; k++)
        if (layers->link[k].to == i && strncmp(layers->module[layers->link[k].from].kind, "convlstm", 8) == 0)
            return PREDICTION;
    return BOTTOM_UP;
}

static void write_line(sb_writer *script, double x, double y, const char *text)
{
    sb_write(script, "set label ");
    sb_style_text(script, text);
    sb_write(script, " at %.3f,%.3f center font (narrow ? ',9' : ',13')\n", x, y);
}

enum { LINES = 5, LINE = 64 };

static void describe(const sb_module *m, char line[LINES][LINE])
{
    snprintf(line[0], LINE, "%s", m->name);
    snprintf(line[1], LINE, "%s%s%s", m->kernel, *m->kernel && *m->activation ? ", " : "", m->activation);
    if (strncmp(m->kind, "convlstm", 8) == 0) snprintf(line[1], LINE, "ConvLSTM, %s", m->kernel);
    if (strcmp(m->kind, "dense") == 0) snprintf(line[1], LINE, "dense, %s", m->activation);
    if (strcmp(m->kind, "error") == 0) snprintf(line[1], LINE, "both signs");
    if (strcmp(m->kind, "input") == 0) *line[1] = 0;
    snprintf(line[2], LINE, "%s", m->pooled ? "pooled" : "");
    if (m->height == 1)
        snprintf(line[3], LINE, "%ld", m->channels * m->width);
    else
        snprintf(line[3], LINE, "%ld x %ld x %ld", m->channels, m->height, m->width);
    *line[4] = 0;
    if (m->parameters >= 1000)
        snprintf(line[4], LINE, "%s k param.", sb_number_short((double)m->parameters / 1000).text);
    else if (m->parameters)
        snprintf(line[4], LINE, "%ld param.", m->parameters);
}

static void write_box(sb_writer *script, const sb_module *m, double x, double y)
{
    char text[LINES][LINE];
    const char *line[LINES];
    int n = 0;
    describe(m, text);
    for (int i = 0; i < LINES; i++)
        if (*text[i]) line[n++] = text[i];
    sb_write(script,
             "set object rectangle from %.3f,%.3f to %.3f,%.3f front fillstyle empty border linecolor rgb '#333333' "
             "linewidth 1.2\n",
             x - BOX_X, y - BOX_Y, x + BOX_X, y + BOX_Y);
    for (int i = 0; i < n; i++) write_line(script, x, y + 0.128 * ((n - 1) / 2.0 - i), line[i]);
}

static void write_arrow(sb_writer *script, double x1, double y1, double x2, double y2, bool head, bool late)
{
    sb_write(script, "set arrow from %.3f,%.3f to %.3f,%.3f ", x1, y1, x2, y2);
    sb_write(script, head ? "size screen 0.01,20 filled linestyle %d\n" : "nohead linestyle %d\n",
             late ? SB_STYLE_EDGE_LATE : SB_STYLE_EDGE);
}

/* Boxes next to or above each other: a straight line; distant ones in a row: below the boxes; else from corner to
 * corner. */
static void write_link(sb_writer *script, int from_x, int from_y, int to_x, int to_y, bool late)
{
    if (from_y == to_y && to_x == from_x + 1) {
        write_arrow(script, from_x + BOX_X, from_y, to_x - BOX_X, to_y, true, late);
    } else if (from_x == to_x) {
        double side = to_y < from_y ? -BOX_Y : BOX_Y;
        write_arrow(script, from_x, from_y + side, to_x, to_y - side, true, late);
    } else if (from_y == to_y) {
        double below = from_y - BOX_Y - 0.12;
        write_arrow(script, from_x, from_y - BOX_Y, from_x, below, false, late);
        write_arrow(script, from_x, below, to_x, below, false, late);
        write_arrow(script, to_x, below, to_x, to_y - BOX_Y, true, late);
    } else {
        double x = to_x < from_x ? -0.25 : 0.25, y = to_y > from_y ? BOX_Y : -BOX_Y;
        write_arrow(script, from_x + x, from_y + y, to_x - x, to_y - y, true, late);
    }
}

static void write_network(sb_writer *script, const sb_network_modules *layers, int n_columns, int n_levels)
{
    const bool named = has_errors(layers);
    for (size_t i = 0; i < layers->n_modules; i++)
        write_box(script, &layers->module[i], column_of(layers, i), layers->module[i].level);
    for (size_t i = 0; i < layers->n_links; i++) {
        const sb_module_link *link = &layers->link[i];
        write_link(script, column_of(layers, link->from), layers->module[link->from].level, column_of(layers, link->to),
                   layers->module[link->to].level, link->late);
    }
    for (int column = 0; named && column < n_columns; column++)
        write_line(script, column, n_levels - 0.55, column_title[column]);
    sb_write(script,
             "unset border\nunset tics\nunset grid\nset xrange [-0.45:%.2f]\nset yrange [-0.5:%.2f]\nplot NaN with "
             "lines linestyle %d\n",
             n_columns - 0.55, n_levels - (named ? 0.45 : 0.6), SB_STYLE_EDGE);
}

static sb_status draw(const sb_network_modules *layers, const char *folder, const char *name)
{
    int n_columns = 0, n_levels = 0;
    for (size_t i = 0; i < layers->n_modules; i++) {
        if (column_of(layers, i) >= n_columns) n_columns = column_of(layers, i) + 1;
        if (layers->module[i].level >= n_levels) n_levels = layers->module[i].level + 1;
    }
    const sb_layout layout = {
        .n_panels = 1,
        .columns = 1,
        .columns_narrow = 1,
        .panel_height = 10 + 124 * n_levels,
        .left = 8,
        .below = 4,
    };
    sb_plot plot;
    SB_TRY(sb_plot_begin(&plot, folder, name, &layout));
    sb_style_panel(plot.script, &layout, 0, "");
    write_network(plot.script, layers, n_columns, n_levels);
    return sb_plot_end(&plot, SB_OK);
}

static bool is_wanted(const sb_figure_subject *s)
{
    char path[SB_PATH_MAX];
    return layers_path(path, s) == SB_OK && sb_file_exists(path);
}

static sb_status draw_figure(const sb_figure_subject *s, const char *folder, const char *name)
{
    char path[SB_PATH_MAX];
    SB_OWNED(sb_network_modules_free) sb_network_modules layers = {0};
    SB_TRY(layers_path(path, s));
    SB_TRY(sb_network_modules_read(&layers, path));
    return draw(&layers, folder, name);
}

static void write_caption(sb_writer *out, const sb_figure_subject *s)
{
    sb_write(out, "%s", ((const network *)s->kind->of)->caption);
}

const sb_figure_kind sb_figure_architecture_prednet = {
    .name = "architecture-prednet",
    .label = "The layers of PredNet",
    .section = SB_SECTION_NETWORKS,
    .of = &prednet,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};

const sb_figure_kind sb_figure_architecture_autoencoder = {
    .name = "architecture-autoencoder",
    .label = "The layers of the autoencoder",
    .section = SB_SECTION_NETWORKS,
    .of = &autoencoder,
    .is_wanted = is_wanted,
    .draw = draw_figure,
    .caption = write_caption,
};
