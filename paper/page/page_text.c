#include "paper/page/page.h"

#include <math.h>
#include <stdlib.h>

void sb_page_caption(sb_writer *page, sb_page_count *count)
{
    ++count->table;
    sb_write(page, "<p class=\"caption\" id=\"table-%s%d\"><b>Table %s%d.</b> ", count->study, count->table,
             count->study, count->table);
}

/* `--cN` is what column N says on a narrow screen, where a row stands as a card; `data-column` is what the script sorts
 * by. */
void sb_page_table(sb_writer *page, const char *class, const sb_page_count *count, const char *const heading[])
{
    sb_write(page,
             "</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"table-%s%d\">\n"
             "<table class=\"%s\" style=\"",
             count->study, count->table, class);
    for (int i = 0; heading[i]; i++) sb_write(page, "--c%d:'%s';", i + 1, heading[i] + (*heading[i] == '#'));
    sb_write(page, "\">\n<thead>\n<tr>");
    for (int i = 0; heading[i]; i++) {
        const bool number = *heading[i] == '#';
        sb_write(page, "<th scope=\"col\" data-column=\"%d\"", i);
        sb_write(page, number ? " class=\"number\"" : "");
        sb_write(page, ">%s</th>", heading[i] + number);
    }
    sb_write(page, "</tr>\n</thead>\n<tbody>\n");
}

void sb_page_table_end(sb_writer *page)
{
    sb_write(page, "</tbody>\n</table>\n</div>\n");
}

void sb_page_word(sb_writer *page, const char *word)
{
    sb_write(page, "<td class=\"word\">%s</td>", word);
}

void sb_page_whole(sb_writer *page, long number)
{
    sb_write(page, "<td class=\"number\">%ld</td>", number);
}

void sb_page_evidence(sb_writer *page, const sb_result *cell)
{
    sb_page_word(page, sb_evidence_name[cell->evidence]);
}

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
