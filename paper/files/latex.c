#include "paper/files/latex.h"

#include "paper/files/child_program.h"
#include "paper/files/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* cairo and pdfTeX write it in place of the time of day; FORCE_SOURCE_DATE extends that to TeX's own clock. */
static sb_status fix_date(void)
{
    char epoch[32];
    struct tm released = {0};
    if (sscanf(SB_CITATION_DATE, "%d-%d-%d", &released.tm_year, &released.tm_mon, &released.tm_mday) != 3)
        return sb_fail(SB_E_INTEGRITY, "CITATION.cff: '%s' is no date", SB_CITATION_DATE);
    released.tm_year -= 1900;
    released.tm_mon--;
    snprintf(epoch, sizeof epoch, "%lld", (long long)timegm(&released));
    if (setenv("SOURCE_DATE_EPOCH", epoch, 0) == 0 && setenv("FORCE_SOURCE_DATE", "1", 1) == 0) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for the environment of LaTeX");
}

/* -- pictures -- */

static const char font_css[] = "text, g { font-family: 'Latin Modern Sans'; }\n";

sb_status sb_latex_picture(const char *folder, const char *name)
{
    char style[SB_PATH_MAX], svg[SB_PATH_MAX], pdf[SB_PATH_MAX], part[SB_PATH_MAX], words[400];
    int code;
    SB_TRY(fix_date());
    SB_TRY(sb_path_join(style, folder, "print.css"));
    SB_TRY(sb_path_join(pdf, folder, "%s.pdf", name));
    sb_file_part(pdf, part);
    SB_TRY(sb_file_write(style, font_css, strlen(font_css)));
    snprintf(svg, sizeof svg, "%s.svg", name);
    const char *const argv[] = {"rsvg-convert",
                                "--format=pdf",
                                "--stylesheet=print.css",
                                "-o",
                                strrchr(part, '/') ? strrchr(part, '/') + 1 : part,
                                svg,
                                NULL};
    SB_TRY(sb_child_program_run(folder, argv, "librsvg2-bin", words, sizeof words, &code));
    if (code == 0) return sb_file_commit(pdf);
    unlink(part);
    return sb_fail(SB_E_IO, "%s/%s: rsvg-convert says: %s", folder, svg, *words ? words : "nothing, but failed");
}

/* -- documents -- */

/* The first line of LaTeX's log that says "paper.tex:12: Undefined control sequence." (-file-line-error) or, of an
 * error without a place, "! Emergency stop."; cut out in place. NULL if there is none. */
static char *first_error(char *log)
{
    for (char *line = log; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t name = strcspn(line, ":\n"), digits = line[name] == ':' ? strspn(line + name + 1, "0123456789") : 0;
        bool placed = name > 0 && digits > 0 && strncmp(line + name + 1 + digits, ": ", 2) == 0;
        if (!placed && strncmp(line, "! ", 2) != 0) continue;
        line[strcspn(line, "\n")] = 0;
        return strncmp(line, "./", 2) == 0 ? line + 2 : line;
    }
    return NULL;
}

static sb_status tell_error(const char *folder, const char *name, const char *words)
{
    char path[SB_PATH_MAX];
    SB_FREED char *log = NULL;
    SB_TRY(sb_path_join(path, folder, "build/%s.log", name));
    if (sb_file_exists(path)) SB_TRY(sb_file_read(path, &log, NULL));
    char *error = log ? first_error(log) : NULL;
    if (error && *error == '!')
        return sb_fail(SB_E_USAGE, "%s/%s.tex: %s (the whole story: %s)", folder, name, error + 2, path);
    if (error) return sb_fail(SB_E_USAGE, "%s/%s (the whole story: %s)", folder, error, path);
    if (strstr(words, "pdflatex: not found") || strstr(words, "'pdflatex' not found"))
        return sb_fail(SB_E_MISSING, "pdflatex: not found; apt-get install texlive-latex-recommended");
    return sb_fail(SB_E_IO, "%s/%s.tex: latexmk failed: %s (see %s)", folder, name, words, path);
}

sb_status sb_latex_build(const char *folder, const char *name)
{
    char source[256], built[SB_PATH_MAX], pdf[SB_PATH_MAX], words[400];
    int code;
    SB_TRY(fix_date());
    /* One error is one line of the log, however long. */
    if (setenv("max_print_line", "1000", 1) != 0) return sb_fail(SB_E_MEMORY, "not enough memory for LaTeX");
    snprintf(source, sizeof source, "%s.tex", name);
    SB_TRY(sb_path_join(built, folder, "build/%s.pdf", name));
    SB_TRY(sb_path_join(pdf, folder, "%s.pdf", name));
    unlink(pdf); /* a paper of before is not what this text says */
    const char *const argv[] = {"latexmk",        "-norc",
                                "-pdf",           "-interaction=nonstopmode",
                                "-halt-on-error", "-file-line-error",
                                "-outdir=build",  "-latexoption=-no-shell-escape",
                                source,           NULL};
    SB_TRY(sb_child_program_run(folder, argv, "latexmk texlive-latex-recommended", words, sizeof words, &code));
    if (code != 0) return tell_error(folder, name, words);
    if (rename(built, pdf) != 0) return sb_fail(SB_E_IO, "%s: %s", pdf, strerror(errno));
    return SB_OK;
}
