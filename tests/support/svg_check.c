/* svg_check FILE.svg...: the labels of pictures as gnuplot lays them out, without a browser: none beyond the picture,
 * none over another, no mark and no straight line through one. Letters are taken to be 0.55 of their size wide, which
 * is what Helvetica's are on average. tests/look does the same in a browser, with the letters that are really drawn. */
#include "core/file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS = 512 };

typedef struct box {
    double left, right, top, bottom;
    char text[80];
} box;

typedef struct picture {
    const char *path;
    double width, height;
    size_t n_labels;
    box label[LABELS];
    int n_bad;
} picture;

static void complain(picture *p, const char *what, const box *a, const box *b)
{
    printf("%s: %s: '%s'%s%s%s\n", p->path, what, a->text, b ? " and '" : "", b ? b->text : "", b ? "'" : "");
    p->n_bad++;
}

static bool overlap(const box *a, const box *b, double by)
{
    return fmin(a->right, b->right) - fmax(a->left, b->left) > by &&
           fmin(a->bottom, b->bottom) - fmax(a->top, b->top) > by;
}

/* The attribute of the tag that begins at `tag`, as a number; a word of it with `mark` in front. */
static double number_of(const char *tag, const char *mark, double otherwise)
{
    const char *end = strchr(tag, '>'), *at = strstr(tag, mark);
    return at && end && at < end ? strtod(at + strlen(mark), NULL) : otherwise;
}

static bool has(const char *tag, const char *mark)
{
    const char *end = strchr(tag, '>'), *at = strstr(tag, mark);
    return at && end && at < end;
}

/* Characters of UTF-8 up to the next '<'; an entity is one. */
static size_t count_letters(const char *text)
{
    size_t n = 0;
    for (const char *c = text; *c && *c != '<'; c++) {
        if (*c == '&') c += strcspn(c, ";<");
        n += ((unsigned char)*c & 0xC0) != 0x80;
    }
    return n;
}

/* <g transform="translate(x,y) rotate(a)" ... font-size="s" text-anchor="end"><text>...</text></g> */
static void read_label(picture *p, const char *tag)
{
    const char *text = strstr(tag, "<text>");
    double x, y;
    if (!text || p->n_labels == LABELS || sscanf(tag, "<g transform=\"translate(%lf,%lf)", &x, &y) != 2) return;
    text += strlen("<text>") + strspn(text + strlen("<text>"), " ");
    if (*text == '<') return;
    double size = number_of(tag, "font-size=\"", 14), length = 0.55 * size * (double)count_letters(text);
    double before = has(tag, "text-anchor=\"end\"") ? length : has(tag, "text-anchor=\"middle\"") ? length / 2 : 0;
    box *label = &p->label[p->n_labels++];
    if (fabs(number_of(tag, "rotate(", 0)) > 45)
        *label = (box){x - 0.75 * size, x + 0.2 * size, y - length + before, y + before, ""};
    else
        *label = (box){x - before, x - before + length, y - 0.75 * size, y + 0.2 * size, ""};
    snprintf(label->text, sizeof label->text, "%.*s", (int)strcspn(text, "<"), text);
}

static void check_labels(picture *p)
{
    for (size_t i = 0; i < p->n_labels; i++) {
        const box *a = &p->label[i];
        if (a->left < -1 || a->right > p->width + 1 || a->top < -1 || a->bottom > p->height + 1)
            complain(p, "beyond the picture", a, NULL);
        for (size_t k = i + 1; k < p->n_labels; k++)
            if (overlap(a, &p->label[k], 1)) complain(p, "one over the other", a, &p->label[k]);
    }
}

/* Does the line enter the box? Cut it to the box's sides, one after the other (Liang and Barsky 1984). */
static bool enters(const box *b, double x1, double y1, double x2, double y2)
{
    const double towards[] = {x1 - x2, x2 - x1, y1 - y2, y2 - y1};
    const double room[] = {x1 - b->left, b->right - x1, y1 - b->top, b->bottom - y1};
    double from = 0, to = 1;
    for (int i = 0; i < 4; i++) {
        if (towards[i] == 0 && room[i] < 0) return false;
        if (towards[i] < 0) from = fmax(from, room[i] / towards[i]);
        if (towards[i] > 0) to = fmin(to, room[i] / towards[i]);
    }
    return from < to;
}

static void check_line(picture *p, double x1, double y1, double x2, double y2)
{
    for (size_t i = 0; i < p->n_labels; i++) {
        const box *a = &p->label[i], core = {a->left + 3, a->right - 3, a->top + 3, a->bottom - 3, ""};
        if (core.left < core.right && core.top < core.bottom && enters(&core, x1, y1, x2, y2))
            complain(p, "a line goes through", a, NULL);
    }
}

/* d='M1,2 L3,4 ...'; the lines of a grid are meant to lie behind. */
static void check_path(picture *p, const char *tag)
{
    const char *d = strstr(tag, " d='"), *end = strchr(tag, '>');
    double x = 0, y = 0, next_x, next_y;
    char letter;
    int n;
    if (!d || !end || d > end || has(tag, "gridline")) return;
    for (d += 4; sscanf(d, " %c%lf,%lf%n", &letter, &next_x, &next_y, &n) == 3 && strchr("ML", letter); d += n) {
        if (letter == 'L') check_line(p, x, y, next_x, next_y);
        x = next_x;
        y = next_y;
    }
}

static void check_mark(picture *p, const char *tag)
{
    double x, y, scale = number_of(tag, "scale(", 1);
    const char *place = strstr(tag, "translate("), *end = strchr(tag, '>');
    if (!place || !end || place > end || sscanf(place, "translate(%lf,%lf)", &x, &y) != 2) return;
    const box mark = {x - scale, x + scale, y - scale, y + scale, ""};
    for (size_t i = 0; i < p->n_labels; i++)
        if (overlap(&mark, &p->label[i], 2)) complain(p, "a mark lies over", &p->label[i], NULL);
}

static bool check(picture *p, const char *text)
{
    const char *view = strstr(text, "viewBox=\"0 0 "), *drawn = strstr(text, "</defs>");
    if (!view || !drawn || sscanf(view, "viewBox=\"0 0 %lf %lf", &p->width, &p->height) != 2) {
        printf("%s: not a picture of gnuplot\n", p->path);
        return false;
    }
    for (const char *tag = drawn; (tag = strstr(tag, "<g transform=\"translate(")); tag++) read_label(p, tag);
    check_labels(p);
    for (const char *tag = drawn; (tag = strstr(tag, "<path ")); tag++) check_path(p, tag);
    for (const char *tag = drawn; (tag = strstr(tag, "<use ")); tag++) check_mark(p, tag);
    return p->n_bad == 0;
}

int main(int argc, char **argv)
{
    static picture p;
    bool good = argc > 1;
    for (int i = 1; i < argc; i++) {
        char *text;
        memset(&p, 0, sizeof p);
        p.path = argv[i];
        if (sb_file_read(argv[i], &text, NULL) != SB_OK) {
            fprintf(stderr, "%s\n", sb_message());
            return 2;
        }
        good = check(&p, text) && good;
        free(text);
    }
    return good ? 0 : 1;
}
