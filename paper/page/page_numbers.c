#include "paper/page/page.h"

#include "core/machine/home.h"
#include "core/text/plural.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* -- links to entries -- */

/* Does the number have that part? Writes it. */
static bool write_part(sb_writer *page, const sb_number *number, sb_page_part part)
{
    switch (part) {
    case SB_HTML_VALUE:
        if (!isnan(number->value)) sb_write(page, "%s", sb_number_of(number, number->value).text);
        return !isnan(number->value);
    case SB_HTML_INTERVAL:
        if (!isnan(number->low))
            sb_write(page, "%s to %s", sb_number_of(number, number->low).text, sb_number_of(number, number->high).text);
        return !isnan(number->low);
    case SB_HTML_P:
        if (!isnan(number->p)) sb_write(page, "%s", sb_number_p(number->p).text);
        return !isnan(number->p);
    default:
        sb_write(page, "%s", number->text);
        return *number->text != 0;
    }
}

static void write_entry(sb_writer *page, const sb_numbers *numbers, sb_page_part part, const char *label,
                        va_list arguments)
{
    sb_number wanted;
    char text[SB_NUMBER_LABEL];
    vsnprintf(text, sizeof text, label, arguments);
    sb_number_label(&wanted, "%s", text);
    const sb_number *number = sb_numbers_find(numbers, wanted.label);
    if (!number) {
        sb_write(page, "–");
        return;
    }
    sb_write(page, "<a class=\"n\" href=\"#n-%s\" title=\"%s\">", number->label, number->label);
    if (!write_part(page, number, part)) sb_write(page, "–");
    sb_write(page, "</a>");
}

void sb_page_entry(sb_writer *page, const sb_numbers *numbers, sb_page_part part, const char *label, ...)
{
    va_list arguments;
    va_start(arguments, label);
    write_entry(page, numbers, part, label, arguments);
    va_end(arguments);
}

void sb_page_entry_cell(sb_writer *page, const sb_numbers *numbers, sb_page_part part, const char *label, ...)
{
    va_list arguments;
    va_start(arguments, label);
    sb_write(page, "<td class=\"number\">");
    write_entry(page, numbers, part, label, arguments);
    sb_write(page, "</td>");
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

static void write_number(sb_writer *page, const sb_number *number)
{
    sb_write(page, "<tr id=\"n-%s\"><td><code>%s</code></td><td class=\"number\">%s</td><td>%s", number->label,
             number->label, number->text, number->formula);
    if (!isnan(number->p)) sb_write(page, "; p = %s", sb_number_p(number->p).text);
    if (number->n) sb_write(page, "; n = %zu", number->n);
    sb_write(page, "</td><td>%s</td><td>%s</td></tr>\n", sb_evidence_name[number->evidence], number->unit);
}

/* The commands that say the same from the tables, and train the first of the runs again. */
static void write_commands(sb_writer *page, const sb_report *report, const sb_number *number)
{
    const char *matrix = report->condition.matrix;
    char folder[SB_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", report->folder);
    sb_home_hide(folder);
    sb_write(page, "<p class=\"cells\"><code>samebits-report trace %s -i %s</code>", number->label, folder);
    if (number->n_cells) {
        sb_write(page, " says what each run contributes; <code>make cell ");
        if (matrix) sb_write(page, "MATRIX=%s ", matrix);
        sb_write(page, "CELL=/%.8s</code> trains the first of them again", number->cell[0]->hash);
    }
    sb_write(page, ".</p>\n");
}

static void write_sources(sb_writer *page, const sb_number *number)
{
    if (number->source) sb_write(page, "<p>Source: %s</p>\n", number->source);
    if (number->n_cells == 0) return;
    sb_write(page, "<p class=\"cells\">From the runs ");
    for (size_t i = 0; i < number->n_cells; i++) {
        sb_write(page, "%s<a href=\"#c-%s\">", i ? ", " : "", number->cell[i]->hash);
        sb_write(page, "%s/%.8s</a>", number->cell[i]->name, number->cell[i]->hash);
    }
    sb_write(page, ".</p>\n");
}

static void write_block(sb_writer *page, const sb_report *report, sb_number *const *number, size_t n)
{
    size_t length = common_length(number[0], number[n - 1]);
    sb_write(page, "<details class=\"entry\"><summary><code>%.*s</code> <span class=\"quiet\">%zu number%s",
             (int)length, number[0]->label, n, sb_plural(n));
    if (number[0]->n_cells) sb_write(page, " from %zu run%s", number[0]->n_cells, sb_plural(number[0]->n_cells));
    sb_write(page, "</span></summary>\n");
    write_sources(page, number[0]);
    write_commands(page, report, number[0]);
    sb_write(page, "<div class=\"scroll\"><table class=\"numbers\" style=\"--c1:'label';--c2:'printed';--c3:'formula';"
                   "--c4:'evidence';--c5:'unit';\">\n<thead><tr><th scope=\"col\">label</th><th scope=\"col\" "
                   "class=\"number\">printed</th><th scope=\"col\">formula</th><th scope=\"col\">evidence</th><th "
                   "scope=\"col\">unit</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n; i++) write_number(page, number[i]);
    sb_write(page, "</tbody></table></div></details>\n");
}

void sb_page_register(sb_writer *page, const sb_report *report)
{
    const sb_numbers *numbers = &report->numbers;
    for (size_t first = 0, end; first < numbers->n; first = end) {
        for (end = first + 1; end < numbers->n && same_cells(numbers->number[first], numbers->number[end]);) end++;
        write_block(page, report, numbers->number + first, end - first);
    }
}
