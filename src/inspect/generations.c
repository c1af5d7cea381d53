#include "inspect/generations.h"

#include "core/size.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static sb_status read_all(sb_generations *g, sb_h5 *run)
{
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(run, "evolution/individual", &shape));
    if (shape.rank != 2) return sb_fail(SB_E_INTEGRITY, "%s: /evolution/individual is no table", sb_h5_path(run));
    g->n = shape.dim[0], g->n_parents = shape.dim[1];
    SB_TRY(sb_h5_read_new(run, "evolution/individual", SB_I64, shape.n, &g->ranked));
    g->individual = sb_size_allocate(shape.n, sizeof *g->individual);
    if (!g->individual) return sb_fail(SB_E_MEMORY, "%s: not enough memory for its generations", sb_h5_path(run));
    memcpy(g->individual, g->ranked, shape.n * sizeof *g->individual);
    SB_TRY(sb_h5_read_new(run, "evolution/chosen", SB_F64, g->n, &g->chosen));
    SB_TRY(sb_h5_read_new(run, "evolution/gap", SB_F64, g->n, &g->gap));
    for (size_t i = 0; i < g->n; i++) qsort(g->individual + i * g->n_parents, g->n_parents, sizeof(int64_t), ascending);
    return SB_OK;
}

sb_status sb_generations_read(sb_generations *generations, sb_h5 *run)
{
    *generations = (sb_generations){0};
    if (!sb_h5_exists(run, "evolution/individual")) return SB_OK;
    const sb_status status = read_all(generations, run);
    if (status != SB_OK) sb_generations_free(generations);
    return status;
}

void sb_generations_free(sb_generations *generations)
{
    free(generations->ranked);
    free(generations->individual);
    free(generations->chosen);
    free(generations->gap);
    *generations = (sb_generations){0};
}

/* How many of the one ascending list are not in the other. */
static size_t count_other(const int64_t *a, const int64_t *b, size_t n)
{
    size_t other = 0;
    for (size_t i = 0, j = 0; i < n; i++) {
        while (j < n && b[j] < a[i]) j++;
        other += j == n || b[j] != a[i];
    }
    return other;
}

/* The first rank that another one has; n: none. */
static size_t first_other(const int64_t *a, const int64_t *b, size_t n)
{
    size_t k = 0;
    while (k < n && a[k] == b[k]) k++;
    return k;
}

static void compare_order(sb_parents_compared *s, const int64_t *a, const int64_t *b, size_t n)
{
    const size_t rank = first_other(a, b, n);
    if (s->reordered || s->differs || rank == n) return;
    s->reordered = true;
    s->order_generation = s->generation;
    s->order_rank = rank;
}

sb_parents_compared sb_generations_compare(const sb_generations *a, const sb_generations *b)
{
    sb_parents_compared s = {0};
    const size_t n_parents = a->n_parents;
    if (b->n_parents != n_parents) return s;
    for (size_t i = 0; i < a->n && i < b->n && !s.differs; i++) {
        s.compared++;
        s.generation = (int64_t)i;
        s.n_other = count_other(a->individual + i * n_parents, b->individual + i * n_parents, n_parents);
        s.differs = s.n_other > 0;
        compare_order(&s, a->ranked + i * n_parents, b->ranked + i * n_parents, n_parents);
        s.loss[0] = a->chosen[i], s.loss[1] = b->chosen[i];
        s.gap[0] = a->gap[i], s.gap[1] = b->gap[i];
    }
    return s;
}

void sb_parents_print_order(const sb_parents_compared *selection, FILE *out)
{
    const sb_parents_compared *s = selection;
    if (s->reordered)
        fprintf(out, "first other order of the same parents: generation %lld, from rank %zu on\n",
                (long long)s->order_generation, s->order_rank);
}
