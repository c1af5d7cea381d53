#include "paper/page/page_parts.h"

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
