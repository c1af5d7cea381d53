#include "datasets/convert/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A run of digits without the zeros before it. */
typedef struct number {
    const char *digits;
    size_t n;
    size_t n_zeros;
} number;

static number number_at(const char *text, size_t n)
{
    number found = {0};
    while (found.n_zeros < n && text[found.n_zeros] == '0') found.n_zeros++;
    found.digits = text + found.n_zeros;
    while (found.n_zeros + found.n < n && is_digit(found.digits[found.n])) found.n++;
    return found;
}

static int compare(number a, number b)
{
    if (a.n != b.n) return a.n < b.n ? -1 : 1;
    return memcmp(a.digits, b.digits, a.n);
}

int sb_names_order(const char *a, const char *b)
{
    int zeros = 0;
    for (const char *p = a, *q = b;;) {
        if (is_digit(*p) && is_digit(*q)) {
            const number left = number_at(p, strlen(p)), right = number_at(q, strlen(q));
            const int order = compare(left, right);
            if (order) return order;
            if (!zeros) zeros = (left.n_zeros > right.n_zeros) - (left.n_zeros < right.n_zeros);
            p = left.digits + left.n, q = right.digits + right.n;
        } else if (*p != *q || !*p) {
            return *p == *q ? zeros : (unsigned char)*p < (unsigned char)*q ? -1 : 1;
        } else {
            p++, q++;
        }
    }
}

int sb_names_compare(const struct dirent **a, const struct dirent **b)
{
    return sb_names_order((*a)->d_name, (*b)->d_name);
}

/* ---- doubts ---- */

/* What is left of a name: its numbers are read one by one, up to its ending. */
typedef struct rest {
    const char *at, *end;
    bool is_fraction; /* the number that was read last follows another and a point: 12.05 */
    size_t n_digits;  /* that it was written with */
} rest;

static rest rest_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return (rest){.at = name, .end = dot ? dot : name + strlen(name)};
}

static bool next_number(rest *r, number *found)
{
    const char *from = r->at;
    while (r->at < r->end && !is_digit(*r->at)) r->at++;
    if (r->at == r->end) return false;
    r->is_fraction = r->n_digits && r->at - from == 1 && (*from == '.' || *from == ',');
    *found = number_at(r->at, (size_t)(r->end - r->at));
    r->n_digits = found->n_zeros + found->n;
    r->at += r->n_digits;
    return true;
}

const char *sb_names_doubt(const char *a, const char *b)
{
    rest left = rest_of(a), right = rest_of(b);
    bool is_risen = false;
    for (int n = 0;; n++) {
        number before, after;
        const bool has_before = next_number(&left, &before), has_after = next_number(&right, &after);
        if (has_before != has_after) return "do not have equally many numbers";
        if (!has_before) return is_risen ? NULL : n ? "have the same numbers" : "have no numbers";
        if (left.is_fraction && right.is_fraction && left.n_digits != right.n_digits)
            return "have numbers with a point, which are taken as two whole numbers";
        const int order = compare(before, after);
        if (order > 0) return "have several numbers, or texts, that ask for different orders";
        is_risen = is_risen || order < 0;
    }
}
