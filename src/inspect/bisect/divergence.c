#include "inspect/bisect/divergence.h"

#include <math.h>
#include <string.h>

/* ---- finding ---- */

static bool same_kind(const sb_trace_row *a, const sb_trace_row *b)
{
    if (strcmp(a->operation, b->operation) != 0 || a->n != b->n) return false;
    for (int k = 0; k < a->n; k++) {
        const sb_trace_tensor *x = &a->tensor[k], *y = &b->tensor[k];
        if (strcmp(x->role, y->role) != 0 || x->written != y->written) return false;
        if (x->c != y->c || x->h != y->h || x->w != y->w) return false;
    }
    return true;
}

static bool differs(const sb_trace_row *a, const sb_trace_row *b, bool written)
{
    for (int k = 0; k < a->n; k++)
        if (a->tensor[k].written == written && !sb_hash_equal(a->tensor[k].hash, b->tensor[k].hash)) return true;
    return false;
}

sb_divergence sb_divergence_find(const sb_traced *a, const sb_traced *b)
{
    size_t n = a->n < b->n ? a->n : b->n;
    for (size_t i = 0; i < n; i++) {
        const sb_trace_row *x = &a->row[i], *y = &b->row[i];
        if (!same_kind(x, y)) return (sb_divergence){SB_OTHER_OPERATION, i};
        if (differs(x, y, false)) return (sb_divergence){SB_OTHER_INPUT, i};
        if (differs(x, y, true)) return (sb_divergence){SB_OTHER_RESULT, i};
    }
    return (sb_divergence){a->n == b->n ? SB_SAME_BITS : SB_OTHER_OPERATION, n};
}

/* ---- printing ---- */

void sb_divergence_operation(const sb_trace_row *row, char *text, size_t size)
{
    const sb_trace_tensor *named = NULL; /* the first it writes, else the first it reads */
    for (const sb_trace_tensor *t = row->tensor; t < row->tensor + row->n; t++)
        if (*t->name && (!named || (t->written && !named->written))) named = t;
    snprintf(text, size, "%s%s%s", row->operation, named ? ", " : "", named ? named->name : "");
}

/* The rank of a float in the order of values: neighboring floats differ by 1. */
static int64_t rank_of(sb_real x)
{
    if (sizeof x == sizeof(int32_t)) {
        int32_t bits;
        memcpy(&bits, &x, sizeof bits);
        return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
    }
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

/* Units in the last place between two numbers. */
static double ulps(sb_real x, sb_real y)
{
    return fabs((double)rank_of(x) - (double)rank_of(y));
}

/* A larger number of units is not rounding, and is not printed. */
enum { MANY_ULPS = 100000 };

static void print_numbers(const sb_trace_tensor *a, const sb_trace_tensor *b, FILE *out)
{
    const size_t n = (size_t)a->c * a->h * a->w;
    size_t different = 0, first = 0;
    double most_ulps = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        if (memcmp(&a->numbers[i], &b->numbers[i], sizeof *a->numbers) == 0) continue;
        if (different++ == 0) first = i;
        most_ulps = fmax(most_ulps, ulps(a->numbers[i], b->numbers[i]));
        most = fmax(most, fabs((double)a->numbers[i] - (double)b->numbers[i]));
    }
    const size_t plane = (size_t)a->h * a->w;
    fprintf(out, "%zu of %zu differ, by %.3g at most", different, n, most);
    if (most_ulps < MANY_ULPS) fprintf(out, " (%.0f ulp)", most_ulps);
    fprintf(out, "\n%*sthe first: ", 9, "");
    if (a->c > 1 || a->h > 1)
        fprintf(out, "channel %zu, row %zu, column %zu", first / plane, first % plane / a->w, first % a->w);
    else
        fprintf(out, "number %zu", first);
    fprintf(out, ": %.9g (%a) | %.9g (%a)\n", (double)a->numbers[first], (double)a->numbers[first],
            (double)b->numbers[first], (double)b->numbers[first]);
}

static void print_tensor(const sb_trace_tensor *a, const sb_trace_tensor *b, FILE *out)
{
    char size[48] = "", names[2 * SB_TRACE_NAME + 4];
    if (a->c > 1 || a->h > 1)
        snprintf(size, sizeof size, "%dx%dx%d", a->c, a->h, a->w);
    else if (a->w)
        snprintf(size, sizeof size, "%d", a->w);
    snprintf(names, sizeof names, "%s%s%s", a->name, strcmp(a->name, b->name) ? " | " : "",
             strcmp(a->name, b->name) ? b->name : "");
    fprintf(out, "  %-6s %-11s %-34s %10s  ", a->written ? "writes" : "reads", a->role, names, size);
    if (sb_hash_equal(a->hash, b->hash))
        fprintf(out, "the same bits\n");
    else if (a->numbers && b->numbers)
        print_numbers(a, b, out);
    else
        fprintf(out, "other bits\n");
}

/* Two operations that are not the same, or one of other shapes; NULL: the update ended before it. */
static void print_others(size_t row, const sb_trace_row *x, const sb_trace_row *y, FILE *out)
{
    char mine[160] = "none", other[160] = "none";
    if (x) sb_divergence_operation(x, mine, sizeof mine);
    if (y) sb_divergence_operation(y, other, sizeof other);
    const bool same = x && y && strcmp(x->operation, y->operation) == 0;
    fprintf(out, "operation %zu is %s: %s | %s\n", row + 1, same ? "one of another shape" : "another one", mine, other);
}

void sb_divergence_print(const sb_divergence *d, const sb_traced *a, const sb_traced *b, FILE *out)
{
    char text[160];
    if (d->kind == SB_SAME_BITS) {
        fprintf(out, "the same bits in all %zu operations of update %lld\n", a->n, (long long)a->update);
        return;
    }
    const sb_trace_row *x = d->row < a->n ? &a->row[d->row] : NULL, *y = d->row < b->n ? &b->row[d->row] : NULL;
    if (d->kind == SB_OTHER_OPERATION) {
        print_others(d->row, x, y, out);
        return;
    }
    sb_divergence_operation(x, text, sizeof text);
    fprintf(out, "the first of its %zu operations that differs is number %zu: %s\n", a->n, d->row + 1, text);
    for (int k = 0; k < x->n; k++) print_tensor(&x->tensor[k], &y->tensor[k], out);
    if (d->kind == SB_OTHER_RESULT)
        fprintf(out, "the same numbers went in and others came out: the two compute this operation differently\n");
    else
        fprintf(
            out,
            "its inputs already differ, and no earlier operation wrote them: the cause is the data, not rounding\n");
}
