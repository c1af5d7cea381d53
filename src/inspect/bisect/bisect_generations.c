/* Bisection of two runs without gradients: they part where a comparison of losses turns, in the choice of parents. */
#include "inspect/bisect/bisect_parts.h"

#include "core/text/plural.h"
#include "inspect/generations.h"

#include <math.h>

enum { NAMED = 8 }; /* individuals that are named */

/* " 17, 23 and 3 more" of those in the one ascending list that are not in the other. */
static void print_only(const sb_generations *of, const sb_generations *other, size_t generation, FILE *out)
{
    const int64_t *mine = of->individual + generation * of->n_parents;
    const int64_t *theirs = other->individual + generation * other->n_parents;
    size_t n = 0;
    for (size_t i = 0, j = 0; i < of->n_parents; i++) {
        while (j < other->n_parents && theirs[j] < mine[i]) j++;
        if (j < other->n_parents && theirs[j] == mine[i]) continue;
        if (n < NAMED) fprintf(out, "%s %lld", n ? "," : "", (long long)mine[i]);
        n++;
    }
    if (n > NAMED) fprintf(out, " and %zu more", n - NAMED);
    fputc('\n', out);
}

static void print_choice(const sb_parents_compared *s, const sb_generations *a, const sb_generations *b, FILE *out)
{
    fprintf(out, "first other parents: generation %lld, %zu of them\n", (long long)s->generation, s->n_other);
    fprintf(out, "  individuals that A alone chose:");
    print_only(a, b, (size_t)s->generation, out);
    fprintf(out, "  individuals that B alone chose:");
    print_only(b, a, (size_t)s->generation, out);
    fprintf(out, "  loss of the last one chosen: %.9g against %.9g, difference %.3g\n", s->loss[0], s->loss[1],
            fabs(s->loss[0] - s->loss[1]));
    fprintf(out, "  gap to the first refused:    %.3g against %.3g\n", s->gap[0], s->gap[1]);
}

static void print_same(const sb_parents_compared *s, const sb_generations *a, const sb_generations *b, FILE *out)
{
    if (a->n_parents == 0 || b->n_parents == 0)
        fprintf(out, "random search has no parents, whose choice could be compared\n");
    else if (s->compared == 0)
        fprintf(out, "one run has %zu parents and the other %zu, so that no two choices can be compared\n",
                a->n_parents, b->n_parents);
    else
        fprintf(out,
                "the same set of parents in all %zu generation%s that both have: they differ in their order, in their "
                "genomes or in the elite\n",
                s->compared, sb_plural(s->compared));
}

static sb_status read_choice(sb_bisection *bisection)
{
    SB_OWNED(sb_generations_free) sb_generations a = {0}, b = {0};
    SB_TRY(sb_generations_read(&a, bisection->a.run));
    SB_TRY(sb_generations_read(&b, bisection->b.run));
    const sb_parents_compared s = sb_generations_compare(&a, &b);
    bisection->facts->selection = s;
    sb_parents_print_order(&s, bisection->out);
    if (s.differs)
        print_choice(&s, &a, &b, bisection->out);
    else
        print_same(&s, &a, &b, bisection->out);
    return SB_OK;
}

sb_status sb_bisect_generations(sb_bisection *bisection)
{
    bool a_repeats, b_repeats;
    SB_TRY(read_choice(bisection));
    fprintf(bisection->out, "of generations no operation is traced: 'samebits trace' traces updates by gradients\n");
    fflush(bisection->out);
    SB_TRY(sb_bisect_repeat(bisection, &bisection->a, &a_repeats));
    SB_TRY(sb_bisect_repeat(bisection, &bisection->b, &b_repeats));
    if (!a_repeats || !b_repeats) return sb_bisect_other_machine(bisection, a_repeats, b_repeats);
    return sb_bisect_causes(bisection);
}
