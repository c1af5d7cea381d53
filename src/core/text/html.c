#include "core/text/html.h"

/* What HTML reads in a text or between the quotes of an attribute. */
static void write_html(FILE *out, const char *text, bool quoted)
{
    (void)quoted;
    for (const char *c = text; *c; c++) switch (*c) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            fputc(*c, out);
        }
}

const sb_language sb_html = {.name = "HTML", .text = write_html, .lines = true};
