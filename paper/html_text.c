#include "paper/html_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sb_html_text(FILE *page, const char *text)
{
    for (const char *c = text; *c; c++) switch (*c) {
        case '&':
            fputs("&amp;", page);
            break;
        case '<':
            fputs("&lt;", page);
            break;
        case '>':
            fputs("&gt;", page);
            break;
        case '"':
            fputs("&quot;", page);
            break;
        case '\'':
            fputs("&#39;", page);
            break;
        default:
            fputc(*c, page);
        }
}

void sb_html_number(FILE *page, double number)
{
    if (isnan(number))
        fputs("–", page);
    else
        fprintf(page, "%.4g", number);
}

void sb_html_cell(FILE *page, double number)
{
    fputs("<td class=\"number\">", page);
    sb_html_number(page, number);
    fputs("</td>", page);
}

void sb_html_code(FILE *page, const char *text)
{
    fputs("<code>", page);
    sb_html_text(page, text);
    fputs("</code>", page);
}

void sb_html_group(FILE *page, const sb_group *group)
{
    sb_html_text(page, group->study);
    fputs(" on ", page);
    sb_html_text(page, group->data);
}

/* If `text` begins with `mark`, the length of mark, else 0. */
static size_t begins(const char *text, const char *mark)
{
    size_t length = strlen(mark);
    return strncmp(text, mark, length) == 0 ? length : 0;
}

/* Skip an element such as <title>...</title> when the text begins with it. */
static const char *skip_element(const char *text, const char *open, const char *close)
{
    if (!begins(text, open)) return text;
    const char *end = strstr(text, close);
    return end ? end + strlen(close) : text;
}

/* Names and references to names are the only places where two pictures on one page could meet. gnuplot's titles would
 * pop up under the mouse as "gnuplot_plot_1". */
static void write_svg_body(FILE *page, const char *text, const char *prefix)
{
    static const char *const marks[] = {" id='", " id=\"", "href='#", "url(#"};
    while (*text) {
        const char *skipped = skip_element(skip_element(text, "<title>", "</title>"), "<desc>", "</desc>");
        if (skipped != text) {
            text = skipped;
            continue;
        }
        size_t length = 0;
        for (size_t i = 0; i < sizeof marks / sizeof *marks && !length; i++) length = begins(text, marks[i]);
        if (length) {
            fwrite(text, 1, length, page);
            fputs(prefix, page);
            text += length;
        } else {
            fputc(*text++, page);
        }
    }
}

sb_status sb_html_svg(FILE *page, const char *path, const char *prefix, const char *class, const char *label)
{
    char *text;
    SB_TRY(sb_file_read(path, &text, NULL));
    const char *start = strstr(text, "<svg");
    if (start) {
        fprintf(page, "<svg class=\"%s\" role=\"img\" aria-label=\"", class);
        sb_html_text(page, label);
        fputc('"', page);
        write_svg_body(page, start + strlen("<svg"), prefix);
    }
    free(text);
    return start ? SB_OK : sb_fail(SB_E_INTEGRITY, "%s: not a picture in SVG", path);
}

static void write_base64(FILE *page, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i < 3 ? n - i : 3;
        unsigned long word = 0;
        for (size_t k = 0; k < 3; k++) word = word << 8 | (k < left ? bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++) fputc(k <= left ? digits[word >> (18 - 6 * k) & 63] : '=', page);
    }
}

sb_status sb_html_data(FILE *page, const char *path, const char *type)
{
    char *bytes;
    size_t n;
    SB_TRY(sb_file_read(path, &bytes, &n));
    fprintf(page, "data:%s;base64,", type);
    write_base64(page, (const unsigned char *)bytes, n);
    free(bytes);
    return SB_OK;
}
