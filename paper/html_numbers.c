#include "paper/html_parts.h"

#include "core/plural.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* -- links to entries -- */

/* Does the number have that part? Writes it. */
static bool write_part(FILE *page, const sb_number *number, sb_html_part part)
{
    switch (part) {
    case SB_HTML_VALUE:
        if (!isnan(number->value)) fprintf(page, "%.4g", number->value);
        return !isnan(number->value);
    case SB_HTML_INTERVAL:
        if (!isnan(number->low)) fprintf(page, "%.4g to %.4g", number->low, number->high);
        return !isnan(number->low);
    case SB_HTML_P:
        if (!isnan(number->p)) fprintf(page, "%.3g", number->p);
        return !isnan(number->p);
    default:
        sb_html_text(page, number->text);
        return *number->text != 0;
    }
}

static void write_entry(FILE *page, const sb_numbers *numbers, sb_html_part part, const char *label, va_list arguments)
{
    sb_number wanted;
    char text[SB_NUMBER_LABEL];
    vsnprintf(text, sizeof text, label, arguments);
    sb_number_label(&wanted, "%s", text);
    const sb_number *number = sb_numbers_find(numbers, wanted.label);
    if (!number) {
        fputs("–", page);
        return;
    }
    fprintf(page, "<a class=\"n\" href=\"#n-%s\" title=\"%s\">", number->label, number->label);
    if (!write_part(page, number, part)) fputs("–", page);
    fputs("</a>", page);
}

void sb_html_entry(FILE *page, const sb_numbers *numbers, sb_html_part part, const char *label, ...)
{
    va_list arguments;
    va_start(arguments, label);
    write_entry(page, numbers, part, label, arguments);
    va_end(arguments);
}

void sb_html_entry_cell(FILE *page, const sb_numbers *numbers, sb_html_part part, const char *label, ...)
{
    va_list arguments;
    va_start(arguments, label);
    fputs("<td class=\"number\">", page);
    write_entry(page, numbers, part, label, arguments);
    fputs("</td>", page);
    va_end(arguments);
}

/* -- the entries -- */

/* Numbers of one arm come from the same cells, and stand together in the order of labels: one block lists them once. */
static bool same_cells(const sb_number *a, const sb_number *b)
{
    return a->n_cells == b->n_cells &&
           (a->n_cells == 0 || memcmp(a->cell, b->cell, a->n_cells * sizeof *a->cell) == 0) &&
           (a->source ? b->source && strcmp(a->source, b->source) == 0 : !b->source);
}

/* The length of what the labels of a block have in common, whole parts only. */
static size_t common_length(const sb_number *first, const sb_number *last)
{
    size_t length = 0, whole = 0;
    while (first->label[length] && first->label[length] == last->label[length])
        if (first->label[length++] == '.') whole = length - 1;
    return first->label[length] || last->label[length] ? whole : length;
}

static void write_number(FILE *page, const sb_number *number)
{
    fprintf(page, "<tr id=\"n-%s\"><td>", number->label);
    sb_html_code(page, number->label);
    fputs("</td><td class=\"number\">", page);
    sb_html_text(page, number->text);
    fputs("</td><td>", page);
    sb_html_text(page, number->formula);
    if (!isnan(number->p)) fprintf(page, "; p = %.3g", number->p);
    if (number->n) fprintf(page, "; n = %zu", number->n);
    fprintf(page, "</td><td>%s</td><td>", sb_evidence_name[number->evidence]);
    sb_html_text(page, number->unit);
    fputs("</td></tr>\n", page);
}

static void write_sources(FILE *page, const sb_number *number)
{
    if (number->source) {
        fputs("<p>Source: ", page);
        sb_html_text(page, number->source);
        fputs("</p>\n", page);
    }
    if (number->n_cells == 0) return;
    fputs("<p class=\"cells\">From the runs ", page);
    for (size_t i = 0; i < number->n_cells; i++) {
        fprintf(page, "%s<a href=\"#c-%s\">", i ? ", " : "", number->cell[i]->hash);
        sb_html_text(page, number->cell[i]->name);
        fprintf(page, "/%.8s</a>", number->cell[i]->hash);
    }
    fputs(".</p>\n", page);
}

static void write_block(FILE *page, sb_number *const *number, size_t n)
{
    size_t length = common_length(number[0], number[n - 1]);
    fputs("<details class=\"entry\"><summary><code>", page);
    fprintf(page, "%.*s</code> <span class=\"quiet\">%zu number%s", (int)length, number[0]->label, n, sb_plural(n));
    if (number[0]->n_cells) fprintf(page, " from %zu run%s", number[0]->n_cells, sb_plural(number[0]->n_cells));
    fputs("</span></summary>\n", page);
    write_sources(page, number[0]);
    fputs("<div class=\"scroll\"><table class=\"numbers\">\n<thead><tr><th scope=\"col\">label</th><th scope=\"col\" "
          "class=\"number\">printed</th><th scope=\"col\">formula</th><th scope=\"col\">evidence</th><th "
          "scope=\"col\">unit</th></tr></thead>\n<tbody>\n",
          page);
    for (size_t i = 0; i < n; i++) write_number(page, number[i]);
    fputs("</tbody></table></div></details>\n", page);
}

void sb_html_register(FILE *page, const sb_numbers *numbers)
{
    for (size_t first = 0, end; first < numbers->n; first = end) {
        for (end = first + 1; end < numbers->n && same_cells(numbers->number[first], numbers->number[end]);) end++;
        write_block(page, numbers->number + first, end - first);
    }
}
