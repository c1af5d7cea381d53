#include "paper/figures/grid.h"

#include "core/file.h"
#include "paper/figures/style.h"

#include <stdbool.h>
#include <string.h>

/* -- the picture -- */

static void write_verbatim(FILE *out, const char *text, bool quoted)
{
    (void)quoted;
    fputs(text, out);
}

/* What is copied is gnuplot's and was escaped by it; the page reads it tag by tag (page/page_svg.c). */
static const sb_language svg = {.name = "SVG", .text = write_verbatim, .lines = true};

static const char tip_begins[] = "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'";
static const char tip_ends[] = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>";

static bool begins(const char *text, const char *mark)
{
    return strncmp(text, mark, strlen(mark)) == 0;
}

/* The text after the next `mark`; its end if there is none. */
static const char *behind(const char *text, const char *mark)
{
    const char *found = strstr(text, mark);
    return found ? found + strlen(mark) : text + strlen(text);
}

/* -- colours -- */

static bool is_known(unsigned colour)
{
    for (size_t i = 0; i < sb_style_n_colours; i++)
        if (sb_style_colours[i].light == colour) return true;
    return false;
}

/* The colour that stands between the quotes of an attribute, in any of gnuplot's spellings. Its bytes; 0: none. */
static size_t read_colour(const char *text, unsigned *colour)
{
    static const struct {
        const char *word;
        unsigned colour;
    } words[] = {{"black", 0x000000}, {"gray", 0xDDDDDD}};
    unsigned red, green, blue;
    int n = 0;
    char spelled[48]; /* sscanf searches for the end of its text, and the end of the picture may be megabytes away */
    snprintf(spelled, sizeof spelled, "%.*s", (int)strcspn(text, "'\""), text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(text, words[i].word)) {
            *colour = words[i].colour;
            return strlen(words[i].word);
        }
    if (sscanf(spelled, "rgb( %u , %u , %u )%n", &red, &green, &blue, &n) == 3 && n > 0)
        *colour = red << 16 | green << 8 | blue;
    else if (*text != '#' || sscanf(spelled, "#%6x%n", colour, &n) != 1 || n != 7)
        return 0;
    return (size_t)n;
}

/* The text after an attribute of a color and its quote: stroke='  fill = '  color=". NULL: no such attribute. */
static const char *behind_attribute(const char *text)
{
    static const char *const names[] = {" stroke", " fill", " color"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!begins(text, names[i])) continue;
        const char *at = text + strlen(names[i]);
        at += strspn(at, " ");
        if (*at++ != '=') return NULL;
        at += strspn(at, " ");
        return *at == '\'' || *at == '"' ? at + 1 : NULL;
    }
    return NULL;
}

/* -- one pass -- */

typedef struct finishing {
    const char *path, *at;
    sb_writer *out;
    bool styled;
} finishing;

/* Only what the formats of our figures hold comes in here: words, numbers and hashes. */
static sb_status copy_tip(finishing *f)
{
    const char *tip = f->at + strlen(tip_begins), *end = strstr(tip, tip_ends);
    size_t n = strspn(tip, sb_style_signs);
    if (!end || tip + n != end) return sb_fail(SB_E_INTEGRITY, "%s: strange words at a point", f->path);
    sb_write(f->out, "<g class=\"tip\"><title>");
    sb_write_text(f->out, tip, n);
    sb_write(f->out, "</title>");
    f->at = end + strlen(tip_ends);
    return SB_OK;
}

static void write_style(finishing *f)
{
    sb_write(f->out, "<style>@media (prefers-color-scheme:dark){\n");
    sb_style_dark(f->out, SB_RAW(""));
    sb_write(f->out, "}</style>\n");
    f->styled = true;
}

/* gnuplot's remarks, and its filters for boxed labels, which we have not. The style takes the first one's place. */
static bool skip_remark(finishing *f)
{
    static const char *const remarks[][2] = {{"<title>", "</title>"}, {"<desc>", "</desc>"}, {"<filter", "</filter>"}};
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        if (!begins(f->at, remarks[i][0])) continue;
        if (!f->styled) write_style(f);
        f->at = behind(f->at, remarks[i][1]);
        return true;
    }
    return false;
}

static sb_status copy_colour(finishing *f, const char *value)
{
    unsigned colour;
    size_t n = read_colour(value, &colour);
    sb_write_text(f->out, f->at, (size_t)(value - f->at));
    f->at = value + n;
    if (n == 0) return SB_OK;
    if (!is_known(colour))
        return sb_fail(SB_E_INTEGRITY, "%s: the color #%06x is none of paper/figures/style.c", f->path, colour);
    sb_write(f->out, "#%06x", colour);
    return SB_OK;
}

static sb_status finish(finishing *f)
{
    while (*f->at) {
        const char *value = behind_attribute(f->at);
        if (value) {
            SB_TRY(copy_colour(f, value));
        } else if (begins(f->at, tip_begins)) {
            SB_TRY(copy_tip(f));
        } else if (!skip_remark(f)) {
            size_t n = 1 + strcspn(f->at + 1, "< ");
            sb_write_text(f->out, f->at, n);
            f->at += n;
        }
    }
    return SB_OK;
}

sb_status sb_picture_finish(const char *path)
{
    char part[SB_PATH_MAX];
    SB_FREED char *text = NULL, *finished = NULL;
    size_t n_bytes;
    sb_file_part(path, part);
    SB_TRY(sb_file_read(part, &text, NULL));
    finishing f = {.path = path, .at = text, .out = sb_writer_open(&svg)};
    const sb_status status = finish(&f);
    if (status != SB_OK) {
        sb_writer_drop(f.out);
        return status;
    }
    SB_TRY(sb_writer_close(f.out, path, &finished, &n_bytes));
    return sb_file_stage(path, finished, n_bytes);
}
