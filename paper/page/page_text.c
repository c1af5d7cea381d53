#include "paper/page/page_parts.h"

#include <math.h>
#include <stdlib.h>

void sb_page_number(sb_writer *page, double number)
{
    if (isnan(number))
        sb_write(page, "–");
    else
        sb_write(page, "%s", sb_number_short(number).text);
}

void sb_page_cell(sb_writer *page, double number)
{
    sb_write(page, "<td class=\"number\">");
    sb_page_number(page, number);
    sb_write(page, "</td>");
}

void sb_page_group(sb_writer *page, const sb_group *group)
{
    sb_write(page, "%s on %s", group->study, group->data);
}

/* In base64. */
static void write_base64(FILE *out, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i < 3 ? n - i : 3;
        unsigned long word = 0;
        for (size_t k = 0; k < 3; k++) word = word << 8 | (k < left ? bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++) fputc(k <= left ? digits[word >> (18 - 6 * k) & 63] : '=', out);
    }
}

void sb_page_base64(sb_writer *page, const void *bytes, size_t n)
{
    FILE *out = sb_writer_stream(page, &sb_html);
    if (out) write_base64(out, bytes, n);
}

sb_status sb_page_data(sb_writer *page, const char *path, const char *type)
{
    char *bytes;
    size_t n;
    SB_TRY(sb_file_read(path, &bytes, &n));
    sb_write(page, "data:%s;base64,", type);
    sb_page_base64(page, bytes, n);
    free(bytes);
    return SB_OK;
}
