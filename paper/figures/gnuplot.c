#define _GNU_SOURCE /* memfd_create */
#include "paper/figures/gnuplot.h"

#include "paper/figures/picture.h"
#include "paper/files/child_program.h"
#include "paper/files/path.h"

#include <errno.h>
#include <stdlib.h>
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

/* gnuplot -d -e ... NAME.gp, in the folder of the figure; -d: whatever the user set up for gnuplot stays out. */
static sb_status run_gnuplot(const sb_plot *plot, const char *setting)
{
    char script[sizeof plot->name + 8], words[400];
    int code;
    snprintf(script, sizeof script, "%s.gp", plot->name);
    const char *const argv[] = {"gnuplot", "-d", "-e", setting, script, NULL};
    SB_TRY(sb_child_program_run(plot->folder, argv, "gnuplot-nox", words, sizeof words, &code));
    /* It exits 0 after some complaints too; a figure it complained about is not one to print. */
    if (code != 0 || *words)
        return sb_fail(SB_E_IO, "%s/%s: gnuplot says: %s", plot->folder, script,
                       *words ? words : "nothing, but failed");
    return SB_OK;
}

/* What a script is told from outside: which of the two pictures, and where to. */
static sb_status make_setting(const sb_plot *plot, bool narrow, int canvas, char **setting)
{
    sb_writer *writer = sb_writer_open(&sb_gnuplot);
    sb_write(writer, "narrow=%d; output='/dev/fd/%d'", narrow, canvas);
    return sb_writer_close(writer, plot->name, setting, NULL);
}

/* What gnuplot draws onto the canvas, as PATH.part. */
static sb_status draw_onto(int canvas, const sb_plot *plot, bool narrow, const char *picture)
{
    char path[32], *setting, *drawn;
    size_t n_bytes;
    SB_TRY(make_setting(plot, narrow, canvas, &setting));
    sb_status status = run_gnuplot(plot, setting);
    free(setting);
    if (status != SB_OK) return status;
    snprintf(path, sizeof path, "/dev/fd/%d", canvas);
    SB_TRY(sb_file_read(path, &drawn, &n_bytes));
    status = sb_file_stage(picture, drawn, n_bytes);
    free(drawn);
    return status;
}

/* gnuplot does not notice that a disk is full: it draws into memory, and what it drew is written here. */
static sb_status draw(const sb_plot *plot, bool narrow)
{
    char picture[SB_PATH_MAX], part[SB_PATH_MAX];
    SB_TRY(sb_path_join(picture, plot->folder, "%s%s.svg", plot->name, narrow ? "-narrow" : ""));
    const int canvas = memfd_create("picture", 0);
    if (canvas < 0) return sb_fail(SB_E_MEMORY, "%s: no memory to draw it in: %s", picture, strerror(errno));
    sb_status status = draw_onto(canvas, plot, narrow, picture);
    close(canvas);
    if (status == SB_OK) status = sb_picture_finish(picture);
    if (status == SB_OK) return sb_file_commit(picture);
    sb_file_part(picture, part);
    unlink(part);
    return status;
}

/* The data beside the script; none stays of a figure that has no more any. */
static sb_status write_data(const sb_plot *plot, const char *script)
{
    char path[SB_PATH_MAX], *csv;
    SB_TRY(sb_path_join(path, plot->folder, "%s.csv", plot->name));
    SB_TRY(sb_picture_csv(plot->name, script, &csv));
    if (!csv) unlink(path);
    sb_status status = csv ? sb_file_write(path, csv, strlen(csv)) : SB_OK;
    free(csv);
    return status;
}

static sb_status write_script(sb_plot *plot)
{
    char path[SB_PATH_MAX], *text;
    size_t n_text;
    SB_TRY(sb_path_join(path, plot->folder, "%s.gp", plot->name));
    sb_write(plot->script, "\nunset multiplot\n");
    sb_status status = sb_writer_close(plot->script, path, &text, &n_text);
    plot->script = NULL;
    if (status == SB_OK) status = sb_file_write(path, text, n_text);
    if (status == SB_OK) status = write_data(plot, text);
    free(text);
    return status;
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
    if (status == SB_OK) status = draw(plot, false);
    if (status == SB_OK) status = draw(plot, true);
    if (plot->script) sb_writer_drop(plot->script);
    *plot = (sb_plot){0};
    return status;
}
