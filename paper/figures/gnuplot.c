#include "paper/figures/chart.h"

#include "paper/figures/grid.h"
#include "paper/files/child_program.h"
#include "paper/files/output.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

sb_status sb_plot_begin(sb_plot *plot, const char *folder, const char *name, const sb_layout *layout)
{
    *plot = (sb_plot){0};
    snprintf(plot->folder, sizeof plot->folder, "%s", folder);
    snprintf(plot->name, sizeof plot->name, "%s", name);
    plot->script = sb_writer_open(&sb_gnuplot);
    sb_style_begin(plot->script, name, layout);
    return SB_OK;
}

/* One of the two pictures of a figure, under way. */
typedef struct drawing {
    const sb_plot *plot;
    char picture[SB_PATH_MAX];
    int canvas; /* memory that gnuplot draws into: it does not notice that a disk is full */
    sb_child_program gnuplot;
} drawing;

/* What a script is told from outside: which of the two pictures, and where to. */
static sb_status make_setting(const drawing *d, bool narrow, char **setting)
{
    sb_writer *writer = sb_writer_open(&sb_gnuplot);
    sb_write(writer, "narrow=%d; output='/dev/fd/%d'", narrow, d->canvas);
    return sb_writer_close(writer, d->plot->name, setting, NULL);
}

/* gnuplot -d -e ... NAME.gp, in the folder of the figure; -d: whatever the user set up for gnuplot stays out. */
static sb_status begin_gnuplot(drawing *d, bool narrow)
{
    char script[sizeof d->plot->name + 8];
    SB_FREED char *setting = NULL;
    SB_TRY(make_setting(d, narrow, &setting));
    snprintf(script, sizeof script, "%s.gp", d->plot->name);
    const char *const argv[] = {"gnuplot", "-d", "-e", setting, script, NULL};
    return sb_child_program_begin(&d->gnuplot, d->plot->folder, argv, "gnuplot-nox");
}

/* A failed call leaves nothing to end. */
static sb_status begin_drawing(drawing *d, const sb_plot *plot, bool narrow)
{
    *d = (drawing){.plot = plot};
    SB_TRY(sb_path_join(d->picture, plot->folder, "%s%s.svg", plot->name, narrow ? "-narrow" : ""));
    d->canvas = memfd_create("picture", 0);
    if (d->canvas < 0) return sb_fail(SB_E_MEMORY, "%s: no memory to draw it in: %s", d->picture, strerror(errno));
    sb_status status = begin_gnuplot(d, narrow);
    if (status != SB_OK) close(d->canvas);
    return status;
}

/* It exits 0 after some complaints too; a figure it complained about is not one to print. */
static sb_status end_gnuplot(drawing *d)
{
    char words[400];
    int code;
    SB_TRY(sb_child_program_end(&d->gnuplot, words, sizeof words, &code));
    if (code == 0 && !*words) return SB_OK;
    return sb_fail(SB_E_IO, "%s/%s.gp: gnuplot says: %s", d->plot->folder, d->plot->name,
                   *words ? words : "nothing, but failed");
}

/* What was drawn onto the canvas, as PATH.part. */
static sb_status stage_picture(const drawing *d)
{
    char path[32];
    SB_FREED char *drawn = NULL;
    size_t n_bytes;
    snprintf(path, sizeof path, "/dev/fd/%d", d->canvas);
    SB_TRY(sb_file_read(path, &drawn, &n_bytes));
    return sb_file_stage(d->picture, drawn, n_bytes);
}

static sb_status end_drawing(drawing *d)
{
    char part[SB_PATH_MAX];
    sb_status status = end_gnuplot(d);
    if (status == SB_OK) status = stage_picture(d);
    close(d->canvas);
    if (status == SB_OK) status = sb_picture_finish(d->picture);
    if (status == SB_OK) return sb_file_commit(d->picture);
    sb_file_part(d->picture, part);
    unlink(part);
    return status;
}

/* Both pictures, side by side: most of the time is gnuplot's start. */
static sb_status draw(const sb_plot *plot)
{
    drawing wide, narrow;
    SB_TRY(begin_drawing(&wide, plot, false));
    const sb_status began = begin_drawing(&narrow, plot, true), of_wide = end_drawing(&wide);
    const sb_status of_narrow = began == SB_OK ? end_drawing(&narrow) : began;
    return of_wide != SB_OK ? of_wide : of_narrow;
}

static sb_status write_script(sb_plot *plot)
{
    char path[SB_PATH_MAX];
    SB_FREED char *text = NULL;
    size_t n_text;
    SB_TRY(sb_path_join(path, plot->folder, "%s.gp", plot->name));
    sb_write(plot->script, "\nunset multiplot\n");
    sb_writer *script = plot->script;
    plot->script = NULL;
    SB_TRY(sb_writer_close(script, path, &text, &n_text));
    return sb_file_write(path, text, n_text);
}

/* A PDF of an earlier picture of this name is none of this one. */
static sb_status remove_pdf(const sb_plot *plot)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, plot->folder, "%s.pdf", plot->name));
    unlink(path);
    return SB_OK;
}

sb_status sb_plot_end(sb_plot *plot, sb_status status)
{
    if (status == SB_OK) status = remove_pdf(plot);
    if (status == SB_OK) status = write_script(plot);
    if (status == SB_OK) status = draw(plot);
    if (plot->script) sb_writer_drop(plot->script);
    *plot = (sb_plot){0};
    return status;
}
