/* Pictures into the page. A file from the disk is not ours until it was read: whatever is not of the elements,
 * attributes and values that a drawing needs is refused, so that no script, link, style or entity comes into the page
 * with it. */
#include "paper/page/page.h"

#include "core/text/text.h"

#include <string.h>

enum { NESTING = 32, NAME = 32 };

/* What gnuplot draws with. */
static const char elements[] = " svg g defs use path rect circle polygon polyline text tspan ";

static const char attributes[] =
    " id class href xlink:href xmlns xmlns:xlink version viewBox width height x y dx dy cx cy r d points "
    "transform color fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin "
    "stroke-dasharray stroke-opacity opacity shape-rendering font-family font-size font-weight font-style "
    "text-anchor text-decoration xml:space ";

typedef struct picture {
    const char *path, *prefix; /* of the file; before each of its ids */
    const char *at;            /* what is read next */
    FILE *page;
    int depth;
    bool tip;                 /* the element that was opened last is a point with words of its own (grid.h) */
    char open[NESTING][NAME]; /* elements, from the outside in */
} picture;

static sb_status refuse(const picture *p, const char *what, const char *text, size_t n)
{
    char shown[41];
    snprintf(shown, sizeof shown, "%.*s", n < 40 ? (int)n : 40, text);
    return sb_fail(SB_E_INTEGRITY, "%s: not a picture in SVG as gnuplot draws it: %s '%s'", p->path, what, shown);
}

/* The words of a list stand between blanks. */
static bool is_one_of(const char *list, const char *word)
{
    char between[NAME + 2];
    snprintf(between, sizeof between, " %s ", word);
    return *word && strstr(list, between);
}

static bool begins(const char *text, const char *mark)
{
    return strncmp(text, mark, strlen(mark)) == 0;
}

/* "&lt;" and its like, or a number: what a drawing's text needs. The bytes of it, 0 if it is another. */
static size_t entity_length(const char *text)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins(text, known[i])) return strlen(known[i]);
    size_t digits = begins(text, "&#") ? strspn(text + 2, "0123456789") : 0;
    return digits > 0 && digits < 8 && text[2 + digits] == ';' ? digits + 3 : 0;
}

/* Copy text up to the next of `ends` into the page, with the prefix after each mark (NULL: no marks). */
static sb_status copy_text(picture *p, const char *ends, const char *mark)
{
    while (*p->at && !strchr(ends, *p->at)) {
        bool marked = mark && begins(p->at, mark);
        size_t n = *p->at == '&' ? entity_length(p->at) : marked ? strlen(mark) : 1;
        if (n == 0 || *p->at == '<') return refuse(p, "in a text", p->at, 12);
        fwrite(p->at, 1, n, p->page);
        if (marked) fputs(p->prefix, p->page);
        p->at += n;
    }
    return SB_OK;
}

static void skip_blanks(picture *p)
{
    p->at += strspn(p->at, " \t\n");
}

/* A name of letters, digits, '-' and ':'; "" if there is none, or one too long to be known. */
static void take_name(picture *p, char name[NAME])
{
    size_t n = strspn(p->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");
    snprintf(name, NAME, "%.*s", n < NAME ? (int)n : 0, p->at);
    p->at += n;
}

/* -- attributes -- */

/* A reference leads to an id of the same picture and nowhere else. */
static sb_status check_value(const picture *p, const char *name, const char *value, size_t n)
{
    const char *end = value + n;
    if (strstr(name, "href") && *value != '#') return refuse(p, "a link to", value, n);
    for (const char *c = value; c < end; c++)
        if (begins(c, "url(") && c[4] != '#') return refuse(p, "a reference to", c, (size_t)(end - c));
    return SB_OK;
}

static sb_status copy_attribute(picture *p)
{
    char name[NAME];
    const char *start = p->at;
    take_name(p, name);
    skip_blanks(p);
    if (!is_one_of(attributes, name) || *p->at != '=') return refuse(p, "an attribute", start, strcspn(start, "=>"));
    p->at++;
    skip_blanks(p);
    char quote[2] = {*p->at, 0};
    size_t n = strchr("'\"", *quote) && *quote ? strcspn(p->at + 1, quote) : 0;
    if (!*quote || !strchr("'\"", *quote) || p->at[1 + n] != *quote) return refuse(p, "the attribute", name, NAME);
    p->at++;
    SB_TRY(check_value(p, name, p->at, n));
    bool names = strcmp(name, "id") == 0, links = strstr(name, "href");
    /* HTML and XML agree on href; the other spelling is of an old SVG, and needs a name space. */
    fprintf(p->page, " %s=%s%s", links ? "href" : name, quote, names ? p->prefix : "");
    SB_TRY(copy_text(p, quote, links ? "#" : "url(#"));
    fputc(*p->at++, p->page);
    return SB_OK;
}

/* What stands between the name of an element and the '>' that ends its tag; the outermost one's are known already. */
static sb_status copy_attributes(picture *p)
{
    for (skip_blanks(p); *p->at && !strchr("/>", *p->at); skip_blanks(p)) SB_TRY(copy_attribute(p));
    bool empty = *p->at == '/';
    p->at += empty;
    if (*p->at != '>') return refuse(p, "a tag that does not end:", p->open[p->depth - 1], NAME);
    fputs(empty ? "/>" : ">", p->page);
    p->at++;
    p->depth -= empty;
    return SB_OK;
}

/* -- elements -- */

/* gnuplot's titles would pop up under the mouse as "gnuplot_plot_1", and what it says about itself is no matter here;
 * the colours of the dark the page has itself. */
static bool skip_remark(picture *p)
{
    static const char *const remarks[][2] = {
        {"<title>", "</title>"}, {"<desc>", "</desc>"}, {"<style>@media (prefers-color-scheme:dark)", "</style>"}};
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        const char *end = begins(p->at, remarks[i][0]) ? strstr(p->at, remarks[i][1]) : NULL;
        if (!end) continue;
        p->at = end + strlen(remarks[i][1]);
        return true;
    }
    return false;
}

static sb_status copy_end(picture *p)
{
    char name[NAME];
    p->at += 2;
    take_name(p, name);
    skip_blanks(p);
    if (strcmp(name, p->open[p->depth - 1]) != 0 || *p->at != '>') return refuse(p, "an end of", name, NAME);
    fprintf(p->page, "</%s>", name);
    p->at++;
    p->depth--;
    return SB_OK;
}

static const char point_begins[] = "<g class=\"tip\">";

/* The words of a point, which are its name. */
static sb_status copy_tip(picture *p)
{
    p->tip = false;
    fputs("<title>", p->page);
    p->at += strlen("<title>");
    SB_TRY(copy_text(p, "<", NULL));
    if (!begins(p->at, "</title>")) return refuse(p, "in a title", p->at, 12);
    fputs("</title>", p->page);
    p->at += strlen("</title>");
    return SB_OK;
}

static sb_status copy_tag(picture *p)
{
    if (p->tip && begins(p->at, "<title>")) return copy_tip(p);
    p->tip = begins(p->at, point_begins);
    if (skip_remark(p)) return SB_OK;
    if (p->at[1] == '/') return copy_end(p);
    if (p->depth == NESTING) return refuse(p, "too deep an element", p->at, 12);
    const char *start = p->at++;
    take_name(p, p->open[p->depth]);
    if (!is_one_of(elements, p->open[p->depth])) return refuse(p, "an element", start, 12);
    fprintf(p->page, p->tip ? "<%s role=\"img\"" : "<%s", p->open[p->depth++]);
    return copy_attributes(p);
}

/* Copy the picture after "<svg" to its end; only blanks may follow. */
static sb_status copy_picture(picture *p)
{
    snprintf(p->open[p->depth++], NAME, "svg");
    SB_TRY(copy_attributes(p));
    while (p->depth > 0 && *p->at) {
        SB_TRY(copy_text(p, "<", NULL));
        if (*p->at) SB_TRY(copy_tag(p));
    }
    if (p->depth > 0) return refuse(p, "no end of", p->open[p->depth - 1], NAME);
    skip_blanks(p);
    return *p->at ? refuse(p, "behind its end", p->at, 12) : SB_OK;
}

sb_status sb_page_svg(sb_writer *page, const char *path, const char *prefix, const char *class, const char *label)
{
    SB_FREED char *text = NULL;
    SB_TRY(sb_file_read(path, &text, NULL));
    picture p = {.path = path, .prefix = prefix, .at = strstr(text, "<svg"), .page = sb_writer_stream(page, &sb_html)};
    size_t plain = sb_text_plain_length(text, true);
    if (!p.at || text[plain]) return refuse(&p, p.at ? "a byte that is no character, at" : "it begins with", text, 12);
    if (!p.page) return SB_OK;
    /* Inside an image a screen reader finds nothing, so that a picture whose points have words is a group. */
    sb_write(page, "<svg class=\"%s\" role=\"%s\" aria-label=\"%s\"", class,
             strstr(text, point_begins) ? "group" : "img", label);
    p.at += strlen("<svg");
    return copy_picture(&p);
}
