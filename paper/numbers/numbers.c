#include "paper/numbers/numbers.h"

#include "core/size.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keep what `allowed` lets through, small; a run of anything else becomes one dash, none at the ends. */
static void clean(char *text, const char *allowed)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        unsigned char c = (unsigned char)tolower((unsigned char)*in);
        bool kept = c != '-' && (isalnum(c) || strchr(allowed, c));
        if (kept)
            *out++ = (char)c;
        else if (out > text && out[-1] != '-')
            *out++ = '-';
    }
    while (out > text && out[-1] == '-') out--;
    *out = 0;
}

static void write_label(sb_number *number, const char *format, va_list arguments)
{
    vsnprintf(number->label, sizeof number->label, format, arguments);
    clean(number->label, "-./");
}

void sb_number_label(sb_number *number, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_label(number, format, arguments);
    va_end(arguments);
}

void sb_number_part(char *part, size_t size, const char *text)
{
    snprintf(part, size, "%s", text);
    clean(part, "-");
}

sb_evidence sb_evidence_of(const sb_result *const *cell, size_t n)
{
    sb_evidence weakest = SB_EVIDENCE_MEASURED;
    for (size_t i = 0; i < n; i++) weakest = sb_evidence_weaker(weakest, cell[i]->evidence);
    return weakest;
}

/* Where the label stands or would stand. */
static size_t place_of(const sb_numbers *numbers, const char *label, bool *found)
{
    size_t low = 0, high = numbers->n;
    *found = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(numbers->number[middle]->label, label);
        if (order == 0) *found = true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sb_number_digits(double value, char text[SB_NUMBER_DIGITS])
{
    if (fabs(value) >= 999.5 && fabs(value) < 1e15)
        snprintf(text, SB_NUMBER_DIGITS, "%.0f", value);
    else
        snprintf(text, SB_NUMBER_DIGITS, "%.3g", value);
}

sb_digits sb_number_short(double value)
{
    sb_digits digits;
    sb_number_digits(value, digits.text);
    return digits;
}

sb_digits sb_number_p(double p)
{
    return isnan(p) ? (sb_digits){"none"} : sb_number_short(p);
}

sb_digits sb_number_of(const sb_number *number, double value)
{
    sb_digits digits;
    if (number->evidence == SB_EVIDENCE_PUBLISHED)
        snprintf(digits.text, sizeof digits.text, "%.4g", value);
    else
        sb_number_digits(value, digits.text);
    return digits;
}

static void write_words(sb_number *number)
{
    if (*number->text) return;
    if (isnan(number->low))
        snprintf(number->text, sizeof number->text, "%s", sb_number_of(number, number->value).text);
    else
        snprintf(number->text, sizeof number->text, "%s [%s, %s]", sb_number_of(number, number->value).text,
                 sb_number_of(number, number->low).text, sb_number_of(number, number->high).text);
}

/* One block: the number, its cells, its texts. */
static sb_number *copy_number(const sb_number *number)
{
    const char *source = number->source ? number->source : "";
    size_t cells = number->n_cells * sizeof(sb_result *), formula = strlen(number->formula) + 1;
    size_t unit = strlen(number->unit) + 1, bytes = sizeof *number + cells + formula + unit + strlen(source) + 1;
    sb_number *copy = malloc(bytes);
    if (!copy) return NULL;
    *copy = *number;
    const sb_result **cell = (const sb_result **)(copy + 1);
    char *text = (char *)cell + cells;
    if (cells) memcpy(cell, number->cell, cells);
    copy->cell = cell;
    copy->formula = memcpy(text, number->formula, formula);
    copy->unit = memcpy(text + formula, number->unit, unit);
    if (number->source) copy->source = strcpy(text + formula + unit, source);
    write_words(copy);
    return copy;
}

sb_status sb_numbers_add(sb_numbers *numbers, const sb_number *number)
{
    bool found;
    size_t place = place_of(numbers, number->label, &found);
    if (found)
        return sb_fail(SB_E_INTEGRITY, "two numbers would get the label %s; give their studies names that differ",
                       number->label);
    if (!sb_size_reserve(&numbers->number, &numbers->room, numbers->n + 1, sizeof *numbers->number))
        return sb_fail(SB_E_MEMORY, "not enough memory for %zu numbers", numbers->n + 1);
    sb_number *copy = copy_number(number);
    if (!copy) return sb_fail(SB_E_MEMORY, "not enough memory for the number %s", number->label);
    memmove(numbers->number + place + 1, numbers->number + place, (numbers->n - place) * sizeof *numbers->number);
    numbers->number[place] = copy;
    numbers->n++;
    return SB_OK;
}

sb_number sb_number_from(const sb_result *const *cell, size_t n_cells, size_t n, const char *unit, const char *formula)
{
    return (sb_number){.low = NAN,
                       .high = NAN,
                       .p = NAN,
                       .n = n,
                       .unit = unit,
                       .formula = formula,
                       .evidence = sb_evidence_of(cell, n_cells),
                       .n_cells = n_cells,
                       .cell = cell};
}

sb_status sb_numbers_put(sb_numbers *numbers, sb_number *number, const char *label, ...)
{
    va_list arguments;
    va_start(arguments, label);
    write_label(number, label, arguments);
    va_end(arguments);
    return sb_numbers_add(numbers, number);
}

const sb_number *sb_numbers_find(const sb_numbers *numbers, const char *label)
{
    bool found;
    size_t place = place_of(numbers, label, &found);
    return found ? numbers->number[place] : NULL;
}

void sb_numbers_free(sb_numbers *numbers)
{
    for (size_t i = 0; i < numbers->n; i++) free(numbers->number[i]);
    free(numbers->number);
    *numbers = (sb_numbers){0};
}
