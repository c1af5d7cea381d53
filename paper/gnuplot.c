#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "paper/gnuplot.h"

#include "paper/path.h"
#include "paper/program.h"

#include <stdlib.h>
#include <unistd.h>

sb_status sb_plot_begin(sb_plot *plot, const char *folder, const char *name, const sb_layout *layout)
{
    *plot = (sb_plot){0};
    snprintf(plot->folder, sizeof plot->folder, "%s", folder);
    snprintf(plot->name, sizeof plot->name, "%s", name);
    plot->script = open_memstream(&plot->text, &plot->n_text);
    if (!plot->script) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the script", name);
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
    SB_TRY(sb_program_run(plot->folder, argv, "gnuplot-nox", words, sizeof words, &code));
    /* It exits 0 after some complaints too; a figure it complained about is not one to print. */
    if (code != 0 || *words)
        return sb_fail(SB_E_IO, "%s/%s: gnuplot says: %s", plot->folder, script,
                       *words ? words : "nothing, but failed");
    return SB_OK;
}

static sb_status draw(const sb_plot *plot, bool narrow)
{
    char picture[SB_PATH_MAX], part[SB_PATH_MAX], setting[sizeof plot->name + 64];
    const char *suffix = narrow ? "-narrow" : "";
    snprintf(setting, sizeof setting, "narrow=%d; output='%s%s.svg.part'", narrow, plot->name, suffix);
    SB_TRY(sb_path_join(picture, plot->folder, "%s%s.svg", plot->name, suffix));
    sb_status status = run_gnuplot(plot, setting);
    if (status == SB_OK) return sb_file_commit(picture);
    sb_file_part(picture, part);
    unlink(part);
    return status;
}

static sb_status write_script(const sb_plot *plot)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, plot->folder, "%s.gp", plot->name));
    return sb_file_write(path, plot->text, plot->n_text);
}

sb_status sb_plot_end(sb_plot *plot, sb_status status)
{
    fprintf(plot->script, "\nunset multiplot\n");
    bool whole = !ferror(plot->script);
    whole = fclose(plot->script) == 0 && whole;
    if (status == SB_OK && !whole) status = sb_fail(SB_E_MEMORY, "%s: not enough memory for the script", plot->name);
    if (status == SB_OK) status = write_script(plot);
    if (status == SB_OK) status = draw(plot, false);
    if (status == SB_OK) status = draw(plot, true);
    free(plot->text);
    *plot = (sb_plot){0};
    return status;
}
