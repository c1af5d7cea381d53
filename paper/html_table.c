#include "paper/html_parts.h"

void sb_html_caption(FILE *page, sb_html_count *count)
{
    ++count->table;
    fprintf(page, "<p class=\"caption\" id=\"table-%d\"><b>Table %d.</b> ", count->table, count->table);
}

static void begin(FILE *page, const char *class, const sb_html_count *count)
{
    fprintf(page,
            "</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"table-%d\">\n"
            "<table class=\"%s\">\n<thead>\n<tr>",
            count->table, class);
}

/* `column` is where its cells stand in a row: the script sorts by it. */
static void write_heading(FILE *page, const char *heading, int column, const char *more)
{
    bool number = *heading == '#';
    fprintf(page, "<th scope=\"col\" data-column=\"%d\"%s%s>%s</th>", column, number ? " class=\"number\"" : "", more,
            heading + number);
}

void sb_html_table(FILE *page, const char *class, const sb_html_count *count, const char *const heading[])
{
    begin(page, class, count);
    for (int i = 0; heading[i]; i++) write_heading(page, heading[i], i, "");
    fputs("</tr>\n</thead>\n<tbody>\n", page);
}

static int count_headings(const char *const heading[])
{
    int n = 0;
    while (heading[n]) n++;
    return n;
}

void sb_html_table_losses(FILE *page, const char *class, const sb_html_count *count, const char *const left[],
                          const char *const heading[], const char *const right[])
{
    const int n_left = count_headings(left), n = count_headings(heading);
    begin(page, class, count);
    for (int i = 0; i < n_left; i++) write_heading(page, left[i], i, " rowspan=\"2\"");
    for (int m = 0; m < SB_N_METRICS; m++)
        fprintf(page, "<th class=\"span\" colspan=\"%d\" scope=\"colgroup\">%s</th>", n, sb_metric_title[m]);
    for (int i = 0; right && right[i]; i++)
        write_heading(page, right[i], n_left + SB_N_METRICS * n + i, " rowspan=\"2\"");
    fputs("</tr>\n<tr>", page);
    for (int m = 0; m < SB_N_METRICS; m++)
        for (int i = 0; i < n; i++) write_heading(page, heading[i], n_left + m * n + i, "");
    fputs("</tr>\n</thead>\n<tbody>\n", page);
}

void sb_html_table_end(FILE *page)
{
    fputs("</tbody>\n</table>\n</div>\n", page);
}

void sb_html_word(FILE *page, const char *word)
{
    fputs("<td class=\"word\">", page);
    sb_html_text(page, word);
    fputs("</td>", page);
}

void sb_html_whole(FILE *page, long number)
{
    fprintf(page, "<td class=\"number\">%ld</td>", number);
}

void sb_html_evidence(FILE *page, const sb_cell *cell)
{
    sb_html_word(page, sb_evidence_name[cell->emulated ? SB_EVIDENCE_EMULATED : SB_EVIDENCE_MEASURED]);
}
