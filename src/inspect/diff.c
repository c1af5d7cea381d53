#include "inspect/diff.h"

#include "core/rows/setting.h"
#include "core/size.h"
#include "core/text/plural.h"
#include "inspect/links.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_walk.h"
#include "io/run/runfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
    sb_h5 *file;
    sb_links links;
    sb_generations generations;
    sb_losses losses;
} side;

static sb_status open_side(side *s, const char *path)
{
    *s = (side){0};
    SB_TRY(sb_h5_open(&s->file, path, SB_SEAL_LINKS));
    sb_status status = sb_runfile_check(s->file);
    if (status != SB_OK && status != SB_E_EMPTY) return status;
    SB_TRY(sb_links_read(&s->links, s->file));
    SB_TRY(sb_generations_read(&s->generations, s->file));
    return sb_losses_read(&s->losses, s->file);
}

static void close_side(side *s)
{
    sb_h5_close(s->file);
    sb_links_free(&s->links);
    sb_generations_free(&s->generations);
    sb_losses_free(&s->losses);
}

static void note_losses(sb_diff *d, const side *a, const side *b)
{
    const double *x = a->losses.last, *y = b->losses.last;
    const size_t row = (size_t)d->parting.update - 1, n = a->losses.n < b->losses.n ? a->losses.n : b->losses.n;
    d->update_there = row < n;
    d->n_updates = n;
    d->loss_update = sb_losses_part(&a->losses, &b->losses);
    if (d->update_there) d->loss_there[0] = x[row], d->loss_there[1] = y[row];
    d->last_there = n > 0;
    if (n) d->loss_last[0] = x[n - 1], d->loss_last[1] = y[n - 1];
}

/* ---- configuration and environment ---- */

typedef struct attribute_diff {
    sb_h5 *mine, *other;
    const char *group;
    bool only_missing; /* second pass: name what only the other has */
    sb_diff *diff;
} attribute_diff;

sb_status sb_diff_keep(sb_diff *d, const char *group, const char *name, const char *a, const char *b)
{
    sb_diff_fact *more = realloc(d->fact, (d->n_facts + 1) * sizeof *more);
    if (!more) return sb_fail(SB_E_MEMORY, "not enough memory");
    d->fact = more;
    sb_diff_fact *fact = &more[d->n_facts++];
    *fact = (sb_diff_fact){group, strdup(name), {a ? strdup(a) : NULL, b ? strdup(b) : NULL}};
    const bool kept = fact->name && !fact->value[0] == !a && !fact->value[1] == !b;
    return kept ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory");
}

/* A setting that a file of an older schema lacks has its default there. */
static bool is_default(const attribute_diff *d, const char *name, const char *value)
{
    const sb_setting_id id = strcmp(d->group, "config") == 0 ? sb_setting_find(name) : SB_N_SETTINGS;
    if (id == SB_N_SETTINGS || sb_settings_table[id].since == 1) return false;
    char model[64];
    if (sb_h5_get_text(d->other, "config", "model", model, sizeof model) != SB_OK) return false;
    const sb_setting_names names = {.of = {[SB_OF_NETWORK] = model}};
    return sb_setting_agrees(id, value, sb_setting_absent(id, &names)) ||
           strcmp(value, sb_settings_table[id].without) == 0;
}

static sb_status compare_attribute(void *context, const char *name)
{
    attribute_diff *d = context;
    char mine[1024], other[sizeof mine];
    SB_TRY(sb_h5_attribute_text(d->mine, d->group, name, mine, sizeof mine));
    const bool there = sb_h5_has(d->other, d->group, name);
    if (!there && is_default(d, name, mine)) return SB_OK;
    if (d->only_missing) return there ? SB_OK : sb_diff_keep(d->diff, d->group, name, NULL, mine);
    if (!there) return sb_diff_keep(d->diff, d->group, name, mine, NULL);
    SB_TRY(sb_h5_attribute_text(d->other, d->group, name, other, sizeof other));
    return strcmp(mine, other) == 0 ? SB_OK : sb_diff_keep(d->diff, d->group, name, mine, other);
}

static sb_status compare_group(sb_diff *diff, sb_h5 *a, sb_h5 *b, const char *group)
{
    attribute_diff d = {a, b, group, false, diff}, back = {b, a, group, true, diff};
    SB_TRY(sb_h5_each_attribute(a, group, compare_attribute, &d));
    return sb_h5_each_attribute(b, group, compare_attribute, &back);
}

void sb_diff_print_group(const sb_diff *d, const char *group, FILE *out)
{
    static const char absent[] = "(absent)";
    int found = 0;
    for (const sb_diff_fact *f = d->fact; f < d->fact + d->n_facts; f++) {
        if (strcmp(f->group, group) != 0) continue;
        if (found++ == 0) fprintf(out, "what differs in %s:\n", group);
        fprintf(out, "  %-16s %s | %s\n", f->name, f->value[0] ? f->value[0] : absent,
                f->value[1] ? f->value[1] : absent);
    }
    if (!found) fprintf(out, "nothing differs in %s\n", group);
}

sb_status sb_diff_group(sb_h5 *a, sb_h5 *b, const char *group, FILE *out)
{
    SB_OWNED(sb_diff_free) sb_diff d = {0};
    SB_TRY(compare_group(&d, a, b, group));
    sb_diff_print_group(&d, group, out);
    return SB_OK;
}

/* ---- weights ---- */

typedef struct distance {
    const side *a, *b;
    double sum, largest;
    char where[96];
    size_t n_tensors, n_different;
} distance;

/* Do two tensors of n numbers differ in a bit? A difference too small for the sum, and a zero of another sign,
 * count. */
static bool add_numbers(distance *d, const char *name, size_t n, const double *x, const double *y)
{
    bool differs = false;
    for (size_t i = 0; i < n; i++) {
        if (memcmp(&x[i], &y[i], sizeof *x) == 0) continue;
        const double difference = fabs(x[i] - y[i]);
        differs = true;
        d->sum += difference * difference;
        if (difference <= d->largest && *d->where) continue;
        d->largest = difference;
        snprintf(d->where, sizeof d->where, "%s[%zu]", name, i);
    }
    return differs;
}

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
    SB_FREED double *x = NULL, *y = NULL;
    SB_TRY(sb_h5_read_new(d->a->file, path, SB_F64, shape.n, &x));
    SB_TRY(sb_h5_read_new(d->b->file, path, SB_F64, shape.n, &y));
    d->n_tensors++;
    d->n_different += add_numbers(d, name, shape.n, x, y);
    return SB_OK;
}

static sb_status compare_weights(sb_diff *diff, const side *a, const side *b)
{
    distance d = {.a = a, .b = b};
    if (a->losses.n != b->losses.n) return SB_OK;
    SB_TRY(sb_h5_each_dataset(a->file, "param", add_distance, &d));
    diff->n_tensors = d.n_tensors;
    diff->n_different = d.n_different;
    diff->distance = sqrt(d.sum);
    diff->largest = d.largest;
    snprintf(diff->where, sizeof diff->where, "%s", d.where);
    return SB_OK;
}

/* ---- their distance over the updates ---- */

static sb_status compare_sketches(sb_diff *d, const side *a, const side *b)
{
    SB_OWNED(sb_run_sketches_free) sb_run_sketches sa = {0}, sb = {0};
    SB_TRY(sb_runfile_sketches(a->file, &sa));
    SB_TRY(sb_runfile_sketches(b->file, &sb));
    d->point = sb_size_allocate(sa.n, sizeof *d->point);
    if (!d->point) return sb_fail(SB_E_MEMORY, "not enough memory");
    for (size_t i = 0, j = 0; sb_run_sketches_match(&sa, &sb, &i, &j); i++, j++)
        d->point[d->n_points++] = (sb_diff_point){sa.update[i], sb_sketch_distance(sa.row[i], sb.row[j])};
    return SB_OK;
}

/* ---- all of it ---- */

static sb_status compare_sides(sb_diff *d, const side *a, const side *b)
{
    note_losses(d, a, b);
    d->selection = sb_generations_compare(&a->generations, &b->generations);
    SB_TRY(compare_group(d, a->file, b->file, "config"));
    SB_TRY(compare_group(d, a->file, b->file, "env"));
    SB_TRY(compare_weights(d, a, b));
    return compare_sketches(d, a, b);
}

sb_status sb_diff_runs(sb_diff *d, const char *path_a, const char *path_b)
{
    SB_OWNED(close_side) side a = {0}, b = {0};
    *d = (sb_diff){.path = {path_a, path_b}};
    SB_TRY(open_side(&a, path_a));
    SB_TRY(open_side(&b, path_b));
    d->parting = sb_links_part(&a.links, &b.links);
    d->differs = d->parting.update != 0;
    SB_TRY(compare_sides(d, &a, &b));
    if (d->parting.compared || d->loss_update || d->n_tensors) return SB_OK;
    return sb_fail(SB_E_EMPTY, "%s and %s: no logged update in common", path_a, path_b);
}

bool sb_diff_is_same(const sb_diff *d)
{
    return !d->differs && !d->loss_update && (d->parting.compared || !d->n_different);
}

sb_status sb_diff_judge(const sb_diff *d)
{
    const sb_parting *p = &d->parting;
    char text[SB_LOSSES_TEXT];
    if (sb_diff_is_same(d)) return SB_OK;
    if (p->update && sb_parting_is_exact(p))
        return sb_fail(SB_E_DIFFERS, "%s and %s differ from update %lld on (%s)", d->path[0], d->path[1],
                       (long long)p->update, p->name);
    sb_losses_parting_text(p, d->loss_update, text);
    if (p->update) return sb_fail(SB_E_DIFFERS, "%s and %s: %s", d->path[0], d->path[1], text);
    if (!d->loss_update) return sb_fail(SB_E_DIFFERS, "%s and %s: other weights at the end", d->path[0], d->path[1]);
    return sb_fail(SB_E_DIFFERS, "%s and %s: recorded losses differ from update %lld", d->path[0], d->path[1],
                   (long long)d->loss_update);
}

void sb_diff_free(sb_diff *d)
{
    for (sb_diff_fact *f = d->fact; f < d->fact + d->n_facts; f++) {
        free(f->name);
        free(f->value[0]);
        free(f->value[1]);
    }
    free(d->fact);
    free(d->point);
    *d = (sb_diff){0};
}

/* ---- for people ---- */

static void print_same(const sb_diff *d, FILE *out)
{
    const sb_parting *p = &d->parting;
    if (p->compared)
        fprintf(out, "same bits over %zu entr%s, up to update %lld\n", p->compared, p->compared == 1 ? "y" : "ies",
                (long long)p->last);
    else
        fprintf(out, "same losses of %zu update%s and the same weights after them; no entry of the chains in common\n",
                d->n_updates, sb_plural(d->n_updates));
}

/* Of runs none of whose common entries differ. */
static void print_losses(const sb_diff *d, FILE *out)
{
    const sb_parting *p = &d->parting;
    if (p->compared)
        fprintf(out, "%zu entr%s of the chain the same, up to update %lld; ", p->compared,
                p->compared == 1 ? "y" : "ies", (long long)p->last);
    else
        fprintf(out, "no entry of the chains in common; ");
    if (d->loss_update)
        fprintf(out, "recorded losses differ from update %lld\n", (long long)d->loss_update);
    else
        fprintf(out, "recorded losses do not differ\n");
}

static void print_parting(const sb_diff *d, FILE *out)
{
    const sb_parting *p = &d->parting;
    char text[SB_LOSSES_TEXT];
    if (sb_diff_is_same(d)) {
        print_same(d, out);
        return;
    }
    if (p->update) {
        sb_losses_parting_text(p, d->loss_update, text);
        fprintf(out, "%s\n", text);
        if (!sb_parting_is_exact(p)) fprintf(out, "  differs first in that entry: %s\n", p->name);
    } else {
        print_losses(d, out);
    }
    if (p->update && d->update_there)
        fprintf(out, "  loss of that update: %.9g against %.9g\n", d->loss_there[0], d->loss_there[1]);
    if (d->n_updates)
        fprintf(out, "  loss of update %zu:  %.9g against %.9g\n", d->n_updates, d->loss_last[0], d->loss_last[1]);
}

/* Of runs without gradients: where rounding turned a comparison, if it did. */
static void print_selection(const sb_diff *d, FILE *out)
{
    const sb_parents_compared *s = &d->selection;
    if (!s->compared) return;
    sb_parents_print_order(s, out);
    if (!s->differs) {
        fprintf(out, "same parents in %zu generation%s, up to generation %lld\n", s->compared, sb_plural(s->compared),
                (long long)s->generation);
        return;
    }
    fprintf(out, "first other parents: generation %lld, %zu of them\n", (long long)s->generation, s->n_other);
    fprintf(out, "  loss of the last one chosen: %.9g against %.9g\n", s->loss[0], s->loss[1]);
    fprintf(out, "  gap to the first refused:    %.3g against %.3g\n", s->gap[0], s->gap[1]);
}

static void print_points(const sb_diff_point *p, size_t n, FILE *out)
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

void sb_diff_print(const sb_diff *d, FILE *out)
{
    print_parting(d, out);
    print_selection(d, out);
    sb_diff_print_group(d, "config", out);
    sb_diff_print_group(d, "env", out);
    if (d->n_different)
        fprintf(out, "weights after update %zu: %zu of %zu tensors differ, L2 distance %.6g, largest %.6g at %s\n",
                d->n_updates, d->n_different, d->n_tensors, d->distance, d->largest, d->where);
    print_points(d->point, d->n_points, out);
}
