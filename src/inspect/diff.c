#include "inspect/diff.h"

#include "core/plural.h"
#include "core/size.h"
#include "inspect/links.h"
#include "io/h5_attribute.h"
#include "io/h5_walk.h"
#include "io/runfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
    sb_h5 *file;
    sb_links links;
    size_t n_rows;
    double *loss; /* [n_rows] */
} side;

static sb_status open_side(side *s, const char *path)
{
    *s = (side){0};
    SB_TRY(sb_h5_open(&s->file, path, SB_SEAL_RUNS));
    sb_status status = sb_runfile_check(s->file);
    if (status != SB_OK && status != SB_E_EMPTY) return status;
    sb_h5_shape rows;
    SB_TRY(sb_links_read(&s->links, s->file));
    SB_TRY(sb_h5_shape_of(s->file, "train/loss_last", &rows));
    s->n_rows = rows.n;
    s->loss = sb_size_allocate(rows.n, sizeof *s->loss);
    if (!s->loss) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    return sb_h5_read(s->file, "train/loss_last", SB_F64, rows.n, s->loss);
}

static void close_side(side *s)
{
    sb_h5_close(s->file);
    sb_links_free(&s->links);
    free(s->loss);
}

static void print_parting(const side *a, const side *b, const sb_parting *p, FILE *out)
{
    if (!p->update) {
        fprintf(out, "same bits over %zu link%s, up to update %lld\n", p->compared, sb_plural(p->compared),
                (long long)p->last);
        return;
    }
    fprintf(out, "first difference: update %lld, %s\n", (long long)p->update, sb_link_part_name(p->part));
    size_t row = (size_t)p->update - 1;
    if (row < a->n_rows && row < b->n_rows)
        fprintf(out, "  loss of that update: %.9g against %.9g\n", a->loss[row], b->loss[row]);
    size_t n = a->n_rows < b->n_rows ? a->n_rows : b->n_rows;
    if (n == 0) return;
    fprintf(out, "  loss of update %zu:  %.9g against %.9g\n", n, a->loss[n - 1], b->loss[n - 1]);
}

/* ---- configuration and environment ---- */

typedef struct attribute_diff {
    sb_h5 *mine, *other;
    const char *group;
    bool only_missing; /* second pass: name what only the other has */
    FILE *out;
    int found;
} attribute_diff;

static sb_status compare_attribute(void *context, const char *name)
{
    attribute_diff *d = context;
    char mine[1024], other[1024] = "(absent)";
    SB_TRY(sb_h5_attribute_text(d->mine, d->group, name, mine, sizeof mine));
    bool there = sb_h5_has(d->other, d->group, name);
    if (d->only_missing && there) return SB_OK;
    if (there) SB_TRY(sb_h5_attribute_text(d->other, d->group, name, other, sizeof other));
    if (strcmp(mine, other) == 0) return SB_OK;
    if (d->found++ == 0) fprintf(d->out, "what differs in %s:\n", d->group);
    fprintf(d->out, "  %-16s %s | %s\n", name, d->only_missing ? other : mine, d->only_missing ? mine : other);
    return SB_OK;
}

sb_status sb_diff_group(sb_h5 *a, sb_h5 *b, const char *group, FILE *out)
{
    attribute_diff d = {a, b, group, false, out, 0};
    SB_TRY(sb_h5_each_attribute(a, group, compare_attribute, &d));
    attribute_diff back = {b, a, group, true, out, d.found};
    SB_TRY(sb_h5_each_attribute(b, group, compare_attribute, &back));
    if (d.found + back.found == 0) fprintf(out, "nothing differs in %s\n", group);
    return SB_OK;
}

/* ---- weights ---- */

typedef struct distance {
    const side *a, *b;
    double sum, largest;
    char where[96];
    size_t n_tensors, n_different;
} distance;

static sb_status add_distance(void *context, const char *name)
{
    distance *d = context;
    char path[160];
    sb_h5_shape shape, other;
    snprintf(path, sizeof path, "param/%s", name);
    SB_TRY(sb_h5_shape_of(d->a->file, path, &shape));
    if (!sb_h5_exists(d->b->file, path)) return SB_OK;
    SB_TRY(sb_h5_shape_of(d->b->file, path, &other));
    if (other.n != shape.n) return SB_OK;
    double *x = sb_size_allocate(shape.n, 2 * sizeof *x);
    if (!x) return sb_fail(SB_E_MEMORY, "not enough memory");
    double *y = x + shape.n, before = d->sum;
    sb_status status = sb_h5_read(d->a->file, path, SB_F64, shape.n, x);
    if (status == SB_OK) status = sb_h5_read(d->b->file, path, SB_F64, shape.n, y);
    for (size_t i = 0; status == SB_OK && i < shape.n; i++) {
        double difference = fabs(x[i] - y[i]);
        d->sum += difference * difference;
        if (difference <= d->largest) continue;
        d->largest = difference;
        snprintf(d->where, sizeof d->where, "%s[%zu]", name, i);
    }
    free(x);
    d->n_tensors++;
    d->n_different += d->sum > before;
    return status;
}

static sb_status compare_weights(const side *a, const side *b, FILE *out)
{
    distance d = {.a = a, .b = b};
    if (a->n_rows != b->n_rows) return SB_OK;
    SB_TRY(sb_h5_each_dataset(a->file, "param", add_distance, &d));
    if (d.n_different == 0) return SB_OK;
    fprintf(out, "weights after update %zu: %zu of %zu tensors differ, L2 distance %.6g, largest %.6g at %s\n",
            a->n_rows, d.n_different, d.n_tensors, sqrt(d.sum), d.largest, d.where);
    return SB_OK;
}

/* ---- their distance over the updates ---- */

typedef struct point {
    int64_t update;
    double distance;
} point;

static void print_points(const point *p, size_t n, FILE *out)
{
    size_t first = 0;
    while (first < n && p[first].distance == 0) first++;
    if (first == n) return;
    const size_t shown[3] = {first, (first + n - 1) / 2, n - 1};
    fprintf(out,
            "L2 distance of the weights, from sketches (standard error %.1f %%):", 50 * sqrt(2.0 / SB_SKETCH_BUCKETS));
    for (int i = 0; i < 3; i++)
        if (i == 0 || shown[i] > shown[i - 1])
            fprintf(out, "%s update %lld %.3g", i ? "," : "", (long long)p[shown[i]].update, p[shown[i]].distance);
    fprintf(out, "\n");
}

static sb_status compare_sketches(const side *a, const side *b, FILE *out)
{
    sb_run_sketches sa, sb = {0};
    sb_status status = sb_runfile_sketches(a->file, &sa);
    if (status == SB_OK) status = sb_runfile_sketches(b->file, &sb);
    point *p = status == SB_OK ? sb_size_allocate(sa.n, sizeof *p) : NULL;
    size_t n = 0;
    if (status == SB_OK && !p) status = sb_fail(SB_E_MEMORY, "not enough memory");
    for (size_t i = 0, j = 0; p && sb_run_sketches_match(&sa, &sb, &i, &j); i++, j++)
        p[n++] = (point){sa.update[i], sb_sketch_distance(sa.row[i], sb.row[j])};
    if (p) print_points(p, n, out);
    free(p);
    sb_run_sketches_free(&sa);
    sb_run_sketches_free(&sb);
    return status;
}

sb_status sb_diff_runs(const char *path_a, const char *path_b, FILE *out)
{
    side a, b = {0};
    sb_status status = open_side(&a, path_a);
    if (status == SB_OK) status = open_side(&b, path_b);
    if (status == SB_OK) {
        sb_parting p = sb_links_part(&a.links, &b.links);
        if (p.compared == 0) {
            status = sb_fail(SB_E_EMPTY, "%s and %s: no logged update in common", path_a, path_b);
        } else {
            print_parting(&a, &b, &p, out);
            status = sb_diff_group(a.file, b.file, "config", out);
            if (status == SB_OK) status = sb_diff_group(a.file, b.file, "env", out);
            if (status == SB_OK) status = compare_weights(&a, &b, out);
            if (status == SB_OK) status = compare_sketches(&a, &b, out);
            if (status == SB_OK && p.update)
                status = sb_fail(SB_E_DIFFERS, "%s and %s part at update %lld (%s)", path_a, path_b,
                                 (long long)p.update, sb_link_part_name(p.part));
        }
    }
    close_side(&a);
    close_side(&b);
    return status;
}
