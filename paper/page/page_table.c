#include "paper/page/page_parts.h"

void sb_page_caption(sb_writer *page, sb_page_count *count)
{
    ++count->table;
    sb_write(page, "<p class=\"caption\" id=\"table-%s%d\"><b>Table %s%d.</b> ", count->study, count->table,
             count->study, count->table);
}

static int count_headings(const char *const heading[])
{
    int n = 0;
    while (heading && heading[n]) n++;
    return n;
}

/* `--cN` is what column N says on a narrow screen, where a row stands as a card. */
static void begin(sb_writer *page, const char *class, const sb_page_count *count)
{
    sb_write(page,
             "</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"table-%s%d\">\n"
             "<table class=\"%s\" style=\"",
             count->study, count->table, class);
}

static void name_column(sb_writer *page, int column, const char *heading, const char *of)
{
    sb_write(page, "--c%d:'%s", column + 1, of);
    sb_write(page, *of ? ", %s';" : "%s';", heading + (*heading == '#'));
}

static void begin_head(sb_writer *page)
{
    sb_write(page, "\">\n<thead>\n<tr>");
}

/* `column` is where its cells stand in a row: the script sorts by it. A tall one stands beside two lines. */
static void write_heading(sb_writer *page, const char *heading, int column, bool tall)
{
    bool number = *heading == '#';
    sb_write(page, "<th scope=\"col\" data-column=\"%d\"", column);
    sb_write(page, number ? " class=\"number\"" : "");
    sb_write(page, tall ? " rowspan=\"2\"" : "");
    sb_write(page, ">%s</th>", heading + number);
}

void sb_page_table(sb_writer *page, const char *class, const sb_page_count *count, const char *const heading[])
{
    begin(page, class, count);
    for (int i = 0; heading[i]; i++) name_column(page, i, heading[i], "");
    begin_head(page);
    for (int i = 0; heading[i]; i++) write_heading(page, heading[i], i, false);
    sb_write(page, "</tr>\n</thead>\n<tbody>\n");
}

void sb_page_table_losses(sb_writer *page, const char *class, const sb_page_count *count, const char *const left[],
                          const char *const heading[], const char *const right[])
{
    const int n_left = count_headings(left), n = count_headings(heading), n_right = count_headings(right);
    begin(page, class, count);
    for (int i = 0; i < n_left; i++) name_column(page, i, left[i], "");
    for (int m = 0; m < SB_N_METRICS; m++)
        for (int i = 0; i < n; i++) name_column(page, n_left + m * n + i, heading[i], sb_metric_title[m]);
    for (int i = 0; i < n_right; i++) name_column(page, n_left + SB_N_METRICS * n + i, right[i], "");
    begin_head(page);
    for (int i = 0; i < n_left; i++) write_heading(page, left[i], i, true);
    for (int m = 0; m < SB_N_METRICS; m++)
        sb_write(page, "<th class=\"span\" colspan=\"%d\" scope=\"colgroup\">%s</th>", n, sb_metric_title[m]);
    for (int i = 0; i < n_right; i++) write_heading(page, right[i], n_left + SB_N_METRICS * n + i, true);
    sb_write(page, "</tr>\n<tr>");
    for (int m = 0; m < SB_N_METRICS; m++)
        for (int i = 0; i < n; i++) write_heading(page, heading[i], n_left + m * n + i, false);
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
