#include "inspect/external/explain.h"

#include "core/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same tensor of the same mark in another trace ---- */

/* A mark of one name may be there more than once, as the output of a module that runs twice. */
static size_t times_before(const sb_traced_update *t, int64_t row)
{
    size_t n = 0;
    for (int64_t i = 0; i < row; i++) n += t->row[i].mark && t->row[i].operation == t->row[row].operation;
    return n;
}

static bool is_word(const sb_traced_update *a, int64_t x, const sb_traced_update *b, int64_t y)
{
    return strcmp(sb_traced_word(a, x), sb_traced_word(b, y)) == 0;
}

static const sb_traced_op *same_mark(const sb_traced_update *a, int64_t row, const sb_traced_update *b)
{
    size_t left = times_before(a, row);
    for (size_t i = 0; i < b->n; i++)
        if (b->row[i].mark && is_word(a, a->row[row].operation, b, b->row[i].operation) && left-- == 0) return &b->row[i];
    return NULL;
}

/* Its sketch there; NULL: it is not there, or has another shape. */
static const double *same_sketch(const sb_traced_update *a, const sb_traced_tensor *x, const sb_traced_update *b)
{
    const sb_traced_op *row = same_mark(a, x->row, b);
    for (size_t k = row ? row->first : 0; row && k < row->first + row->n; k++) {
        const sb_traced_tensor *y = &b->tensor[k];
        if (is_word(a, x->role, b, y->role)) return is_word(a, x->shape, b, y->shape) ? y->sketch : NULL;
    }
    return NULL;
}

/* ---- distances ---- */

static double distance(const double *x, const double *y)
{
    double sum = 0;
    for (int k = 1; k < SB_TRACED_SKETCH; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
    return sqrt(sum);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What the rounding of the numbers themselves makes. */
static double own_rounding(const sb_traced_update *t, const sb_traced_tensor *x)
{
    static const struct {
        const char *dtype;
        double half_ulp;
    } rows[] = {{"float32", 0x1p-24}, {"float64", 0x1p-53}, {"bfloat16", 0x1p-8}, {"float16", 0x1p-11}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(sb_traced_word(t, x->dtype), rows[i].dtype) == 0) return x->sketch[0] * rows[i].half_ulp;
    return 0;
}

/* The median distance to the nudged runs that have this mark, at least what its own rounding makes; -1: none has it. */
static double unit_of(const sb_traced_update *a, const sb_traced_tensor *x, const sb_traced_update *nudged, size_t n,
                      double *room)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const double *sketch = same_sketch(a, x, &nudged[i]);
        if (sketch) room[found++] = distance(x->sketch, sketch);
    }
    if (found == 0) return -1;
    qsort(room, found, sizeof *room, ascending);
    const double own = own_rounding(a, x);
    return room[found / 2] > own ? room[found / 2] : own;
}

/* Over the unit; numbers that are not finite are further than anything that rounding carries. */
static double ratio_of(double distance, double unit)
{
    if (!isfinite(distance)) return INFINITY;
    if (distance == 0) return 0;
    return unit > 0 ? distance / unit : INFINITY;
}

static sb_status check(const sb_traced_update *t, int64_t update, const char *which)
{
    if (t->update != update)
        return sb_fail(SB_E_USAGE, "%s is of update %lld, and the first trace is of update %lld", which,
                       (long long)t->update, (long long)update);
    for (size_t k = 0; k < t->n_tensors; k++)
        if (t->tensor[k].sketch) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s has no sketches; trace it again with sketch=True, or with --sketch", which);
}

/* One tensor of a mark; true: it is more than rounding carries. */
static bool add(sb_carried *c, int64_t tensor, double ratio)
{
    c->marks++;
    const bool is_more = ratio > SB_CARRIED_MOST;
    if (is_more) c->before = c->ratio;
    if (is_more || ratio > c->ratio) c->ratio = ratio, c->tensor = tensor;
    return is_more;
}

sb_status sb_carried_compare(const sb_traced_update *a, const sb_traced_update *b, const sb_traced_update *nudged, size_t n,
                             sb_carried *carried)
{
    *carried = (sb_carried){.tensor = -1};
    SB_TRY(check(a, a->update, "the first trace"));
    SB_TRY(check(b, a->update, "the second trace"));
    for (size_t i = 0; i < n; i++) SB_TRY(check(&nudged[i], a->update, "a nudged trace"));
    SB_FREED double *room = sb_size_allocate(n, sizeof *room);
    if (!room) return sb_fail(SB_E_MEMORY, "not enough memory for %zu distances", n);
    for (size_t k = 0; k < a->n_tensors && !carried->is_more; k++) {
        const sb_traced_tensor *x = &a->tensor[k];
        const double *there = x->sketch ? same_sketch(a, x, b) : NULL;
        const double unit = there ? unit_of(a, x, nudged, n, room) : -1;
        if (unit >= 0) carried->is_more = add(carried, (int64_t)k, ratio_of(distance(x->sketch, there), unit));
    }
    return SB_OK;
}

void sb_carried_print(const sb_carried *c, const sb_traced_update *a, size_t n, FILE *out)
{
    if (c->tensor < 0) {
        fprintf(out, "carried: the same sketches in all %zu compared tensors of marks\n", c->marks);
        return;
    }
    const sb_traced_tensor *x = &a->tensor[c->tensor];
    const char *mark = sb_traced_word(a, a->row[x->row].operation), *role = sb_traced_word(a, x->role);
    if (c->is_more)
        fprintf(out, "carried: %s (%s) is the first mark that differs by more than rounding carries: %.3g times the distance "
                "that one rounding of every weight makes up to there (%zu nudged runs, update %lld); before it at most %.3g\n",
                mark, role, c->ratio, n, (long long)a->update, c->before);
    else
        fprintf(out, "carried: within what rounding carries: at most %.3g times the distance that one rounding of every weight "
                "makes, at %s (%s), of %zu compared tensors of marks (%zu nudged runs, update %lld)\n", c->ratio, mark, role,
                c->marks, n, (long long)a->update);
}
